"""A few columns of each factor against all of them."""

import numpy as np
import pytest

import tables
from renyi.backend import get_backend
from renyi.information import CandidateSums, Computation, SetEntropies, Thresholds
from renyi.kernels import KernelModel
from renyi.nulls import StandardisedGains
from renyi.options import method_options
from renyi.resampling import PlainPermutations
from renyi.variables import Dataset

N, COUNT = 120, 300
TARGETS = [("class", {}), ("class", {"label_kernel": "onehot"}), ("number", {})]


def columns_of(seed=3):
    """Return two columns that are given, many of several shapes, and what y is made of."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(N, 2 + COUNT))
    x[:, 5::5] = rng.poisson(0.5, x[:, 5::5].shape)
    x[:, 6::7] = np.exp(x[:, 6::7])
    return x, x[:, 0] + x[:, 1] + rng.normal(size=N)


def sums_of(x, signal, target="class", **options):
    y = (
        tables.nominal("y", np.digitize(signal, [-0.5, 1.5]))
        if target == "class"
        else tables.continuous("y", signal)
    )
    features = tuple(tables.continuous(f"x{j}", x[:, j]).variable for j in range(x.shape[1]))
    model = KernelModel.build(Dataset(features, (y.variable,)), method_options(**options))
    thresholds = Thresholds(shortlisted_products=0)
    given = {"jobs": 1, "thresholds": thresholds}
    entropies = SetEntropies(Computation.of(model, 2.0, get_backend("numpy"), **given))
    return CandidateSums(entropies, (0, 1), range(2, x.shape[1]))


def orders_of(count):
    scheme = PlainPermutations(N, 3, 1)
    return [scheme.order(number) for number in range(count)]


@pytest.mark.parametrize(("target", "options"), TARGETS)
def test_the_largest_gain_is_on_the_list(target, options):
    sums, orders = sums_of(*columns_of(), target, **options), orders_of(40)
    places = sums.shortlist.places(orders)
    assert {len(one) for one in places} == {round(COUNT / 8)}
    conditional, blur = sums.conditional(orders)
    few, error = sums.listed(orders, places)
    for row, one in enumerate(places):
        off = np.abs(few[row, one] - conditional[row, one])
        assert (off <= error[row, one] + blur[row, one]).all()
        rest = np.setdiff1d(np.arange(COUNT), one)
        assert np.isinf(few[row, rest]).all()
    largest = sums.standardised(conditional).max(axis=1)
    listed = sums.standardised(few).max(axis=1)
    assert (listed <= largest + 1e-2).all()
    assert (listed >= largest - 1e-2).mean() > 0.9


def test_it_is_a_function_of_the_order_alone():
    """Rows that are in another order already have the list of that order: the test is exact."""
    x, signal = columns_of()
    order = orders_of(1)[0]
    moved = np.column_stack([x[:, :2], x[order, 2:]])
    found = sums_of(x, signal).shortlist.places([order])[0]
    other = sums_of(moved, signal).shortlist.places([np.arange(N)])[0]
    assert np.array_equal(found, other)


def test_what_few_columns_leave_out_is_put_in_by_its_mean():
    sums, orders = sums_of(*columns_of()), orders_of(30)
    short = sums.shortlist
    assert short._few.values.shape[1] < 0.5 * sums._stack.values.shape[1]
    rough = sums._single_passes.roughly(short._few, orders, short._rest)
    exact = sums.conditional(orders)[0]
    off = (rough - exact) / sums.chance.deviation
    assert off.std() < 0.35
    assert abs(off.mean()) < 0.1


def test_gains_are_told_by_it_where_the_judged_one_is_on_it():
    sums = sums_of(*columns_of())
    itself = sums.shortlist.places([np.arange(N)])[0]
    for place in (int(itself[0]), int(np.setdiff1d(np.arange(COUNT), itself)[0])):
        gains = StandardisedGains(
            sums, PlainPermutations(N, 3, 1), place, sums.chance, lambda *_: None
        )
        values = gains.values(0, 12, 12)
        full = sums.standardised(sums.conditional(orders_of(12))[0]).max(axis=1)
        assert (gains._shortlist is None) == (place not in itself)
        assert np.median(np.abs(values - full)) < 1e-2


@pytest.mark.parametrize("count", [100, 255])
def test_fewer_candidates_have_none(count):
    x, signal = columns_of()
    assert sums_of(x[:, : 2 + count], signal).shortlist is None
