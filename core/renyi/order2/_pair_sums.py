r"""All pairs of many variables at alpha 2, in any joint order of their rows.

With F_a the squared Gram of variable a and W that of what is given (times that of y for the joint
entropy), the sum that S_2 needs of {Z, a, b} is

    G_ab = sum_ij W_ij F_a,ij F_b,ij,

and all of them are one matrix G = A A' with the rows A_a = sqrt(W) * F_a, written as vectors. Where
all variables are shuffled by one order of rows, W is read in the inverse order: the F stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.backend import Backend
from renyi.execution import run
from renyi.kernels import KernelPart, KernelProduct

__all__ = ["PairSums"]

STRIP_ENTRIES: Final = 2**22
"""Entries of all squared Grams over a strip of rows: 32 MB."""

LEAST_STRIPS: Final = 4
"""Strips at least: each is as long as the rows up to its end, so that four save three eighths."""

KEPT_BYTES: Final = 2**28
"""Bytes of squared Grams kept from one round of orders to the next."""


class PairSums:
    """H(y | Z, a, b) at alpha 2 for every pair a < b of some parts.

    Parameters
    ----------
    base
        The product of Z over n rows, its width that of a product with two more features.
    parts
        The kernels of the variables, of the same width.
    target
        The target's part.
    backend
        Where tiles of a Gram are computed.
    jobs
        Worker threads; None for one per core.
    strip_entries
        Entries of all squared Grams over a strip of rows.
    kept_bytes
        Bytes of squared Grams kept from one round of orders to the next.
    """

    def __init__(
        self,
        base: KernelProduct,
        parts: Sequence[KernelPart],
        target: KernelPart,
        backend: Backend,
        jobs: int | None = None,
        *,
        strip_entries: int = STRIP_ENTRIES,
        kept_bytes: int = KEPT_BYTES,
    ) -> None:
        self._n, self._count, self._jobs = len(base), len(parts), jobs
        self._backend = backend
        self._products = [KernelProduct.of(self._n, [part]) for part in parts]
        self._upper = np.triu_indices(self._count, 1)
        self._roots = [self._root(base.times(target))]
        trivial = base.is_one and base.weights is None
        if not trivial:
            self._roots.append(self._root(base))
        self._strips = self._cut(strip_entries)
        size = 8 * self._count * sum((s.stop - s.start) * s.stop for s in self._strips)
        self._kept: dict[int, FloatArray] | None = {} if size <= kept_bytes else None
        # without Z the sums of {a, b} alone do not depend on the order of the rows
        self._alone = self._sums([None], [np.ones((self._n, self._n))])[0][0] if trivial else None

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The pairs, as numbers of parts, in the order of what `conditional` returns."""
        return list(zip(self._upper[0].tolist(), self._upper[1].tolist(), strict=True))

    def conditional(self, orders: Sequence[IntArray | None]) -> FloatArray:
        """Return H(y | Z, a, b) of every pair in every order, bits, shape (orders, pairs).

        Parameters
        ----------
        orders
            Orders (n,) in which the rows of all parts are taken; None as they are.
        """
        found = self._sums(orders, self._roots)
        conditionals = []
        for of_order in found:
            everything = self._alone if self._alone is not None else of_order[1]
            conditionals.append(np.log2(everything) - np.log2(of_order[0]))
        return np.array(conditionals)

    def _root(self, product: KernelProduct) -> FloatArray:
        """Return the square roots of the squared Gram: its entries, without a sign."""
        everything = slice(None)
        tile = product.tile(self._backend, everything, everything)
        found: FloatArray = np.abs(self._backend.to_host(tile))
        if product.weights is not None:
            roots = np.sqrt(product.weights)
            found = found * roots[:, None] * roots[None, :]
        return found

    def _cut(self, entries: int) -> list[slice]:
        most = max(1, entries // (self._count * self._n))
        height = min(most, -(-self._n // LEAST_STRIPS))
        return [slice(start, min(start + height, self._n)) for start in range(0, self._n, height)]

    def _sums(
        self, orders: Sequence[IntArray | None], roots: Sequence[FloatArray]
    ) -> list[list[FloatArray]]:
        """Return the sums of every pair for each order and each root of W."""
        places = [None if order is None else np.argsort(order) for order in orders]
        shape = (len(roots), self._count, self._count)
        totals = [np.zeros(shape) for _ in orders]
        for number, strip in enumerate(self._strips):
            squared = self._squared(number)

            def task(
                inverse: IntArray | None, strip: slice = strip, squared: FloatArray = squared
            ) -> list[FloatArray]:
                return [_gram(squared, _read(root, strip, inverse)) for root in roots]

            found = run(task, places, rows=self._n, jobs=self._jobs)
            totals = [total + np.array(some) for total, some in zip(totals, found, strict=True)]
        return [[gram[self._upper] for gram in total] for total in totals]

    def _squared(self, number: int) -> FloatArray:
        """Return the squared Grams over a strip of the lower triangle, (parts, entries)."""
        if self._kept is not None and number in self._kept:
            return self._kept[number]
        strip = self._strips[number]
        columns = slice(0, strip.stop)
        found = np.empty((self._count, (strip.stop - strip.start) * strip.stop))
        for row, product in enumerate(self._products):
            tile = product.tile(self._backend, strip, columns, exponent=2.0)
            found[row] = self._backend.to_host(tile).ravel()
        if self._kept is not None:
            self._kept[number] = found
        return found


def _read(root: FloatArray, strip: slice, inverse: IntArray | None) -> FloatArray:
    """Return a strip of the root in another order; entries left of the diagonal count twice."""
    if inverse is None:
        read = root[strip, : strip.stop].copy()
    else:
        read = root[inverse[strip]][:, inverse[: strip.stop]]
    read[:, : strip.start] *= np.sqrt(2.0)
    return read.ravel()


def _gram(squared: FloatArray, root: FloatArray) -> FloatArray:
    weighted = squared * root
    return np.asarray(weighted @ weighted.T)  # of a matrix and itself: half the work
