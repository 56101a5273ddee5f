"""How far off the numbers of a step may be that are estimated from a share of all pairs of rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import NormalDist

import numpy as np

from renyi._typing import FloatArray
from renyi.information import (
    CandidateSums,
    EstimatedEntropies,
    EstimatedSums,
    information_by_chance,
)
from renyi.nulls import plain_tail
from renyi.options import MethodOptions
from renyi.pairs import INTERVAL
from renyi.selection._choice import Choice
from renyi.selection.records._step import StandardErrors
from renyi.stopping import CriterionReport

__all__ = ["standard_errors"]


def standard_errors(
    entropies: EstimatedEntropies,
    options: MethodOptions,
    choice: Choice,
    before: Iterable[int],
    reports: Sequence[CriterionReport],
    sums: CandidateSums | None,
    *,
    with_cmi: bool,
) -> StandardErrors:
    """Return the standard errors of a step's numbers, and what they could turn.

    Parameters
    ----------
    entropies
        Estimates over the kernels.
    options
        The method.
    choice
        The newest features.
    before
        The features selected before them.
    reports
        What the criteria said.
    sums
        Of what tells chance and z, None where nothing does.
    with_cmi
        Whether CMI is computed.
    """
    given = frozenset(before)
    numbers = _numbers(entropies, choice, given, sums, with_cmi=with_cmi)
    errors = {name: float(entropies.errors(found)) for name, found in numbers.items()}
    values = {name: float(found[0]) for name, found in numbers.items()}
    gap, choice_open = _ranking(entropies, choice)
    count = len(entropies.computation.everything - given)
    level = options.significance
    return StandardErrors(
        mi=errors["mi"],
        cmi=errors.get("cmi"),
        gain=errors["gain"],
        chance=errors.get("chance"),
        z=errors.get("z"),
        mi_chance=None if sums is None else errors["mi_chance"],
        selected=errors["selected"],
        joint=errors["joint"],
        target=errors["target"],
        conditional_all=errors.get("conditional_all"),
        gap=gap,
        choice_open=choice_open,
        stop_open=any(_may_turn(report, values, errors, count, level) for report in reports),
    )


def _numbers(
    entropies: EstimatedEntropies,
    choice: Choice,
    given: frozenset[int],
    sums: CandidateSums | None,
    *,
    with_cmi: bool,
) -> dict[str, FloatArray]:
    """Return the estimates of each number, see `PairDesign.estimates`."""
    target = entropies.target_estimates
    told = sums if isinstance(sums, EstimatedSums) else None
    place = 0 if told is None else told.candidates.index(choice.columns[-1])
    found = {} if told is None else told.chosen(place)
    if told is not None and choice.sums is told:
        both = told.with_candidate(place)
    else:  # forced in: its gain is that of two sets, and chance what z leaves of it
        both, earlier = entropies.estimates({*given, *choice.columns}), entropies.estimates(given)
        gain = (earlier[:, 1] - earlier[:, 0]) - (both[:, 1] - both[:, 0])
        if told is not None:
            found["chance"] += gain - found["gain"]
        found["gain"] = gain
    selected, joint = both.T
    found |= {"selected": selected, "joint": joint, "target": target}
    found["mi"] = selected + target - joint
    found["mi_chance"] = information_by_chance(entropies.computation, selected, target)
    if with_cmi:
        every = entropies.estimates(entropies.computation.everything)
        found["conditional_all"] = every[:, 1] - every[:, 0]
        found["cmi"] = joint - selected - found["conditional_all"]
    return found


def _ranking(entropies: EstimatedEntropies, choice: Choice) -> tuple[float | None, bool]:
    """Return the standard error of the gap to the runner-up, and whether another may be first."""
    sums = choice.sums
    if not isinstance(sums, EstimatedSums) or choice.runner_up is None:
        return None, False
    best = sums.candidates.index(choice.columns[-1])
    lead = sums.z[:, best, None] - sums.z
    errors = entropies.errors(lead)
    others = np.arange(len(sums)) != best
    second = int(np.argmin(np.where(others, lead[0], np.inf)))
    near = (lead[0] < INTERVAL * errors) & others
    return float(errors[second] * sums.chance.deviation[best]), bool(near.any())


def _may_turn(
    report: CriterionReport,
    values: Mapping[str, float],
    errors: Mapping[str, float],
    count: int,
    level: float,
) -> bool:
    """Return whether an error of 2.2 standard errors might turn what a criterion decided."""
    name = report.statistic_name
    error = errors.get(name)
    if error is None or error == 0:  # of another statistic, or exact
        return False
    limit = report.threshold
    if limit is None:
        limit = _critical(report, count, level)
    away = values[name] - limit
    # what passes is to be above; CMI passes above its threshold, too
    return away < INTERVAL * error if not report.stop else away > -INTERVAL * error


def _critical(report: CriterionReport, count: int, level: float) -> float:
    """Return about which z is as good as chance at a level.

    Of draws it is told by these; without any, what failed is set beside the quantile of a normal
    distribution, the lightest tail, and what passed beside the heaviest that there is.
    """
    if report.null_quantiles is not None and report.drawn:
        return report.null_quantiles[2]
    if report.stop:
        return NormalDist().inv_cdf(1 - level)
    low, high = 0.0, 1e3
    while high - low > 1e-3:
        middle = (low + high) / 2
        low, high = (middle, high) if plain_tail(middle, count) > level else (low, middle)
    return high
