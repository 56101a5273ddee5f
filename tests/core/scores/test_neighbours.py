"""Information by nearest neighbours against brute force."""

import numpy as np
import polars as pl
import pytest

import oracle
import oracle_scores
import renyi
from renyi.errors import ColumnError, OptionError

# the fast estimates by themselves, on arrays
from renyi.scores._neighbours import ksg_information, ross_information


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("decimals", [None, 1, 0])  # rounded to nothing much: values repeat
@pytest.mark.parametrize("k", [1, 3])
def test_of_numbers(seed, decimals, k):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(80, 2))
    y = x[:, :1] + rng.normal(size=(80, 1))
    if decimals is not None:
        x, y = x.round(decimals), y.round(decimals)
    assert ksg_information(x, y, k) == pytest.approx(oracle_scores.ksg(x, y, k), abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("decimals", [None, 1, 0])
@pytest.mark.parametrize("k", [1, 3, 9])
def test_of_classes(seed, decimals, k):
    rng = np.random.default_rng(seed)
    classes = rng.choice([0, 0, 0, 1, 1, 2], size=80)
    classes[:5] = [3, 4, 4, 5, 5]  # smaller than k, and alone
    x = rng.normal(size=(80, 2)) + classes[:, None]
    if decimals is not None:
        x = x.round(decimals)
    truth = oracle_scores.ross(x, classes.tolist(), k)
    assert ross_information(x, classes, k) == pytest.approx(truth, abs=1e-12)


@pytest.mark.parametrize("apart", [0.0, 1.0, 2.0])
@pytest.mark.parametrize("decimals", [0, 1, 2])
def test_of_two_values_and_whole_numbers(apart, decimals):
    """A column of two values and a number that repeats: what one says of the other, either way."""
    rng = np.random.default_rng(8)
    two = rng.integers(0, 2, 600).astype(float)
    y = (10 * (rng.normal(size=600) + apart * two)).round(decimals)
    truth = ross_information(y[:, None], two.astype(int), 3)
    assert ksg_information(20 * two[:, None], y[:, None], 3) == pytest.approx(truth, abs=0.08)
    assert abs(truth - {0.0: 0.0, 1.0: 0.161, 2.0: 0.486}[apart]) < 0.08


def test_few_rows():
    assert ksg_information(np.zeros((1, 1)), np.zeros((1, 1)), 3) == 0
    assert ross_information(np.zeros((2, 1)), np.array([0, 1]), 3) == 0


@pytest.mark.parametrize("numeric", [False, True])
def test_the_path_and_its_stop(numeric):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(150, 5))
    y = x[:, 1] + 0.8 * x[:, 3] + 0.3 * rng.normal(size=150)
    target = y if numeric else np.where(y > 0, "a", "b")
    frame = pl.DataFrame({f"x{j}": x[:, j] for j in range(5)} | {"y": target})
    found = renyi.select(frame, target="y", score="knn", class_weights="none")
    scaled = np.column_stack([oracle.zscore(x[:, j]) for j in range(5)])

    def information(columns):
        points = scaled[:, columns]
        if numeric:
            return oracle_scores.ksg(points, oracle.zscore(y), 3)
        return oracle_scores.ross(points, target.tolist(), 3)

    chosen = []
    for step in found.steps:
        values = {j: information([*chosen, j]) for j in range(5) if j not in chosen}
        best = max(values, key=values.get)
        assert step.feature == f"x{best}"
        assert step.score == pytest.approx(values[best], abs=1e-9)
        chosen.append(best)
    assert set(found.selected) == {"x1", "x3"}
    (report,) = found.steps[-1].criteria
    assert (report.criterion, report.statistic_name) == ("score-perm", "score")


def test_equality_is_no_distance():
    frame = pl.DataFrame({"a": ["p", "q", "r"] * 20, "b": range(60), "y": ["u", "v"] * 30})
    assert renyi.select(frame, target="y", score="knn", features="a").steps
    with pytest.raises(ColumnError, match=r"`a` has a kernel of equality") as caught:
        renyi.select(frame, target="y", score="knn", features="a", nominal="delta")
    assert "soft" in str(caught.value.hint)


def test_there_must_be_more_rows_than_neighbours():
    frame = pl.DataFrame({"b": range(60), "y": ["u", "v"] * 30})
    assert renyi.select(frame, target="y", score="knn:59").steps
    with pytest.raises(OptionError, match=r"`score` knn:K must have fewer .* got knn:60"):
        renyi.select(frame, target="y", score="knn:60")
