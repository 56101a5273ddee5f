"""Low-rank factors of the squared Gaussian Grams of single variables, with their residuals."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.factors._pivoted import PivotedCholesky
from renyi.kernels import KernelPart

__all__ = ["RESIDUAL", "Factor", "squared_factor"]

RESIDUAL: Final = 2e-14
"""Largest residual of a diagonal entry (they are 1) at which a factor counts as the matrix.

A pair's entry is then off by at most as much; about 50 roundings of the sums that make it up."""

FEW_POINTS: Final = 16
"""Distinct rows up to which eigenvectors of the Gram itself are the quickest factor."""

MOST_LEVELS: Final = 64
"""Levels up to which a nominal part is worth a one-hot factor, and any other one of its own."""

MOST_DENSE: Final = 256
"""Distinct rows up to which LAPACK factors the Gram itself at a tenth of the calls."""

MOST_RANK: Final = 256
"""Rank up to which a continuous part is worth a factor."""

EPS: Final = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class Factor:
    """L with L L' equal to a squared Gram on distinct rows, but for a residual.

    The difference is positive semidefinite up to rounding, so that its largest entry is on the
    diagonal.

    Attributes
    ----------
    values
        (m, r), one row per distinct row; columns in the order of their share of the trace.
    residual
        Largest entry of the difference.
    means
        (r + 1,) mean of the difference's diagonal over all rows, for the first 0, 1, ... columns
        alone, each an upper bound; empty for an exact factor.
    """

    values: FloatArray
    residual: float
    means: FloatArray = field(default_factory=lambda: np.empty(0))

    @property
    def mean(self) -> float:
        """Mean of the difference's diagonal over all rows, an upper bound."""
        return float(self.means[-1]) if len(self.means) else self.residual

    def loosened(self, residual: float) -> Factor:
        """Return the factor of the least rank whose mean residual is at most `residual`."""
        enough = np.flatnonzero(self.means <= residual)
        if not len(enough):
            return self
        rank = max(int(enough[0]), 1)
        rest = self.values[:, rank:]
        largest = float(np.einsum("ij,ij->i", rest, rest).max()) + self.residual
        return Factor(np.ascontiguousarray(self.values[:, :rank]), largest, self.means[: rank + 1])


def squared_factor(part: KernelPart) -> Factor | None:
    """Factor the squared kernel of one part over its distinct rows, or None if not worth it."""
    if part.codes is not None and part.is_joint:
        most = part.soft or part.n_codes > MOST_LEVELS
        return None if most else _block_factor(part, part.codes)
    # of how low a rank a kernel is that is known by its values alone nobody can tell
    few_needed = part.is_hard or part.is_tiled
    if part.soft or (few_needed and part.distinct > MOST_LEVELS):
        return None
    if part.is_hard:
        return Factor(np.eye(part.distinct), 0.0)
    first = part.representatives()
    return _factor_of(part, first, np.bincount(part.rows, minlength=part.distinct))


def _factor_of(part: KernelPart, first: IntArray, counts: IntArray) -> Factor | None:
    """Factor the squared kernel, but for hard codes, of some rows that stand for so many."""
    if part.is_tiled and len(first) > MOST_LEVELS:
        return None
    weights, points = counts.astype(np.float64), part.coordinates[first]
    if not part.is_tiled and len(first) > FEW_POINTS:
        return gaussian_factor(points * np.sqrt(2.0), weights)
    differences = points[:, None, :] - points[None, :, :]
    gram = np.exp(-np.einsum("ijk,ijk->ij", differences, differences))
    for one in part.tiled:
        gram *= one.take(first).to_the(2.0).columns(slice(None), slice(None))
    return _small_factor(gram, weights)


