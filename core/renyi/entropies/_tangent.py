"""The tangent that bounds F(A) from below, see `_bounds`: sums over blocks and their classes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from renyi._typing import Array, FloatArray
from renyi.backend import Backend
from renyi.entropies._formula import EPS
from renyi.entropies._solvers import matrix_in_words
from renyi.entropies._tiles import lower_tiles
from renyi.kernels import KernelProduct

__all__ = ["Tangent"]


class Tangent:
    """tr A X less what convexity takes, X the gradient of F at A_0 = A_k + delta I.

    With B one block of A_0 or one class in it, of eigenvalues mu + delta on vectors q, X is the sum
    over blocks, less that over classes, of q g(mu) q', g(mu) = ((mu + delta)^p - delta^p) / p, at
    alpha 1 ln(1 + mu / delta). No approximation of the vectors matters: the bound holds for any
    A_0, and their rounding is in the slack.

    Parameters
    ----------
    alpha
        Order, from 1 to 2.
    delta
        Above 0.
    backend
        Where the products run.
    """

    def __init__(self, alpha: float, delta: float, backend: Backend) -> None:
        self._p = alpha - 1
        self._delta = delta
        self._backend = backend
        self._trace = 0.0
        self._gain = 0.0  # F(A_0)
        self._slack = 0.0

    @property
    def bound(self) -> float:
        """Lower bound on F(A), nats."""
        return (1 + self._p) * self._trace - self._p * self._gain - self._slack

    def add(self, block: KernelProduct, weights: FloatArray, left: FloatArray, sign: int) -> None:
        """Add a block of A (sign 1) or a class of it (sign -1).

        Parameters
        ----------
        block
            Its rows, m of them, without hard codes.
        weights
            (m,) share of the trace that each row has.
        left
            (rank, m) factor of this part of A_k: left' left.
        sign
            1 or -1.
        """
        what = matrix_in_words(min(left.shape))
        mu, rows = self._backend.guarded(
            lambda some: [self._turned(one, weights) for one in some], [left], what=what
        )[0]
        self._trace += sign * self._inner(block, rows)
        self._gain += sign * self._power_gain(mu)
        largest = float(mu.max(initial=0.0))
        # g rises by 1 / delta at most: so much does the rounding of an eigenvalue move it
        self._slack += (
            64
            * EPS
            * (len(mu) + math.sqrt(len(block)))
            * (1 + largest / self._delta + self._slope(np.array([largest]))[0])
        )

    def _turned(self, left: FloatArray, weights: FloatArray) -> tuple[FloatArray, Array]:
        """Return mu, and on the device rows (., m) with rows' rows the weighted q g(mu) q'."""
        xp, backend = self._backend.xp, self._backend
        factor = backend.to_device(np.ascontiguousarray(left))
        turned = left.shape[0] > left.shape[1]
        other = xp.matrix_transpose(factor)
        values, vectors = backend.eigenvectors(other @ factor if turned else factor @ other)
        mu = np.maximum(backend.to_host(values), 0.0)
        # left' left = q mu q' with q = left' v / sqrt(mu), or q = v where the matrix is m x m
        scale = self._slope(mu) if turned else self._slope(mu) / np.maximum(mu, 1e-300)
        vectors = vectors * backend.to_device(np.sqrt(scale))[None, :]
        rows = xp.matrix_transpose(vectors)
        if not turned:
            rows = rows @ factor
        rows *= backend.to_device(np.sqrt(weights))[None, :]  # in place: it is as large as left
        return mu, rows

    def _slope(self, mu: FloatArray) -> FloatArray:
        logs = np.log1p(mu / self._delta)
        if self._p == 0:
            return logs
        grown: FloatArray = self._delta**self._p * np.expm1(self._p * logs) / self._p
        return grown

    def _power_gain(self, mu: FloatArray) -> float:
        """Return the sum of ((mu + delta)^alpha - delta^alpha) / p, less terms that cancel in F."""
        if self._p == 0:
            return 0.0  # F(A_0) has no weight there
        alpha, delta = 1 + self._p, self._delta
        return float(np.sum((mu + delta) ** alpha - delta**alpha)) / self._p

    def _inner(self, block: KernelProduct, rows: Array) -> float:
        """Return sum_ij K_ij (rows' rows)_ij over the block."""
        xp, backend = self._backend.xp, self._backend

        def sums(tiles: Sequence[tuple[slice, slice, float]]) -> list[float]:
            found = []
            for some, others, times in tiles:
                tile = block.tile(backend, some, others)
                tile = tile * (xp.matrix_transpose(rows[:, some]) @ rows[:, others])
                found.append(times * float(xp.sum(tile)))
            return found

        tiles = list(lower_tiles(len(block)))
        return sum(backend.guarded(sums, tiles, what="a tile of a Gram matrix"))
