"""Why a feature is not selected: rules, numbers, words."""

import itertools
import math

import numpy as np
import polars as pl
import pytest

import renyi
import tables
from renyi.information import Thresholds
from renyi.kernels import KernelModel

# the steps on the way to a reason
from renyi.selection.explaining._explain import LEVEL, _p_values

# what is left given others, of which the words are made
from renyi.selection.explaining._left import ahead, small_of
from tables import raw_options

N = 200
RNG = np.random.default_rng(7)
X, Z, NOISE, MORE = RNG.normal(size=(4, N))
CLASSES = (X > 0).astype(int) + 2 * (Z > 0)
Y = [f"c{code}" for code in CLASSES]


def selection(columns, **given):
    chosen = {"target": "y", "criterion": "cmi-max", "alpha": 2, "permutations": 19, **given}
    return renyi.select(pl.DataFrame({**columns, "y": Y}), **chosen)


def codes(path):
    return {why.feature: why.code for why in path.unselected}


COLUMNS = {
    "x": X,
    "z": Z,
    "near": X + 0.15 * RNG.normal(size=N),
    "both": X + Z + 0.15 * RNG.normal(size=N),
    "noise": NOISE,
    "more": MORE,
}


@pytest.mark.parametrize("alpha", [1.01, 2])
def test_redundant_and_uninformative_features_are_told_apart(alpha):
    path = selection(COLUMNS, alpha=alpha, keep=["x", "z"], max_features=2)
    found = {why.feature: why for why in path.unselected}
    assert found["noise"].code == found["more"].code == "uninformative"
    assert found["near"].code == "redundant"
    assert found["near"].given == ("x",)
    assert found["near"].reason == "redundant given x"
    assert found["both"].code == "redundant"
    assert found["both"].given == ("x", "z")
    assert list(found) == ["near", "both", "noise", "more"]
    alone = selection(COLUMNS, alpha=alpha, criterion="none", max_features=1, features=["near"])
    assert found["near"].mi == pytest.approx(alone.steps[0].mi, abs=2e-3)
    with_near = selection(
        COLUMNS, alpha=alpha, criterion="none", keep=["x", "z", "near"], max_features=3
    )
    assert found["near"].gain == pytest.approx(with_near.steps[2].gain, abs=3e-3)


def test_what_the_search_did_not_reach_is_no_weakness():
    path = selection(COLUMNS, criterion="none", keep=["x"], max_features=1)
    found = {why.feature: why for why in path.unselected}
    assert found["z"].code == "not_reached"
    assert "the search ended before it was tested" in found["z"].reason
    assert found["near"].given == ("x",)


def test_a_feature_that_failed_its_test_is_weak():
    path = selection(COLUMNS, keep=["x"], min_gain=1.5)
    found = {why.feature: why for why in path.unselected}
    assert path.steps[-1].features == ("z",)
    assert found["z"].code == "weak"
    assert found["z"].reason.endswith("and failed its test")
    assert found["both"].code == "weak"
    assert found["both"].reason.endswith("z ranked before it and failed its test")


def test_aliases_of_unselected_features_follow_theirs():
    path = selection({**COLUMNS, "noise2": -NOISE, "x2": 3 * X}, keep=["x", "z"], max_features=2)
    assert codes(path)["noise2"] == "alias"
    names = [why.feature for why in path.unselected]
    assert names.index("noise2") == names.index("noise") + 1
    assert "x2" not in names
    assert path.aliases == {"x": ("x2",)}
    same = next(why for why in path.unselected if why.feature == "noise2")
    assert same.given == ("noise",)


def test_nothing_selected_and_everything_selected():
    none = selection({"noise": NOISE, "more": MORE})
    assert none.selected == ()
    assert codes(none) == {"noise": "uninformative", "more": "uninformative"}
    assert all(why.gain == why.mi for why in none.unselected)
    assert selection({"x": X}, criterion="none").unselected == ()


