"""What a criterion is, and what it may see of a step."""

from __future__ import annotations

from typing import Protocol

from renyi.nulls import Alike, Null, ScoreNull, StandardisedNull
from renyi.shannon import DeltaMI
from renyi.stopping._intervals import Statistic
from renyi.stopping._report import CriterionReport

__all__ = ["Criterion", "StepView"]


class StepView(Protocol):
    """One step of the search, as its criteria see it: numbers, and nulls that give numbers.

    A criterion sees neither kernels nor entropies, and does not know how either are found.
    """

    @property
    def gain(self) -> float:
        """I(x; y | S') = H(y | S') - H(y | S', x) of the newest feature x, bits."""
        ...

    @property
    def mi(self) -> float:
        """I({S', x}; y), bits."""
        ...

    @property
    def cmi(self) -> float | None:
        """I({S - S' - x}; y | {S', x}), bits; None where it cannot be had."""
        ...

    @property
    def target(self) -> float:
        """H(y), bits."""
        ...

    @property
    def delta(self) -> DeltaMI:
        """I(x; y | S') of the discretised data, and its chi-square statistic."""
        ...

    @property
    def settled(self) -> tuple[int, ...]:
        """The features selected in earlier steps."""
        ...

    @property
    def forced(self) -> int:
        """How many of them were forced in, untested."""
        ...

    @property
    def remaining(self) -> tuple[int, ...]:
        """Features that are neither selected nor the newest."""
        ...

    @property
    def of_pairs(self) -> bool:
        """Whether the step adds two features; the gain is that of both."""
        ...

    @property
    def shuffled(self) -> str:
        """How rows are permuted where not all orders of them are drawn from, else empty."""
        ...

    def level(self, level: float) -> float:
        """Return the level to test at so that one asked for is kept."""
        ...

    @property
    def singly(self) -> bool:
        """Whether each replicate is work of its own, so that fewer of them are less work."""
        ...

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
        ...

    def null_error(self, statistic: Statistic) -> float:
        """Return the largest error of a replicate that bounds decided, bits; 0 if there is none."""
        ...

    @property
    def best_gains(self) -> Null:
        """The largest gain over all candidates of each replicate that shuffles them together."""
        ...

    @property
    def local_gains(self) -> Null:
        """The same with rows moved only among rows that are alike in the selected features."""
        ...

    @property
    def standardised_gains(self) -> StandardisedNull | None:
        """The largest gain in standard deviations above chance, of replicates of all rows.

        None where candidates are not compared with chance: pairs, and raw gains.
        """
        ...

    @property
    def standardised_local_gains(self) -> StandardisedNull | None:
        """The same among rows that are alike."""
        ...

    @property
    def score(self) -> float:
        """The score of the newest feature, where candidates are ranked by one but joint MI."""
        ...

    @property
    def own_scores(self) -> ScoreNull:
        """Its score in replicates that shuffle its rows."""
        ...

    @property
    def best_scores(self) -> ScoreNull:
        """The largest score over all candidates of each replicate that shuffles them together."""
        ...

    @property
    def alike(self) -> Alike:
        """The rows that are alike in the selected features."""
        ...


class Criterion(Protocol):
    """Decides whether enough is enough."""

    @property
    def name(self) -> str:
        """The name it is asked for by."""
        ...

    def judge(self, view: StepView) -> CriterionReport:
        """Judge the newest feature."""
        ...
