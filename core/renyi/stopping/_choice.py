"""Tests of a first step whose bandwidth the data chose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from renyi.options import criterion_traits
from renyi.stopping._criterion import Criterion, StepView
from renyi.stopping._report import CriterionReport

__all__ = ["ChoiceAwareCriterion", "with_choice"]


@dataclass(frozen=True, slots=True)
class ChoiceAwareCriterion:
    """A permutation test that at the first step asks the choice's own p-value, too.

    The chosen bandwidth is the one at which the first gain stands out, so the test at it alone
    passes too easily. The feature enters only if both p-values are small enough; the larger of
    two is a p-value where one of them is.

    Attributes
    ----------
    criterion
        The test.
    p_value
        Of no dependence at any bandwidth of the choice's grid.
    significance
        The level.
    before
        Features selected before the first test: those forced in.
    """

    criterion: Criterion
    p_value: float
    significance: float
    before: int

    @property
    def name(self) -> str:
        """The name it is asked for by."""
        return self.criterion.name

    def judge(self, view: StepView) -> CriterionReport:
        """Judge the newest feature."""
        report = self.criterion.judge(view)
        if len(view.settled) > self.before or report.stop:
            return report
        passed = self.p_value <= self.significance
        p_value, p_upper = report.p_value, report.p_upper
        return replace(
            report,
            stop=not passed,
            keeps_feature=report.keeps_feature and passed,
            reason=f"{report.reason}; with the choice of the bandwidth counted, the first step has "
            f"p = {self.p_value:.3g}, {'at most' if passed else 'above'} the level",
            p_value=None if p_value is None and passed else max(p_value or 0.0, self.p_value),
            p_upper=max(p_upper or 0.0, self.p_value),
        )


def with_choice(
    criteria: Sequence[Criterion], p_value: float, significance: float, before: int
) -> tuple[Criterion, ...]:
    """Return the criteria, those that draw permutations aware of the choice."""
    return tuple(
        ChoiceAwareCriterion(criterion, p_value, significance, before)
        if criterion_traits(criterion.name).permutes
        else criterion
        for criterion in criteria
    )
