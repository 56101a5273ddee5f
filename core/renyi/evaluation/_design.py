"""The matrix that a model sees of typed columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.variables import Kind, Variable

__all__ = ["Design"]


@dataclass(frozen=True, eq=False)
class Design:
    """The columns of features, side by side in the order of a path.

    A continuous feature is its numbers, an ordinal one its level number, a nominal one an
    indicator a level (one of two suffices for two levels). Numbers some of which are missing have
    one column more, which says where.

    Attributes
    ----------
    matrix
        (n, width) float64, NaN for a missing number.
    ends
        (F + 1,) int64: the first k features are the first ``ends[k]`` columns.
    """

    matrix: FloatArray
    ends: IntArray

    @classmethod
    def of(cls, features: Sequence[Variable]) -> Design:
        """Build the design of at least one feature over the same rows."""
        blocks = [_block(feature) for feature in features]
        widths = [block.shape[1] for block in blocks]
        ends = np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)
        return cls(np.ascontiguousarray(np.hstack(blocks)), ends)

    def first(self, size: int) -> Design:
        """Return the design of the first features only."""
        return Design(self.matrix[:, : self.ends[size]], self.ends[: size + 1])

    def filled(self, train: IntArray) -> FloatArray:
        """Return the matrix with the mean of a column's training rows for its missing numbers."""
        if self._complete:
            return self.matrix
        drawn = self.matrix[train]
        there = ~np.isnan(drawn)
        mean = np.where(there, drawn, 0.0).sum(axis=0) / np.maximum(there.sum(axis=0), 1)
        return np.where(np.isnan(self.matrix), mean, self.matrix)

    def scaled(self, train: IntArray) -> FloatArray:
        """Return the filled matrix with mean and standard deviation of training rows taken out.

        A row drawn twice counts twice; a column that is constant among them is centred only.
        """
        matrix = self.filled(train)
        drawn = matrix[train]
        mean, deviation = drawn.mean(axis=0), drawn.std(axis=0)
        constant = deviation <= 1e-12 * np.abs(drawn).max(axis=0, initial=0.0)
        found: FloatArray = (matrix - mean) / np.where(constant, 1.0, deviation)
        return found

    @cached_property
    def _complete(self) -> bool:
        return not bool(np.isnan(self.matrix).any())


def _block(feature: Variable) -> FloatArray:
    if feature.kind is not Kind.NOMINAL:
        if feature.missing is None:
            return feature.values
        holes = feature.missing[:, None]
        return np.hstack((np.where(holes, np.nan, feature.values), holes.astype(np.float64)))
    levels = np.arange(feature.distinct)
    shown = levels[1:] if feature.distinct == 2 else levels
    indicators: FloatArray = (feature.codes[:, None] == shown[None, :]).astype(np.float64)
    return indicators
