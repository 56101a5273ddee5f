"""Tails without draws: what they are, and where they are refused."""

import math

import numpy as np
import pytest
from scipy.stats import chi2

from renyi.nulls import far_above, jump, out_of_reach, plain_tail
from renyi.order2 import Chance


def chance_with(*reach):
    values = np.array(reach)
    return Chance(np.zeros(len(values)), np.ones(len(values)), values)


SMOOTH = chance_with(0.01, 0.02)


@pytest.mark.parametrize("largest", [0.01, 0.5, 2.0, 7.5, 20.0])
def test_a_tail_is_that_of_a_standardised_chi_square(largest):
    """(chi2_1 - 1) / sqrt 2 has mean 0 and deviation 1."""
    tail = chi2.sf(1 + math.sqrt(2) * largest, 1)
    assert plain_tail(largest, 1) == pytest.approx(tail, rel=1e-12)
    assert plain_tail(largest, 50) == pytest.approx(min(1.0, 50 * tail), rel=1e-12)


def test_known_values():
    # chi2_1 exceeds 3.841 in 5% and 10.828 in 0.1%
    assert plain_tail((3.841459 - 1) / math.sqrt(2), 1) == pytest.approx(0.05, rel=1e-6)
    assert plain_tail((10.827566 - 1) / math.sqrt(2), 3) == pytest.approx(0.003, rel=1e-6)
    assert plain_tail(0.0, 1) == plain_tail(-4.0, 7) == 1.0


def test_a_tail_falls_with_the_value_and_grows_with_the_candidates():
    values = np.linspace(-1, 30, 200)
    tails = [plain_tail(value, 5) for value in values]
    assert tails == sorted(tails, reverse=True)
    assert all(0 <= tail <= 1 for tail in tails)
    counts = [plain_tail(4.0, count) for count in (1, 2, 10, 1000)]
    assert counts == sorted(counts)


def test_it_bounds_the_tail_of_every_sum_of_squares():
    """Sums of chi-squares with weights of one sign, standardised, beyond their middle."""
    rng = np.random.default_rng(3)
    squares = rng.normal(size=(100_000, 6)) ** 2
    for weights in ([1.0], [1, 1], [3, 1, 1, 0.5], [1] * 6):
        sums = squares[:, : len(weights)] @ np.array(weights)
        z = (sums - np.sum(weights)) / math.sqrt(2 * np.square(weights).sum())
        for t in (2.0, 3.0, 4.0):
            assert (z > t).mean() <= plain_tail(t, 1) + 4 * math.sqrt(plain_tail(t, 1) / 1e5)


def test_far_above_is_true_from_some_value_on():
    said = [far_above(value, 10, SMOOTH, 100, 0.05) for value in np.linspace(-2, 40, 400)]
    assert said[0] is False
    assert said[-1] is True
    first = said.index(True)
    assert all(one is True for one in said[first:])
    assert all(one is not True for one in said[:first])
    assert {
        one for one, value in zip(said, np.linspace(-2, 40, 400), strict=True) if value > 0
    } == {
        None,
        True,
    }


@pytest.mark.parametrize("level", [0.01, 0.05, 0.2])
@pytest.mark.parametrize("count", [1, 30, 2000])
def test_far_above_is_a_small_share_of_the_level(level, count):
    values = np.linspace(0.1, 60, 1200)
    plain = [value for value in values if far_above(value, count, SMOOTH, 100, level)]
    assert plain_tail(plain[0], count) <= 0.02 * level
    assert plain_tail(plain[0] - 0.1, count) > 0.02 * level


def test_below_chance_is_said_without_draws():
    assert far_above(0.0, 4, SMOOTH, 100, 0.05) is False
    assert far_above(-3.0, 4, SMOOTH, 100, 0.05) is False


@pytest.mark.parametrize("largest", [-5.0, 0.0, 3.0, 1e6])
def test_few_rows_are_left_to_draws(largest):
    assert far_above(largest, 4, SMOOTH, 19, 0.05) is None
    assert far_above(1e6, 4, SMOOTH, 20, 0.05) is True


def test_a_row_that_moves_the_gain_far_leaves_it_to_draws():
    rough = chance_with(0.01, 3.0)
    assert jump(rough) == 3.0
    assert far_above(11.9, 2, rough, 100, 0.05) is None
    assert far_above(12.1, 2, rough, 100, 0.05) is True
    assert jump(chance_with()) == 0.0


