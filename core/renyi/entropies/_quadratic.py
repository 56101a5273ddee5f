r"""Order 2 without eigenvalues, for one product or for many extensions of one at a time.

S_2(A) = -log2 ||A||_F^2, so only sums of squared kernel values are needed. With F = L L' the
squared Gram of one more variable and W that of the others,

    sum_ij W_ij F_ij = tr(L' W L),

one matrix product with all the L side by side serves every candidate of a step, or every
permuted copy of one variable (whose L has its rows permuted). With a delta-kernel label the same
sum over pairs within a class gives the joint entropy, out of the same pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.backend import Backend
from renyi.entropies._cholesky import Factor, pivoted_cholesky
from renyi.execution import one_blas_thread
from renyi.kernels import KernelProduct, pack_codes

__all__ = ["Extension", "SquaredSums", "squared_norm"]

TILE: Final = 512
"""Rows of a tile."""

TILE_COLUMNS: Final = 4096
"""Columns of a tile: 16 MiB of doubles, which the allocator reuses without page faults."""

COLUMN_BYTES: Final = 2**28
"""Bytes of stacked factors that are worked on at once."""


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


def _spans(start: int, stop: int, width: int) -> Iterator[slice]:
    for first in range(start, stop, width):
        yield slice(first, min(first + width, stop))


def squared_norm(product: KernelProduct, backend: Backend) -> float:
    """Return ||K / n||_F^2 of a product without hard codes, by tiles of its lower triangle."""
    weights = np.ones(len(product)) if product.weights is None else product.weights
    weights = weights / product.total
    total = 0.0
    for some in _spans(0, len(product), TILE):
        left = backend.to_device(weights[some])
        own = product.tile(backend, some, some, exponent=2.0)
        total += float(left @ (own @ left))
        for others in _spans(0, some.start, TILE_COLUMNS):
            tile = product.tile(backend, some, others, exponent=2.0)
            total += 2.0 * float(left @ (tile @ backend.to_device(weights[others])))
    return total


@dataclass(frozen=True, eq=False)
class _Block:
    """Rows that share a hard code: where they are, in which classes, and their W."""

    rows: slice
    classes: tuple[slice, ...]
    product: KernelProduct
    factor: Factor | None


class SquaredSums:
    """Sums of W_ij F_ij over all pairs, and over pairs of one class, for many F at once.

    Rows that are equal in W and in class are added up first: the sums are bilinear in L.

    Parameters
    ----------
    base
        The product whose squared Gram is W, without soft codes or weights.
    classes, n_classes
        (n,) label codes, or None where only sums over all pairs are wanted.
    backend
        Where the matrix products run.
    """

    def __init__(
        self, base: KernelProduct, classes: IntArray | None, n_classes: int, backend: Backend
    ) -> None:
        n = len(base)
        self._backend = backend
        self._n = n
        label = np.zeros(n, dtype=np.int64) if classes is None else classes
        codes = np.zeros(n, dtype=np.int64) if base.codes is None else base.codes
        groups, count = pack_codes(base.rows, base.distinct, label, max(n_classes, 1))
        self._order = np.lexsort((groups, label, codes))
        ordered = groups[self._order]
        self._starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
        self._merged = count < n
        first = self._order[self._starts]
        self._blocks = list(self._split(base, first, codes[first], label[first]))
        self.residual = max((b.factor.residual for b in self._blocks if b.factor), default=0.0)

    @staticmethod
    def _split(
        base: KernelProduct, first: IntArray, codes: IntArray, label: IntArray
    ) -> Iterator[_Block]:
        edges = np.flatnonzero(np.diff(codes)) + 1
        for start, stop in zip((0, *edges), (*edges, len(codes)), strict=True):
            product = base.subset(first[start:stop])
            cuts = np.flatnonzero(np.diff(label[start:stop])) + 1
            ends = (*cuts.tolist(), stop - start)
            classes = tuple(slice(a, b) for a, b in zip((0, *ends[:-1]), ends, strict=True))
            yield _Block(slice(int(start), int(stop)), classes, product, _low_rank(product))

    def sums(self, extensions: Sequence[Extension]) -> tuple[FloatArray, FloatArray]:
        """Return the sums over all pairs and over pairs within a class, each (len(extensions),)."""
        everything, within = np.empty(len(extensions)), np.empty(len(extensions))
        start = 0
        while start < len(extensions):
            stop, columns = start, 0
            while stop < len(extensions):
                rank = extensions[stop].factor.values.shape[1]
                if stop > start and (columns + rank) * self._n * 8 > COLUMN_BYTES:
                    break
                columns += rank
                stop += 1
            part = slice(start, stop)
            everything[part], within[part] = self._some_sums(extensions[part], columns)
            start = stop
        return everything, within

    def _some_sums(
        self, extensions: Sequence[Extension], columns: int
    ) -> tuple[FloatArray, FloatArray]:
        stacked = np.empty((self._n, columns))
        offsets = np.zeros(len(extensions), dtype=np.int64)
        column = 0
        for number, extension in enumerate(extensions):
            values = extension.factor.values
            offsets[number] = column
            stacked[:, column : column + values.shape[1]] = values[extension.rows[self._order]]
            column += values.shape[1]
        if self._merged:
            stacked = np.add.reduceat(stacked, self._starts, axis=0)
        everything, within = np.zeros(columns), np.zeros(columns)
        for block in self._blocks:
            some = stacked[block.rows]
            if block.factor is None:
                self._add_tiles(block, some, everything, within)
            else:
                self._add_low_rank(block.factor, block.classes, some, everything, within)
        return np.add.reduceat(everything, offsets), np.add.reduceat(within, offsets)

    def _add_low_rank(
        self,
        factor: Factor,
        classes: Sequence[slice],
        stacked: FloatArray,
        everything: FloatArray,
        within: FloatArray,
    ) -> None:
        """Add ||L_W' L_F||_F^2, by column: once for all rows, once class by class."""
        backend, xp = self._backend, self._backend.xp
        left = backend.to_device(factor.values)
        columns = backend.to_device(stacked)
        total = backend.to_device(np.zeros((left.shape[1], columns.shape[1])))
        for rows in classes:
            product = xp.matrix_transpose(left[rows, :]) @ columns[rows, :]
            within += backend.to_host(xp.sum(product * product, axis=0))
            total += product
        everything += backend.to_host(xp.sum(total * total, axis=0))

    def _add_tiles(
        self, block: _Block, stacked: FloatArray, everything: FloatArray, within: FloatArray
    ) -> None:
        """Add the column sums of L_F * (W L_F) over the lower triangle of W, tile by tile."""
        backend, xp = self._backend, self._backend.xp
        columns = backend.to_device(stacked)
        for own in block.classes:
            for some in _spans(own.start, own.stop, TILE):
                mine = columns[some, :]
                inside = block.product.tile(backend, some, some, exponent=2.0) @ mine
                for others in _spans(own.start, some.start, TILE_COLUMNS):
                    tile = block.product.tile(backend, some, others, exponent=2.0)
                    tile *= 2.0
                    inside += tile @ columns[others, :]
                sums = backend.to_host(xp.sum(mine * inside, axis=0))
                within += sums
                everything += sums
                if own.start == 0:
                    continue
                outside = backend.to_device(np.zeros(mine.shape))
                for others in _spans(0, own.start, TILE_COLUMNS):
                    tile = block.product.tile(backend, some, others, exponent=2.0)
                    outside += tile @ columns[others, :]
                everything += 2.0 * backend.to_host(xp.sum(mine * outside, axis=0))


def _low_rank(product: KernelProduct) -> Factor | None:
    """Factor W where its rank makes that cheaper than tiles, else None.

    Tiles cost m^2 operations for each column, a factor 2 m r; finding it m r^2 of a kind that
    runs at memory speed, hence the low limit.
    """
    if product.coordinates.shape[1] == 0:
        return Factor(np.ones((len(product), 1)), 0.0)
    most_rank = min(max(len(product) // 32, 8), 1024)
    with one_blas_thread():  # products of a vector: a second thread only waits
        return pivoted_cholesky(product.coordinates * np.sqrt(2.0), most_rank)
