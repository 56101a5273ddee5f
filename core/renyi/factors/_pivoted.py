"""Pivoted Cholesky of a Gaussian Gram, block by block, refinable, with its residual.

K = L L' + R with R positive semidefinite: of R the diagonal is known, and no entry of it is larger
than the largest diagonal one. Columns come in blocks, so that the work is matrix products; the
pivots of a block are found among the rows with the largest residuals, one at a time, on their own
small matrix. The n x n matrix is never formed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.execution import pause
from renyi.kernels import TiledKernel

__all__ = ["PivotedCholesky"]

BLOCK: Final = 48
"""Most columns of a block: from there on the products run at full speed."""

LEAST_BLOCK: Final = 8
"""Fewest columns of a block that is to be the last."""

SPARE: Final = 1.1
"""Columns of a last block, over those that would do if each took as much as the last one did."""

POOL: Final = 4
"""Rows among which a block's pivots are sought, times its columns."""

FALLEN: Final = 0.2
"""A block ends where the pool's largest residual falls below this share of what it began with:
rows outside of it may be worse by then."""

DIFFERENCES: Final = 4
"""Coordinates up to which distances are sums of squared differences: as fast, and exact where
|u|^2 + |v|^2 - 2 uv would drown a small one."""

MOST_NORM: Final = 1e4
"""Squared norm beyond which they are so for any number of coordinates."""

FASTER: Final = 1.5
"""By how much faster than before the logarithm of a residual may fall and the rank that is left
still be too small, where columns end early."""

STEADY: Final = 0.8
"""Share of what a column took at first that it still takes where rows lie in clusters."""

CHUNK_ROWS: Final = 2**13
"""Rows worked on at once: temporaries of a block stay in the cache."""

LARGE_BYTES: Final = 2**24
"""Bytes of a factor from which it grows in place, without room to spare."""

EPS: Final = float(np.finfo(np.float64).eps)