def test_a_lone_row_is_a_far_reach():
    """One row of another value: the gain is all its own, and no tail of a sum."""
    from renyi.order2 import GivenSums, KernelSums, chance_of

    n = 200
    label = np.arange(n) < 20
    same = (label[:, None] == label[None, :]) - np.eye(n)
    ones = np.ones((n, n)) - np.eye(n)
    given = GivenSums(
        ones.sum(axis=1),
        same.sum(axis=1),
        ones.sum(),
        same.sum(),
        ones.sum(),
        same.sum(),
        same.sum(),
        float(n),
    )

    def kernel(column):
        f = np.exp(-((column[:, None] - column[None, :]) ** 2)) - np.eye(n)
        rows = f.sum(axis=1)
        largest = float(np.abs(rows - rows.mean()).max())
        return KernelSums(f.sum(), (f * f).sum(), float(rows @ rows), largest)

    lone, spread = np.zeros(n), np.random.default_rng(0).normal(size=n)
    lone[3] = 9.0
    found = chance_of(given, [kernel(lone), kernel(spread)])
    assert found.reach[0] > 1
    assert found.reach[0] > 3 * found.reach[1]


def test_few_replicates_say_nothing():
    assert not out_of_reach(1e9, [0.0, 0.1, 0.2])
    assert out_of_reach(1e9, [0.0, 0.1, 0.2, 0.3])
    assert not out_of_reach(1e9, [])


def spread_out(lows, highs):
    """Return about as many values near 1 and near 3, no two alike."""
    return [*(1 + 1e-3 * np.arange(lows)), *(3 - 1e-3 * np.arange(highs))]


def test_replicates_in_lumps_say_nothing():
    """A highest lump of one in ten orders is not among ten replicates in one of three cases."""
    assert out_of_reach(9.0, [0.1, 0.4, 0.5, 1.1, 1.2, 0.2, 0.8, 0.3])
    assert not out_of_reach(9.0, [0.1, 0.1, 0.5, 0.1, 0.5, 0.1, 0.5, 0.5])
    # alike but for rounding
    assert not out_of_reach(9.0, [0.1, 0.1 + 1e-6, 0.5, 0.1 - 1e-6, 0.5, 0.1, 0.5, 0.5])
    rng = np.random.default_rng(1)
    ended = 0
    for _ in range(500):
        draws = rng.choice([-0.5, 0.0, 0.4, 2.5], p=[0.3, 0.4, 0.2, 0.1], size=59)
        ended += any(
            draws[:count].max() < 2.5 and out_of_reach(2.5, draws[:count].tolist())
            for count in range(1, 60)
        )
    assert ended == 0


def test_fewer_replicates_have_to_be_further_away():
    values = spread_out(6, 6)
    spread = np.std(values, ddof=1)
    assert not out_of_reach(2 + 5.49 * spread, values)
    assert out_of_reach(2 + 5.51 * spread, values)
    # so few may be closer to each other than they are
    close = (2 + 2e-4 * np.arange(12)).tolist()
    assert not out_of_reach(2 + 3.2, close)
    assert out_of_reach(2 + 3.4, close)
    said = [out_of_reach(value, values) for value in np.linspace(-5, 20, 100)]
    assert said == sorted(said)


@pytest.mark.parametrize("shape", ["largest of many", "one chi-square variable"])
def test_what_is_out_of_reach_is_beyond_the_level(shape):
    """Of replicates of either shape: draws that end by it would have passed the test of 59."""
    rng = np.random.default_rng(0)
    wrong = stopped = 0
    for _ in range(3000):
        if shape == "largest of many":
            draws = rng.gumbel(size=60) * math.sqrt(6) / math.pi
        else:
            draws = (rng.chisquare(1, 60) - 1) / math.sqrt(2)
        observed = float(rng.uniform(2, 12))
        for count in range(1, 60):
            if draws[count - 1] >= observed:
                break
            if out_of_reach(observed, draws[:count].tolist()):
                stopped += 1
                p = (
                    -math.expm1(-math.exp(-observed * math.pi / math.sqrt(6)))
                    if shape == "largest of many"
                    else math.erfc(math.sqrt((1 + math.sqrt(2) * observed) / 2))
                )
                wrong += p > 0.06
                break
    assert stopped > 500
    assert wrong == 0


def test_a_smaller_level_asks_for_more():
    """At a level of .001 replicates of a single chi-square variable end nothing that p > level."""
    values = spread_out(10, 10)
    spread = np.std(values, ddof=1)
    further = math.sqrt(2) * math.log(50)
    assert out_of_reach(2 + 4.51 * spread, values)
    assert not out_of_reach(2 + 4.51 * spread, values, 0.001)
    assert not out_of_reach(2 + (4.49 + further) * spread, values, 0.001)
    assert out_of_reach(2 + (4.51 + further) * spread, values, 0.001)
    assert out_of_reach(2 + 4.51 * spread, values, 0.2)
