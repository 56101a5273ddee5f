"""Tiles of a squared Gram where a block of rows meets those that are drawn for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.backend import Backend
from renyi.factors import spans
from renyi.kernels import KernelPart, KernelProduct
from renyi.order2 import SINGLE_LEAST
from renyi.pairs._design import PairDesign

__all__ = ["Tile", "Tiles"]

TILE_ENTRIES: Final = 2**18
"""Of W at once: what a cache holds."""


class Tile(NamedTuple):
    """W where a block meets some rows.

    Attributes
    ----------
    some
        Rows of the block, the columns of the tile.
    rows
        (tall,) those that it meets, by class where the pass goes class by class.
    groups
        (tall,) group of the lag of each, 0 for the block itself.
    members
        (1 + groups, tall) 1 where a row is of a group.
    whole
        (tall, wide) W.
    inner
        (rows, columns, W Y there) in pieces: of each class, or one of all.
    """

    some: slice
    rows: IntArray
    groups: IntArray
    members: FloatArray
    whole: FloatArray
    inner: list[tuple[slice, slice, FloatArray]]


class Tiles:
    """The tiles of W and of W Y over the pairs that are drawn, in single precision.

    Parameters
    ----------
    base
        The product whose squared Gram is W; its rows may have weights.
    target
        The target's part; Y is its squared Gram.
    design
        The pairs; rows of a block by class where the target is one of classes.
    backend
        Where tiles are made, a CPU.
    class_rows
        Rows of a block per class from which pairs of one class are multiplied class by class.

    Attributes
    ----------
    by_class
        Whether W Y is told by pairs of a class alone, those of others counted as 0.
    """

    def __init__(
        self,
        base: KernelProduct,
        target: KernelPart,
        design: PairDesign,
        backend: Backend,
        class_rows: int,
    ) -> None:
        self._base, self._design, self._backend = base, design, backend
        self._classes = target.classes
        self._label = KernelProduct.of(len(base), [target])
        self._weights = None if base.weights is None else base.weights.astype(np.float32)
        self._levels = 1 if self._classes is None else int(self._classes.max()) + 1
        least = len(base) // design.blocks
        self.by_class = self._classes is not None and class_rows * self._levels <= least

    def of(self, number: int) -> Iterator[Tile]:
        """Yield those of one block."""
        for rows, groups in self._met(number):
            yield self._tile(self._design.block(number), rows, groups)

    def values(self, product: KernelProduct, tile: Tile) -> FloatArray:
        """Return the squared values of another product there, (tall, wide)."""
        some = np.arange(tile.some.start, tile.some.stop)
        return self._values(product, np.concatenate((some, tile.rows)), len(some))

    def _met(self, number: int) -> Iterator[tuple[IntArray, IntArray]]:
        """Yield the rows that a block meets, and the group of each, some at a time."""
        design = self._design
        met = [design.block(number + lag) for lag in (0, *design.lags.tolist())]
        rows = np.concatenate([np.arange(one.start, one.stop) for one in met])
        of_lag = (np.arange(len(met)) + design.in_group - 1) // design.in_group
        groups = np.repeat(of_lag, [one.stop - one.start for one in met])
        if self.by_class and self._classes is not None:
            order = np.argsort(self._classes[rows], kind="stable")
            rows, groups = rows[order], groups[order]
        size = max(1, TILE_ENTRIES // (met[0].stop - met[0].start))
        for part in spans(0, len(rows), size):
            yield rows[part], groups[part]

    def _tile(self, some: slice, rows: IntArray, groups: IntArray) -> Tile:
        """Return W where a block meets some rows, in single precision."""
        wide = some.stop - some.start
        both = np.concatenate((np.arange(some.start, some.stop), rows))
        whole = self._values(self._base, both, wide)
        if self._weights is not None:
            whole *= self._weights[rows, None]
            whole *= self._weights[None, some]
        own = np.flatnonzero(groups == 0)
        whole[own, rows[own] - some.start] = 0.0
        if whole.min(initial=1.0) < SINGLE_LEAST:
            whole[whole < SINGLE_LEAST] = 0.0
        members: FloatArray = np.zeros((1 + self._design.groups, len(rows)), np.float32)
        members[groups, np.arange(len(rows))] = 1.0
        inner: list[tuple[slice, slice, FloatArray]] = []
        if self.by_class and self._classes is not None:
            levels = np.arange(self._levels + 1)
            tall_at, wide_at = (
                np.searchsorted(self._classes[of], levels).tolist() for of in (rows, some)
            )
            for k in range(self._levels):
                here = slice(tall_at[k], tall_at[k + 1]), slice(wide_at[k], wide_at[k + 1])
                inner.append((*here, whole[here]))
        else:
            every = slice(None)
            inner.append((every, every, whole * self._values(self._label, both, wide)))
        return Tile(some, rows, groups, members, whole, inner)

    def _values(self, product: KernelProduct, rows: IntArray, wide: int) -> FloatArray:
        """Return squared values of a product of all rows but the first ones with these."""
        found: FloatArray = product.pick(rows, None).tile(
            self._backend, slice(wide, None), slice(0, wide), exponent=2.0, single=True
        )
        return found
