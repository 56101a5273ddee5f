"""Where each criterion ends one path, every one asked as if it were alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from renyi.errors import Interrupted
from renyi.options import MethodOptions
from renyi.selection import BandwidthChoice, ForwardSearch, Step
from renyi.stopping import (
    Criterion,
    CriterionReport,
    StepView,
    build_criteria,
    judge_all,
    with_choice,
)

__all__ = ["MOST_WHOLE", "End", "Outcome", "ranks", "run_side_by_side"]

End: TypeAlias = Literal["criterion", "max_features", "exhausted", "interrupted"]

MOST_WHOLE: Final = 64
"""Features up to which the path takes all of them, for the whole curve."""

LEAST: Final = 20
"""Steps of a path of more features, even where every criterion has stopped before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one criterion makes of a path.

    Attributes
    ----------
    criterion
        Its name.
    features
        How many features it selects: the first so many of the path.
    stopped
        `criterion`; `exhausted`, it let all in; `max_features`, it had not stopped where the path
        ended; `interrupted`, where the work did.
    step
        Index of the step it stopped at, None where it did not.
    reason
        The same in words, naming the numbers.
    reports
        What it found at each step up to there, one a step that was judged.
    """

    criterion: str
    features: int
    stopped: End
    step: int | None
    reason: str
    reports: tuple[CriterionReport, ...]

    @property
    def p_value(self) -> float | None:
        """The p-value at the stop; None where it has none."""
        if self.stopped != "criterion" or not self.reports:
            return None
        return self.reports[-1].p_value


def run_side_by_side(
    search: ForwardSearch,
    options: MethodOptions,
    names: Sequence[str],
    *,
    total: int,
    kept: int = 0,
    choice: BandwidthChoice | None = None,
) -> tuple[tuple[Step, ...], tuple[Outcome, ...]]:
    """Run one path and ask every criterion at each step until it has stopped.

    The path is the same for all, as criteria decide its length only; a criterion finds at each step
    what it finds in a selection of its own, for draws depend on seed and step alone. Criteria share
    the entropies and the shuffled copies of a step.

    Parameters
    ----------
    search
        A search without a criterion, by single features.
    options
        The method; its criteria are not looked at.
    names
        The criteria asked.
    total
        Features that there are.
    kept
        How many are forced in.
    choice
        How the data chose the bandwidth, if they did.

    Returns
    -------
    tuple
        The steps and one outcome a criterion: of up to 64 features all enter; of more, so many
        that every criterion has stopped, at least 20, at most what the search allows.

    Raises
    ------
    Interrupted
        On Ctrl-C after a step; its `.path` is the same tuple as far as it got.
    """
    open_: dict[str, tuple[Criterion, ...]] = {
        name: _alone(options, name, kept, choice) for name in names
    }
    reports: dict[str, list[CriterionReport]] = {name: [] for name in names}
    ended: dict[str, Outcome] = {}
    steps: list[Step] = []
    try:
        for step in search:
            steps.append(step)
            if step.action == "add":
                for name, criteria in list(open_.items()):
                    outcome = _judged(name, criteria, search.view, step, reports[name])
                    if outcome is not None:
                        ended[name] = outcome
                        del open_[name]
            if not open_ and total > MOST_WHOLE and len(steps) >= LEAST:
                break
    except KeyboardInterrupt:
        if not steps:
            raise
        for name in open_:
            ended[name] = _left(name, len(steps), reports[name])
        raise Interrupted((tuple(steps), tuple(ended[name] for name in names))) from None
    for name in open_:
        ended[name] = _unended(name, len(steps), total, reports[name])
    return tuple(steps), tuple(ended[name] for name in names)


def _alone(
    options: MethodOptions, name: str, kept: int, choice: BandwidthChoice | None
) -> tuple[Criterion, ...]:
    """Return what judges in a selection with one criterion."""
    criteria = build_criteria(replace(options, criteria=(name,)))
    if choice is None:
        return criteria
    return with_choice(criteria, choice.p_value, options.significance, kept)


def _judged(
    name: str,
    criteria: Sequence[Criterion],
    view: StepView,
    step: Step,
    reports: list[CriterionReport],
) -> Outcome | None:
    """Ask a criterion of a step; return where it ended, if it did."""
    judgement = judge_all(criteria, "any", view)
    reports.append(judgement.reports[-1])
    if not judgement.stop:
        return None
    where = "after" if judgement.keeps_feature else "before"
    said = "; ".join(report.reason for report in judgement.stopping)
    return Outcome(
        criterion=name,
        features=step.index - (not judgement.keeps_feature),
        stopped="criterion",
        step=step.index,
        reason=f"stopped {where} `{step.features[0]}`: {said}",
        reports=tuple(reports),
    )


def _unended(name: str, steps: int, total: int, reports: Sequence[CriterionReport]) -> Outcome:
    whole = steps == total
    reason = f"did not stop within {steps} features, where the path ends"
    if whole:
        reason = f"all {steps} features were selected; none is left"
        if steps == 1:
            reason = "the one feature was selected; none is left"
    return Outcome(
        criterion=name,
        features=steps,
        stopped="exhausted" if whole else "max_features",
        step=None,
        reason=reason,
        reports=tuple(reports),
    )


def _left(name: str, steps: int, reports: Sequence[CriterionReport]) -> Outcome:
    some = "1 feature" if steps == 1 else f"{steps} features"
    return Outcome(
        criterion=name,
        features=steps,
        stopped="interrupted",
        step=None,
        reason=f"had not stopped within {some}, where the work was interrupted",
        reports=tuple(reports),
    )


def ranks(values: Mapping[str, int]) -> dict[str, int]:
    """Rank numbers, the smallest first; equal ones share the better rank.

    Examples
    --------
    >>> ranks({"a": 3, "b": 0, "c": 3, "d": 9})
    {'a': 2, 'b': 1, 'c': 2, 'd': 4}
    """
    return {
        name: 1 + sum(other < value for other in values.values()) for name, value in values.items()
    }
