"""What a criterion may see of a step."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from renyi.information import InformationEngine, Pair
from renyi.racing import TIE_BITS
from renyi.resampling import PermutationScheme
from renyi.shannon import ChiSquareModel

__all__ = ["Statistic", "StepView"]

Statistic: TypeAlias = Literal["mi", "cmi"]


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
    _widths: list[float] = field(default_factory=list)

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
    def observed(self) -> dict[Statistic, float]:
        """MI and CMI of the step, bits."""
        return {"mi": self.mi, "cmi": self.cmi}

    def replicates(self, statistic: Statistic, start: int, stop: int, total: int) -> list[float]:
        """Return the statistic with the newest feature shuffled, replicates start..stop-1, bits.

        For `cmi` the shuffled copy replaces the feature among all features too. Criteria share
        the replicates: each is computed once a step. A CMI whose comparison with the observed one
        is certain from bounds alone is given as the middle of its bounds, see `null_error`.

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
            pairs = self._shuffled_pairs(numbers, total)
            if statistic == "mi":
                known += [self.engine.mutual_information(pair) for pair in pairs]
            else:
                known += self._shuffled_cmi(pairs, numbers, total)
        return known[start:stop]

    @property
    def null_error(self) -> float:
        """Largest error of a CMI replicate that bounds decided, bits; 0 where all are values."""
        return max(self._widths, default=0.0)

    def _shuffled_pairs(self, numbers: range, total: int) -> Sequence[Pair]:
        if len(self._shuffled) < numbers.stop:
            missing = range(len(self._shuffled), numbers.stop)
            orders = [self.scheme.order(number) for number in missing]
            self._shuffled.extend(
                self.engine.replicates(
                    self.given,
                    self.newest,
                    orders,
                    lambda k: self.tick(missing.start + k // 2, total),
                )
            )
        return self._shuffled[numbers.start : numbers.stop]

    def _shuffled_cmi(self, pairs: Sequence[Pair], numbers: range, total: int) -> list[float]:
        """Return CMI = H(y | S', x~) - H(y | S with x~), the second term from bounds if it can.

        It is at least 0 and has one upper bound for all replicates, so CMI lies in
        [H(y | S', x~) - bound, H(y | S', x~)]: mostly all of that is on one side of the observed
        value, and the middle stands for the replicate.
        """
        rest = self.engine.everything - {self.newest}
        bound = self.engine.conditional_bound(rest)
        limit = self.cmi + TIE_BITS
        cmi = [pair.conditional - bound / 2 for pair in pairs]
        undecided = (
            [
                k
                for k, pair in enumerate(pairs)
                if pair.conditional - bound <= limit < pair.conditional
            ]
            if bound < math.inf
            else list(range(len(pairs)))
        )
        if len(undecided) < len(pairs):
            self._widths.append(bound / 2)
        exact = self.engine.replicates(
            rest,
            self.newest,
            [self.scheme.order(numbers[k]) for k in undecided],
            lambda done: self.tick(numbers.start + (len(numbers) + done) // 2, total),
        )
        for k, whole in zip(undecided, exact, strict=True):
            cmi[k] = pairs[k].conditional - whole.conditional
        return cmi