def _block_factor(part: KernelPart, codes: IntArray) -> Factor | None:
    """Factor a squared kernel that is 0 across codes: block by block, side by side."""
    first, counts = part.representatives(), np.bincount(part.rows, minlength=part.distinct)
    blocks = [np.flatnonzero(codes[first] == code) for code in range(part.n_codes)]
    found = [_factor_of(part, first[block], counts[block]) for block in blocks]
    factors = [factor for factor in found if factor is not None]
    rank = sum(factor.values.shape[1] for factor in factors)
    if len(factors) < len(blocks) or rank > MOST_RANK:
        return None
    values, done = np.zeros((part.distinct, rank)), 0
    for block, factor in zip(blocks, factors, strict=True):
        width = factor.values.shape[1]
        values[block, done : done + width] = factor.values
        done += width
    shares = (counts / counts.sum()) @ (values * values)
    order = np.argsort(-shares, kind="stable")
    residual = max(factor.residual for factor in factors)
    left_out = np.append(np.cumsum(shares[order][::-1])[::-1], 0.0)
    return Factor(np.ascontiguousarray(values[:, order]), residual, left_out + residual)


def _small_factor(gram: FloatArray, counts: FloatArray) -> Factor:
    """Factor a squared Gram of a few rows by eigenvectors, at a tenth of the calls."""
    shares = np.sqrt(counts / counts.sum())
    found, vectors = np.linalg.eigh(shares[:, None] * gram * shares[None, :])
    kept = np.flatnonzero(found > EPS * len(found))[::-1]
    values = vectors[:, kept] * np.sqrt(found[kept]) / shares[:, None]
    missing = np.maximum(1.0 - np.einsum("ij,ij->i", values, values), 0.0)
    residual = float(missing.max()) + 8 * EPS * len(found)
    left_out = np.append(np.cumsum(found[kept][::-1])[::-1], 0.0)
    return Factor(np.ascontiguousarray(values), residual, left_out + residual)


def gaussian_factor(points: FloatArray, counts: FloatArray) -> Factor | None:
    """Factor exp(-|u - v|^2 / 2) over rows u, v of `points` to `RESIDUAL`, or give up.

    A pivoted Cholesky factor is turned so that its first columns make up as much of the trace as
    any of their number can: with V orthogonal L L' = (L V)(L V)', and what a truncation of L V
    leaves out is positive semidefinite.

    Parameters
    ----------
    points
        (m, d) scaled coordinates.
    counts
        (m,) how many rows each stands for.
    """
    most = min(MOST_RANK, max(64, int(np.sum(counts)) // 4))
    found = _dense(points) if len(points) <= MOST_DENSE else _in_blocks(points, most)
    if found is None or found[0].shape[1] > most:
        return None
    left, largest = found
    weights = counts / np.sum(counts)
    vectors = np.linalg.eigh((left * weights[:, None]).T @ left)[1]
    turned = np.ascontiguousarray(left @ vectors[:, ::-1])
    residual = largest + 4 * EPS * (1 + math.sqrt(left.shape[1]))  # the turn's rounding
    shares = weights @ (turned * turned)
    # summed from the small end: 1 less those before would drown them
    left_out = np.append(np.cumsum(shares[::-1])[::-1], 0.0)
    return Factor(turned, residual, left_out + residual).loosened(residual + RESIDUAL)


def _in_blocks(points: FloatArray, most: int) -> tuple[FloatArray, float] | None:
    """Return L and the largest entry that is missing, None if `most` columns are too few."""
    found = PivotedCholesky(points)
    if not found.extend(most, largest=RESIDUAL):
        return None
    return found.factor.T, found.largest


def _dense(points: FloatArray) -> tuple[FloatArray, float]:
    """Return L and the largest entry that is missing, out of the whole Gram of few points."""
    from scipy.linalg.lapack import dpstrf

    differences = points[:, None, :] - points[None, :, :]
    gram = np.exp(-0.5 * np.einsum("ijk,ijk->ij", differences, differences))
    factor, pivots, rank, _ = dpstrf(gram, tol=RESIDUAL, lower=1)
    left = np.empty((len(points), rank))
    left[pivots - 1] = np.tril(factor)[:, :rank]
    missing = 1.0 - np.einsum("ij,ij->i", left, left)
    return left, max(float(missing.max()), 0.0)
