"""One step of the search, worked out as far as its criteria ask."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from renyi._progress import Tick
from renyi.bounds import Pair
from renyi.information import CandidateSums, Computation, SetEntropies
from renyi.nulls import Alike, AllGains, BestGains, Null, ScoreNull, StandardisedGains, alike_rows
from renyi.order2 import Chance, PairSums, SingleSums
from renyi.resampling import PermutationScheme
from renyi.shannon import ChiSquareModel, DeltaMI
from renyi.stopping._intervals import Statistic
from renyi.stopping._replicates import Replicates

__all__ = ["SearchStep"]


@dataclass(frozen=True, eq=False)
class SearchStep:
    """One step of the search: a `StepView` that works out what its criteria ask for.

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
    scored
        Its score, where candidates are ranked by one but joint MI.
    nulls
        What chance gives the score of some candidates.
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
    scored: float | None = None
    nulls: Callable[[tuple[int, ...]], ScoreNull] | None = None

    @property
    def score(self) -> float:
        """The score of the newest feature; options are refused under which it is asked in vain."""
        if self.scored is None:
            raise RuntimeError
        return self.scored

    @property
    def own_scores(self) -> ScoreNull:
        """Its score in replicates that shuffle its rows."""
        return self._scores((self.newest,))

    @property
    def best_scores(self) -> ScoreNull:
        """The largest score over all candidates of each replicate that shuffles them together."""
        return self._scores((self.newest, *self.remaining))

    def _scores(self, candidates: tuple[int, ...]) -> ScoreNull:
        if self.nulls is None:
            raise RuntimeError
        return self.nulls(candidates)

    @property
    def computation(self) -> Computation:
        """How entropies are found."""
        return self.entropies.computation

    @property
    def target(self) -> float:
        """H(y), bits."""
        return self.entropies.target.value

    @property
    def shuffled(self) -> str:
        """How rows are permuted where not all orders of them are drawn from, else empty."""
        return self.scheme.words

    def level(self, level: float) -> float:
        """Return the level to test at so that one asked for is kept."""
        return self.scheme.level(level)

    @property
    def singly(self) -> bool:
        """Whether each replicate is work of its own, so that fewer of them are less work."""
        return self.computation.plan.singly

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
        return self._shuffled.everything

    @cached_property
    def _shuffled(self) -> Replicates:
        return Replicates(
            self.entropies, self.scheme, self.given, self.newest, self.pair, self.tick
        )

    @property
    def of_pairs(self) -> bool:
        """Whether the step adds two features."""
        return self.pairs is not None

    @property
    def delta(self) -> DeltaMI:
        """I(x; y | S') of the discretised data, and its chi-square statistic."""
        return self.chi_square.delta(self.newest, self.given)

    def replicates(self, statistic: Statistic, start: int, stop: int, total: int) -> list[float]:
        """Return the statistic with the newest feature shuffled, see `StepView`."""
        return self._shuffled.of(statistic, start, stop, total)

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
        return alike_rows(self.computation.model, self.settled, self.scheme)

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
        chance = self.sums.drawn_chance(self._local.pilot())
        return self._standardised(self._local, chance)

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
            chance=chance or self.sums.tested,
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
        by = self.computation
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
        return self._shuffled.error(statistic)
