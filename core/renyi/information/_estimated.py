"""Entropies of order 2 from a share of all pairs of rows, each with its standard error."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from typing import Final

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.bounds import Pair, Question
from renyi.entropies import LEAST_FACTOR_BYTES, Solution, entropy_from_trace
from renyi.execution import lone
from renyi.information._computation import Computation
from renyi.information._entropies import SetEntropies
from renyi.kernels import KernelModel, KernelProduct
from renyi.order2 import FactorStore, LongFactors
from renyi.pairs import PairDesign, PairPass, Shuffled, turned

__all__ = ["EstimatedEntropies"]

RESIDUAL: Final = 1e-8
"""Mean residual of factors: what it moves an entropy by is far below what pairs left out do."""

VALUE_BYTES: Final = 48
"""Of each value of a table in use: the value itself and its coordinate, as they were and in the
order of the design, each with the number of its distinct value; and coordinates in a product."""

ROUNDED: Final = 1e-6
"""What single precision rounds off a sum of some million pairs, as a share of it."""


class EstimatedEntropies(SetEntropies):
    """H(Z) and H(Z, y) of sets of features, estimated from the pairs that are drawn.

    The pairs are the same for all sets, so that differences of entropies are much nearer to what
    they are estimates of than entropies are.

    Parameters
    ----------
    computation
        At order 2, with a share of pairs.
    design
        The pairs; None to draw them by share and seed.

    Attributes
    ----------
    design
        The pairs.
    shuffled
        The kernels, rows in the order of the design.
    shuffled_factors
        Factors of all candidates in that order.
    """

    def __init__(self, computation: Computation, design: PairDesign | None = None) -> None:
        super().__init__(computation)
        share, seed = computation.share, computation.seed
        drawn = PairDesign.of(computation.n, share, seed) if design is None else design
        classes = computation.model.target.classes
        self.design = drawn if classes is None else drawn.by_class(classes)
        self.shuffled = _taken(computation.model, self.design.order)
        store = FactorStore(self.shuffled, computation.factor_bytes)
        self.shuffled_factors = LongFactors(
            self.shuffled, computation.backend, store, self._room, RESIDUAL
        )
        self._estimates: dict[tuple[frozenset[int], int], FloatArray] = {}

    @property
    def _room(self) -> int:
        """Bytes that the factors of candidates may take together."""
        by = self.computation
        each = VALUE_BYTES * (len(by.model.features) + 1) + 8 * (1 + self.design.groups)
        return min(by.factor_bytes, max(by.max_memory - each * by.n, LEAST_FACTOR_BYTES))

    @cached_property
    def target(self) -> Solution:
        """H(y), exact where it is a matter of few levels."""
        if self._target_pass is None:
            return super().target
        return self._solution(float(self.target_estimates[0]))

    @cached_property
    def target_estimates(self) -> FloatArray:
        """H(y), bits, (1 + groups,), see `PairDesign.estimates`."""
        if self._target_pass is None:
            return np.full(1 + self.design.groups, self.target.value)
        return np.asarray(self._target_pass.entropies[:, 1])

    @cached_property
    def _target_pass(self) -> PairPass | None:
        n, distinct = self.computation.n, self.computation.model.target.distinct
        few = float(distinct) ** 2 <= self.design.share * float(n) ** 2
        return None if few else self.passed(self.shuffled.product(()))

    def estimates(self, features: Iterable[int], size: int | None = None) -> FloatArray:
        """Return H(Z) and H(Z, y) of a set, bits, (1 + groups, 2).

        Parameters
        ----------
        features
            The set.
        size
            Of the product that says how wide its kernels are; None for its own.
        """
        chosen = frozenset(features)
        key = chosen, len(chosen) if size is None else size
        if key not in self._estimates:
            found = self.passed(self.shuffled.product(chosen, size=key[1]))
            self._estimates[key] = found.entropies
        return self._estimates[key]

    def keep(self, features: Iterable[int], size: int, estimates: FloatArray) -> None:
        """Keep what a pass has told of a set."""
        self._estimates[frozenset(features), size] = estimates

    def pair(self, features: Iterable[int], question: Question | None = None) -> Pair:  # noqa: ARG002
        """Return estimates of H(Z) and H(Z, y), whatever is asked."""
        chosen = frozenset(features)
        new = (chosen, len(chosen)) not in self._estimates
        found = self.pair_of(self.estimates(chosen))
        if new:
            self._count(found)
        return found

    def pair_of(self, estimates: FloatArray) -> Pair:
        """Return estimates of both entropies as a pair."""
        alone, joint = (self._solution(float(one)) for one in estimates[0])
        return Pair(alone, joint)

    def passed(self, base: KernelProduct, asked: Iterable[Shuffled] = ()) -> PairPass:
        """Return the sums over the drawn pairs of a product of shuffled kernels."""
        target, by = self.shuffled.target, self.computation
        given = base, target, self.design, by.backend, tuple(asked)
        return lone(lambda: PairPass(*given, class_rows=by.thresholds.class_rows), by.n)

    def turned(self, order: IntArray) -> IntArray:
        """Return an order of the table's rows as one of the shuffled rows."""
        return turned(order, self.design.order)

    def errors(self, estimates: FloatArray) -> FloatArray:
        """Return standard errors, see `PairDesign.errors`."""
        return self.design.errors(estimates)

    def _solution(self, bits: float) -> Solution:
        n = float(self.computation.n)
        return entropy_from_trace(2.0**-bits, n, 2.0, "pairs", ROUNDED)


def _taken(model: KernelModel, order: IntArray) -> KernelModel:
    """Return a model with its rows in another order."""
    weights = None if model.weights is None else model.weights[order]
    features = tuple(part.take(order) for part in model.features)
    return replace(model, features=features, target=model.target.take(order), weights=weights)
