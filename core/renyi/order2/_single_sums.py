r"""All of many variables at alpha 2, one at a time, in any joint order of their rows.

With F_a the squared Gram of variable a and W that of what is given (times that of y for the joint
entropy), the sum that S_2 needs of {Z, a} is sum_ij W_ij F_a,ij. For all variables and many orders
of their rows it is one matrix product: W is read in the inverse order, the F stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.backend import Backend
from renyi.execution import run
from renyi.kernels import KernelPart, KernelProduct

__all__ = ["SINGLY", "SingleSizes", "SingleSums"]

MOST_BYTES: Final = 2**28
"""Bytes of the squared Grams, half of each; with more, factors are less work."""

MOST_ROWS_BY_VALUES: Final = 1000
"""Rows where there is no factor: half a Gram is then what a worker reads at once."""

CHUNK_COPIES: Final = 4
"""What a worker holds at once, in chunks: W, its places and what is read."""


@dataclass(frozen=True, slots=True)
class SingleSizes:
    """How much is done at once, and up to where.

    Attributes
    ----------
    rows
        Up to which half a Gram is less work than its factor: twice as fast with 200 normal columns,
        as fast with 400 rows, and slower where columns have few values.
    block_bytes
        Of the squared Grams in one product.
    chunk_bytes
        Of the orders' W in one product.
    """

    rows: int = 200
    block_bytes: int = 2**24
    chunk_bytes: int = 2**23


SINGLY: Final = SingleSizes()


class SingleSums:
    """H(y | Z, a) at alpha 2 for every part a.

    Parameters
    ----------
    base
        The product of Z over n rows, its width that of a product with one more feature.
    parts
        The kernels of the variables, of the same width.
    target
        The target's part.
    backend
        Where Grams are computed.
    jobs
        Worker threads.
    most_bytes
        Bytes that may be taken: how many workers there are, and whether Grams are kept or computed
        for each round of orders. No value depends on it.
    sizes
        How much is done at once.
    """

    def __init__(
        self,
        base: KernelProduct,
        parts: Sequence[KernelPart],
        target: KernelPart,
        backend: Backend,
        *,
        jobs: int = 1,
        most_bytes: int = MOST_BYTES,
        sizes: SingleSizes = SINGLY,
    ) -> None:
        self._n, self._backend, self._chunk_bytes = len(base), backend, sizes.chunk_bytes
        self._jobs = max(1, min(jobs, most_bytes // (4 * CHUNK_COPIES * sizes.chunk_bytes)))
        self._lower = np.tril_indices(self._n)
        # entries left of the diagonal stand for two
        self._twice = np.where(self._lower[0] == self._lower[1], 1.0, 2.0)
        self._given = [self._squared(base.times(target)), self._squared(base)]
        size = max(1, sizes.block_bytes // (8 * len(self._twice)))
        self._blocks = [parts[start : start + size] for start in range(0, len(parts), size)]
        keeps = 8 * len(parts) * len(self._twice) <= most_bytes // 2
        self._kept: dict[int, FloatArray] | None = {} if keeps else None

    @staticmethod
    def serves(
        rows: int, parts: int, *, by_values: bool = False, sizes: SingleSizes = SINGLY
    ) -> bool:
        """Return whether squared Grams of so many parts are less work than what else there is.

        That is factors, or, of kernels that are known `by_values` alone, a pass for each order.
        """
        most = MOST_ROWS_BY_VALUES if by_values else sizes.rows
        return rows <= most and 4 * parts * rows * (rows + 1) <= MOST_BYTES

    def conditional(self, orders: Sequence[IntArray | None]) -> FloatArray:
        """Return H(y | Z, a) of every part in every order, bits, shape (orders, parts).

        Parameters
        ----------
        orders
            Orders (n,) in which the rows of all parts are taken; None as they are.
        """
        size = max(1, self._chunk_bytes // (16 * len(self._twice)))
        chunks = [orders[start : start + size] for start in range(0, len(orders), size)]
        each = []
        for number in range(len(self._blocks)):
            task = partial(self._conditional, self._grams(number))
            each.append(np.concatenate([*run(task, chunks, rows=self._n, jobs=self._jobs)]))
        return np.concatenate(each, axis=1)

    def _squared(self, product: KernelProduct) -> FloatArray:
        tile = product.tile(self._backend, slice(None), slice(None), exponent=2.0)
        squared: FloatArray = np.asarray(self._backend.to_host(tile))
        if product.weights is not None:
            squared = squared * product.weights[:, None] * product.weights[None, :]
        return squared

    def _grams(self, number: int) -> FloatArray:
        """Return half of the squared Gram of each part of a block, (parts, entries)."""
        if self._kept is not None and number in self._kept:
            return self._kept[number]
        block = self._blocks[number]
        found = np.empty((len(block), len(self._twice)))
        for row, part in enumerate(block):
            found[row] = self._squared(KernelProduct.of(self._n, [part]))[self._lower]
        if self._kept is not None:
            self._kept[number] = found
        return found

    def _conditional(self, grams: FloatArray, orders: Sequence[IntArray | None]) -> FloatArray:
        read = np.empty((2, len(orders), len(self._twice)))
        for place, order in enumerate(orders):
            rows, columns = self._lower
            if order is not None:
                inverse = np.argsort(order)
                rows, columns = inverse[rows], inverse[columns]
            for kind, gram in enumerate(self._given):
                np.multiply(gram[rows, columns], self._twice, out=read[kind, place])
        joint, everything = (grams @ some.T for some in read)
        found: FloatArray = np.log2(everything / joint).T
        return found
