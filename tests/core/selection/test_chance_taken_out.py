"""What the default finds, and what it leaves alone, in many small tables of fixed seeds."""

import numpy as np
import pytest

import tables
from renyi.information import Computation, SetEntropies
from renyi.kernels import KernelModel
from renyi.options import method_options
from renyi.selection import ForwardSearch
from renyi.variables import Dataset, Variable


def selected(features, y, **given):
    """Return the names that the default selects, and its steps."""
    options = method_options(**given)
    data = Dataset(tuple(features), (y,))
    model = KernelModel.build(data, options)
    entropies = SetEntropies(Computation.of(model, options.alpha, tables.get_backend("numpy")))
    steps = list(ForwardSearch(data, entropies, options))
    return [step.feature for step in steps if step.selected], steps


def named(name, codes):
    levels = int(np.max(codes)) + 1
    return Variable.nominal(name, np.asarray(codes), tuple(f"v{k}" for k in range(levels)))


def number(name, values):
    return Variable.continuous(name, values)


def agreeing_column(seed):
    """One column that agrees with y in 68% of the rows, one of 40 random levels, one of noise."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, 300)
    agrees = np.where(rng.random(300) < 0.68, y, 1 - y)
    return [
        named("agrees", agrees),
        named("levels", rng.integers(0, 40, 300)),
        number("noise", rng.normal(size=300)),
    ], named("y", y)


def site_of_15_levels(seed):
    rng = np.random.default_rng(100 + seed)
    t = rng.normal(size=200)
    y = rng.random(200) < 1 / (1 + np.exp(-t))
    return [named("site", rng.integers(0, 15, 200)), number("t", t)], named("y", y.astype(int))


def majority_word(seed):
    """A word of the commoner class only."""
    rng = np.random.default_rng(200 + seed)
    common = np.arange(400) < 250
    word = np.where(common & (rng.random(400) < 0.35), rng.exponential(1, 400), 0.0)
    return [number("word", word)], named("y", common.astype(int))


@pytest.mark.parametrize(
    ("tables_of", "true"),
    [(agreeing_column, "agrees"), (site_of_15_levels, "t"), (majority_word, "word")],
)
def test_the_true_column_is_found(tables_of, true):
    found = [selected(*tables_of(seed))[0] for seed in range(20)]
    assert sum(true in names for names in found) >= 19


@pytest.mark.parametrize("tables_of", [agreeing_column, site_of_15_levels])
def test_a_column_of_many_levels_is_not_taken_for_their_number(tables_of):
    found = [selected(*tables_of(seed))[0] for seed in range(20)]
    assert sum("levels" in names or "site" in names for names in found) <= 4


def noise(seed):
    """Columns of every kind, and classes of unequal size that have nothing to do with them."""
    rng = np.random.default_rng(300 + seed)
    n = 80
    features = [number(f"x{k}", rng.normal(size=n)) for k in range(3)]
    features += [named(f"c{k}", rng.integers(0, levels, n)) for k, levels in enumerate((2, 5, 20))]
    features += [number("wide", rng.standard_cauchy(n)), number("rare", rng.random(n) < 0.1)]
    return features, rng.normal(size=n), (rng.random(n) < 0.3).astype(int)


@pytest.mark.slow
@pytest.mark.parametrize("target", ["classes", "number"])
def test_noise_is_left_alone(target):
    """Of 60 tables 3 are expected to have something selected at level .05."""
    called = 0
    for seed in range(60):
        features, values, classes = noise(seed)
        y = named("y", classes) if target == "classes" else number("y", values)
        called += bool(selected(features, y)[0])
    assert called <= 6


def test_draws_are_made_only_where_the_answer_is_not_plain():
    rng = np.random.default_rng(4)
    x, other = rng.normal(size=(2, 300))
    features = [number("x", x), *(number(f"n{k}", rng.normal(size=300)) for k in range(5))]
    names, steps = selected(features, number("y", x + 0.3 * other))
    assert names == ["x"]
    (report,) = steps[0].criteria
    assert (report.drawn, report.exceedances, report.statistic_name) == (0, 0, "z")
    assert report.statistic == pytest.approx(steps[0].z)
    assert "without draws" in report.reason
    assert not report.stop
    assert 0 < report.p_upper < 0.05
    # a number of draws is made whatever the answer
    _, drawn = selected(features, number("y", x + 0.3 * other), permutations=39)
    assert 30 < drawn[0].criteria[0].drawn <= 39
    assert drawn[0].criteria[0].p_upper is None or drawn[0].criteria[0].p_upper <= 0.05


def test_a_two_level_column_gives_the_same_called_a_number_or_a_name():
    rng = np.random.default_rng(9)
    n = 120
    codes = (rng.random((6, n)) < rng.uniform(0.1, 0.6, (6, 1))).astype(int)
    y = named("y", (codes[0] + codes[1] + rng.normal(size=n) > 1).astype(int))
    ways = [
        [named(f"b{k}", one) for k, one in enumerate(codes)],
        [number(f"b{k}", one.astype(float)) for k, one in enumerate(codes)],
    ]
    (names, steps), (same, others) = (selected(way, y, max_features=4) for way in ways)
    assert names == same
    for step, other in zip(steps, others, strict=True):
        assert step.feature == other.feature
        for name in ("mi", "gain", "chance", "mi_chance"):
            assert getattr(step, name) == pytest.approx(getattr(other, name), abs=1e-7)
        counts = [[(r.drawn, r.exceedances) for r in one.criteria] for one in (step, other)]
        assert counts[0] == counts[1]


def test_an_id_makes_no_tie_of_others():
    """The rows of an id are all apart: no order changes what it gains."""
    rng = np.random.default_rng(3)
    x, weak = rng.normal(size=(2, 100))
    y = number("y", x + 0.9 * weak + 0.3 * rng.normal(size=100))
    columns = [named("id", np.arange(100)), number("weak", weak), number("x", x)]
    for given in ({}, {"nominal": "delta"}):
        names, steps = selected(columns, y, **given)
        assert steps[0].feature == "x"
        assert "id" not in names
