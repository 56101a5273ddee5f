"""Estimates from all choices of lags have the sum over all pairs as their mean."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import t

from renyi.pairs import INTERVAL, PairDesign, fewest_rows, turned

ROWS = 23
BLOCKS, DRAWN = 11, 3  # five lags, ten choices of three; blocks of two rows and of three


def matrix(seed):
    values = np.random.default_rng(seed).normal(size=(ROWS, ROWS))
    return np.exp(values + values.T)


def designs(seed):
    first = PairDesign.cut(ROWS, BLOCKS, DRAWN, seed)
    for lags in combinations(range(1, BLOCKS // 2 + 1), DRAWN):
        yield PairDesign(first.order, first.edges, np.array(lags))


def summed(design, entries):
    """The sums that a design draws, written out: within blocks, of each lag, and rows of both."""
    shuffled = entries[np.ix_(design.order, design.order)]
    block = np.searchsorted(design.edges, np.arange(len(shuffled)), side="right") - 1
    apart = (block[None, :] - block[:, None]) % design.blocks
    within = shuffled * (apart == 0)
    lags = [shuffled * (apart == lag) for lag in design.lags]
    rows = np.array([(one.sum(axis=1) + one.sum(axis=0)) for one in lags])
    return within.sum(), np.array([one.sum() for one in lags]), within.sum(axis=1), rows


@pytest.mark.parametrize("seed", range(3))
def test_the_mean_over_all_choices_is_the_sum_over_all_pairs(seed):
    entries = matrix(seed)
    found = [
        design.estimates(*map(np.asarray, summed(design, entries)[:2]))[0]
        for design in designs(seed)
    ]
    assert np.mean(found) == pytest.approx(entries.sum(), rel=1e-12)
    assert np.std(found) > 0


@pytest.mark.parametrize("seed", range(3))
def test_the_mean_squared_error_is_told(seed):
    entries = matrix(seed)
    found, squared = [], []
    for design in designs(seed):
        within, lags = summed(design, entries)[:2]
        estimates = design.estimates(np.asarray(within), lags)
        found.append(estimates[0])
        squared.append(design.errors(estimates) ** 2)
    assert np.mean(squared) == pytest.approx(np.var(found), rel=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_squares_of_row_sums_less_their_variance_are_right_in_the_mean(seed):
    one, two = matrix(seed), matrix(seed + 100)
    found = []
    for design in designs(seed):
        scale = design.lags_there / len(design.lags)
        sums = []
        for entries in (one, two):
            _, _, within, rows = summed(design, entries)
            sums.append((within + scale * rows.sum(axis=0), rows))
        noise = design.row_variances(sums[0][1] @ sums[1][1].T)[0]
        found.append(sums[0][0] @ sums[1][0] - noise)
    truth = one.sum(axis=1) @ two.sum(axis=1)
    assert np.mean(found) == pytest.approx(truth, rel=1e-12)


def test_without_a_group_is_as_if_it_had_not_been_drawn():
    entries = matrix(5)
    design = PairDesign.cut(ROWS, BLOCKS, 4, 5)
    within, lags, _, rows = summed(design, entries)
    estimates = design.estimates(np.asarray(within), lags)
    noise = design.row_variances(rows @ rows.T)
    for out in range(4):
        fewer = PairDesign(design.order, design.edges, np.delete(design.lags, out))
        without = fewer.estimates(np.asarray(within), np.delete(lags, out))
        assert estimates[1 + out] == pytest.approx(without[0], rel=1e-12)
        left = np.delete(rows, out, axis=0)
        assert noise[1 + out] == pytest.approx(fewer.row_variances(left @ left.T)[0], rel=1e-9)


def test_all_lags_leave_no_error():
    design = PairDesign.cut(ROWS, BLOCKS, 5, 0)
    within, lags = summed(design, matrix(1))[:2]
    estimates = design.estimates(np.asarray(within), lags)
    assert design.left == 0
    assert estimates[0] == pytest.approx(matrix(1).sum(), rel=1e-12)
    assert design.errors(estimates) == 0


@pytest.mark.parametrize("n", [1000, 5000, 100_000, 1_000_000])
@pytest.mark.parametrize("share", [0.002, 0.05, 0.3, 0.9])
def test_a_design_draws_about_the_share_asked_for(n, share):
    if n < fewest_rows(share):
        return
    design = PairDesign.of(n, share, 0)
    sizes = np.diff(design.edges)
    assert design.blocks % 2 == 1
    assert len(set(design.lags)) == len(design.lags) == design.groups * design.in_group
    assert 1 <= design.lags.min() <= design.lags.max() <= design.lags_there
    assert sizes.sum() == n
    assert sizes.max() - sizes.min() <= 1
    assert sizes.min() >= 3
    assert sizes.max() <= 1025
    drawn = (sizes**2).sum() + 2 * sum(
        float(sizes @ np.roll(sizes, -lag)) for lag in design.lags.tolist()
    )
    assert drawn / n**2 == pytest.approx(design.share, rel=0.02)
    assert design.share == pytest.approx(share, rel=0.1)


def test_seed_and_rows_alone_decide():
    one, two, other = (PairDesign.of(3000, 0.1, seed) for seed in (4, 4, 5))
    assert (one.order == two.order).all()
    assert (one.lags == two.lags).all()
    assert (one.order != other.order).any()
    assert sorted(one.order) == list(range(3000))


def test_the_interval_is_that_of_twelve_groups():
    assert pytest.approx(t.ppf(0.975, 11), abs=1e-3) == INTERVAL


def test_an_order_is_turned_with_the_rows():
    draw = np.random.default_rng(0)
    values, order, cut = draw.normal(size=9), draw.permutation(9), draw.permutation(9)
    assert (values[cut][turned(order, cut)] == values[order][cut]).all()
