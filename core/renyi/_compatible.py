"""Options that go together, whatever the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from renyi import _validate
from renyi._draws import least_draws
from renyi._typing import Purpose
from renyi.errors import OptionError

if TYPE_CHECKING:
    from renyi.options import MethodOptions

__all__ = [
    "PURPOSES",
    "check_bandwidths",
    "check_error_rate",
    "check_judging",
    "check_lookahead",
    "check_solver",
    "criteria_for",
    "purpose_of",
    "usual_judging",
]

PURPOSES: Final[Mapping[Purpose, str]] = {"model": "cmi-max", "news": "cmi-local"}
"""What the selected columns are for, and the criterion that answers it."""

LOOKING_AHEAD = ("cmi-max", "cmi-local", "none")
"""Criteria that can judge a pair."""


def check_error_rate(options: MethodOptions) -> None:
    """Refuse a share of false features where no test counts the search in, or two looks share it.

    A first look that fails costs of what passed tests have earned, and a pair passes once, not
    twice: the levels would be others.
    """
    if options.error_rate == "fwer":
        return
    if purpose_of(options.criteria) is None:
        raise OptionError(
            f"`error_rate` fdr goes with one of {', '.join(PURPOSES.values())} alone, got "
            f"{', '.join(options.criteria)}.",
            "Use error_rate `fwer`, or leave the other criteria out.",
        )
    if options.lookahead != 1:
        raise OptionError(
            f"`error_rate` fdr needs lookahead 1, got {options.lookahead}.",
            "Use error_rate `fwer` to look at pairs.",
        )


def criteria_for(purpose: object, criteria: Sequence[str] | None) -> Sequence[str] | None:
    """Return the criteria of a purpose, or those that were asked for where they agree.

    Examples
    --------
    >>> criteria_for("news", None), criteria_for(None, ("mi-perm",))
    (('cmi-local',), ('mi-perm',))
    """
    if purpose is None:
        return criteria
    named = _validate.choice("purpose", purpose, tuple(PURPOSES))
    meant = PURPOSES[named]
    if criteria is None:
        return (meant,)
    if set(criteria) - {meant}:
        raise OptionError(
            f"`purpose` must agree with `criterion`: {named} means {meant}, got "
            f"{', '.join(criteria)}.",
            "Leave one of the two out.",
        )
    return criteria


def purpose_of(criteria: Sequence[str]) -> Purpose | None:
    """Return what columns are for that these criteria select, None where that has no name."""
    return next((name for name, one in PURPOSES.items() if tuple(criteria) == (one,)), None)


def check_bandwidths(options: MethodOptions) -> None:
    """Refuse a choice by the data for one column alone."""
    for column, bandwidth in options.bandwidths:
        if bandwidth == "auto":
            raise OptionError(
                f"`bandwidth` auto is chosen for all columns at once, got `{column}=auto`.",
                "Give the column a number or another rule.",
            )


COMPARING_CMI = frozenset({"cmi-heuristic", "cmi-perm"})
"""Criteria that compare what some features tell with what all do: at one width or not at all."""


def usual_judging(base: MethodOptions, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return how candidates are judged where the user says nothing of it.

    As the preset says at order 2; at other orders, where what chance gives takes draws, raw gains
    of rows that count alike. Where CMI decides, the width does not widen.
    """
    usual: dict[str, Any] = {}
    criteria = asked.get("criteria", base.criteria)
    named = set(map(str, criteria if isinstance(criteria, tuple | list) else [criteria]))
    if named & COMPARING_CMI and base.bandwidth == "steady":
        usual["bandwidth"] = 2.0
    if asked.get("alpha", base.alpha) != 2:
        return {**usual, "rank": "raw", "class_weights": "none"}
    if asked.get("score", base.score) != "mi":
        usual["rank"] = "raw"
    return usual


def check_judging(options: MethodOptions) -> None:
    """Refuse gains above chance of other scores, and weights of classes at other orders."""
    if options.class_weights != "none" and options.alpha != 2:
        raise OptionError(
            f"`class_weights` {options.class_weights} needs alpha 2, got {options.alpha:g}.",
            "Rows have weights there only: use --alpha 2, or --class-weights none.",
        )
    if options.rank == "chance" and options.score != "mi":
        raise OptionError(
            f"`rank` chance needs score mi, got {options.score}.",
            "Use --rank raw: other scores have their own correction.",
        )


def check_solver(options: MethodOptions) -> None:
    """Refuse a solver that cannot work at this alpha."""
    alpha = options.alpha
    rules = {
        "tiles": (alpha == 2, "2"),
        "power": (alpha >= 2 and alpha == int(alpha), "a whole number of at least 2"),
        "low-rank": (alpha >= 1, "at least 1"),
    }
    applies, rule = rules.get(options.solver, (True, ""))
    if not applies:
        raise OptionError(
            f"`alpha` must be {rule} for solver {options.solver}, got {alpha:g}.",
            "Leave `solver` out: auto takes the cheapest that applies.",
        )


def check_lookahead(options: MethodOptions) -> None:
    """Refuse a look at pairs that no criterion judges, that takes too long, or that none passes."""
    if options.lookahead > 2:
        raise OptionError(f"`lookahead` must be 1 or 2, got {options.lookahead}.")
    if options.lookahead == 1:
        return
    for criterion in options.criteria:
        if criterion not in LOOKING_AHEAD:
            raise OptionError(
                f"`criterion` must be one of {', '.join(LOOKING_AHEAD)} for lookahead 2, got "
                f"{criterion}.",
                "Only these can judge a pair.",
            )
    if options.score != "mi":
        raise OptionError(
            f"`score` must be mi for lookahead 2, got {options.score}.",
            "Pairs are ranked by joint MI.",
        )
    if options.alpha != 2 or options.solver != "auto":
        raise OptionError(
            f"`lookahead` 2 needs alpha 2 and solver auto, got {options.alpha:g} and "
            f"{options.solver}.",
            "Other orders need two eigenproblems for every pair of every replicate: use --alpha 2.",
        )
    if options.bandwidth == "auto":
        raise OptionError(
            "`bandwidth` auto is chosen by gains of single features and does not suit lookahead 2.",
            "Give a number: 1 to 3 suits standardised values.",
        )
    _check_reachable(options)


def _check_reachable(options: MethodOptions) -> None:
    """Refuse a test that no data could pass: each of the two looks of a step has half the level."""
    draws, level = options.permutations, options.significance / 2
    if options.criteria == ("none",) or not isinstance(draws, int):
        return
    least = least_draws(level)
    if options.p_rule == "valid" and draws < least:
        raise OptionError(
            f"`permutations` must be at least {least} for a p-value to reach {level:g}, half of "
            f"the significance, at each of the two looks of a step; got {draws}.",
            "Draw more, or raise the level.",
        )
