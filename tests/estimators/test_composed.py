"""Selectors inside pipelines, searches and routed metadata."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

pytest.importorskip("sklearn", reason="scikit-learn is not installed")

import sklearn
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_wine
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.model_selection import GridSearchCV, GroupKFold, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import renyi
from renyi.errors import Interrupted
from renyi_sklearn import RenyiSelector, RenyiSelectorCV

Mixed = tuple[pl.DataFrame, pl.Series]
PORTS, SEXES = ["C", "Q", "S"], ["female", "male"]


def titanic_like() -> pl.DataFrame:
    """A table of passengers with holes, some of it nominal."""
    rng = np.random.default_rng(12)
    n = 160
    sex, port = rng.integers(0, 2, n), rng.integers(0, 3, n)
    pclass, age = rng.integers(1, 4, n), rng.gamma(6, 5, n).round(1)
    odds = 2.2 * (sex == 0) - 1.1 * (pclass - 2) - 0.03 * (age - 30) - 0.6
    survived = rng.random(n) < 1 / (1 + np.exp(-odds))
    frame = pl.DataFrame(
        {
            "pclass": pclass,
            "sex": pl.Series([SEXES[k] for k in sex], dtype=pl.Enum(SEXES)),
            "age": age,
            "fare": (40 / pclass + rng.gamma(2, 5, n)).round(2),
            "embarked": pl.Series([PORTS[k] for k in port], dtype=pl.Enum(PORTS)),
            "survived": survived.astype(int),
        }
    )
    hole = pl.Series(rng.random(n) < 0.2)
    lost = pl.Series(rng.random(n) < 0.02)
    return frame.with_columns(
        age=pl.when(~hole).then("age"), embarked=pl.when(~lost).then("embarked")
    )


def searched(frame: Any, y: Any, grid: dict[str, Any]) -> GridSearchCV:
    """Search over a pipeline of a column transformer, the selector and a classifier."""
    kept = ["pclass", "sex", "age", "embarked"]
    prepared = ColumnTransformer(
        [("kept", "passthrough", kept), ("scaled", StandardScaler(), ["fare"])],
        verbose_feature_names_out=False,
    )
    model = make_pipeline(
        prepared,
        RenyiSelector(missing="level"),
        HistGradientBoostingClassifier(
            categorical_features="from_dtype", max_iter=20, random_state=0
        ),
    )
    output = "polars" if isinstance(frame, pl.DataFrame) else "pandas"
    for step in model[:-1]:
        step.set_output(transform=output)
    folds = StratifiedKFold(2, shuffle=True, random_state=0)  # files are often in an order
    return GridSearchCV(model, grid, cv=folds, error_score="raise").fit(frame, y)


GRID = {
    "renyiselector__criterion": ["cmi-max", "cmi-local"],
    "renyiselector__bandwidth": [1.0, "steady"],
}


def compare_frames(frame: pl.DataFrame) -> None:
    y = frame["survived"].to_numpy()
    x = frame.drop("survived")
    of_polars, of_pandas = searched(x, y, GRID), searched(x.to_pandas(), y, GRID)
    scores = of_polars.cv_results_["mean_test_score"]
    assert len(scores) == 4
    assert scores.tolist() == of_pandas.cv_results_["mean_test_score"].tolist()
    assert scores.max() > max(y.mean(), 1 - y.mean()) + 0.05
    assert of_polars.best_params_ == of_pandas.best_params_
    selectors = [found.best_estimator_["renyiselector"] for found in (of_polars, of_pandas)]
    names = [selector.get_feature_names_out().tolist() for selector in selectors]
    assert names[0] == names[1]
    assert "sex" in names[0]
    assert selectors[0].path_.steps == selectors[1].path_.steps
    reduced = of_polars.best_estimator_[:-1].transform(x)
    assert reduced.columns == names[0]
    assert reduced.schema["sex"] == x.schema["sex"]
    assert isinstance(reduced.schema["sex"], pl.Enum)
    assert of_pandas.best_estimator_[:-1].transform(x.to_pandas()).dtypes["sex"] == "category"


@pytest.mark.slow
def test_a_search_over_passengers_gives_the_same_scores_from_any_frame() -> None:
    compare_frames(titanic_like())


@pytest.mark.slow
def test_a_search_over_the_titanic_gives_the_same_scores_from_any_frame(
    data_set: Callable[[str], Path],
) -> None:
    frame = pl.read_parquet(data_set("titanic")).drop("cabin")
    compare_frames(
        frame.with_columns(
            pl.col("sex").cast(pl.Enum(SEXES)), pl.col("embarked").cast(pl.Enum(PORTS))
        )
    )


def test_names_survive_a_pipeline_of_arrays_and_frames(mixed: Mixed) -> None:
    frame, y = mixed
    prepared = ColumnTransformer(
        [
            ("names", OneHotEncoder(sparse_output=False), ["level", "word"]),
            ("numbers", StandardScaler(), ["size", "noise"]),
        ]
    )
    model = make_pipeline(prepared, RenyiSelector(), LogisticRegression()).fit(frame, y)
    names = model[:-1].get_feature_names_out().tolist()
    assert "names__level_high" in names
    assert "numbers__size" in names
    assert model.score(frame, y) > 0.8
    selector = model["renyiselector"]
    assert all(name.startswith("x") for name in selector.path_.selected)  # an array has no names
    assert selector.get_feature_names_out(prepared.get_feature_names_out()).tolist() == names


def test_global_output_is_heard(mixed: Mixed) -> None:
    frame, y = mixed
    selector = RenyiSelector().fit(frame, y)
    with sklearn.config_context(transform_output="pandas"):
        assert type(selector.transform(frame)).__module__.startswith("pandas")
    assert isinstance(selector.transform(frame), pl.DataFrame)


@pytest.mark.slow
def test_a_selector_is_scored_as_part_of_the_model() -> None:
    x, y = load_wine(return_X_y=True)
    model = make_pipeline(StandardScaler(), RenyiSelector(max_features=2), GaussianNB())
    scores = cross_val_score(model, x, y, cv=2)
    assert scores.mean() > 0.8
    assert cross_val_score(model, x, y, cv=2, n_jobs=2).tolist() == scores.tolist()


@pytest.mark.parametrize("routed", [False, True])
def test_weights_and_groups_reach_the_selector(routed: bool, mixed: Mixed) -> None:
    frame, y = mixed
    x = frame.select("noise", "size").to_numpy()
    weights, groups = np.arange(len(y)) % 3, np.repeat(np.arange(40), 3)
    alone = RenyiSelector().fit(x, y, sample_weight=weights, groups=groups)
    selector = RenyiSelector()
    if routed:
        with sklearn.config_context(enable_metadata_routing=True):
            selector.set_fit_request(sample_weight=True, groups=True)
            model = make_pipeline(selector, GaussianNB().set_fit_request(sample_weight=True))
            model.fit(x, y, sample_weight=weights, groups=groups)
            scores = cross_val_score(
                model,
                x,
                y,
                cv=GroupKFold(3),
                scoring=make_scorer(accuracy_score).set_score_request(sample_weight=False),
                params={"sample_weight": weights, "groups": groups},
                error_score="raise",
            )
            assert np.isfinite(scores).all()
    else:
        model = make_pipeline(selector, GaussianNB())
        given = {"sample_weight": weights, "groups": groups}
        model.fit(x, y, **{f"renyiselector__{name}": value for name, value in given.items()})
    path = model[0].path_
    assert path.steps == alone.path_.steps
    assert (path.data_options.weights, path.data.together.count) == ("weights", 40)


def test_metadata_that_nobody_asked_for_are_refused() -> None:
    x, y = load_wine(return_X_y=True)
    with sklearn.config_context(enable_metadata_routing=True):
        model = make_pipeline(RenyiSelector(), GaussianNB())
        with pytest.raises(ValueError, match="sample_weight"):
            model.fit(x, y, sample_weight=np.ones(len(y)))


class Counting:
    """Hears of tasks; asks for the end after some steps."""

    def __init__(self, last: int = 10**6) -> None:
        self.last, self.steps, self.ended = last, 0, False

    def setup(self, estimator: Any, context: Any) -> None:
        assert isinstance(estimator, RenyiSelector)
        assert context.parent is None

    def teardown(self, estimator: Any, context: Any) -> None:
        self.ended = hasattr(estimator, "path_") and context.parent is None

    def on_fit_task_begin(self, estimator: Any, context: Any) -> None:
        pass

    def on_fit_task_end(self, estimator: Any, context: Any) -> bool:
        self.steps += context.task_name == "step" and isinstance(estimator, RenyiSelector)
        return self.steps >= self.last


def test_callbacks_hear_of_every_step_and_may_end_the_search(mixed: Mixed) -> None:
    pytest.importorskip("sklearn.callback", reason="this scikit-learn has no callbacks")
    frame, y = mixed
    plain = RenyiSelector(criterion="none").fit(frame, y)
    counting = Counting()
    heard = RenyiSelector(criterion="none").set_callbacks(counting).fit(frame, y)
    assert heard.path_ == plain.path_
    assert (counting.steps, counting.ended) == (len(plain.path_.steps), True)
    ended = RenyiSelector(criterion="none").set_callbacks(Counting(2)).fit(frame, y)
    assert ended.path_.selected == plain.path_.selected[:2]
    assert ended.path_.verdict.stopped == "interrupted"
    assert ended.transform(frame).shape[1] == 2


@pytest.mark.slow
def test_the_number_of_columns_may_be_searched_for_in_a_pipeline() -> None:
    x, y = load_wine(return_X_y=True)
    model = make_pipeline(StandardScaler(), RenyiSelectorCV(GaussianNB(), max_features=4, cv=3))
    model = make_pipeline(*model, GaussianNB())
    search = GridSearchCV(
        model, {"renyiselectorcv__rule": ["best", "one_standard_error"]}, cv=2
    ).fit(x, y)
    assert search.best_score_ > 0.85
    assert isinstance(search.best_estimator_["renyiselectorcv"].n_features_, int)


def test_an_interruption_goes_through_a_pipeline(
    mixed: Mixed, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame, y = mixed
    select = renyi.select

    def interrupted(*given: Any, **options: Any) -> Any:
        token = renyi.CancelToken()
        token.cancel()
        return select(*given, **{**options, "cancel": token})

    monkeypatch.setattr(renyi, "select", interrupted)
    model = make_pipeline(RenyiSelector(), GaussianNB())
    with pytest.raises((Interrupted, KeyboardInterrupt)):
        model.fit(frame.select("noise", "size"), y)
