"""One Gram as blocks of rows, each with its factor: what bounds are made from."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.entropies import EPS
from renyi.factors import PivotedCholesky, runs, spans
from renyi.kernels import KernelProduct

__all__ = ["Side"]

MOST_COMPRESSED: Final = 0.8
"""Size of a compressed matrix, over that of the whole, up to which it is worth while."""

COMPRESSED_COPIES: Final = 3
"""Matrices of that size that are held at once: its pieces, all of it, and its band."""

PRODUCT: Final = 0.25
"""Cost of an m x m x k product over an eigenvalue problem of as many operations."""

ROWS: Final = 2**13
"""Rows of a factor that are scaled at once."""


class Side:
    """One Gram as blocks of rows with their factors; with a delta label, cut into classes too.

    Parameters
    ----------
    product
        Whose Gram it is.
    merged
        Whose distinct rows are kept apart: with a delta label those of the joint product.
    label
        (n,) codes of a delta label, or None.
    """

    def __init__(
        self, product: KernelProduct, merged: KernelProduct, label: IntArray | None
    ) -> None:
        first, weights = merged.merged_rows()
        self.entry_error = product.entry_error
        none = np.zeros(len(first), dtype=np.int64)
        blocks = none if product.codes is None else product.codes[first]
        classes = none if label is None else label[first]
        order = np.lexsort((classes, blocks))
        classes = classes[order]
        self.product = product.pick(first[order], None)
        self.weights = weights[order] / product.total
        self.blocks = list(runs(blocks[order]))
        self.classes = [list(runs(classes[span], span.start)) for span in self.blocks]
        self.factors = [
            PivotedCholesky(
                self.product.coordinates[span], self.weights[span], self.product.tiled_at(span)
            )
            for span in self.blocks
        ]

    @property
    def largest_block(self) -> int:
        """Rows of the largest block."""
        return max(int(span.stop) - int(span.start) for span in self.blocks)

    @property
    def rank(self) -> int:
        """Largest rank of a block's factor."""
        return max(factor.rank for factor in self.factors)

    @property
    def exact_costs(self) -> tuple[float, float]:
        """Operations for the eigenvalues of the blocks, and of the classes in them."""
        cut = list(self._cut())
        whole = math.fsum(_cube(span) for span, _ in cut)
        return whole, math.fsum(_cube(part) for _, cuts in cut for part in cuts)

    def cost(self, times: float = 1.0) -> float:
        """Operations for factor and eigenvalues at the present rank, or so many times of it."""
        return math.fsum(
            _cost(len(factor), times * factor.rank, cuts)
            for factor, (_, cuts) in zip(self.factors, self._cut(), strict=True)
        )

    def compressed_cost(self, share: float, most_bytes: int) -> float:
        """Operations for the compression, infinity where it is too large to be worth while.

        One product with the Gram, and eigenvalues, of which a `share` is to be done.
        """
        total, rows, compressed = 0.0, 0, 0
        for factor, (span, cuts) in zip(self.factors, self._cut(), strict=True):
            sizes = [min(factor.rank, cut.stop - cut.start) for cut in cuts]
            squares = (_square(span) + sum(map(_square, cuts))) / 2
            total += PRODUCT * 2 * factor.rank * (squares + factor.rank * len(factor))
            total += share * (float(sum(sizes)) ** 3 + sum(float(one) ** 3 for one in sizes))
            if COMPRESSED_COPIES * 8 * sum(sizes) ** 2 > most_bytes:
                return math.inf
            rows += span.stop - span.start
            compressed += sum(sizes) if cuts else 0
        return total if compressed <= MOST_COMPRESSED * rows else math.inf

    def _cut(self) -> Iterator[tuple[slice, list[slice]]]:
        """Yield each block with the classes in it, none where there is but one."""
        for span, cuts in zip(self.blocks, self.classes, strict=True):
            yield span, cuts if len(cuts) > 1 else []

    @property
    def factor_bytes(self) -> int:
        """Bytes of all blocks' factors."""
        return sum(factor.factor.nbytes for factor in self.factors)

    def extend(self, residual: float, most_cost: float, most_bytes: int) -> bool:
        """Raise ranks until the trace left out is at most `residual` of each block's.

        Returns
        -------
        bool
            Whether that took no more operations than `most_cost`, and left the factors of all
            blocks together within `most_bytes`.
        """
        for factor, (span, cuts) in zip(self.factors, self._cut(), strict=True):
            mass = float(self.weights[span].sum())
            most = _most_rank(len(factor), cuts, most_cost)
            room = most_bytes - self.factor_bytes + factor.factor.nbytes
            most = min(most, room // (8 * len(factor)))
            early = most_cost < math.inf  # there are other ways
            if not factor.extend(max(most, 1), trace=residual * mass, early=early):
                return False
        return self.cost() <= most_cost

    @property
    def residual(self) -> float:
        """Upper bound on the trace left out."""
        left = sum(factor.residual for factor in self.factors)
        return left + 16 * EPS * (1 + self.rank)

    def scaled(self, block: int, rows: slice) -> FloatArray:
        """Return the factor of A_k of a block, by number, at some of its rows, (rank, rows)."""
        start = self.blocks[block].start
        own = slice(rows.start - start, rows.stop - start)
        scaled: FloatArray = self.factors[block].factor[:, own] * np.sqrt(self.weights[rows])
        return scaled

    def small(self, block: int, rows: slice) -> FloatArray:
        """Return a matrix with the eigenvalues of A_k's block at some rows, zeros apart."""
        rank = self.factors[block].rank
        if rows.stop - rows.start < rank:
            left = self.scaled(block, rows)
            turned: FloatArray = np.dot(left.T, left)
            return turned
        small = np.zeros((rank, rank))
        for some in spans(rows.start, rows.stop, ROWS):  # no copy of the factor at full length
            left = self.scaled(block, some)
            small += np.dot(left, left.T)
        return small


def _cost(rows: int, rank: float, cuts: Sequence[slice]) -> float:
    """Return the operations for the factor of a block, its eigenvalues and those of classes."""
    classes = math.fsum(min(rank, cut.stop - cut.start) ** 3 for cut in cuts)
    return PRODUCT * rows * rank**2 + rank**3 + classes


def _most_rank(rows: int, cuts: Sequence[slice], most_cost: float) -> int:
    """Return the largest rank of a block at which that takes no more than so many operations."""
    if _cost(rows, rows, cuts) <= most_cost:
        return rows
    return bisect_right(range(1, rows), most_cost, key=lambda rank: _cost(rows, rank, cuts))


def _cube(span: slice) -> float:
    return float(span.stop - span.start) ** 3


def _square(span: slice) -> float:
    return float(span.stop - span.start) ** 2
