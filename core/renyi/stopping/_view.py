"""What a criterion may see of a step."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from renyi._progress import Tick
from renyi.bounds import Pair, Question
from renyi.information import CandidateSums, Computation, SetEntropies
from renyi.nulls import Alike, AllGains, BestGains, Null, StandardisedGains, alike_rows
from renyi.order2 import Chance, PairSums, SingleSums
from renyi.racing import TIE_BITS
from renyi.resampling import PermutationScheme
from renyi.shannon import ChiSquareModel
from renyi.stopping._intervals import Interval, Statistic, cmi_interval, is_decided

__all__ = ["Statistic", "StepView"]

LOOSE_BITS: Final = 1e-3
"""How closely both terms of a CMI are known at first where their bounds leave it open: what a band
tells at little more than its own cost."""

PILOT_ORDERS: Final = 20
"""Orders among alike rows that tell what chance gives there, apart from those of the test: any
centre and scale leave it valid, good ones give it power."""

LEAST_AT_ONCE: Final = 16
MOST_ROWS_AT_ONCE: Final = 4_000_000
"""Replicates, and rows of them, that are worked on at once: each is a copy of a column."""


@dataclass(frozen=True, eq=False)
class StepView:
    """One step of the search, as its criteria see it.

    Attributes
    ----------
    entropies
        Entropies of any set.
    chi_square
        The discretised data.
    scheme
        Where orders of rows come from.
    name
        The newest feature's name.
    given
        Features selected before it (S').
    newest
        Its column number (x).
    remaining
        Features that are neither selected nor the newest.
    pair
        H({S', x}) and H({S', x}, y).
    gain
        I(x; y | S') = H(y | S') - H(y | S', x), bits.
    tick
        Called with (done, total, ahead) replicates, on the calling thread.
    pairs
        Of a step that adds two features: the sums of all pairs. The first of the two is then among
        `given`, and `gain` is that of both.
    sums
        Of all candidates, where they are ranked by their gains above chance.
    forced
        How many of `given` were forced in, untested.
    """

    entropies: SetEntropies
    chi_square: ChiSquareModel
    scheme: PermutationScheme
    name: str
    given: tuple[int, ...]
    newest: int
    remaining: tuple[int, ...]
    pair: Pair
    gain: float
    tick: Tick
    pairs: PairSums | None = None
    sums: CandidateSums | None = None
    forced: int = 0
    _replicates: dict[Statistic, list[float]] = field(default_factory=dict)
    _shuffled: list[Pair] = field(default_factory=list)
    _errors: dict[Statistic, float] = field(default_factory=dict)

    @property
    def _by(self) -> Computation:
        return self.entropies.computation

    @property
    def target(self) -> float:
        """H(y), bits."""
        return self.entropies.target.value

    @property
    def singly(self) -> bool:
        """Whether each replicate is work of its own, so that fewer of them are less work."""
        return self._by.plan.singly

    @property
    def mi(self) -> float:
        """I({S', x}; y), bits."""
        return self.entropies.mutual_information(self.pair)

    @property
    def cmi(self) -> float | None:
        """I({S - S' - x}; y | {S', x}) = H(y | S', x) - H(y | S), bits.

        The rest united with {S', x} is all of S, so the identity needs one constant besides what
        the search computes. None where that constant cannot be had.
        """
        if self.entropies.everything_problem:
            return None
        return self.pair.conditional - self.everything.conditional

    @property
    def everything(self) -> Pair:
        """The pair of all features in use."""
        return self.entropies.pair(self._by.everything)

    def replicates(self, statistic: Statistic, start: int, stop: int, total: int) -> list[float]:
        """Return the statistic with the newest feature shuffled, replicates start..stop-1, bits.

        For `cmi` the shuffled copy replaces the feature among all features too. Criteria share
        the replicates: each is computed once a step. A replicate whose comparison with the
        observed value is certain from bounds is given as their estimate, see `null_error`; only
        the others are computed to the end.

        Parameters
        ----------
        statistic
            `mi` or `cmi`.
        start, stop
            Numbers of replicates; those before `start` have been asked for.
        total
            The most replicates there can be, for the progress.
        """
        known = self._replicates.setdefault(statistic, [])
        most = max(LEAST_AT_ONCE, MOST_ROWS_AT_ONCE // self._by.n)
        while len(known) < stop:
            numbers = range(len(known), min(len(known) + most, stop))
            known += self._compared(statistic, numbers, total)
        return known[start:stop]

    @cached_property
    def best_gains(self) -> Null:
        """The largest gain over all candidates of each replicate that shuffles them together."""
        return self._gains(self.scheme)

    @cached_property
    def local_gains(self) -> Null:
        """The same with rows moved only among rows that are alike in the selected features."""
        return self.best_gains if self._local is None else self._gains(self._local)

    @cached_property
    def alike(self) -> Alike:
        """The rows that are alike in the selected features."""
        return alike_rows(self._by.model, self.settled)

    @property
    def _local(self) -> PermutationScheme | None:
        """Orders among rows that are alike; None where these are all orders."""
        if not self.settled or self.alike.groups is None:
            return None
        return self.scheme.within(self.alike.groups)

    @cached_property
    def standardised_gains(self) -> StandardisedGains | None:
        """The largest gain in standard deviations above chance, of replicates of all rows.

        None where candidates are not compared with chance: pairs, and raw gains.
        """
        return self._standardised(self.scheme, None)

    @cached_property
    def standardised_local_gains(self) -> StandardisedGains | None:
        """The same among rows that are alike; what chance gives there is told by a few orders."""
        if self._local is None or self.sums is None or self.pairs is not None:
            return self.standardised_gains
        pilot = self._local.pilot()
        orders = [pilot.order(number) for number in range(PILOT_ORDERS)]
        gains = self.sums.before - self.sums.conditional(orders)[0]
        return self._standardised(self._local, Chance.of_draws(gains))

    def _standardised(
        self, scheme: PermutationScheme, chance: Chance | None
    ) -> StandardisedGains | None:
        if self.sums is None or self.pairs is not None:
            return None
        return StandardisedGains(
            sums=self.sums,
            scheme=scheme,
            place=self.sums.candidates.index(self.newest),
            tick=self.tick,
            note=self._note_replicate,
            chance=chance or self.sums.chance,
        )

    @property
    def settled(self) -> tuple[int, ...]:
        """The features selected in earlier steps."""
        return self.given if self.pairs is None else self.given[:-1]

    def _gains(self, scheme: PermutationScheme) -> Null:
        if self.pairs is not None:
            return AllGains(self.pairs, self.pairs.pairs, scheme, self.gain, self.tick)
        candidates, note = (self.newest, *self.remaining), self._note_replicate
        if self._sums is not None:
            return AllGains(self._sums, candidates, scheme, self.gain, self.tick, 0, note)
        return BestGains(
            entropies=self.entropies,
            scheme=scheme,
            given=self.given,
            candidates=candidates,
            newest=self.newest,
            pair=self.pair,
            gain=self.gain,
            tick=self.tick,
        )

    @cached_property
    def _sums(self) -> SingleSums | None:
        """The sums of all candidates in any order, None where others are less work."""
        by = self._by
        alike, count = by.model.by_values, len(self.remaining) + 1
        sizes = by.thresholds.singly
        if not by.plan.sums or not SingleSums.serves(by.n, count, by_values=alike, sizes=sizes):
            return None
        size = len(self.given) + 1
        return SingleSums(
            by.model.product(self.given, size=size),
            [by.model.part(number, size) for number in (self.newest, *self.remaining)],
            by.model.target,
            by.backend,
            jobs=by.jobs,
            most_bytes=by.factor_bytes,
        )

    def _note_replicate(self, number: int) -> None:
        # copies are found in the way that the column itself is
        way = self.sums.way(self.sums.candidates.index(self.newest)) if self.sums else "products"
        self.entropies.ledger.settle("replicates", ("best", number), way)

    def null_error(self, statistic: Statistic) -> float:
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
                self._errors[statistic] = max(replicate.error, self.null_error(statistic))
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
        target = self.target
        return Interval(
            target - pair.upper, target - pair.conditional, target - pair.lower, pair.exact
        )

    def _exact(
        self, statistic: Statistic, numbers: Sequence[int], tick: Callable[[int], None]
    ) -> list[float]:
        """Return the values of replicates to the end, as far from the observed one as they are."""
        if not numbers:
            return []
        exact = self._by.exact
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
        whole = self.entropies.pair(self._by.everything, exact)
        reported = self.pair.conditional - self.everything.conditional
        shift = reported - (own.conditional - whole.conditional)
        rest = self._by.everything - {self.newest}
        wholes = self.entropies.replicates(rest, self.newest, list(orders.values()), tick, exact)
        return [
            self._shuffled[number].conditional - shuffled.conditional + shift
            for number, shuffled in zip(numbers, wholes, strict=True)
        ]

    def _bounded(self, statistic: Statistic, numbers: range, total: int) -> list[Interval]:
        """Return certain bounds on each replicate's statistic, as close as it mostly takes."""
        if statistic == "mi":
            above, below = self.pair.upper + TIE_BITS, self.pair.lower - TIE_BITS
            question = Question(self._by.tolerance, above, below)
            return [self._mi_of(pair) for pair in self._shuffle(numbers, question, total)]
        # CMI = H(y | S', x~) - H(y | S with x~): the second term is at least 0 and has one upper
        # bound for all replicates, which mostly decides
        limits, bound = self._observed("cmi"), self._last_term_bound
        above, below = limits.upper + bound + TIE_BITS, limits.lower - TIE_BITS
        # one that the bound certainly leaves open is not known better before its last term is
        question = Question(self._by.tolerance, above, below, neither=self._by.plan.factors)
        pairs = self._shuffle(numbers, question, total)
        if bound < math.inf:
            return [
                Interval(pair.lower - bound, pair.conditional - bound / 2, pair.upper)
                for pair in pairs
            ]
        return self._with_wholes(numbers, Question(self._by.tolerance, rough=True), total)

    @property
    def _last_term_bound(self) -> float:
        """What H(y | S with x~) is at most, whatever the order, bits."""
        return self.entropies.conditional_bound(self._by.everything - {self.newest})

    def _closer(self, statistic: Statistic) -> tuple[Question, ...]:
        """Return what is asked of both terms of replicates that are open, one after the other."""
        if statistic == "mi" or not self._by.plan.factors:
            return ()
        loose = Question(max(LOOSE_BITS, self._by.tolerance), alone=True)
        return (loose, self._by.known)

    def _with_wholes(
        self, numbers: Sequence[int], question: Question, total: int
    ) -> list[Interval]:
        """Return bounds on the CMI of replicates from both of its terms."""
        pairs = self._shuffle(numbers, question, total)
        wholes = self.entropies.replicates(
            self._by.everything - {self.newest},
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
