"""Several criteria, one judgement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from renyi._typing import StopWhen
from renyi.stopping._criterion import Criterion, StepView
from renyi.stopping._least_gain import LEAST_GAIN
from renyi.stopping._report import CriterionReport

__all__ = ["Judgement", "combine", "judge_all"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the criteria say together.

    Attributes
    ----------
    stop
        Whether the search ends here.
    keeps_feature
        Whether the newest feature stays selected.
    reports
        One per criterion, in the order asked.
    """

    stop: bool
    keeps_feature: bool
    reports: tuple[CriterionReport, ...]

    @property
    def stopping(self) -> tuple[CriterionReport, ...]:
        """The reports that say stop."""
        return tuple(report for report in self.reports if report.stop)


def judge_all(criteria: Sequence[Criterion], when: StopWhen, view: StepView) -> Judgement:
    """Ask every criterion and combine what they say.

    A gain that is too small ends it before any draws.
    """
    reports: list[CriterionReport] = []
    for criterion in criteria:
        reports.append(criterion.judge(view))
        if criterion.name == LEAST_GAIN and reports[-1].stop:
            break
    return combine(reports, when)


def combine(said_by_each: Sequence[CriterionReport], when: StopWhen) -> Judgement:
    """Stop when any, or only when all, of the reports say so.

    The feature is left out where one that decided the stop rejects it: under `any` one rejection
    suffices, under `all` every criterion has to reject it. A gain that is too small stops whatever
    the others say, and has no say where it is large enough.
    """
    reports = tuple(said_by_each)
    asked = [report for report in reports if report.criterion != LEAST_GAIN]
    if any(report.stop for report in reports if report.criterion == LEAST_GAIN):
        return Judgement(True, False, reports)
    said = [report for report in asked if report.stop]
    stop = len(said) == len(asked) > 0 if when == "all" else bool(said)
    if not stop:
        return Judgement(False, True, reports)
    kept = [report.keeps_feature for report in said]
    return Judgement(True, all(kept) if when == "any" else any(kept), reports)