class PivotedCholesky:
    """L of growing rank for exp(-|u - v|^2 / 2) over rows u, v, times any other kernels.

    Parameters
    ----------
    coordinates
        (m, d) scaled coordinates.
    weights
        (m,) what each row counts when pivots are chosen, None for one each.
    tiled
        The other kernels, over the same rows.
    chunk_rows
        Rows worked on at once.
    large_bytes
        Bytes of a factor from which it grows in place.

    Attributes
    ----------
    rank
        Columns so far.
    diagonal
        (m,) diagonal of the residual.
    trail
        (rank, largest diagonal entry of the residual) after each block.
    """

    def __init__(
        self,
        coordinates: FloatArray,
        weights: FloatArray | None = None,
        tiled: Sequence[TiledKernel] = (),
        *,
        chunk_rows: int = CHUNK_ROWS,
        large_bytes: int = LARGE_BYTES,
    ) -> None:
        self._tiled = tuple(tiled)
        self._chunk_rows, self._large_bytes = chunk_rows, large_bytes
        self._points = np.ascontiguousarray(coordinates)
        norms = np.einsum("ij,ij->i", self._points, self._points)
        self._by_product = (
            self._points.shape[1] > DIFFERENCES and norms.max(initial=0.0) <= MOST_NORM
        )
        self._weights = weights
        self._rows = np.empty((0, len(coordinates)))  # L', row by row: a new column is a new row
        self.rank = 0
        self.diagonal = np.ones(len(coordinates))
        self._start = self.residual
        self._first_rate = self._last_rate = 0.0  # what a column took, first block and last
        self.trail: list[tuple[int, float]] = [(0, 1.0)]

    def __len__(self) -> int:
        return len(self._points)

    @property
    def factor(self) -> FloatArray:
        """L', shape (rank, m)."""
        return self._rows[: self.rank]

    @property
    def residual(self) -> float:
        """Trace of the residual, each row with its weight."""
        if self._weights is None:
            return float(self.diagonal.sum())
        return float(self.diagonal @ self._weights)

    @property
    def largest(self) -> float:
        """Largest diagonal entry of the residual, a bound on all of its entries."""
        return float(self.diagonal.max(initial=0.0))

    def extend(
        self,
        most_rank: int,
        *,
        trace: float | None = None,
        largest: float | None = None,
        early: bool = False,
    ) -> bool:
        """Add columns until the residual is small; the work done before is kept.

        Parameters
        ----------
        most_rank
            Most columns in all.
        trace
            Stop once `residual` is at most this.
        largest
            Stop once `largest` is at most this.
        early
            Whether to stop, too, as soon as `trace` is out of sight.

        Returns
        -------
        bool
            Whether it came so far.
        """
        most_rank = min(most_rank, len(self))
        while not self._reached(trace, largest):
            if self.rank >= most_rank or (early and self.out_of_sight(trace, most_rank)):
                return False
            width = min(self._width(trace), most_rank - self.rank)
            if not self._add_block(width, most_rank):
                return self._reached(trace, largest)
        return True

    def _width(self, trace: float | None) -> int:
        """Return how many columns to add: no more than it will mostly take to come to a trace."""
        if trace is None or self._last_rate <= 0:
            return BLOCK
        wanted = SPARE * (self.residual - trace) / self._last_rate
        return max(LEAST_BLOCK, math.ceil(min(wanted, BLOCK)))

    def out_of_sight(self, trace: float | None, most_rank: int, *, faster: float = FASTER) -> bool:
        """Return whether a trace will not be reached at that rank, by how it fell so far.

        Each column mostly takes away a smaller share of what is left than those before. Not so
        where rows lie in tight clusters: each column takes one, and with the last all is gone.

        Parameters
        ----------
        trace
            What is to be reached, None for nothing.
        most_rank
            Most columns in all.
        faster
            By how much faster than in proportion to the rank the logarithm may yet fall.
        """
        if trace is None or not BLOCK <= self.rank < most_rank < len(self):
            return False
        left = self.residual
        steady = self._last_rate > STEADY * self._first_rate
        if steady and left - self._last_rate * (most_rank - self.rank) <= trace:
            return False
        fell = math.log(self._start) - math.log(left)
        asked = math.log(self._start) - math.log(max(trace, EPS))
        return faster * fell * most_rank < asked * self.rank

    def _reached(self, trace: float | None, largest: float | None) -> bool:
        return (trace is not None and self.residual <= trace) or (
            largest is not None and self.largest <= largest
        )

    def _add_block(self, width: int, most_rank: int) -> bool:
        """Add a block of columns; False where rounding is all that is left."""
        wanted = self.diagonal if self._weights is None else self.diagonal * self._weights
        pool = self._pool(wanted, POOL * width)
        own = self._residual_columns(pool, pool)
        scale = None if self._weights is None else self._weights[pool]
        chosen, steps = _pivots(own, scale, width)
        if not chosen:
            return False
        pivots = pool[np.array(chosen)]
        lower = np.tril(steps[:, chosen].T)  # the residual's block at the pivots is lower lower'
        self._reserve(self.rank + len(pivots), most_rank)
        new = self._rows[self.rank : self.rank + len(pivots)]
        inverse = np.linalg.inv(lower)
        before = self.residual
        for start in range(0, len(self), self._chunk_rows):
            some = slice(start, min(start + self._chunk_rows, len(self)))
            pause()
            new[:, some] = np.dot(inverse, self._residual_columns(pivots, some))
            self.diagonal[some] -= np.einsum("ij,ij->j", new[:, some], new[:, some])
        np.maximum(self.diagonal, 0.0, out=self.diagonal)
        self.diagonal[pivots] = 0.0
        self._last_rate = (before - self.residual) / len(pivots)
        self._first_rate = self._first_rate or self._last_rate
        self.rank += len(pivots)
        self.trail.append((self.rank, self.largest))
        return True

    def _pool(self, wanted: FloatArray, size: int) -> IntArray:
        if size >= len(self):
            return np.arange(len(self))
        return np.argpartition(wanted, len(self) - size)[len(self) - size :]

    def _residual_columns(self, pivots: IntArray, rows: IntArray | slice) -> FloatArray:
        """Return the residual at some rows for some pivots, shape (pivots, rows)."""
        columns = _kernel(self._points[pivots], self._points[rows], by_product=self._by_product)
        for one in self._tiled:
            columns *= one.columns(pivots, rows)
        if self.rank:
            columns -= np.dot(self.factor[:, pivots].T, self.factor[:, rows])
        return columns

    def _reserve(self, rank: int, most_rank: int) -> None:
        """Make room for `rank` rows: of a large factor in place, as far as the system can."""
        have = len(self._rows)
        if rank <= have:
            return
        room = min(max(rank, have + have // 2, BLOCK), most_rank)
        if self._rows.nbytes >= self._large_bytes:
            room = rank
            try:
                # on Linux old and new are mostly not held both
                self._rows.resize((room, len(self)))
            except ValueError:  # someone else looks at it
                pass
            else:
                return
        grown = np.empty((room, len(self)))
        grown[: self.rank] = self.factor
        self._rows = grown


def _kernel(left: FloatArray, right: FloatArray, *, by_product: bool) -> FloatArray:
    """Return exp(-|u - v|^2 / 2), shape (len(left), len(right))."""
    if by_product:
        distances: FloatArray = np.dot(
            left, right.T
        )  # dot: unlike matmul it lets other threads work
        distances -= 0.5 * np.einsum("ij,ij->i", left, left)[:, None]
        distances -= 0.5 * np.einsum("ij,ij->i", right, right)[None, :]
        np.minimum(distances, 0.0, out=distances)
    else:
        distances = np.zeros((len(left), len(right)))
        for k in range(left.shape[1]):
            difference = left[:, k][:, None] - right[:, k][None, :]
            difference *= difference
            distances += difference
        distances *= -0.5
    return np.exp(distances, out=distances)


def _pivots(own: FloatArray, scale: FloatArray | None, width: int) -> tuple[list[int], FloatArray]:
    """Choose pivots on a small residual matrix, largest (weighted) residual first.

    Returns
    -------
    chosen : list of int
        Positions in `own`.
    steps : (len(chosen), len(own))
        The rows of the factor that they make.
    """
    diagonal = np.diagonal(own).copy()
    steps = np.zeros((width, len(own)))
    chosen: list[int] = []
    first = 0.0
    for k in range(width):
        weighted = diagonal if scale is None else diagonal * scale
        pivot = int(np.argmax(weighted))
        if k == 0:
            first = float(weighted[pivot])
        # what is left of a unit diagonal after rounding is not worth a column
        if weighted[pivot] <= FALLEN * first * (k > 0) or diagonal[pivot] <= 4 * EPS:
            break
        step = (own[pivot] - steps[:k, pivot] @ steps[:k]) / np.sqrt(diagonal[pivot])
        steps[k] = step
        diagonal -= step * step
        diagonal[pivot] = 0.0
        chosen.append(pivot)
    return chosen, steps[: len(chosen)]
