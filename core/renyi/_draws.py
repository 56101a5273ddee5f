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
    "MIXTURE_SHARE",
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

MIXTURE_SHARE: Final = 0.9
"""Of the level: bets are laid on exceedance probabilities up to this share of it, uniformly. Less
would win sooner on strong features and never on those just below the level."""

DEFAULT_CAP: Final = 999
"""Draws at which a p-value of 0.05 has a standard error of 0.007: what is still open then is
hardly worth more."""

USUAL_SHARE: Final = 4
"""Times the draws that a clear feature takes: what is open then is as good as at the level."""

PAPER_DRAWS: Final = 100
"""P of Yu and Principe, Entropy 21 (2019)."""


@dataclass(frozen=True, slots=True)
class DrawRule:
    """When to stop drawing.

    Attributes
    ----------
    name
        `fixed`, `besag-clifford` or `auto`: none where the answer is plain, else by betting.
    most
        Draws at which it ends in any case.
    """

    name: Literal["fixed", "besag-clifford", "auto"]
    most: int


def usual_draws(base: MethodOptions, asked: Mapping[str, Any]) -> Permutations:
    """Return how many permutations are drawn where the user says nothing of them.

    By betting, up to four times the draws that a clear feature takes at the level asked for: 199 at
    0.05, 1015 at 0.01. Under the p-rule `paper` 100. A preset of its own number keeps it.

    Examples
    --------
    >>> from renyi.options import method_options
    >>> method_options(significance=0.01).permutations
    'auto:1015'
    """
    level = asked.get("significance", base.significance)
    looks = asked.get("lookahead", base.lookahead)
    usual = base.permutations
    if isinstance(usual, int):
        return usual
    if asked.get("p_rule", base.p_rule) == "paper":
        return PAPER_DRAWS
    if not (isinstance(level, float) and 0 < level < 1 and looks in {1, 2}):
        return usual  # refused where it is checked
    least = least_draws(DrawRule("auto", 1), level / int(looks))
    return f"auto:{max(1, USUAL_SHARE * least - 1)}"


def parse_permutations(value: object) -> Permutations:
    """Return a whole number, or a rule's canonical text with its most draws.

    Raises
    ------
    OptionError
        If it is neither.

    Examples
    --------
    >>> parse_permutations(100), parse_permutations("auto"), parse_permutations("auto:499")
    (100, 'auto:999', 'auto:499')
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
    return f"{rule}:{count if colon else DEFAULT_CAP}"


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
    least = least_draws(rule, level)
    if options.p_rule == "valid" and rule.most < least:
        raise OptionError(
            f"`permutations` must be at least {least} for a p-value to reach significance "
            f"{level:g}, got {options.permutations}.",
            "Draw more, or raise the level."
            if rule.name != "fixed"
            else "Draw more, raise the level, or use p_rule `paper`.",
        )


def least_draws(rule: DrawRule, level: float) -> int:
    """Return the draws without any exceedance that it takes to reach a level."""
    if rule.name == "auto":
        # P(Bin(n + 1, c) > 0) / c is 1 / level, with c the mixture's share of the level
        most = MIXTURE_SHARE * level
        return math.ceil(math.log(1 - MIXTURE_SHARE) / math.log1p(-most) - 1e-9) - 1
    return math.ceil(min(1 / level, 1e300) - 1e-9) - 1
