"""How many permutations a test draws, as an option says it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from renyi import _validate
from renyi.errors import OptionError

__all__ = [
    "DrawRule",
    "Permutations",
    "draw_rule",
    "least_draws",
    "parse_permutations",
    "usual_draws",
]

Permutations: TypeAlias = int | str

DEFAULT_CAP: Final = 999
"""Draws at which a p-value of 0.05 has a standard error of 0.007: what is still open then is
hardly worth more."""

AUTO_CAP: Final = 59
"""Of `auto` at a level of 0.05."""

USUAL_SHARE: Final = 3
"""Times the draws that make the level possible: at 0.05 59, of which two may do as well. A feature
whose p-value is .01 passes in 98 of 100 runs, one at .02 in 89; 99 draws make it 100 and 95 and
take two thirds more time."""


@dataclass(frozen=True, slots=True)
class DrawRule:
    """When to stop drawing.

    Attributes
    ----------
    name
        `fixed`, `besag-clifford`, or `auto`: as fixed, but none where the answer is plain.
    most
        Draws at which it ends, but for those of close tests.
    goes_on
        Whether a close test may go on: by `auto` with its own number, never beyond a number named.
    affordable
        Draws that cost little: with many more than `most` it goes on where those leave it close.
    """

    name: Literal["fixed", "besag-clifford", "auto"]
    most: int
    goes_on: bool = False
    affordable: int = 0


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


def draw_rule(permutations: Permutations, level: float = math.nan) -> DrawRule:
    """Return the rule of a parsed option.

    Parameters
    ----------
    permutations
        As parsed.
    level
        Of each look of the test; without it no test goes on.

    Examples
    --------
    >>> draw_rule("auto:999", 0.05)
    DrawRule(name='auto', most=999, goes_on=False, affordable=0)
    >>> draw_rule("auto:59", 0.05).goes_on
    True
    """
    if isinstance(permutations, int):
        return DrawRule("fixed", permutations)
    rule, _, cap = permutations.partition(":")
    if rule != "auto":
        return DrawRule("besag-clifford", int(cap))
    own = not math.isnan(level) and int(cap) == usual_draws(level)
    return DrawRule("auto", int(cap), goes_on=own)


def usual_draws(level: float) -> int:
    """Return how many draws `auto` makes at a level, but in close tests.

    Examples
    --------
    >>> usual_draws(0.05), usual_draws(0.01)
    (59, 299)
    """
    return max(1, USUAL_SHARE * (least_draws(level) + 1) - 1)


def least_draws(level: float) -> int:
    """Return the draws without any exceedance that it takes to reach a level."""
    return math.ceil(min(1 / level, 1e300) - 1e-9) - 1
