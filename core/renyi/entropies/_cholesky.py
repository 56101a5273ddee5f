"""Pivoted Cholesky factors of squared Gaussian Grams, with their residual."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from renyi._typing import FloatArray
from renyi.kernels import KernelPart

__all__ = ["RESIDUAL", "Factor", "pivoted_cholesky", "squared_factor"]

RESIDUAL: Final = 2e-14
"""Largest residual of a diagonal entry (they are 1) at which a factor counts as the matrix.

A pair's entry is then off by at most as much; about 50 roundings of the sums that make it up."""

HOPELESS: Final = 0.3
"""A residual above the tolerance to this power, at half of the most rank, will not come down to it:
log residuals fall like -k^(1/d), to the power 0.7 at d = 2 by then, less with outliers."""

MOST_LEVELS: Final = 64
"""Levels up to which a nominal part is worth a one-hot factor."""

MOST_RANK: Final = 256
"""Rank up to which a continuous part is worth a factor."""


@dataclass(frozen=True, eq=False)
class Factor:
    """L with L L' equal to a squared Gram on distinct rows, but for a residual.

    Attributes
    ----------
    values
        (m, r), one row per distinct row.
    residual
        Largest entry of the difference.
    residuals
        (r + 1,) the same for the first 0, 1, ... columns alone, which are the factor of that
        rank; empty for an exact factor.
    """

    values: FloatArray
    residual: float
    residuals: FloatArray = field(default_factory=lambda: np.empty(0))

    def loosened(self, residual: float) -> Factor:
        """Return the factor of the least rank whose residual is at most `residual`."""
        enough = np.flatnonzero(self.residuals <= residual)
        if not len(enough):
            return self
        rank = max(int(enough[0]), 1)
        return Factor(self.values[:, :rank], float(self.residuals[rank]))


def pivoted_cholesky(
    coordinates: FloatArray, most_rank: int, tolerance: float = RESIDUAL
) -> Factor | None:
    """Factor exp(-|u - v|^2 / 2) over rows u, v of `coordinates`, largest residual first.

    Parameters
    ----------
    coordinates
        (m, d) scaled coordinates.
    most_rank
        Give up beyond it.
    tolerance
        Stop when no diagonal entry of K - L L' is larger.

    Returns
    -------
    Factor or None
        None if `most_rank` does not suffice. O(m r (r + d)) operations, O(m r) memory.
    """
    m = len(coordinates)
    most_rank = min(most_rank, m)
    factor = np.empty((most_rank, m))
    diagonal = np.ones(m)
    residuals = np.empty(most_rank + 1)
    for k in range(most_rank + 1):
        pivot = int(np.argmax(diagonal))
        residual = max(float(diagonal[pivot]), 0.0)
        residuals[k] = residual
        if residual <= tolerance:
            return Factor(np.ascontiguousarray(factor[:k].T), residual, residuals[: k + 1])
        if k == most_rank or (
            k == most_rank // 2 and most_rank < m and residual > tolerance**HOPELESS
        ):
            return None
        difference = coordinates - coordinates[pivot]
        column = np.exp(-0.5 * np.einsum("ij,ij->i", difference, difference))
        column -= factor[:k, pivot] @ factor[:k]
        column /= np.sqrt(residual)
        factor[k] = column
        diagonal -= column * column
        diagonal[pivot] = 0.0
    return None  # pragma: no cover - the loop returns


def squared_factor(part: KernelPart) -> Factor | None:
    """Factor the squared kernel of one part over its distinct rows, or None if not worth it."""
    if part.codes is not None:
        if part.distinct > MOST_LEVELS:
            return None
        return Factor(np.eye(part.distinct), 0.0)
    if part.soft is not None:
        return None
    points = part.coordinates[part.representatives()]
    return pivoted_cholesky(points * np.sqrt(2.0), min(MOST_RANK, max(64, part.n // 4)))
