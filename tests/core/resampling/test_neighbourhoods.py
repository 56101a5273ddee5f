"""Groups of rows that are alike, and orders within them."""

from collections import Counter

import numpy as np
import pytest

from renyi.resampling import LocalPermutations, PlainPermutations, neighbourhoods


def sizes(groups):
    return sorted(Counter(groups.tolist()).values())


def test_groups_are_small_and_close():
    rng = np.random.default_rng(0)
    values = rng.normal(size=(400, 1))
    groups = neighbourhoods(values, None)
    assert sizes(groups)[0] >= 5
    assert sizes(groups)[-1] < 10
    # runs of neighbouring values: in sorted order every group is one piece
    ordered = groups[np.argsort(values[:, 0])]
    assert np.count_nonzero(np.diff(ordered)) + 1 == len(set(groups.tolist()))


def test_strata_are_never_mixed_and_stay_whole_without_coordinates():
    codes = np.random.default_rng(1).integers(0, 3, size=60)
    groups = neighbourhoods(np.empty((60, 0)), codes)
    assert (
        len(set(zip(groups.tolist(), codes.tolist(), strict=True)))
        == len(set(groups.tolist()))
        == 3
    )


def test_equal_values_are_not_parted():
    """A cut lies between two values; rows that are all alike stay together."""
    values = np.repeat([0.0, 1.0, 5.0], [20, 3, 40])[:, None]
    groups = neighbourhoods(values, None)
    by_value = {value: set(groups[values[:, 0] == value].tolist()) for value in (0.0, 1.0, 5.0)}
    assert all(len(found) == 1 for found in by_value.values())
    assert by_value[5.0].isdisjoint(by_value[0.0])
    assert sizes(groups) == [23, 40]  # three rows alone would be too few to shuffle


def test_the_widest_coordinate_is_cut_first():
    rng = np.random.default_rng(2)
    values = np.column_stack([rng.uniform(0, 100, size=10), rng.uniform(size=10)])
    groups = neighbourhoods(values, None)
    assert sizes(groups) == [5, 5]
    low = values[groups == groups[np.argmin(values[:, 0])], 0]
    assert low.max() < values[groups != groups[np.argmin(values[:, 0])], 0].min()


@pytest.mark.parametrize("n", [1, 4, 9])
def test_few_rows_are_one_group(n):
    assert len(set(neighbourhoods(np.arange(n, dtype=float)[:, None], None).tolist())) == 1


def test_orders_stay_within_groups():
    groups = np.random.default_rng(3).integers(0, 7, size=100)
    scheme = LocalPermutations(groups, seed=1, step=2)
    first = scheme.order(0)
    assert sorted(first.tolist()) == list(range(100))
    assert np.array_equal(groups[first], groups)
    assert np.array_equal(first, scheme.order(0))
    other_draws = (scheme.order(1), LocalPermutations(groups, 1, 3).order(0))
    assert not any(np.array_equal(first, order) for order in other_draws)


def test_orders_are_equally_likely():
    groups = np.array([0, 1, 0, 1, 0])
    drawn = Counter(
        tuple(LocalPermutations(groups, seed=5, step=1).order(k).tolist()) for k in range(3600)
    )
    assert len(drawn) == 12  # 3! orders of one group by 2! of the other
    expected = 3600 / 12
    assert (
        sum((count - expected) ** 2 / expected for count in drawn.values()) < 31.3
    )  # chi2(11), .001


def test_groups_within_groups_keep_rows_in_both():
    rng = np.random.default_rng(3)
    one, other = rng.integers(0, 4, (2, 80))
    scheme = PlainPermutations(80, 0, 1).within(one).within(other)
    for replicate in range(5):
        order = scheme.order(replicate)
        assert sorted(order) == list(range(80))
        assert (one[order] == one).all()
        assert (other[order] == other).all()
    assert (scheme.pilot().order(0) != scheme.order(0)).any()
