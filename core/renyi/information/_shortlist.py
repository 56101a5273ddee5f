"""Which candidates may gain most in an order of their rows, told by a few columns of factors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.execution import lone
from renyi.order2 import Chance, GivenSums, KernelSums, Passes, Stack

__all__ = ["FEWEST_LISTED", "Shortlist"]

LEFT_OUT: Final = 0.25
"""Of what a squared Gram varies by, the part that the few columns may leave out: a gain is then
some tenth of what chance moves it by off."""

FEWEST_LISTED: Final = 256
SHARE: Final = 1 / 8
"""Candidates from which there is a list, and the part of them that is on it: the largest gain of so
many lies far above those that just get there."""

LEAST_SAVED: Final = 0.4
"""Of the products, the part that a short list has to save: it takes a pass of its own."""


class Shortlist:
    """The candidates of a step that gain most, roughly, in any order of their rows.

    A squared Gram is taken by the first columns of its factor, the rest by its mean over all
    orders. The list is a function of the order alone, the same one for rows as they are: the
    largest gain on it is a statistic like that of all candidates, and a test of it is as exact.

    Parameters
    ----------
    stack
        The factors of all candidates.
    kernels
        Sums over their squared Grams.
    given
        Sums over what is given.
    chance
        What chance gives each candidate.
    passes
        The pass over what is given.
    """

    def __init__(
        self,
        stack: Stack,
        kernels: Sequence[KernelSums],
        given: GivenSums,
        chance: Chance,
        passes: Passes,
    ) -> None:
        n, pairs = given.n, float(given.n) * (given.n - 1)
        self._given, self._chance, self._passes = given, chance, passes
        total = np.array([one.total for one in kernels])
        varied = np.array([one.squares for one in kernels]) - total**2 / pairs
        widths = _widths(stack, LEFT_OUT**2 * varied)
        self._size = round(SHARE * len(stack))
        columns = stack.values.shape[1]
        saves = widths.sum() <= (1 - LEAST_SAVED - SHARE) * columns
        self.serves = bool(saves and len(stack) >= FEWEST_LISTED)
        if not self.serves:
            return
        self._few = few = stack.leading(widths)
        own = n * (1.0 - few.means)
        sums = np.add.reduceat(few.values.sum(axis=0, dtype=np.float64) ** 2, few.offsets)
        missing = (total - (sums - own)) / pairs
        self._rest = (
            given.diagonal * few.means + given.total * missing,
            given.diagonal * few.means + given.target_total * missing,
        )

    def places(self, orders: Sequence[IntArray]) -> list[IntArray]:
        """Return the places of those that gain most in each order of the rows.

        Parameters
        ----------
        orders
            Orders (n,) in which the rows of all candidates are taken.
        """
        passes, n = self._passes, self._given.n
        rough = lone(lambda: passes.roughly(self._few, orders, self._rest), n)
        z = self._chance.standardised(self._given.conditional - rough)
        found = np.argpartition(-z, self._size - 1, axis=1)[:, : self._size]
        return [np.sort(places) for places in found]


def _widths(stack: Stack, most: FloatArray) -> IntArray:
    """Return the fewest columns of each variable whose rest has so small a sum of squares."""
    traces = np.einsum("ij,ij->j", stack.values, stack.values, dtype=np.float64)
    widths = stack.widths
    found = np.ones(len(stack), dtype=np.int64)
    for place, (first, width) in enumerate(zip(stack.offsets, widths, strict=True)):
        rest = np.cumsum(traces[first : first + width][::-1] ** 2)[::-1]
        found[place] = max(1, int((rest > most[place]).sum()))
    return found
