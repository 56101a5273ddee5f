"""What a criterion may see of a step."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from renyi.information import InformationEngine, Pair
from renyi.racing import TIE_BITS
from renyi.resampling import PermutationScheme
from renyi.shannon import ChiSquareModel

__all__ = ["Statistic", "StepView"]

Statistic: TypeAlias = Literal["mi", "cmi"]

EXACT_BITS: Final = TIE_BITS / 4
"""Error that rounding may always have: a value with it is compared as it is."""


@dataclass(frozen=True, eq=False)
class StepView:
    """One step of the search, as its criteria see it.

    Attributes
    ----------
    engine
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
    tick
        Called with (done, total) replicates, on the calling thread.
    """

    engine: InformationEngine
    chi_square: ChiSquareModel
    scheme: PermutationScheme
    name: str
    given: tuple[int, ...]
    newest: int
    remaining: tuple[int, ...]
    pair: Pair
    tick: Callable[[int, int], None]
    _replicates: dict[Statistic, list[float]] = field(default_factory=dict)
    _shuffled: list[Pair] = field(default_factory=list)
    _errors: dict[Statistic, float] = field(default_factory=dict)

    @property
    def mi(self) -> float:
        """I({S', x}; y), bits."""
        return self.engine.mutual_information(self.pair)

    @property
    def cmi(self) -> float:
        """I({S - S' - x}; y | {S', x}) = H(y | S', x) - H(y | S), bits.

        The rest united with {S', x} is all of S, so the identity needs one constant besides what
        the search computes.
        """
        return self.pair.conditional - self.everything.conditional

    @property
    def everything(self) -> Pair:
        """The pair of all features in use."""
        return self.engine.pair(self.engine.everything)

    @property
    def _rounding(self) -> float:
        """Error from rounding alone, of which the observed values have as much, bits."""
        return EXACT_BITS + 2 * (self.pair.error + self.everything.error)

    @property
    def observed(self) -> dict[Statistic, float]:
        """MI and CMI of the step, bits."""
        return {"mi": self.mi, "cmi": self.cmi}

    def replicates(self, statistic: Statistic, start: int, stop: int, total: int) -> list[float]:
        """Return the statistic with the newest feature shuffled, replicates start..stop-1, bits.

        For `cmi` the shuffled copy replaces the feature among all features too. Criteria share
        the replicates: each is computed once a step. A replicate whose comparison with the
        observed value is certain from bounds is given as their middle, see `null_error`; only
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
        if len(known) < stop:
            numbers = range(len(known), stop)
            known += self._compared(statistic, numbers, total)
        return known[start:stop]

    def null_error(self, statistic: Statistic) -> float:
        """Return the largest error of a replicate that bounds decided, bits; 0 if there is none."""
        return self._errors.get(statistic, 0.0)

    def _compared(self, statistic: Statistic, numbers: range, total: int) -> list[float]:
        """Return values, each exact or certainly on the same side of the observed one."""
        values = self._bounded(statistic, numbers, total)
        limit = self.observed[statistic] + (TIE_BITS if statistic == "cmi" else -TIE_BITS)
        found = []
        undecided = []
        for place, (value, error) in enumerate(values):
            found.append(value)
            if error <= self._rounding:
                continue
            if abs(value - limit) <= error:
                undecided.append(place)
            else:
                self._errors[statistic] = max(error, self.null_error(statistic))
        exact = self._exact(
            statistic,
            [numbers[place] for place in undecided],
            lambda _: self.tick(numbers.stop, total),
        )
        for place, value in zip(undecided, exact, strict=True):
            found[place] = value
        return found

    def _exact(
        self, statistic: Statistic, numbers: Sequence[int], tick: Callable[[int], None]
    ) -> list[float]:
        """Return the values of replicates whose pairs may be known loosely so far."""
        orders = {number: self.scheme.order(number) for number in numbers}
        loose = [number for number in numbers if self._shuffled[number].error > self._rounding]
        exact = self.engine.replicates(self.given, self.newest, [orders[k] for k in loose], tick)
        for number, pair in zip(loose, exact, strict=True):
            self._shuffled[number] = pair
        pairs = [self._shuffled[number] for number in numbers]
        if statistic == "mi":
            return [self.engine.mutual_information(pair) for pair in pairs]
        rest = self.engine.everything - {self.newest}
        wholes = self.engine.replicates(rest, self.newest, list(orders.values()), tick)
        both = zip(pairs, wholes, strict=True)
        return [pair.conditional - whole.conditional for pair, whole in both]

    def _bounded(
        self, statistic: Statistic, numbers: range, total: int
    ) -> list[tuple[float, float]]:
        """Return (middle, half width) of certain bounds on each replicate's statistic."""
        pairs = self._shuffled_pairs(numbers, total)
        if statistic == "mi":
            return [(self.engine.mutual_information(pair), pair.error) for pair in pairs]
        # CMI = H(y | S', x~) - H(y | S with x~): the second term is at least 0 and has one upper
        # bound for all replicates, which mostly decides
        rest = self.engine.everything - {self.newest}
        bound = self.engine.conditional_bound(rest)
        if bound < math.inf:
            half = bound / 2
            return [(pair.conditional - half, pair.error + half) for pair in pairs]
        orders = [self.scheme.order(number) for number in numbers]
        wholes = self.engine.replicates(
            rest,
            self.newest,
            orders,
            lambda done: self.tick(numbers.start + (len(numbers) + done) // 2, total),
            loose=True,
        )
        return [
            (pair.conditional - whole.conditional, pair.error + whole.error)
            for pair, whole in zip(pairs, wholes, strict=True)
        ]

    def _shuffled_pairs(self, numbers: range, total: int) -> Sequence[Pair]:
        """Return the pairs of {S', x~}, with bounds that may be loose."""
        if len(self._shuffled) < numbers.stop:
            missing = range(len(self._shuffled), numbers.stop)
            orders = [self.scheme.order(number) for number in missing]
            self._shuffled.extend(
                self.engine.replicates(
                    self.given,
                    self.newest,
                    orders,
                    lambda done: self.tick(missing.start + done // 2, total),
                    loose=True,
                )
            )
        return self._shuffled[numbers.start : numbers.stop]
