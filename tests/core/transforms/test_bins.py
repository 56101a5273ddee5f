"""Bins against edges written out, and levels of variables of every kind."""

import numpy as np
import pytest

from renyi.transforms import bin_codes, discretise
from renyi.variables import Variable


def test_equal_width_closes_bins_below_and_the_last_one_above():
    values = np.arange(11.0)  # edges 0, 2, 4, 6, 8, 10
    assert bin_codes(values, 5, "width").tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4]


@pytest.mark.parametrize("bins", [2, 3, 5, 7])
def test_whole_numbers_on_an_edge_are_never_below_it(bins):
    values = np.arange(0.0, 90 * bins + 1) - 17
    expected = np.minimum(np.arange(90 * bins + 1) // 90, bins - 1)
    assert np.array_equal(bin_codes(values, bins, "width"), expected)


def test_equal_width_leaves_bins_empty():
    assert bin_codes(np.array([0.0, 0.1, 10.0]), 4, "width").tolist() == [0, 0, 3]


def test_equal_width_of_the_widest_range():
    values = np.array([-1.7e308, 0.0, 1.7e308, 0.9e308])
    assert bin_codes(values, 4, "width").tolist() == [0, 2, 3, 3]


@pytest.mark.parametrize(("n", "bins"), [(100, 5), (103, 5), (7, 3), (4, 5)])
def test_equal_frequency_without_ties_fills_bins_evenly(n, bins):
    values = np.random.default_rng(n).normal(size=n)
    codes = bin_codes(values, bins, "frequency")
    sizes = np.bincount(codes, minlength=bins)
    assert sizes.max() - sizes.min() <= 1
    assert np.all(np.diff(codes[np.argsort(values)]) >= 0)


def test_equal_frequency_keeps_ties_together():
    values = np.array([0.0] * 6 + [1.0, 2.0, 3.0, 4.0])
    # The six zeros have average rank 3.5: (3.5 - 0.5) / 10 of 5 bins is bin 1.
    assert bin_codes(values, 5, "frequency").tolist() == [1] * 6 + [3, 3, 4, 4]


def test_equal_frequency_depends_on_order_alone():
    values = np.random.default_rng(5).normal(size=60).round(1)
    codes = bin_codes(values, 4, "frequency")
    assert np.array_equal(bin_codes(np.exp(values), 4, "frequency"), codes)


@pytest.mark.parametrize("binning", ["width", "frequency"])
def test_one_distinct_value_and_no_value(binning):
    assert bin_codes(np.full(4, 2.5), 5, binning).tolist() == [0, 0, 0, 0]
    assert bin_codes(np.empty(0), 5, binning).tolist() == []


def test_levels_of_nominal_and_ordinal_variables_are_their_own():
    names = tuple("abcdefgh")
    nominal = Variable.nominal("x", [7, 0, 3, 7], names)
    ordinal = Variable.ordinal("x", [7, 0, 3, 7], names)
    assert discretise(nominal, 2, "width").tolist() == [2, 0, 1, 2]
    assert discretise(ordinal, 2, "width").tolist() == [2, 0, 1, 2]


def test_levels_of_a_continuous_variable_with_few_values_are_its_values():
    variable = Variable.continuous("x", [0.0, 100.0, 1.0, 0.0])
    assert discretise(variable, 3, "width").tolist() == [0, 2, 1, 0]


def test_levels_of_a_continuous_variable_are_bins_without_the_empty_ones():
    variable = Variable.continuous("x", [0.0, 0.1, 0.2, 10.0])
    assert discretise(variable, 3, "width").tolist() == [0, 0, 0, 1]
    assert discretise(variable, 2, "frequency").tolist() == [0, 0, 1, 1]


def test_levels_of_several_columns_are_their_combinations():
    wide = np.array([[0.0, 5.0], [1.0, 5.0], [2.0, 5.0], [10.0, 6.0], [9.0, 6.0]])
    codes = discretise(Variable.continuous("x", wide), 3, "width")
    # Column 0 has five values: bins 0, 0, 0, 2, 2. Column 1 has two: its own levels.
    assert codes.tolist() == [0, 0, 0, 1, 1]
    apart = np.array([[0.0, 5.0], [1.0, 6.0], [2.0, 5.0], [10.0, 6.0], [9.0, 6.0]])
    assert discretise(Variable.continuous("x", apart), 3, "width").tolist() == [0, 1, 0, 2, 2]
