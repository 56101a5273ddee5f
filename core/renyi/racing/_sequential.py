"""Permutation tests that draw until the decision is certain.

A draw *exceeds* where a shuffled copy did at least as well as the observed feature.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from renyi._typing import PRule
from renyi.options import DrawRule
from renyi.racing._close import ClosingRule, closing_rule, count_close, most_draws
from renyi.racing._tail import FIRST_ROUND, TailCount, allowed_exceedances, count_tail

__all__ = ["TestOutcome", "permutation_test"]

ENDING_EXCEEDANCES: Final = 10
"""Exceedances at which a Besag-Clifford test ends: the p-value h / L then has a relative standard
error of about a third, and a useless feature is found out in some 20 draws."""


@dataclass(frozen=True, slots=True)
class TestOutcome:
    """A decided permutation test.

    Attributes
    ----------
    drawn, exceedances
        Replicates counted, up to the first that decided, and those that exceeded.
    passed
        Whether the feature is better than its shuffled copies.
    values
        The replicates' statistics.
    p_value
        None where a test of fixed size ended early in favour of the feature.
    p_upper
        The largest p-value that the draws not made could have led to.
    ended
        Why the drawing ended, in words; empty for a test of fixed size.
    """

    __test__ = False  # no test case, whatever its name begins with

    drawn: int
    exceedances: int
    passed: bool
    values: tuple[float, ...]
    p_value: float | None
    p_upper: float | None
    ended: str = ""


def permutation_test(
    replicates: Callable[[int, int], Sequence[float]],
    exceeds: Callable[[float], bool],
    rule: DrawRule,
    level: float,
    p_rule: PRule,
    first: int = FIRST_ROUND,
    *,
    single: bool = False,
    plain: Callable[[Sequence[float]], bool] | None = None,
) -> TestOutcome:
    """Draw replicates until the rule says enough.

    Replicates are counted in index order up to the first decisive one: neither rounds nor workers
    matter.

    Parameters
    ----------
    replicates
        Gives the statistics of replicates start..stop-1.
    exceeds
        Whether a replicate did at least as well as the observed value.
    rule
        When to stop drawing.
    level
        Of the test.
    p_rule
        The p-value of a test of fixed size.
    first
        Replicates of the first round; further ones are as in `count_tail`.
    single
        Whether each replicate is work of its own, see there.
    plain
        Whether the statistics drawn so far, none of which exceeded, say that none will: asked by
        the rule `auto` only.
    """
    if rule.name == "besag-clifford":
        return _besag_clifford(replicates, exceeds, rule.most, level, first)
    if p_rule == "valid":  # the other one is of a number of draws
        most = min(rule.affordable, most_draws(level))
        closing = closing_rule(level, rule.most, most) if most >= 2 * rule.most else None
        if closing is not None:
            return _closed(count_close(replicates, exceeds, closing, first, plain), closing, level)
    most = rule.most
    tail = count_tail(
        replicates,
        exceeds,
        most,
        allowed_exceedances(most, level, p_rule),
        first,
        single=single,
        plain=plain if rule.name == "auto" else None,
    )
    if tail.plain:
        return _plainly(tail, level)
    p_value = tail.p_value(most, p_rule)
    p_upper = tail.p_upper(most, p_rule) if tail.passed else p_value
    return TestOutcome(tail.drawn, tail.exceedances, tail.passed, tail.values, p_value, p_upper)


def _plainly(tail: TailCount, level: float) -> TestOutcome:
    ended = "the observed value is far beyond them"
    return TestOutcome(tail.drawn, 0, True, tail.values, None, level, ended)


def _closed(tail: TailCount, rule: ClosingRule, level: float) -> TestOutcome:
    """Return the outcome of draws that went on while they were close.

    After all of them p = (count + 1) / (P + 1) as usual, and as much more as makes the largest
    that passes the level itself: what ends before is paid for by it.
    """
    if tail.plain:
        return _plainly(tail, level)
    found = tail.drawn, tail.exceedances, tail.passed, tail.values
    most = rule.most
    if tail.drawn < most:
        p_value = None if tail.passed else tail.p_value(most, "valid")
    else:
        paid = allowed_exceedances(most, level, "valid") - rule.allowed
        p_value = (tail.exceedances + 1 + paid) / (most + 1)
    return TestOutcome(*found, p_value, level if p_value is None else p_value)


def _besag_clifford(
    replicates: Callable[[int, int], Sequence[float]],
    exceeds: Callable[[float], bool],
    most: int,
    level: float,
    first: int,
) -> TestOutcome:
    """Stop at h exceedances, p = h / L of L draws, or at the cap, p = (count + 1) / (cap + 1).

    Besag and Clifford, "Sequential Monte Carlo p-values", Biometrika 78, 1991.
    """
    values: list[float] = []
    count, size = 0, first
    while count < ENDING_EXCEEDANCES and len(values) < most:
        for value in replicates(len(values), min(len(values) + size, most)):
            values.append(value)
            count += exceeds(value)
            if count == ENDING_EXCEEDANCES:
                break
        size *= 2
    early = count == ENDING_EXCEEDANCES
    p_value = count / len(values) if early else (count + 1) / (most + 1)
    passed = p_value <= level * (1 + 1e-12)
    ended = (
        f"drawing ended at {ENDING_EXCEEDANCES} such draws"
        if early
        else f"all {most} draws were made"
    )
    return TestOutcome(len(values), count, passed, tuple(values), p_value, p_value, ended)
