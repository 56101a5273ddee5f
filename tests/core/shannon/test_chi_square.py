"""The chi-square statistic on levels."""

import math

import numpy as np
import pytest
from scipy.stats import chi2

from renyi.shannon import ChiSquareModel, chi_square_quantile
from renyi.variables import Dataset, Variable


@pytest.mark.parametrize("probability", [0.5, 0.95, 0.99, 1 - 1e-9])
@pytest.mark.parametrize("degrees", [1, 2, 7, 100, 12345, 10**6])
def test_quantile(degrees, probability):
    expected = chi2.ppf(probability, degrees)
    assert chi_square_quantile(1 - probability, degrees) == pytest.approx(expected, rel=1e-9)


def test_no_degree_of_freedom_has_the_quantile_zero():
    assert chi_square_quantile(0.05, 0) == 0


@pytest.mark.parametrize("degrees", [1e9, 1e11, 1e13, 1e300])
def test_beyond_any_statistic_the_quantile_is_about_its_mean(degrees):
    """sqrt(2 d) z above d, which is nothing beside d."""
    assert chi_square_quantile(0.05, degrees) == pytest.approx(degrees, rel=1e-4)


def dataset(columns, target):
    features = tuple(
        Variable.nominal(f"f{number}", column, tuple("abcde"))
        for number, column in enumerate(columns)
    )
    return Dataset(features, (target,))


def test_by_hand():
    """x and y each split 4 rows in halves, and agree in all of them: I = 1 bit."""
    x = [0, 0, 1, 1]
    model = ChiSquareModel(
        dataset([x, [0, 1, 0, 1]], Variable.nominal("y", x, ("a", "b"))), 5, "width", 0.05
    )
    alone = model.delta(0, ())
    assert alone.information == 1.0
    assert alone.statistic == pytest.approx(8 * math.log(2))
    assert alone.degrees == 1
    assert alone.gain(4) == pytest.approx(1 - 3.8415 / (8 * math.log(2)), abs=1e-4)
    assert model.delta(1, (0,)).information == 0.0
    assert model.delta(1, (0,)).degrees == 2


def test_a_continuous_target_is_cut_like_the_features():
    values = np.arange(20.0)
    target = Variable.continuous("y", values)
    model = ChiSquareModel(dataset([np.arange(20) // 4], target), 5, "width", 0.05)
    assert model.delta(0, ()).information == pytest.approx(math.log2(5))
    assert model.delta(0, ()).degrees == 16


def test_degrees_of_freedom_stay_finite():
    rng = np.random.default_rng(0)
    columns = rng.integers(0, 5, size=(500, 60))
    target = Variable.nominal("y", rng.integers(0, 2, size=60), ("a", "b"))
    delta = ChiSquareModel(dataset(columns, target), 5, "width", 0.05).delta(499, range(499))
    assert math.isfinite(delta.degrees)
    assert math.isfinite(delta.gain(60))
    assert delta.gain(60) < 0


def test_tiny_levels_have_finite_quantiles():
    """1 - 1e-17 is 1, whose quantile is infinite; the upper tail is taken directly."""
    assert chi_square_quantile(1e-17, 1) == pytest.approx(chi2.isf(1e-17, 1))
