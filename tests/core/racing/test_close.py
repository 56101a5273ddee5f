"""Draws that go on where the usual ones leave a test close to its level."""

from __future__ import annotations

from fractions import Fraction
from itertools import cycle

import pytest

from renyi.options import DrawRule
from renyi.racing import permutation_test

# the chance to pass is added up from the rule itself
from renyi.racing._close import ClosingRule, closing_rule, count_close


def passing(rule: ClosingRule, exceeds: Fraction | None) -> tuple[Fraction, Fraction]:
    """Return the chance to pass, and the mean number of draws, out of all that can happen.

    Each draw exceeds with a chance of its own; None for that of the next draw among exchangeable
    ones, (count + 1) / (drawn + 2).
    """
    chances, passed, draws = {0: Fraction(1)}, Fraction(0), Fraction(0)
    for drawn in range(1, rule.most + 1):
        after: dict[int, Fraction] = {}
        for count, chance in chances.items():
            up = Fraction(count + 1, drawn + 1) if exceeds is None else exceeds
            after[count] = after.get(count, Fraction(0)) + chance * (1 - up)
            after[count + 1] = after.get(count + 1, Fraction(0)) + chance * up
        chances = {}
        for count, chance in after.items():
            at_end = drawn == rule.most
            if count <= (rule.allowed if at_end else rule.passes[drawn]):
                passed, draws = passed + chance, draws + drawn * chance
            elif at_end or count >= rule.fails[drawn]:
                draws += drawn * chance
            else:
                chances[count] = chance
    return passed, draws


@pytest.mark.parametrize(
    ("level", "usual", "most"), [(0.05, 59, 150), (0.05, 59, 300), (0.1, 29, 99), (0.02, 149, 400)]
)
def test_the_level_is_kept_to_the_last_exceedance(level: float, usual: int, most: int) -> None:
    rule = closing_rule(level, usual, most)
    assert rule is not None
    assert passing(rule, None)[0] <= Fraction(str(level))
    more = ClosingRule(rule.passes, rule.fails, rule.allowed + 1)
    assert passing(more, None)[0] > Fraction(str(level))


def test_what_is_near_the_level_is_decided_alike_by_most_seeds() -> None:
    rule = closing_rule(0.05, 59, 999)
    assert rule is not None
    sure, near = passing(rule, Fraction(3, 100)), passing(rule, Fraction(7, 100))
    assert sure[0] > 0.99  # the usual test passes it in 74 of 100 runs
    assert near[0] < 0.03  # and this one in 21
    assert passing(rule, Fraction(1, 2))[1] < 6  # noise is found out as soon as before
    assert passing(rule, Fraction(1, 1000))[1] < 66


def test_a_level_that_the_usual_draws_use_up_leaves_no_rule() -> None:
    assert closing_rule(0.05, 19, 999) is None


@pytest.mark.parametrize("every", [3, 17, 30, 1000])
def test_neither_rounds_nor_what_follows_matter(every: int) -> None:
    rule = closing_rule(0.05, 59, 499)
    assert rule is not None
    wave = cycle([0.0] * (every - 1) + [1.0])
    values = [next(wave) for _ in range(600)]
    found = [
        count_close(lambda start, stop: values[start:stop], lambda x: x > 0.5, rule, first)
        for first in (1, 4, 16, 499)
    ]
    assert len({(one.drawn, one.exceedances, one.passed) for one in found}) == 1
    assert found[0].passed == (every > 20)
    assert found[0].values == tuple(values[: found[0].drawn])


def outcome(every: int, draws: DrawRule) -> tuple[int, int, bool, float | None]:
    """Test against replicates of which one in so many exceeds."""
    found = permutation_test(
        lambda start, stop: [float(k % every == every - 1) for k in range(start, stop)],
        lambda value: value > 0.5,
        draws,
        0.05,
        "valid",
    )
    return found.drawn, found.exceedances, found.passed, found.p_value


def test_only_auto_draws_on_and_only_what_costs_little() -> None:
    close = DrawRule("auto", 59, affordable=5000)
    assert outcome(20, DrawRule("auto", 59)) == (59, 2, True, 0.05)
    assert outcome(20, DrawRule("auto", 59, affordable=100)) == (59, 2, True, 0.05)
    assert outcome(20, DrawRule("fixed", 59, affordable=0)) == (59, 2, True, 0.05)
    # 49 of 999 are paid for by what passes before, and p says so
    assert outcome(20, close) == (999, 49, False, pytest.approx(0.051))
    assert outcome(21, close) == (999, 47, True, pytest.approx(0.049))
    assert outcome(1000, close) == (57, 0, True, None)
