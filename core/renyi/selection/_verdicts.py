"""Decisions put into words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from renyi.selection.records._records import Step, Verdict
from renyi.stopping import Judgement

__all__ = ["bare", "full", "interrupted", "rejected_pair", "stopped"]


def full(count: int, total: int, step: int) -> Verdict:
    """Say that there is no room for another feature, after `count` of `total`."""
    if count == total:
        reason = f"all {count} features were selected; none is left"
        if count == 1:
            reason = "the one feature was selected; none is left"
        return Verdict(stopped="exhausted", reason=reason, step=step)
    plural = "" if count == 1 else "s"
    reason = f"stopped at {count} feature{plural}: the limit asked for (max_features)"
    return Verdict(stopped="max_features", reason=reason, step=step)


def bare(kept: int, step: int) -> Verdict:
    """Say that there is nothing left to take away but what is forced in."""
    left = "" if kept == 0 else f" but the {kept} forced in"
    return Verdict(stopped="exhausted", reason=f"every feature{left} was taken away", step=step)


def interrupted(finished: int) -> Verdict:
    """Say that a search was stopped from outside, after so many finished steps."""
    return Verdict(
        stopped="interrupted",
        reason=f"interrupted after {finished} finished step{'' if finished == 1 else 's'}",
        step=finished,
    )


def stopped(step: Step, judgement: Judgement) -> Verdict:
    """Say at which feature the criteria ended the search, and why."""
    where = "after" if step.selected else "before"
    if step.action == "remove":
        where, deciding = "before taking away", list(judgement.stopping)
    elif not step.selected:
        deciding = [report for report in judgement.stopping if not report.keeps_feature]
    else:
        deciding = list(judgement.stopping)
    said = "; ".join(report.reason for report in deciding)
    return Verdict(
        stopped="criterion",
        reason=f"stopped {where} {_named(step.features)}: {said}",
        step=step.index,
        criteria=tuple(report.criterion for report in judgement.stopping),
    )


def rejected_pair(single: Judgement, names: Sequence[str], pair: Judgement) -> Judgement:
    """Add to what was said of the single feature why the best pair did not enter either."""
    said = "; ".join(report.reason for report in pair.stopping)
    more = f"nor did the best pair enter, {_named(names)}: {said}"
    reports = tuple(
        replace(report, reason=f"{report.reason}; {more}") if report.stop else report
        for report in single.reports
    )
    return replace(single, reports=reports)


def _named(names: Sequence[str]) -> str:
    return " + ".join(f"`{name}`" for name in names)
