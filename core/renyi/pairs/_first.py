"""The sums of a first step, over all pairs: with nothing selected they take no pairs at all."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final

import numpy as np

from renyi._typing import FloatArray
from renyi.factors import spans
from renyi.kernels import KernelPart
from renyi.order2 import GivenSums
from renyi.pairs._pass import Shuffled

__all__ = ["FirstPass"]

ROWS_AT_ONCE: Final = 2**14
"""Rows of factors that are in double precision at once."""


class FirstPass:
    """What a `PairPass` tells, of W = 1 and a target of classes, without an error.

    A sum of F_ij over all pairs is |sum_i L_i|^2, that over pairs of a class the same of its rows.

    Parameters
    ----------
    target
        The target's part, one of classes.
    weights
        (n,) of rows, None where all count alike.
    places
        Estimates that a pass gives of each number: here all the same.
    asked
        Variables with factors, in their orders.

    Attributes
    ----------
    candidates
        H(x) and H(x, y) of each variable, bits, (orders, variables, 2).
    """

    def __init__(
        self,
        target: KernelPart,
        weights: FloatArray | None,
        places: int,
        asked: Sequence[Shuffled],
    ) -> None:
        if target.classes is None:
            raise RuntimeError
        self._classes, self._across = target.classes, target.across**2
        self._levels = int(self._classes.max()) + 1
        self._places = places
        self._own = np.ones(target.n) if weights is None else weights
        self.diagonal = float((self._own**2).sum())
        self.candidates = np.array([self._of(one) for one in asked if one.columns])

    def _of_class(self, values: FloatArray) -> FloatArray:
        return np.bincount(self._classes, values, self._levels).astype(np.float64)

    def _both(self, sums: FloatArray, across: float) -> tuple[float, float]:
        """Return the sums of an outer product over all pairs, and of it times the target."""
        whole, within = float(sums.sum()) ** 2, float((sums**2).sum())
        return whole, across * whole + (1 - across) * within

    @cached_property
    def entropies(self) -> FloatArray:
        """H(Z), which is 0, and H(y), bits, (places, 2)."""
        whole = np.array([*self._both(self._of_class(self._own), self._across)])
        found = 2 * np.log2(len(self._own)) - np.log2(whole)
        return np.tile(found, (self._places, 1))

    def _of(self, shuffled: Shuffled) -> FloatArray:
        """Return H(x) and H(x, y) of each variable, bits, (variables, 2)."""
        if shuffled.factors is None:
            raise RuntimeError
        sums = np.zeros((self._levels, shuffled.columns))
        for rows in spans(0, len(self._own), ROWS_AT_ONCE):
            values = shuffled.values(rows).astype(np.float64)
            members = np.zeros((self._levels, len(values)))
            members[self._classes[rows], np.arange(len(values))] = self._own[rows]
            sums += members @ values
        whole, within = sums.sum(axis=0) ** 2, (sums**2).sum(axis=0)
        joint = self._across * whole + (1 - self._across) * within
        both = np.add.reduceat([whole, joint], shuffled.factors.offsets, axis=1)
        return np.asarray(2 * np.log2(len(self._own)) - np.log2(both.T))

    @cached_property
    def conditional(self) -> FloatArray:
        """H(y | x) of each variable, bits, (places, orders, variables)."""
        found = self.candidates[..., 1] - self.candidates[..., 0]
        return np.tile(found, (self._places, 1, 1))

    def given(self, place: int, *, drawn: bool) -> GivenSums:  # noqa: ARG002 - all are the same
        """Return the sums that tell what chance gives; as of a `PairPass`."""
        own, a = self._own, self._across
        of_class, squares_of_class = self._of_class(own), self._of_class(own**2)
        total, target_total = self._both(of_class, a)
        squares, cross = self._both(squares_of_class, a)
        fourth = float((own**4).sum())
        whole, within = float(own.sum()), of_class[self._classes]
        return GivenSums(
            own * (whole - own),
            own * (a * whole + (1 - a) * within - own),
            total - self.diagonal,
            target_total - self.diagonal,
            squares - fourth,
            cross - fourth,
            self._both(squares_of_class, a**2)[1] - fourth,
            self.diagonal,
        )
