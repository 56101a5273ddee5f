"""Which null a feature is held against: what it could gain by repeating what is selected."""

import numpy as np
import pytest

import oracle
import tables
from renyi.information import _single_sums, _stacks
from renyi.resampling import LocalPermutations, PlainPermutations, neighbourhoods

SEED = 8
MARGIN = 1.05


def echo_gains(table, alpha, before, newest):
    """Gains of the echoes from raw columns and dense matrices."""
    columns = [table.features[k] for k in before]
    points, strata = tables.alike(columns, table.n)
    codes = np.zeros(table.n, dtype=int) if strata is None else strata
    own = oracle.zscore(table.features[newest].values)
    design = np.column_stack([codes == level for level in np.unique(codes)] + [points])
    linear = design @ np.linalg.lstsq(design, own)[0]
    groups = neighbourhoods(points, codes)
    means = np.array([own[groups == group].mean() for group in groups])
    grams = [column.gram for column in columns if column.kind != "nominal"]
    varied = [prediction for prediction in (linear, means) if prediction.std() > 1e-9]
    grams += [oracle.gaussian(oracle.zscore(prediction), 1.0) for prediction in varied]
    base = [column.gram for column in columns]
    known = oracle.mutual_information(base, [table.label], alpha)
    return [
        oracle.mutual_information([*base, gram], [table.label], alpha) - known for gram in grams
    ]


@pytest.mark.parametrize("way", ["small", "long"])
@pytest.mark.parametrize("alpha", [1.01, 2.0])
@pytest.mark.parametrize(("recipe", "seed"), [("NCBO", 3), ("CRBNO", 5), ("BBCC", 1)])
def test_draws_are_plain_above_the_echoes_and_local_below(recipe, seed, alpha, way, monkeypatch):
    if way == "long":
        monkeypatch.setattr(_stacks, "MOST_ROWS", 0)
        monkeypatch.setattr(_single_sums, "MOST_ROWS", 0)
    table = tables.random_table(recipe, "delta", 60, seed)
    steps, _ = tables.search(
        table,
        alpha=alpha,
        bandwidth=1.0,
        criteria="cmi-echo",
        permutations=19,
        significance=0.6,
        seed=SEED,
    )
    assert len(steps) > 1
    chosen = []
    for step in steps:
        chosen.append(table.names.index(step.feature))
        (report,) = step.criteria
        assert report.criterion == "cmi-echo"
        scheme = PlainPermutations(60, SEED, step.index)
        if len(chosen) > 1:
            before = sorted(chosen[:-1])
            nominal = table.features[chosen[-1]].kind == "nominal"
            above = not nominal and all(
                step.gain > MARGIN * gain for gain in echo_gains(table, alpha, before, chosen[-1])
            )
            said = "it gains more than an echo" if above else "it gains no more than an echo"
            if not above and (nominal or step.gain <= 0):
                said = "it is nominal and has no echo" if nominal else "it gains nothing"
            assert report.reason.startswith(said)
            assert ("rows alike" in report.reason) != above
            if not above:
                columns = [table.features[k] for k in before]
                groups = neighbourhoods(*tables.alike(columns, table.n))
                scheme = LocalPermutations(groups, SEED, step.index)
        else:
            assert "echo" not in report.reason
        truth = [
            oracle.largest_gain(table.grams, table.label, alpha, chosen, scheme.order(number))
            for number in range(report.drawn)
        ]
        assert report.exceedances == sum(value >= step.gain - 1e-9 for value in truth)


def count(rng, criterion, columns, target, keep=()):
    """Return how many columns enter beside those that are kept."""
    features = tuple(tables.continuous(f"f{k}", column) for k, column in enumerate(columns))
    steps, _ = tables.search(
        tables.Table(features, tables.nominal("y", target)),
        alpha=2.0,
        bandwidth=2.0,
        keep=keep,
        criteria=criterion,
        permutations=59,
        seed=int(rng.integers(2**31)),
    )
    return sum(step.selected for step in steps) - len(keep)


def readings_of_a_column(rng, criterion, rows=120):
    u = rng.normal(size=rows)
    readings = [u + 0.7 * rng.normal(size=rows) for _ in range(5)]
    y = (rng.random(rows) < 1 / (1 + np.exp(-3 * u))).astype(int)
    return count(rng, criterion, [u, *readings], y, keep=(0,))


def readings_of_hidden_ones(rng, criterion, rows=80):
    hidden = rng.normal(size=(4, rows))
    readings = [u + rng.normal(size=rows) for u in hidden for _ in range(10)]
    y = np.argmax(2 * hidden + 0.3 * rng.normal(size=(4, rows)), axis=0)
    return count(rng, criterion, readings, y)


def mean_of(draw, criterion, runs):
    rng = np.random.default_rng(11)
    return np.mean([draw(rng, criterion) for _ in range(runs)])


def test_readings_of_what_is_selected_stay_out():
    """Given u they say nothing of y; a plain shuffle takes them for news."""
    assert mean_of(readings_of_a_column, "cmi-echo", 60) <= 0.1
    assert mean_of(readings_of_a_column, "cmi-max", 10) > 0.5


def test_readings_of_what_is_hidden_enter():
    """Each tells of a quantity that is no column, and few rows leave no alike ones to shuffle."""
    found = mean_of(readings_of_hidden_ones, "cmi-echo", 8)
    assert found > mean_of(readings_of_hidden_ones, "cmi-local", 8) + 0.5
