"""Bandwidth rules against their formulas written out."""

import math
from itertools import combinations

import numpy as np
import pytest

from renyi.kernels import resolve_sigma

# a rule by itself, against its definition
from renyi.kernels._bandwidth import MEDIAN_ROWS

RULES = ["scott", "silverman", "scott:joint", "silverman:joint", "median", "nearest", "range:0.2"]


def spread(values):
    """The root of the mean population variance, by plain sums."""
    total = 0.0
    for column in values.T.tolist():
        mean = math.fsum(column) / len(column)
        total += math.fsum((v - mean) ** 2 for v in column) / len(column)
    return math.sqrt(total / values.shape[1])


def distances(values):
    return sorted(math.dist(a, b) for a, b in combinations(values.tolist(), 2))


@pytest.fixture
def values():
    return np.random.default_rng(1).normal(3.0, 2.0, size=(41, 3))


def test_a_number_is_itself(values):
    assert resolve_sigma(0.7, values) == 0.7


def test_scott(values):
    assert resolve_sigma("scott", values) == pytest.approx(spread(values) * 41 ** (-1 / 7))


def test_silverman(values):
    expected = spread(values) * (41 * 5 / 4) ** (-1 / 7)
    assert resolve_sigma("silverman", values) == pytest.approx(expected)


def test_silverman_in_one_dimension_is_the_rule_of_thumb(values):
    one = values[:, :1]
    expected = (4 / 3) ** 0.2 * spread(one) * 41**-0.2  # Silverman 1986, equation 3.28
    assert resolve_sigma("silverman", one) == pytest.approx(expected)


def test_median_distance(values):
    found = distances(values)
    middle = (found[len(found) // 2 - 1] + found[len(found) // 2]) / 2
    assert resolve_sigma("median", values) == pytest.approx(middle)


def test_median_distance_of_mostly_equal_rows_is_over_pairs_that_differ():
    values = np.array([[0.0]] * 8 + [[1.0], [5.0]])
    differing = [d for d in distances(values) if d > 0]  # 8 of 1, 8 of 5, one of 4
    assert resolve_sigma("median", values) == np.median(differing) == 4.0


@pytest.mark.parametrize("columns", [1, 3])
def test_nearest_is_the_median_distance_to_the_nearest_row_that_differs(values, columns):
    some = np.round(values[:, :columns], 1)  # with ties where there is one column
    rows = some.tolist()
    nearest = [min(math.dist(a, b) for b in rows if b != a) for a in rows]
    assert resolve_sigma("nearest", some) == pytest.approx(float(np.median(nearest)))


def test_range_is_a_share_of_the_widest_column(values):
    widest = max(max(c) - min(c) for c in values.T.tolist())
    assert resolve_sigma("range:0.15", values) == pytest.approx(0.15 * widest)


@pytest.mark.parametrize("rule", RULES)
def test_equal_rows_give_one(rule):
    assert resolve_sigma(rule, np.full((5, 2), 7.0)) == 1.0
    assert resolve_sigma(rule, np.array([[4.0]])) == 1.0


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("scale", [1e300, 1e-300, 2.0**1022])
def test_extreme_scales(rule, scale, values):
    unit = np.linspace(-1.9, 1.9, 20)[:, None]
    assert resolve_sigma(rule, unit * scale) == pytest.approx(resolve_sigma(rule, unit) * scale)


@pytest.mark.parametrize("rule", RULES)
def test_the_smallest_numbers_still_give_a_positive_sigma(rule):
    sigma = resolve_sigma(rule, np.array([[0.0], [5e-324], [1e-323]]))
    assert 0 < sigma < math.inf


@pytest.mark.parametrize("rule", RULES)
def test_an_offset_does_not_matter(rule):
    whole = np.random.default_rng(2).integers(0, 50, size=(60, 2)).astype(float)
    shifted = resolve_sigma(rule, whole + 2.0**40)
    assert shifted == pytest.approx(resolve_sigma(rule, whole), rel=1e-12)


def test_row_order_does_not_matter_above_the_exact_limit():
    rng = np.random.default_rng(3)
    values = rng.normal(size=(MEDIAN_ROWS + 500, 2))
    sigma = resolve_sigma("median", values)
    assert resolve_sigma("median", rng.permutation(values)) == sigma
    # All pairs of two standard normals: distance^2 / 4 is exponential, so the median is known.
    assert sigma == pytest.approx(2 * math.sqrt(math.log(2)), rel=0.05)
