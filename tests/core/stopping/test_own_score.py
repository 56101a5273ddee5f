"""Tests by the score itself, and the rules that are there to be compared with."""

import numpy as np
import polars as pl
import pytest

import oracle_scores
import renyi

# the orders that tests of scores draw
from renyi.resampling import scheme_of


def levels_table(seed, n=100):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    columns = {f"x{j}": rng.integers(0, 3, n) for j in range(5)}
    columns["x1"] = np.where(rng.random(n) < 0.6, y, columns["x1"])
    columns["x4"] = np.where(rng.random(n) < 0.4, y + 1, columns["x4"])
    return columns | {"y": y}


def frame_of(columns):
    return pl.DataFrame({name: [f"v{v}" for v in column] for name, column in columns.items()})


@pytest.mark.parametrize("criterion", ["score-perm", "score-max"])
@pytest.mark.parametrize("name", ["jmi", "mifs", "cmim", "relax"])
@pytest.mark.parametrize("seed", range(2))
def test_each_replicate_by_hand(criterion, name, seed):
    columns = levels_table(seed)
    found = renyi.select(
        frame_of(columns),
        target="y",
        score=name,
        criterion=criterion,
        permutations=40,
        significance=0.2,
        seed=seed,
    )
    scheme = scheme_of(None, 100, seed, 0, "scores")
    features = [key for key in columns if key != "y"]
    chosen = []
    for step in found.steps:
        left = [feature for feature in features if feature not in chosen]
        asked = left if criterion == "score-max" else [step.feature]
        best = []
        for number in range(40):
            order = scheme.order(number)
            moved = columns | {f"moved {j}": columns[j][order] for j in asked}
            entropy_of = oracle_scores.counted(moved)
            best.append(
                max(oracle_scores.score(name, entropy_of, f"moved {j}", chosen, "y") for j in asked)
            )
        (report,) = step.criteria
        drawn = best[: report.drawn]
        exceeded = [value >= step.score - 1e-9 for value in drawn]
        assert report.exceedances == sum(exceeded)
        assert report.stop == (sum(value >= step.score - 1e-9 for value in best) > 7)
        assert report.null_quantiles[1] == pytest.approx(np.median(drawn), abs=1e-12)
        chosen.append(step.feature)


def test_far_beyond_few_draws():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 400)
    columns = {f"x{j}": rng.integers(0, 3, 400) for j in range(20)}
    columns["x7"] = np.where(rng.random(400) < 0.8, y, columns["x7"])
    found = renyi.select(frame_of(columns | {"y": y}), target="y", score="jmi")
    assert found.selected == ("x7",)
    first = found.steps[0].criteria[0]
    assert first.drawn < 30
    assert "far beyond" in first.reason
    exact = renyi.select(frame_of(columns | {"y": y}), target="y", score="jmi", permutations=59)
    assert exact.selected == ("x7",)


def test_groups_stay_together():
    """Rows of a group share a level: with groups nothing is found, without them noise is."""
    rng = np.random.default_rng(0)
    group = np.repeat(np.arange(20), 15)
    y = rng.integers(0, 2, 20)[group]
    columns = {f"x{j}": rng.integers(0, 3, 20)[group] for j in range(6)}
    frame = frame_of(columns | {"y": y}).with_columns(g=pl.Series(group.astype(str)))
    assert renyi.select(frame, target="y", score="jmi", groups="g").selected == ()
    assert renyi.select(frame.drop("g"), target="y", score="jmi").selected


def test_the_same_for_any_number_of_workers():
    columns = levels_table(9)
    frame = frame_of(columns)
    usual = renyi.select(frame, target="y", score="jmi", significance=0.3)
    one = renyi.select(frame, target="y", score="jmi", significance=0.3, jobs=1)
    assert usual == one


def test_mi_peak_and_markov_blanket():
    """On ten columns of noise MI rises for long, and CMI is 0 only once every row is alone."""
    rng = np.random.default_rng(1)
    frame = pl.DataFrame(
        {f"x{j}": rng.normal(size=120) for j in range(10)} | {"y": ["a", "b"] * 60}
    )
    peak = renyi.select(frame, target="y", criterion="mi-peak", bandwidth=1.0)
    blanket = renyi.select(frame, target="y", criterion="markov-blanket")
    assert len(peak.selected) > 5
    assert len(blanket.selected) > 5
    for found in (peak, blanket):
        assert "noise" in found.steps[0].criteria[0].reason
    gains = [step.gain for step in peak.steps]
    assert all(gain > 1e-9 for gain in gains[: len(peak.selected)])
    assert not renyi.select(frame, target="y").selected


def test_a_blanket_is_found_where_there_is_one():
    y = ["a", "b", "c", "d"] * 20
    frame = pl.DataFrame({"copy": y, "half": [v in "ab" for v in y], "y": y})
    found = renyi.select(frame, target="y", criterion="markov-blanket", nominal="delta")
    assert found.selected == ("copy",)
    assert "as far apart" in found.verdict.reason
    peak = renyi.select(frame, target="y", criterion="mi-peak", score="cmi")
    assert peak.selected == ("copy",)
    assert "no more of y is left" in peak.verdict.reason
