"""Factors of many more variables, one by one or side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.factors import Factor, spans

__all__ = ["SINGLE_LEAST", "Extension", "Stack"]

SINGLE_LEAST: Final = 1e-18
"""What is smaller counts as 0 in single precision: factors of numbers with few digits left, which
processors multiply a hundred times as slowly, and far below what is rounded off."""

ROWS_AT_ONCE: Final = 2**14
"""Rows that are looked at once more."""


@dataclass(frozen=True, eq=False)
class Extension:
    """One more variable: its factor and which distinct row of it each row is.

    Attributes
    ----------
    factor
        Of the squared kernel on distinct rows.
    rows
        (n,) numbers into the factor's rows; permuted for a permuted variable.
    """

    factor: Factor
    rows: IntArray


@dataclass(frozen=True, eq=False)
class Stack:
    """Many more variables, their factors side by side: made once for many orders of their rows.

    Attributes
    ----------
    values
        (n, columns) rows of all factors, by row of the table; in single precision where sums are.
    offsets
        (count,) first column of each variable.
    residuals, means
        (count,) largest and mean missing diagonal of each squared Gram.
    """

    values: FloatArray
    offsets: IntArray
    residuals: FloatArray
    means: FloatArray

    @classmethod
    def of(cls, factors: list[tuple[FloatArray, float, float]]) -> Stack:
        """Put factors side by side.

        Parameters
        ----------
        factors
            Of each variable the transposed factor (rank, n) on the rows of a table, in single or
            double precision, its largest and its mean missing diagonal. They are taken out of the
            list one by one: with many rows they would be there twice.
        """
        widths = [len(values) for values, _, _ in factors]
        offsets = np.concatenate(([0], np.cumsum(widths)[:-1])).astype(np.int64)
        first = factors[0][0]
        values = np.empty((first.shape[1], sum(widths)), first.dtype)
        residuals = np.array([residual for _, residual, _ in factors])
        means = np.array([mean for _, _, mean in factors])
        for column, width in zip(offsets[::-1], widths[::-1], strict=True):
            values[:, column : column + width] = factors.pop()[0].T
        if values.dtype == np.float32:
            for rows in spans(0, len(values), ROWS_AT_ONCE):
                some = values[rows]
                some[np.abs(some) < SINGLE_LEAST] = 0.0
        return cls(values, offsets, residuals, means)

    def __len__(self) -> int:
        return len(self.offsets)

    def part(self, start: int, stop: int) -> Stack:
        """Return some of the variables."""
        first = int(self.offsets[start])
        last = int(self.offsets[stop]) if stop < len(self) else self.values.shape[1]
        return Stack(
            self.values[:, first:last],
            self.offsets[start:stop] - first,
            self.residuals[start:stop],
            self.means[start:stop],
        )

    def take(self, places: Sequence[int]) -> Stack:
        """Return some of the variables, in the order given."""
        ends = np.append(self.offsets, self.values.shape[1])
        widths = np.diff(ends)[list(places)]
        columns = [np.arange(ends[place], ends[place + 1]) for place in places]
        return Stack(
            np.ascontiguousarray(self.values[:, np.concatenate(columns)]),
            np.concatenate(([0], np.cumsum(widths)[:-1])).astype(np.int64),
            self.residuals[list(places)],
            self.means[list(places)],
        )

    def parts(self, most_columns: int) -> Iterator[tuple[int, int]]:
        """Yield (start, stop) of variables that have so many columns together, one at least."""
        ends = np.append(self.offsets[1:], self.values.shape[1])
        start = 0
        while start < len(self):
            stop = int(np.searchsorted(ends, self.offsets[start] + most_columns, side="right"))
            stop = max(stop, start + 1)
            yield start, stop
            start = stop
