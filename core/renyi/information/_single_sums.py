r"""All of many variables at alpha 2, one at a time, in any joint order of their rows.

With F_a the squared Gram of variable a and W that of what is given (times that of y for the joint
entropy), the sum that S_2 needs of {Z, a} is sum_ij W_ij F_a,ij. For all variables and many orders
of their rows it is one matrix product: W is read in the inverse order, the F stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.backend import Backend
from renyi.execution import run
from renyi.kernels import KernelPart, KernelProduct

__all__ = ["SingleSums"]

MOST_BYTES: Final = 2**28
"""Bytes of the squared Grams, half of each; with more, factors are less work."""

MOST_ROWS: Final = 400
"""Rows up to which half a Gram is less work than its factor."""

CHUNK_BYTES: Final = 2**25
"""Bytes of the orders' W in one product."""


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
        Worker threads; None for one per core.
    """

    def __init__(
        self,
        base: KernelProduct,
        parts: Sequence[KernelPart],
        target: KernelPart,
        backend: Backend,
        jobs: int | None = None,
    ) -> None:
        self._n, self._jobs = len(base), jobs
        self._lower = np.tril_indices(self._n)
        # entries left of the diagonal stand for two
        self._twice = np.where(self._lower[0] == self._lower[1], 1.0, 2.0)

        def squared(product: KernelProduct) -> FloatArray:
            tile = product.tile(backend, slice(None), slice(None), exponent=2.0)
            return np.asarray(backend.to_host(tile))

        self._given = [squared(base.times(target)), squared(base)]
        self._grams = np.empty((len(parts), len(self._twice)))
        for row, part in enumerate(parts):
            self._grams[row] = squared(KernelProduct.of(self._n, [part]))[self._lower]

    @staticmethod
    def serves(rows: int, parts: int, most_bytes: int) -> bool:
        """Return whether the squared Grams of so many parts are few enough to be kept."""
        return rows <= MOST_ROWS and 4 * parts * rows * (rows + 1) <= min(MOST_BYTES, most_bytes)

    def conditional(self, orders: Sequence[IntArray | None]) -> FloatArray:
        """Return H(y | Z, a) of every part in every order, bits, shape (orders, parts).

        Parameters
        ----------
        orders
            Orders (n,) in which the rows of all parts are taken; None as they are.
        """
        size = max(1, CHUNK_BYTES // (16 * len(self._twice)))
        chunks = [orders[start : start + size] for start in range(0, len(orders), size)]
        found = run(self._conditional, chunks, rows=self._n, jobs=self._jobs)
        return np.concatenate([*found])

    def _conditional(self, orders: Sequence[IntArray | None]) -> FloatArray:
        read = np.empty((2, len(orders), len(self._twice)))
        for place, order in enumerate(orders):
            rows, columns = self._lower
            if order is not None:
                inverse = np.argsort(order)
                rows, columns = inverse[rows], inverse[columns]
            for kind, gram in enumerate(self._given):
                np.multiply(gram[rows, columns], self._twice, out=read[kind, place])
        joint, everything = (self._grams @ some.T for some in read)
        found: FloatArray = np.log2(everything / joint).T
        return found
