"""Sequential tests against their definitions, by exact enumeration and by simulation."""

import math
from itertools import pairwise

import numpy as np
import pytest

from renyi.options import DrawRule
from renyi.racing import permutation_test

LEVEL = 0.05


def run(outcomes, rule, most, level=LEVEL, first=16):
    """Run the test over given outcomes, True where a draw exceeded."""
    asked = []

    def replicates(start, stop):
        asked.append((start, stop))
        return [float(outcome) for outcome in outcomes[start:stop]]

    found = permutation_test(
        replicates, lambda value: value > 0, DrawRule(rule, most), level, "valid", first
    )
    assert all(before[1] == after[0] for before, after in pairwise(asked))
    assert asked[-1][1] <= most
    return found


def bernoulli(rate, seed, size):
    return (np.random.default_rng(seed).random(size) < rate).tolist()


@pytest.mark.parametrize("rate", [0.0, 0.02, 0.05, 0.3])
@pytest.mark.parametrize("seed", range(3))
def test_auto_decides_as_a_fixed_number_does(rate, seed):
    outcomes = bernoulli(rate, seed, 120)
    found, fixed = (run(outcomes, rule, 119) for rule in ("auto", "fixed"))
    assert found == fixed
    assert found.passed == ((sum(outcomes[:119]) + 1) / 120 <= LEVEL)


def test_it_ends_where_what_was_drawn_says_that_none_will_exceed():
    calls = []

    def plain(values):
        calls.append(len(values))
        return len(values) >= 5

    asked = (lambda start, stop: [0.0] * (stop - start), lambda value: value > 0)
    found = permutation_test(*asked, DrawRule("auto", 59), LEVEL, "valid", 4, plain=plain)
    assert (found.drawn, found.exceedances, found.passed) == (5, 0, True)
    assert (found.p_value, found.p_upper) == (None, LEVEL)
    assert "far beyond" in found.ended
    assert calls == [1, 2, 3, 4, 5]
    fixed = permutation_test(*asked, DrawRule("fixed", 59), LEVEL, "valid", 4, plain=plain)
    assert (fixed.drawn, fixed.passed) == (57, True)
    assert len(calls) == 5


def test_one_that_exceeded_is_an_end_of_that():
    values = [1.0, *[0.0] * 58]
    found = permutation_test(
        lambda start, stop: values[start:stop],
        lambda value: value > 0,
        DrawRule("auto", 59),
        LEVEL,
        "valid",
        4,
        plain=lambda _: pytest.fail("asked after one exceeded"),
    )
    assert (found.drawn, found.exceedances, found.passed) == (58, 1, True)


@pytest.mark.parametrize("level", [0.01, 0.05, 0.2])
def test_p_values_are_valid(level):
    """Under exchangeability the exceedance rate is uniform: P(p <= u) is at most u."""
    rng = np.random.default_rng(7)
    p_values, passes = [], 0
    for _ in range(1500):
        found = run((rng.random(199) < rng.random()).tolist(), "besag-clifford", 199, level)
        p_values.append(found.p_value)
        passes += found.passed
        assert found.passed == (found.p_value <= level + 1e-12)
    for bound in (0.01, 0.05, 0.1, 0.2, 0.5):
        rejected = sum(p <= bound for p in p_values) / 1500
        assert rejected <= bound + 3 * math.sqrt(bound * (1 - bound) / 1500)
    assert passes > 0


@pytest.mark.parametrize("rate", [0.0, 0.01, 0.04, 0.2, 0.7])
def test_besag_and_clifford(rate):
    """p = h / L at the tenth exceedance in draw L, else (count + 1) / (cap + 1)."""
    outcomes = bernoulli(rate, 3, 400)
    found = run(outcomes, "besag-clifford", 400)
    where = [number for number, exceeded in enumerate(outcomes, start=1) if exceeded]
    if len(where) >= 10:
        assert (found.drawn, found.exceedances) == (where[9], 10)
        assert found.p_value == 10 / where[9]
        assert "10" in found.ended
    else:
        assert (found.drawn, found.exceedances) == (400, len(where))
        assert found.p_value == (len(where) + 1) / 401
        assert "400" in found.ended
    assert found.passed == (found.p_value <= LEVEL)
    assert found.p_upper == found.p_value


@pytest.mark.parametrize("rule", ["auto", "besag-clifford", "fixed"])
@pytest.mark.parametrize("rate", [0.0, 0.03, 0.5])
def test_rounds_make_no_difference(rule, rate):
    outcomes = bernoulli(rate, 5, 300)
    assert run(outcomes, rule, 300, first=1) == run(outcomes, rule, 300, first=64)