def test_gains_that_would_take_long_are_left_out(with_thresholds):
    given = {"alpha": 1.01, "max_features": 1, "criterion": "none"}
    plain = selection(COLUMNS, **given)
    with_thresholds(Thresholds(gain_operations=1000.0))
    short = selection(COLUMNS, **given)
    assert all(why.gain is not None for why in plain.unselected)
    assert all(why.gain is None for why in short.unselected)
    assert [why.mi for why in short.unselected] == [why.mi for why in plain.unselected]
    assert codes(short) == codes(plain)
    assert all(why.reason for why in short.unselected)
    # without eigenvalues they cost next to nothing, up to a number of rows
    assert all(why.gain is not None for why in selection(COLUMNS, max_features=1).unselected)
    with_thresholds(Thresholds(gain_rows=N - 1))
    assert all(why.gain is None for why in selection(COLUMNS, max_features=1).unselected)


def test_gains_are_those_of_the_next_step():
    for alpha in (1.01, 2):
        given = {"alpha": alpha, "criterion": "none", "keep": ["x"]}
        short, long = (selection(COLUMNS, max_features=most, **given) for most in (1, 2))
        best = next(why for why in short.unselected if why.feature == long.steps[1].features[0])
        assert best.gain == pytest.approx(long.steps[1].gain, abs=2e-3)


def test_the_answer_is_the_same_for_any_number_of_workers():
    paths = [selection(COLUMNS, keep=["x"], max_features=2, jobs=jobs) for jobs in (1, 3)]
    assert paths[0] == paths[1]


@pytest.mark.parametrize("label", ["delta", "onehot", "numeric"])
@pytest.mark.parametrize("given", [(), (0,), (0, 1)])
def test_the_lead_over_shuffled_copies_is_that_over_all_orders(label, given):
    """Means of the sums over all 720 orders of six rows."""
    n = 6
    table = tables.random_table("CBC", label, n, seed=1)
    kernel = "onehot" if label == "onehot" else "delta"
    options = raw_options(alpha=2.0, bandwidth=1.0, label_kernel=kernel)
    entropies = tables.entropies(table, options)
    model = KernelModel.build(table.dataset, options)
    base = model.product(given).dense() ** 2
    joint = model.product(given, target=True).dense() ** 2
    own = model.product((2,)).dense() ** 2
    orders = [np.array(order) for order in itertools.permutations(range(n))]
    shuffled = [own[np.ix_(order, order)] for order in orders]
    means = [np.mean([(gram * copy).sum() for copy in shuffled]) for gram in (base, joint)]
    expected = math.log2(means[0] / means[1]) - math.log2((base * own).sum() / (joint * own).sum())
    small = small_of(entropies, 0, None)
    # tiles of what is given are in single precision
    assert ahead(small, given, [2]) == pytest.approx([expected], abs=1e-7)


def test_a_width_that_grows_makes_nothing_redundant():
    """z tells what x does not, and a wider kernel of it given x is no reason to think otherwise."""
    table = pl.DataFrame({"x": X, "z": Z, "near": COLUMNS["near"], "y": X + 0.7 * Z > 0})
    asked = {"target": "y", "keep": ["x"], "max_features": 1, "criterion": "none", "alpha": 2}
    for bandwidth in (2, "growing:2"):
        path = renyi.select(table, bandwidth=bandwidth, **asked)
        assert codes(path) == {"near": "redundant", "z": "not_reached"}, bandwidth


def test_more_rows_than_are_looked_at_are_sampled(with_thresholds):
    with_thresholds(Thresholds(explained_rows=120))
    path = selection(COLUMNS, keep=["x", "z"], max_features=2)
    assert codes(path)["near"] == "redundant"
    assert codes(path)["noise"] == "uninformative"


@pytest.mark.slow
def test_noise_is_seldom_called_informative():
    """Of 60 tables of 12 noise columns each, 3 are expected to have one at level .05."""
    called = 0
    for seed in range(60):
        table = tables.random_table("CCRBNOCCRBNO", "delta", 60, seed=1000 + seed)
        rng = np.random.default_rng(seed)
        labels = tables.nominal("y", rng.integers(0, 3, size=60))
        noise = tables.Table(table.features, labels)
        entropies = tables.entropies(noise, raw_options(alpha=2.0))
        called += min(_p_values(small_of(entropies, seed, None))) <= LEVEL
    assert called <= 8  # the chance of more is .003
