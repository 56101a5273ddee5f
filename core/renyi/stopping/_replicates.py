"""Replicates of a step in which the newest feature is shuffled, compared by bounds."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from renyi._progress import Tick
from renyi.bounds import Pair, Question
from renyi.information import Computation, SetEntropies
from renyi.racing import TIE_BITS
from renyi.resampling import PermutationScheme
from renyi.stopping._intervals import Interval, Statistic, cmi_interval, is_decided

__all__ = ["Replicates"]

LOOSE_BITS: Final = 1e-3
"""How closely both terms of a CMI are known at first where their bounds leave it open: what a band
tells at little more than its own cost."""

LEAST_AT_ONCE: Final = 16
MOST_ROWS_AT_ONCE: Final = 4_000_000
"""Replicates, and rows of them, that are worked on at once: each is a copy of a column."""


@dataclass(frozen=True, eq=False)
class Replicates:
    """MI and CMI with the newest feature shuffled; each replicate is computed once a step.

    Attributes
    ----------
    entropies
        Entropies of any set.
    scheme
        Where orders of rows come from.
    given
        Features selected before it (S').
    newest
        Its column number (x).
    pair
        H({S', x}) and H({S', x}, y).
    tick
        Called with (done, total, ahead) replicates, on the calling thread.
    """

    entropies: SetEntropies
    scheme: PermutationScheme
    given: tuple[int, ...]
    newest: int
    pair: Pair
    tick: Tick
    _known: dict[Statistic, list[float]] = field(default_factory=dict)
    _shuffled: list[Pair] = field(default_factory=list)
    _errors: dict[Statistic, float] = field(default_factory=dict)

    @property
    def computation(self) -> Computation:
        """How entropies are found."""
        return self.entropies.computation

    @property
    def everything(self) -> Pair:
        """The pair of all features in use."""
        return self.entropies.pair(self.computation.everything)

    def of(self, statistic: Statistic, start: int, stop: int, total: int) -> list[float]:
        """Return what `StepView.replicates` promises; each is computed once a step."""
        known = self._known.setdefault(statistic, [])
        most = max(LEAST_AT_ONCE, MOST_ROWS_AT_ONCE // self.computation.n)
        while len(known) < stop:
            numbers = range(len(known), min(len(known) + most, stop))
            known += self._compared(statistic, numbers, total)
        return known[start:stop]

    def error(self, statistic: Statistic) -> float:
        """Return the largest error of a replicate that bounds decided, bits; 0 if there is none."""
        return self._errors.get(statistic, 0.0)

    def _compared(self, statistic: Statistic, numbers: range, total: int) -> list[float]:
        """Return values, each exact or certainly on the same side of the observed one."""
        found = self._bounded(statistic, numbers, total)
        undecided = self._undecided(statistic, found)
        for question in self._closer(statistic) if undecided else ():
            some = [numbers[place] for place in undecided]
            for place, replicate in zip(
                undecided, self._with_wholes(some, question, total), strict=True
            ):
                found[place] = replicate
            undecided = self._undecided(statistic, found)
            if not undecided:
                break
        observed = self._observed(statistic)
        open_ = set(undecided)
        for place, replicate in enumerate(found):
            if place not in open_ and not (replicate.exact and observed.exact):
                self._errors[statistic] = max(replicate.error, self.error(statistic))
        values = [replicate.value for replicate in found]
        exact = self._exact(
            statistic,
            [numbers[place] for place in undecided],
            lambda _: self.tick(numbers.stop, total),
        )
        for place, value in zip(undecided, exact, strict=True):
            values[place] = value
        for number in numbers:
            self.entropies.ledger.settle("replicates", number, self._shuffled[number])
        return values

    def _undecided(self, statistic: Statistic, found: Sequence[Interval]) -> list[int]:
        """Return the places of those whose side of the observed value is not certain."""
        observed = self._observed(statistic)
        return [
            place
            for place, replicate in enumerate(found)
            # both exact: compared as they are, rounding is the same in both
            if not (replicate.exact and observed.exact)
            and not is_decided(statistic, replicate, observed)
        ]

    def _observed(self, statistic: Statistic) -> Interval:
        """Return certain bounds on the step's own statistic."""
        if statistic == "mi":
            return self._mi_of(self.pair)
        return cmi_interval(self.pair, self.everything)

    def _mi_of(self, pair: Pair) -> Interval:
        target = self.entropies.target.value
        return Interval(
            target - pair.upper, target - pair.conditional, target - pair.lower, pair.exact
        )

    def _exact(
        self, statistic: Statistic, numbers: Sequence[int], tick: Callable[[int], None]
    ) -> list[float]:
        """Return the values of replicates to the end, as far from the observed one as they are."""
        if not numbers:
            return []
        exact = self.computation.exact
        orders = {number: self.scheme.order(number) for number in numbers}
        loose = [number for number in numbers if not self._shuffled[number].exact]
        pairs = self.entropies.replicates(
            self.given, self.newest, [orders[k] for k in loose], tick, exact
        )
        for number, pair in zip(loose, pairs, strict=True):
            self._shuffled[number] = pair
        own = self.entropies.pair({*self.given, self.newest}, exact)
        if statistic == "mi":
            shift = self.pair.conditional - own.conditional
            return [
                self.entropies.mutual_information(self._shuffled[number]) - shift
                for number in numbers
            ]
        whole = self.entropies.pair(self.computation.everything, exact)
        reported = self.pair.conditional - self.everything.conditional
        shift = reported - (own.conditional - whole.conditional)
        rest = self.computation.everything - {self.newest}
        wholes = self.entropies.replicates(rest, self.newest, list(orders.values()), tick, exact)
        return [
            self._shuffled[number].conditional - shuffled.conditional + shift
            for number, shuffled in zip(numbers, wholes, strict=True)
        ]

    def _bounded(self, statistic: Statistic, numbers: range, total: int) -> list[Interval]:
        """Return certain bounds on each replicate's statistic, as close as it mostly takes."""
        if statistic == "mi":
            above, below = self.pair.upper + TIE_BITS, self.pair.lower - TIE_BITS
            question = Question(self.computation.tolerance, above, below)
            return [self._mi_of(pair) for pair in self._shuffle(numbers, question, total)]
        # CMI = H(y | S', x~) - H(y | S with x~): the second term is at least 0 and has one upper
        # bound for all replicates, which mostly decides
        limits, bound = self._observed("cmi"), self._last_term_bound
        above, below = limits.upper + bound + TIE_BITS, limits.lower - TIE_BITS
        # one that the bound certainly leaves open is not known better before its last term is
        question = Question(
            self.computation.tolerance, above, below, neither=self.computation.plan.factors
        )
        pairs = self._shuffle(numbers, question, total)
        if bound < math.inf:
            return [
                Interval(pair.lower - bound, pair.conditional - bound / 2, pair.upper)
                for pair in pairs
            ]
        return self._with_wholes(numbers, Question(self.computation.tolerance, rough=True), total)

    @property
    def _last_term_bound(self) -> float:
        """What H(y | S with x~) is at most, whatever the order, bits."""
        return self.entropies.conditional_bound(self.computation.everything - {self.newest})

    def _closer(self, statistic: Statistic) -> tuple[Question, ...]:
        """Return what is asked of both terms of replicates that are open, one after the other."""
        if statistic == "mi" or not self.computation.plan.factors:
            return ()
        loose = Question(max(LOOSE_BITS, self.computation.tolerance), alone=True)
        return (loose, self.computation.known)

    def _with_wholes(
        self, numbers: Sequence[int], question: Question, total: int
    ) -> list[Interval]:
        """Return bounds on the CMI of replicates from both of its terms."""
        pairs = self._shuffle(numbers, question, total)
        wholes = self.entropies.replicates(
            self.computation.everything - {self.newest},
            self.newest,
            [self.scheme.order(number) for number in numbers],
            lambda done: self.tick(numbers[-1] + 1 - (len(numbers) - done) // 2, total),
            question,
        )
        return [cmi_interval(pair, whole) for pair, whole in zip(pairs, wholes, strict=True)]

    def _shuffle(self, numbers: Sequence[int], question: Question, total: int) -> list[Pair]:
        """Return the pairs of {S', x~}, as close as the question asks."""
        missing = [
            number
            for number in numbers
            if number >= len(self._shuffled)
            or (not self._shuffled[number].exact and not question.answered(self._shuffled[number]))
        ]
        self.tick(numbers[0], total, len(numbers))
        found = self.entropies.replicates(
            self.given,
            self.newest,
            [self.scheme.order(number) for number in missing],
            lambda done: self.tick(numbers[0] + done // 2, total),
            question,
        )
        for number, pair in zip(missing, found, strict=True):
            if number < len(self._shuffled):
                self._shuffled[number] = pair
            else:
                self._shuffled.append(pair)
        return [self._shuffled[number] for number in numbers]
