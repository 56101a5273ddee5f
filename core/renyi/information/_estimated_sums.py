"""All candidates of a step from a share of all pairs of rows, with the error of each number."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import cast

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.bounds import Pair
from renyi.information._candidate_sums import PILOT_ORDERS, CandidateSums
from renyi.information._estimated import EstimatedEntropies
from renyi.kernels import KernelPart, KernelProduct
from renyi.order2 import Chance, KernelSums, chance_of
from renyi.pairs import FirstPass, PairPass, Shuffled

__all__ = ["EstimatedSums"]


class EstimatedSums(CandidateSums):
    """Estimates of H(y | S', x) of order 2 for every candidate x of a step.

    Every number comes as the estimates that `PairDesign.estimates` describes: from all lags that
    were drawn, and without one group of them after the other. What is made of them, differences
    and quotients, is made of each, so that its error takes into account what they have in common.
    """

    entropies: EstimatedEntropies

    @cached_property
    def before(self) -> float:
        """H(y | S') at the widths of this step, bits."""
        return float(self._before[0])

    @cached_property
    def chance(self) -> Chance:
        """What chance gives each candidate where all pairs are summed, an estimate."""
        return self._chances[0]

    @cached_property
    def over_all(self) -> Chance:
        """The same over all orders of the rows."""
        return self._closed(0, drawn=False)

    @cached_property
    def tested(self) -> Chance:
        """What chance gives the estimates of gains.

        The pairs do not depend on y: in another order of its rows the same pairs are summed, and
        the moments are those of sums over weighed pairs.
        """
        if self.pilot is not None and not self.pilot.free:
            return self.chance
        return self._closed(0, drawn=True)

    @cached_property
    def observed(self) -> tuple[FloatArray, FloatArray]:
        """H(y | S', x) of each candidate, bits, and no further error."""
        found = self._conditional[0]
        return found, np.zeros_like(found)

    def conditional(self, orders: Sequence[IntArray]) -> tuple[FloatArray, FloatArray]:
        """Return H(y | S', x) in each order of the rows from the same pairs, and no further error.

        As in `CandidateSums`.
        """
        found = self._in_orders(orders)[0]
        return found, np.zeros_like(found)

    def exactly(self, places: Sequence[int]) -> FloatArray:
        """Return the estimates of some candidates, which are as exact as they can be had."""
        return np.asarray(self._conditional[0][list(places)])

    def copies(self, asked: Sequence[tuple[int, IntArray]]) -> FloatArray:
        """Return the same of candidates with their rows in some order: (place, order (n,))."""
        found = self._in_orders([order for _, order in asked])[0]
        return np.array([found[number, place] for number, (place, _) in enumerate(asked)])

    def way(self, place: int) -> str:  # noqa: ARG002 - all come out of the same sums
        """Say how a candidate was found."""
        return "pairs"

    def pair(self, place: int) -> Pair:
        """Return estimates of H(S', x) and H(S', x, y) of a candidate."""
        return self.entropies.pair_of(self.with_candidate(place))

    def with_candidate(self, place: int) -> FloatArray:
        """Return these as estimates, (1 + groups, 2), out of the pass that the next step needs."""
        if isinstance(self._pass, FirstPass):
            alone = self._own[place]
            return np.tile(alone, (1 + self.entropies.design.groups, 1))
        if not self.entropies.computation.model.widens(self._size + 1):
            return self.following(place).own_estimates
        chosen = (*self.given, self.candidates[place])
        return self.entropies.estimates(chosen, self._size)

    @property
    def own(self) -> Pair:
        """Estimates of H(S') and H(S', y)."""
        return self.entropies.pair_of(self.own_estimates)

    @property
    def own_estimates(self) -> FloatArray:
        """The same, (1 + groups, 2)."""
        return self._pass.entropies

    @property
    def together(self) -> bool:
        """No: there are no bounds that a further pass would narrow."""
        return False

    @cached_property
    def z(self) -> FloatArray:
        """Standardised gains, (1 + groups, candidates)."""
        gains = self._before[:, None] - self._conditional
        both = zip(self._chances, gains, strict=True)
        return np.array([chance.standardised(gain) for chance, gain in both])

    def chosen(self, place: int) -> dict[str, FloatArray]:
        """Return gain, chance and z of one candidate, (1 + groups,) each."""
        alone, joint = self.with_candidate(place).T
        gain = self._before - (joint - alone)
        chance = np.array([one.gain[place] for one in self._chances])
        deviation = np.array([one.deviation[place] for one in self._chances])
        return {"gain": gain, "chance": chance, "z": (gain - chance) / deviation}

    def following(self, place: int) -> EstimatedSums:
        """Return the sums of the step after this one, with one of the candidates selected."""
        return cast("EstimatedSums", super().following(place))  # made by `_of`

    def _of(self, given: Sequence[int], candidates: Sequence[int]) -> EstimatedSums:
        return EstimatedSums(self.entropies, given, candidates)

    @property
    def _before(self) -> FloatArray:
        alone, joint = self._pass.entropies.T
        return np.asarray(joint - alone)

    @property
    def _conditional(self) -> FloatArray:
        """H(y | S', x) of each candidate, (1 + groups, candidates)."""
        return self._first[1][:, 0]

    @property
    def _pass(self) -> PairPass | FirstPass:
        """The sums over what is given."""
        return self._first[0]

    @property
    def _own(self) -> FloatArray:
        """H(x) and H(x, y) of each candidate of a first step."""
        return self._first[2]

    @cached_property
    def _first(self) -> tuple[PairPass | FirstPass, FloatArray, FloatArray]:
        """What a pass tells of what is given, and of the candidates as they are."""
        first = self._over([None])
        found = first[0]
        self.entropies.keep(self.given, self._size, found.entropies)
        if not self.entropies.computation.model.widens(self._size):
            self.entropies.keep(self.given, self._size - 1, found.entropies)
        return first

    @property
    def _base(self) -> KernelProduct:
        return self.entropies.shuffled.product(self.given, size=self._size)

    def _in_orders(self, orders: Sequence[IntArray]) -> FloatArray:
        """Return H(y | S', x) in each order, (1 + groups, orders, candidates)."""
        return self._over([self.entropies.turned(order) for order in orders])[1]

    def _over(
        self, orders: Sequence[IntArray | None]
    ) -> tuple[PairPass | FirstPass, FloatArray, FloatArray]:
        """Return a pass, H(y | S', x) of all candidates in each order, and what `_own` says.

        In as many passes as their factors take to fit into memory.
        """
        factors, found = self.entropies.shuffled_factors, []
        batches = self._batches or [[]]
        for batch in batches:
            last = batch is batches[-1]
            some = [self.candidates[place] for place in batch]
            keep = len(batches) == 1
            made = factors.rows(some, self._size, keep=keep) if some else None
            asked = [Shuffled(made, order, self._others(order) if last else ()) for order in orders]
            del made
            found.append(self._passed(asked))
            del asked
        conditional = np.concatenate([one.conditional for one in found], axis=2)[..., self._back]
        own = [one.candidates[0] for one in found if isinstance(one, FirstPass)]
        return found[0], conditional, np.concatenate(own)[self._back] if own else np.empty((0, 2))

    def _passed(self, asked: Sequence[Shuffled]) -> PairPass | FirstPass:
        kernels = self.entropies.shuffled
        if self.given or self._slow or kernels.target.classes is None:
            return self.entropies.passed(self._base, asked)
        places = 1 + self.entropies.design.groups
        return FirstPass(kernels.target, kernels.weights, places, asked)

    def _others(self, order: IntArray | None) -> tuple[KernelProduct, ...]:
        """Return the candidates that have no factor in an order of the rows."""
        parts = self._parts if order is None else [part.take(order) for part in self._parts]
        return tuple(KernelProduct.of(self.n, [part]) for part in parts)

    @cached_property
    def _parts(self) -> list[KernelPart]:
        return [self.entropies.shuffled.part(self.candidates[k], self._size) for k in self._slow]

    @cached_property
    def _batches(self) -> list[list[int]]:
        """Places of the candidates that have a factor, those together that share a pass."""
        return self.entropies.shuffled_factors.batches(self.candidates, self._size)

    @property
    def _quick(self) -> list[int]:
        return [place for batch in self._batches for place in batch]

    @cached_property
    def _back(self) -> IntArray:
        """Where each candidate is among those with a factor, followed by the others."""
        return np.argsort([*self._quick, *self._slow])

    def orders_of(self, columns: int) -> int:
        """Return in how many orders the factors of all candidates have so many columns."""
        _ = self._batches
        width = self.entropies.shuffled_factors.width(self.candidates, self._size)
        return columns // width if width else 0

    @cached_property
    def _chances(self) -> list[Chance]:
        """What chance gives each candidate, from all lags and without each group."""
        places = range(1 + self.entropies.design.groups)
        if isinstance(self._pass, FirstPass) and (self.pilot is None or self.pilot.free):
            return [self.over_all] * len(places)
        if self.pilot is None or self.pilot.free:
            return [self.over_all, *(self._closed(place, drawn=False) for place in places[1:])]
        orders = [self.pilot.order(number) for number in range(PILOT_ORDERS)]
        gains = self._before[:, None, None] - self._in_orders(orders)
        return [Chance.of_draws(gains[place], self.over_all) for place in places]

    def _closed(self, place: int, *, drawn: bool) -> Chance:
        given = self._pass.given(place, drawn=drawn)
        return chance_of(given, [self._kernel(k, place) for k in range(len(self))])

    def _kernel(self, candidate: int, place: int) -> KernelSums:
        """Return the sums over a candidate's kernel, exact where it has a factor."""
        if candidate in self._alone:
            return self._alone[candidate].own(place)
        factors = self.entropies.shuffled_factors
        return factors.sums(self.candidates[candidate], self._size)

    @cached_property
    def _alone(self) -> dict[int, PairPass]:
        """The pass over each candidate that has no factor."""
        of = zip(self._slow, self._parts, strict=True)
        return {k: self.entropies.passed(KernelProduct.of(self.n, [part])) for k, part in of}
