"""Factors of many more variables, one by one or side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.entropies._cholesky import Factor

__all__ = ["SINGLE_LEAST", "Extension", "Stack"]

SINGLE_LEAST: Final = 1e-18
"""What is smaller counts as 0 in single precision: factors of numbers with few digits left, which
processors multiply a hundred times as slowly, and far below what is rounded off."""


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
    def of(cls, extensions: Sequence[Extension], *, single: bool) -> Stack:
        """Put factors side by side."""
        widths = [extension.factor.values.shape[1] for extension in extensions]
        offsets = np.concatenate(([0], np.cumsum(widths)[:-1])).astype(np.int64)
        n = len(extensions[0].rows)
        values = np.empty((n, sum(widths)), np.float32 if single else np.float64)
        for extension, column, width in zip(extensions, offsets, widths, strict=True):
            some = extension.factor.values
            if single:
                some = np.where(np.abs(some) < SINGLE_LEAST, 0.0, some).astype(np.float32)
            values[:, column : column + width] = some[extension.rows]
        return cls(
            values,
            offsets,
            np.array([extension.factor.residual for extension in extensions]),
            np.array([extension.factor.mean for extension in extensions]),
        )

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

    def without(self, place: int) -> Stack:
        """Return all variables but one."""
        ends = np.append(self.offsets, self.values.shape[1])
        first, last = int(ends[place]), int(ends[place + 1])
        offsets = np.delete(self.offsets, place)
        offsets[place:] -= last - first
        return Stack(
            np.delete(self.values, slice(first, last), axis=1),
            offsets,
            np.delete(self.residuals, place),
            np.delete(self.means, place),
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
