"""How many permutations a test draws, as an option says it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from renyi import _validate
from renyi.errors import OptionError

if TYPE_CHECKING:
    from renyi.options import MethodOptions

__all__ = [
    "PERMUTING",
    "DrawRule",
    "Permutations",
    "check_draws",
    "draw_rule",
    "least_draws",
    "parse_permutations",
    "usual_draws",
]

Permutations: TypeAlias = "int | str"

PERMUTING: Final = frozenset({"cmi-local", "cmi-max", "cmi-perm", "mi-perm"})
"""Criteria that draw permutations."""

DEFAULT_CAP: Final = 999
"""Draws at which a p-value of 0.05 has a standard error of 0.007: what is still open then is
hardly worth more."""

AUTO_CAP: Final = 59
"""Of `auto` at a level of 0.05."""

USUAL_SHARE: Final = 3
"""Times the draws that make the level possible: at 0.05 59, of which two may do as well. A feature
whose p-value is .01 passes in 98 of 100 runs, one at .02 in 89; 99 draws make it 100 and 95 and
take two thirds more time."""

PAPER_DRAWS: Final = 100
"""P of Yu and Principe, Entropy 21 (2019)."""


@dataclass(frozen=True, slots=True)
class DrawRule:
    """When to stop drawing.

    Attributes
    ----------
    name
        `fixed`, `besag-clifford`, or `auto`: as fixed, but none where the answer is plain.
    most
        Draws at which it ends in any case.
    """

    name: Literal["fixed", "besag-clifford", "auto"]
    most: int


def usual_draws(base: MethodOptions, asked: Mapping[str, Any]) -> Permutations:
    """Return how many permutations are drawn where the user says nothing of them.

    By `auto`, which may be asked for by that word too, as many as the level takes: 59 at 0.05, 299
    at 0.01. Under the p-rule `paper` 100. A preset of its own number keeps it.

    Examples
    --------
    >>> from renyi.options import method_options
    >>> method_options(significance=0.01).permutations
    'auto:299'
    """
    level = asked.get("significance", base.significance)
    looks = asked.get("lookahead", base.lookahead)
    usual = base.permutations
    if isinstance(usual, int) and "permutations" not in asked:
        return usual
    if asked.get("p_rule", base.p_rule) == "paper" and "permutations" not in asked:
        return PAPER_DRAWS
    if not (isinstance(level, float) and 0 < level < 1 and looks in {1, 2}):
        return usual  # refused where it is checked
    return f"auto:{max(1, USUAL_SHARE * (least_draws(level / int(looks)) + 1) - 1)}"


def parse_permutations(value: object) -> Permutations:
    """Return a whole number, or a rule's canonical text with its most draws.

    Raises
    ------
    OptionError
        If it is neither.

    Examples
    --------
    >>> parse_permutations(100), parse_permutations("auto"), parse_permutations("auto:499")
    (100, 'auto:59', 'auto:499')
    """
    hint = "Use a whole number, auto, auto:CAP, besag-clifford or besag-clifford:CAP."
    if not isinstance(value, str):
        return _validate.positive_integer("permutations", value, hint)
    rule, colon, cap = value.strip().lower().partition(":")
    count = int(cap) if cap.isascii() and cap.isdigit() else 0
    if not colon and rule.isascii() and rule.isdigit():
        return _validate.positive_integer("permutations", int(rule), hint)
    if rule not in {"auto", "besag-clifford"} or (colon and count < 1):
        raise OptionError(
            f"`permutations` must be a whole number of at least 1 or a known rule, got {value!r}.",
            hint,
        )
    usual = AUTO_CAP if rule == "auto" else DEFAULT_CAP
    return f"{rule}:{count if colon else usual}"


def draw_rule(permutations: Permutations) -> DrawRule:
    """Return the rule of a parsed option.

    Examples
    --------
    >>> draw_rule("auto:999")
    DrawRule(name='auto', most=999)
    """
    if isinstance(permutations, int):
        return DrawRule("fixed", permutations)
    rule, _, cap = permutations.partition(":")
    return DrawRule("auto" if rule == "auto" else "besag-clifford", int(cap))


def check_draws(options: MethodOptions) -> None:
    """Refuse a permutation test that no data could pass, or whose p-value has no such rule."""
    if not PERMUTING & set(options.criteria):
        return
    rule = draw_rule(options.permutations)
    if rule.name != "fixed" and options.p_rule == "paper":
        raise OptionError(
            f"`p_rule` paper is for a fixed number of permutations, got {options.permutations}.",
            "Use p_rule `valid`, or a whole number of permutations.",
        )
    level = options.significance / (1 if rule.name == "fixed" else options.lookahead)
    least = least_draws(level)
    if options.p_rule == "valid" and rule.most < least:
        raise OptionError(
            f"`permutations` must be at least {least} for a p-value to reach significance "
            f"{level:g}, got {options.permutations}.",
            "Draw more, or raise the level."
            if rule.name != "fixed"
            else "Draw more, raise the level, or use p_rule `paper`.",
        )


def least_draws(level: float) -> int:
    """Return the draws without any exceedance that it takes to reach a level."""
    return math.ceil(min(1 / level, 1e300) - 1e-9) - 1
