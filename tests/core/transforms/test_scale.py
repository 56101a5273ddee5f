"""Standardisation rules against plain arithmetic, and at the limits of float64."""

import statistics
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import rankdata

from renyi.transforms import standardise


@pytest.fixture
def table():
    return np.random.default_rng(0).normal([5.0, -2.0], [0.1, 40.0], size=(37, 2))


def test_zscore(table):
    out = standardise(table, "zscore")
    for found, column in zip(out.T, table.T.tolist(), strict=True):
        mean, sd = statistics.fmean(column), statistics.pstdev(column)
        assert found == pytest.approx([(v - mean) / sd for v in column], abs=1e-12)


def test_minmax(table):
    out = standardise(table, "minmax")
    for found, column in zip(out.T, table.T.tolist(), strict=True):
        low, width = min(column), max(column) - min(column)
        assert found == pytest.approx([(v - low) / width for v in column], abs=1e-14)
    assert out.min() == 0
    assert out.max() == 1


def test_rank_is_uniform_with_the_scale_of_a_zscore():
    column = np.array([3.0, 1.0, 3.0, 10.0, -4.0])
    share = (rankdata(column) - 0.5) / 5
    expected = (share - 0.5) * np.sqrt(12)
    assert standardise(column[:, None], "rank")[:, 0] == pytest.approx(expected, abs=1e-15)
    many = standardise(np.random.default_rng(1).normal(size=(1000, 1)), "rank")
    assert many.mean() == pytest.approx(0, abs=1e-12)
    assert many.std() == pytest.approx(1, abs=1e-6)


def test_rank_depends_on_order_alone(table):
    assert np.array_equal(
        standardise(np.exp(table[:, :1]), "rank"), standardise(table[:, :1], "rank")
    )


def test_none_leaves_values_alone(table):
    assert np.array_equal(standardise(table, "none"), table)


def test_bins_cuts_only_columns_with_more_distinct_values():
    few = np.array([0.0, 10.0, 25.0, 25.0, 0.0, 10.0, 0.0])
    many = np.array([0.0, 1.0, 2.0, 3.0, 4.0, 9.0, 10.0])
    out = standardise(np.stack([few, many], axis=1), "bins:5")
    assert out[:, 0].tolist() == few.tolist()
    assert out[:, 1].tolist() == [0, 0, 1, 1, 2, 4, 4]


@pytest.mark.parametrize("rule", ["zscore", "minmax", "rank"])
def test_a_constant_column_is_zero(rule):
    table = np.array([[1e300, 0.0], [1e300, 1.0], [1e300, 5.0]])
    out = standardise(table, rule)
    assert out[:, 0].tolist() == [0, 0, 0]
    assert np.ptp(out[:, 1]) > 0


@pytest.mark.parametrize("rule", ["zscore", "minmax", "rank", "none", "bins:3", "quantiles:3"])
def test_equal_values_stay_equal_and_no_rows_stay_no_rows(rule):
    column = np.array([0.1, 0.7, 0.1, 0.3, 0.7, 0.2, 0.9])[:, None]
    out = standardise(column, rule)[:, 0]
    assert out[0] == out[2]
    assert out[1] == out[4]
    assert standardise(np.empty((0, 2)), rule).shape == (0, 2)
    assert standardise(np.empty((3, 0)), rule).shape == (3, 0)


@pytest.mark.parametrize("scale", [1e300, 2.0**1022, 1e-300, 1e-307])
@pytest.mark.parametrize("rule", ["zscore", "minmax", "rank", "bins:4", "quantiles:4"])
def test_extreme_scales(rule, scale):
    unit = np.array([-1.5, -1.0, 0.25, 0.5, 1.0, 1.9, -1.9])[:, None]
    expected = standardise(unit, rule)
    assert standardise(unit * scale, rule) == pytest.approx(expected, abs=1e-8)


def test_an_offset_of_a_million_million_costs_no_digits():
    """The truth is computed in exact fractions."""
    whole = np.random.default_rng(2).integers(0, 30, size=50).astype(float)
    exact = [Fraction(v) for v in whole.tolist()]
    mean = sum(exact) / 50
    variance = sum((v - mean) ** 2 for v in exact) / 50
    expected = [float(v - mean) / float(variance) ** 0.5 for v in exact]
    out = standardise(whole[:, None] + 1e12, "zscore")[:, 0]
    assert out == pytest.approx(expected, abs=1e-14)


def test_two_neighbouring_numbers_are_told_apart():
    column = np.array([1.0, np.nextafter(1.0, 2.0), 1.0])[:, None]
    out = standardise(column, "zscore")[:, 0]
    assert out == pytest.approx([-(0.5**0.5), 2**0.5, -(0.5**0.5)])


def test_smallest_numbers():
    out = standardise(np.array([[0.0], [5e-324]]), "zscore")
    assert out[:, 0].tolist() == [-1, 1]
