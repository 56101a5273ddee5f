"""What `fit` is given: categories, a target of each kind, weights and groups."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

pytest.importorskip("sklearn", reason="scikit-learn is not installed")

from sklearn.datasets import load_diabetes
from sklearn.exceptions import DataConversionWarning

import renyi
from renyi_sklearn import RenyiSelector

Mixed = tuple[pl.DataFrame, pl.Series]


@pytest.mark.parametrize(
    ("asked", "nominal"),
    [
        ("from_dtype", {"level", "flag", "word"}),
        (["level", "word"], {"level", "word"}),
        (["level", "word", "count"], {"level", "word", "count"}),
        ([1, -1], {"level", "word"}),
        (np.array([1, 5]), {"level", "word"}),
        ([False, True, False, False, True, True], {"level", "flag", "word"}),
    ],
)
@pytest.mark.parametrize("table", ["polars", "pandas"])
def test_categories_are_said_as_scikit_learn_says_them(
    asked: Any, nominal: set[str], table: str, mixed: Mixed
) -> None:
    frame, y = mixed
    given = frame if table == "polars" else frame.to_pandas()
    path = RenyiSelector(categorical_features=asked).fit(given, y.to_numpy()).path_
    features = [column for column in path.data.columns if column.role == "feature"]
    assert {column.name for column in features if column.kind == "nominal"} == nominal
    assert {column.kind for column in features if column.name not in nominal} == {"continuous"}


def test_no_categories_at_all(mixed: Mixed) -> None:
    frame, y = mixed
    numbers = frame.select("size", "flag", "count")
    path = RenyiSelector(categorical_features=None).fit(numbers, y).path_
    assert {column.kind for column in path.data.columns if column.role == "feature"} == {
        "continuous"
    }
    with pytest.raises(ValueError, match=r"leaves out `level`. Use `categorical_features='from_"):
        RenyiSelector(categorical_features=None).fit(frame, y)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("level", "must be `from_dtype`, None, or names"),
        (["nowhere", "level", "word"], "nowhere"),
        ([True, False], r"of each of 6 columns.*shape is \(2,\)"),
        ([1.5], "got 1.5"),
    ],
)
def test_what_are_no_categories_is_said(asked: Any, said: str, mixed: Mixed) -> None:
    frame, y = mixed
    with pytest.raises(ValueError, match=said):
        RenyiSelector(categorical_features=asked).fit(frame, y)


def test_ordered_categories_are_the_same_in_all_frames(mixed: Mixed) -> None:
    frame, y = mixed
    ordered = frame.to_pandas()
    ordered["level"] = ordered["level"].cat.as_ordered()
    kinds = {
        column.name: column.kind
        for column in RenyiSelector().fit(ordered, y.to_numpy()).path_.data.columns
    }
    assert kinds["level"] == "nominal"


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([0, 1] * 20, "nominal"),
        ([0.0, 1.0, 2.0, 3.0] * 10, "nominal"),
        (["a", "b"] * 20, "nominal"),
        ([True, False] * 20, "nominal"),
        (list(np.arange(40) % 11), "nominal"),
        (list(np.linspace(0, 1, 40)), "continuous"),
    ],
)
def test_the_target_is_what_type_of_target_says(values: Any, kind: str) -> None:
    x = np.random.default_rng(1).standard_normal((40, 2))
    for y in (values, np.array(values), np.array(values, dtype=object), pl.Series("u", values)):
        path = RenyiSelector(criterion="none", max_features=1).fit(x, y).path_
        (target,) = (column for column in path.data.columns if column.role == "target")
        assert target.kind == kind
        assert target.name == ("u" if isinstance(y, pl.Series) else "y")
    unnamed = pl.Series(values)
    assert RenyiSelector(criterion="none", max_features=1).fit(x, unnamed).path_.data.target == "y"


def test_dates_are_a_quantity() -> None:
    x = np.random.default_rng(1).standard_normal((40, 2))
    days = np.datetime64("2020-01-01") + np.arange(40)
    for y in (days, pd.Series(days), pl.Series(days)):
        path = RenyiSelector(criterion="none").fit(x, y).path_
        assert path.data.columns[-1].kind == "continuous"


def test_the_kind_of_the_target_may_be_said() -> None:
    x, y = load_diabetes(return_X_y=True)  # whole numbers, which scikit-learn takes for classes
    selector = RenyiSelector(target_kind="continuous", max_features=2).fit(x, y)
    said = renyi.select(x, y, max_features=2)
    assert selector.path_.selected == tuple(f"x{int(name[1:]) - 1}" for name in said.selected)
    assert [step.mi for step in selector.path_.steps] == [step.mi for step in said.steps]
    with pytest.raises(ValueError, match="`target_kind` must be None or one of"):
        RenyiSelector(target_kind="class").fit(x, y)


def test_several_targets_are_one_joint_target(mixed: Mixed) -> None:
    frame, y = mixed
    both = pl.DataFrame({"size > 0": frame["size"] > 0, "outcome": y})
    x = frame.select("noise", "level", "size")
    path = RenyiSelector().fit(x, both).path_
    said = renyi.select(x.hstack(both), target=both.columns)
    assert path.data.targets == ("size > 0", "outcome")
    assert path.steps == said.steps
    array = RenyiSelector().fit(x, np.stack([(frame["size"] > 0), frame["flag"]], axis=1))
    assert array.path_.data.targets == ("y1", "y2")
    with pytest.warns(DataConversionWarning, match="column-vector y"):
        assert RenyiSelector().fit(x, y.to_numpy()[:, None]).path_.data.target == "y"


@pytest.mark.parametrize(
    ("y", "said"),
    [
        (None, "requires y to be passed"),
        ("class", "`y` must be the values of the target, one a row, got the text 'class'"),
        (["a", "b", None, "a"] * 5, r"has none \(None, NaN\) in 5"),
        (pd.Series(["a", "b", pd.NA, "a"] * 5, dtype="string"), r"\(None, NaN\) in 5"),
        (pl.Series([1, 0, None, 1] * 5), r"\(None, NaN\) in 5"),
        (np.arange(20), r"has 20 whole numbers in 20 rows.*Use `target_kind='continuous'`"),
        ([0.5, np.nan] * 10, "y contains NaN"),
        ([0.5, np.inf] * 10, "y contains infinity"),
        ([0, 1] * 9, "it has 18 for 20 rows"),
        (np.zeros((20, 2, 2)), "dim"),
    ],
)
def test_a_target_that_cannot_be_used_is_said(y: Any, said: str) -> None:
    x = np.random.default_rng(1).standard_normal((20, 2))
    with pytest.raises(ValueError, match=said):
        RenyiSelector().fit(x, y)


def test_names_are_found_for_what_has_none(mixed: Mixed) -> None:
    frame, y = mixed
    x = frame.select("size", "level").rename({"size": "y", "level": "weights"})
    selector = RenyiSelector(weight_kind="importance")
    path = selector.fit(x, y.to_list(), np.linspace(1, 2, len(y))).path_
    assert (path.data.target, path.data_options.weights) == ("target", "weights'")
    assert set(path.selected) == {"y", "weights"}
    assert RenyiSelector().fit(x, y.alias("weights")).path_.data.target == "target"


def test_weights_and_groups_are_those_of_select(mixed: Mixed) -> None:
    frame, y = mixed
    x = frame.select("noise", "level", "size")
    weights = np.random.default_rng(0).uniform(0.5, 2, len(y))
    groups = np.repeat(np.arange(40), 3)
    table = x.with_columns(y, weights=weights, site=groups)
    site = pl.Series("site", groups)
    selector = RenyiSelector(weight_kind="importance").fit(x, y, weights, site)
    said = renyi.select(table, target="outcome", weights="weights", groups="site")
    assert selector.path_.steps == said.steps
    assert selector.path_.data.together == said.data.together
    named = RenyiSelector().fit(x, y, groups=[f"site {k:02}" for k in groups])
    assert named.path_.steps == RenyiSelector().fit(x, y, groups=groups).path_.steps


def test_a_weight_of_two_is_a_row_twice(mixed: Mixed) -> None:
    frame, y = mixed
    x = frame.select("noise", "size").to_numpy()
    counts = np.arange(len(y)) % 3
    weighted = RenyiSelector(criterion="none").fit(x, y, counts).path_
    twice = RenyiSelector(criterion="none").fit(np.repeat(x, counts, axis=0), np.repeat(y, counts))
    assert [step.mi for step in weighted.steps] == pytest.approx(
        [step.mi for step in twice.path_.steps], abs=1e-12
    )
    with pytest.raises(ValueError, match=r"whole numbers.*Use `weight_kind='importance'`"):
        RenyiSelector().fit(x, y, counts + 0.5)


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        (np.ones((120, 2)), "`sample_weight` must be 1D"),
        (np.ones(7), "has 7 for 120 rows"),
        (np.zeros(120), "must not be zero in every row"),
        (np.full(120, -1.0), r"^`sample_weight` must be finite and not negative"),
    ],
)
def test_weights_that_cannot_be_used_are_said(weights: Any, said: str, mixed: Mixed) -> None:
    frame, y = mixed
    with pytest.raises(ValueError, match=said):
        RenyiSelector().fit(frame, y, weights)


def test_a_column_is_not_renamed_as_an_option_is(mixed: Mixed) -> None:
    frame, y = mixed
    table = frame.with_columns(score=pl.lit(1.0))
    with pytest.raises(ValueError, match=r"^`score` cannot be"):
        RenyiSelector(keep=["score"]).fit(table, y)
    with pytest.raises(ValueError, match=r"^`score_name` must be one of"):
        RenyiSelector(score_name="none such").fit(table, y)
