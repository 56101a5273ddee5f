"""Pivoted Cholesky factors of squared Gaussian Grams, with their residual."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from renyi._typing import FloatArray
from renyi.kernels import KernelPart

__all__ = ["RESIDUAL", "Factor", "pivoted_cholesky", "squared_factor"]

RESIDUAL: Final = 2e-14
"""Largest residual of a diagonal entry (they are 1) at which a factor counts as the matrix.

A pair's entry is then off by at most as much; about 50 roundings of the sums that make it up."""

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
    """

    values: FloatArray
    residual: float


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
    for k in range(most_rank + 1):
        pivot = int(np.argmax(diagonal))
        residual = float(diagonal[pivot])
        if residual <= tolerance:
            return Factor(np.ascontiguousarray(factor[:k].T), max(residual, 0.0))
        if k == most_rank:
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
