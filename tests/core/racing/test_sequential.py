"""Sequential tests against their definitions, by exact enumeration and by simulation."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from renyi._draws import DrawRule
from renyi.racing import permutation_test

LEVEL = 0.05
SHARE = 0.9


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


def binomial_mixture(outcomes, most):
    """The wealth of bets on exceedance rates q, averaged over a fine grid of q in (0, most)."""
    q = (np.arange(20000) + 0.5) * most / 20000
    bet = np.ones_like(q)
    for number, exceeded in enumerate(outcomes):
        chance = Fraction(sum(outcomes[:number]) + 1, number + 2)  # exchangeability: Polya's urn
        fair = float(chance if exceeded else 1 - chance)
        bet *= (q if exceeded else 1 - q) / fair
    return float(bet.mean())


def wealths(outcomes, most):
    return [binomial_mixture(outcomes[:drawn], most) for drawn in range(1, len(outcomes) + 1)]


@pytest.mark.parametrize("rate", [0.0, 0.02, 0.05, 0.3])
@pytest.mark.parametrize("seed", range(3))
def test_the_bet_is_the_binomial_mixture(rate, seed):
    """The closed form and the decision, by the bets themselves laid one draw after another."""
    outcomes = bernoulli(rate, seed, 120)
    found = run(outcomes, "auto", 120)
    path = wealths(outcomes[: found.drawn], SHARE * LEVEL)
    assert found.p_value == pytest.approx(min(1.0, 1 / max(path)), rel=1e-6)
    assert found.passed == (path[-1] >= 1 / LEVEL)
    assert not any(value >= 1 / LEVEL or value < LEVEL for value in path[:-1])
    if not found.passed and path[-1] >= LEVEL:  # the draws left could not have won
        rest = outcomes[: found.drawn] + [False] * (120 - found.drawn)
        assert binomial_mixture(rest, SHARE * LEVEL) < 1 / LEVEL
    assert found.exceedances == sum(outcomes[: found.drawn])
    assert f"{path[-1]:.3g}" in found.ended


def test_a_draw_that_cannot_exceed_passes_at_the_first_moment_it_may():
    found = run([False] * 999, "auto", 999)
    assert found.passed
    assert found.drawn == next(
        t for t in range(999) if (1 - (1 - SHARE * LEVEL) ** (t + 1)) / (SHARE * LEVEL) >= 20
    )


@pytest.mark.parametrize("rule", ["auto", "besag-clifford"])
@pytest.mark.parametrize("level", [0.01, 0.05, 0.2])
def test_p_values_are_valid(rule, level):
    """Under exchangeability the exceedance rate is uniform: P(p <= u) is at most u."""
    rng = np.random.default_rng(7)
    p_values, passes = [], 0
    for _ in range(1500):
        found = run((rng.random(199) < rng.random()).tolist(), rule, 199, level)
        p_values.append(found.p_value)
        passes += found.passed
        assert found.passed == (found.p_value <= level + 1e-12)
    for bound in (0.01, 0.05, 0.1, 0.2, 0.5):
        rejected = sum(p <= bound for p in p_values) / 1500
        assert rejected <= bound + 3 * math.sqrt(bound * (1 - bound) / 1500)
    assert passes > 0 or level == 0.01


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


def test_draws_go_where_the_decision_is_open():
    """Few where a feature is noise or strong, many where its p-value is near the level."""

    def mean(rate):
        return np.mean([run(bernoulli(rate, s, 999), "auto", 999).drawn for s in range(20)])

    assert mean(0.5) < 10
    assert mean(0.001) < 60
    assert mean(0.04) > 200
