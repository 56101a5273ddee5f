"""Factors of many more variables, one by one or side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.factors import Factor, spans

__all__ = ["SINGLE_ENTRY", "SINGLE_LEAST", "UNIT", "Extension", "Places", "Stack", "offsets_of"]

Places: TypeAlias = slice | IntArray
"""Some variables of a stack: those side by side, or any."""

SINGLE_LEAST: Final = 1e-18
"""What is smaller counts as 0 in single precision: factors of numbers with few digits left, which
processors multiply a hundred times as slowly, and far below what is rounded off."""

ROWS_AT_ONCE: Final = 2**14
"""Rows that are looked at once more."""

UNIT: Final = 2.0**-24
"""What single precision rounds off a number, as a share of it."""

SINGLE_ENTRY: Final = 7 * UNIT
"""What it rounds off an entry of W: its exponential, and what is put in for its exponent."""


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
        offsets = offsets_of(widths)
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
        some = np.asarray(places, dtype=np.int64)
        widths = self.widths[some]
        return Stack(self.columns(some), offsets_of(widths), self.residuals[some], self.means[some])

    def columns(self, places: Places) -> FloatArray:
        """Return the factors of some of the variables, in the order given, side by side."""
        if isinstance(places, slice):
            return self.part(places.start, places.stop).values
        return self._first(places, self.widths[places])

    def _first(self, places: IntArray, widths: IntArray) -> FloatArray:
        starts = self.offsets[places]
        columns = [
            np.arange(first, first + width) for first, width in zip(starts, widths, strict=True)
        ]
        return np.ascontiguousarray(self.values[:, np.concatenate(columns)])

    def leading(self, widths: IntArray) -> Stack:
        """Return the first columns of each variable, which make up most of its trace.

        Parameters
        ----------
        widths
            (count,) how many of each.
        """
        values, offsets = self._first(np.arange(len(self)), widths), offsets_of(widths)
        missing = 1.0 - np.add.reduceat(values * values, offsets, axis=1)
        return Stack(values, offsets, missing.max(axis=0), missing.mean(axis=0, dtype=np.float64))

    @property
    def widths(self) -> IntArray:
        """(count,) columns of each variable."""
        return np.diff(np.append(self.offsets, self.values.shape[1]))

    def parts(self, most_columns: int) -> Iterator[tuple[int, int]]:
        """Yield (start, stop) of variables that have so many columns together, one at least."""
        ends = np.append(self.offsets[1:], self.values.shape[1])
        start = 0
        while start < len(self):
            stop = int(np.searchsorted(ends, self.offsets[start] + most_columns, side="right"))
            stop = max(stop, start + 1)
            yield start, stop
            start = stop


def offsets_of(widths: Sequence[int] | IntArray) -> IntArray:
    """Return the first column of each variable of so many columns."""
    return np.concatenate(([0], np.cumsum(widths)[:-1])).astype(np.int64)
