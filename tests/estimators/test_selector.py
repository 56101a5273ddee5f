"""`RenyiSelector` says what `renyi.select` says, by scikit-learn's rules."""

from __future__ import annotations

import inspect
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

pytest.importorskip("sklearn", reason="scikit-learn is not installed")

import joblib
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

import renyi
from renyi.errors import Interrupted, OptionError
from renyi_sklearn import RenyiSelector

Mixed = tuple[pl.DataFrame, pl.Series]


def test_every_option_of_select_is_here_or_has_another_name() -> None:
    own = inspect.signature(RenyiSelector).parameters
    core = inspect.signature(renyi.select).parameters
    otherwise = {
        "score": "score_name",
        "seed": "random_state",
        "jobs": "n_jobs",
        "kind": "categorical_features",
    }
    of_fit = {"data", "y", "weights", "groups"}
    of_files = {
        "target",
        "features",
        "exclude",
        "table",
        "decimal",
        "thousands",
        "checkpoint",
    }
    of_calls = {"progress", "cancel"}
    same = set(core) - set(otherwise) - of_fit - of_files - of_calls
    assert set(own) == same | set(otherwise.values()) | {"target_kind"}
    assert {name for name in same if own[name].default != core[name].default} == {"weight_kind"}
    assert own["random_state"].default == core["seed"].default


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"criterion": "cmi-local", "significance": 0.2, "max_features": 3},
        {"purpose": "news", "max_features": 2},
        {"search": "floating", "max_features": 3},
        {
            "alpha": 3,
            "bandwidth": 2,
            "permutations": 19,
            "criterion": "cmi-perm",
            "score_name": "mi",
            "max_features": 1,
        },
        {"preset": "paper", "max_features": 3},
        {"search": "floating", "max_features": 2},
        {"keep": ["ash"], "group_columns": {"tone": ["hue", "color_intensity"]}},
        {"stability": 2, "max_features": 2, "rows": 90},
    ],
    ids=lambda options: ",".join(options) or "default",
)
def test_the_path_is_that_of_select(options: dict[str, Any]) -> None:
    wine = load_wine(as_frame=True)
    found = RenyiSelector(**options, random_state=3).fit(wine.data, wine.target).path_
    asked = {name.removesuffix("_name"): value for name, value in options.items()}
    said = renyi.select(wine.frame, target="target", kind={"target": "nominal"}, seed=3, **asked)
    assert found.steps == said.steps
    assert found.stability == said.stability
    assert (found.verdict, found.selected, found.unselected) == (
        said.verdict,
        said.selected,
        said.unselected,
    )
    assert found.data.fingerprint == said.data.fingerprint
    assert found.data.source == "pandas.DataFrame"


def test_a_search_goes_on_from_a_path() -> None:
    wine = load_wine(as_frame=True)
    first = RenyiSelector(max_features=1).fit(wine.data, wine.target).path_
    further = RenyiSelector(start=first, max_features=2).fit(wine.data, wine.target).path_
    whole = RenyiSelector(max_features=2).fit(wine.data, wine.target).path_
    assert further.selected == whole.selected


def test_a_group_of_columns_is_taken_as_a_whole() -> None:
    wine = load_wine(as_frame=True)
    groups = {"tone": ["hue", "color_intensity"]}
    selector = RenyiSelector(group_columns=groups, keep=["tone"], max_features=1)
    selector.fit(wine.data, wine.target)
    assert selector.path_.selected == ("tone",)
    assert selector.get_feature_names_out().tolist() == ["color_intensity", "hue"]


def test_columns_may_be_kept_by_number(mixed: Mixed) -> None:
    frame, y = mixed
    assert RenyiSelector(keep=[0, -4]).fit(frame, y).path_.selected[:2] == ("noise", "count")
    with pytest.raises(ValueError, match="number them from 0 to 5, got 6"):
        RenyiSelector(keep=[6]).fit(frame, y)


def test_the_seed_may_come_from_a_generator(mixed: Mixed) -> None:
    frame, y = mixed

    def seed(random_state: Any) -> int:
        return RenyiSelector(random_state=random_state).fit(frame, y).path_.seed

    assert seed(7) == seed(np.int64(7)) == 7
    state, generator = np.random.RandomState(0), np.random.default_rng(0)
    assert seed(state) == np.random.RandomState(0).randint(2**31 - 1) != seed(state)
    assert seed(generator) == np.random.default_rng(0).integers(2**31 - 1) != seed(generator)
    np.random.seed(11)  # noqa: NPY002 - what None means in scikit-learn
    first = seed(None)
    np.random.seed(11)  # noqa: NPY002
    assert seed(None) == first
    copies = [clone(RenyiSelector(random_state=np.random.RandomState(2))) for _ in range(2)]
    assert len({copy.fit(frame, y).path_.seed for copy in copies}) == 1
    for wrong in ("a", -1, 1.5):
        with pytest.raises(OptionError, match="random_state"):
            seed(wrong)


def test_an_executor_changes_nothing_and_clones_share_it(mixed: Mixed) -> None:
    table, y = mixed
    own = RenyiSelector(max_features=2).fit(table, y)
    numbers = np.random.default_rng(0).normal(size=(60, 3))
    with ThreadPoolExecutor(2) as pool:
        made = clone(RenyiSelector(max_features=2, executor=pool))
        assert made.executor is pool
        made.fit(table, y)
        scores = cross_val_score(
            make_pipeline(RenyiSelector(max_features=1, executor=pool), DummyClassifier()),
            numbers,
            numbers[:, 0] > 0,
            cv=2,
            error_score="raise",
        )
    assert len(scores) == 2
    assert made.path_.steps == own.path_.steps
    assert made.path_.run["executor"]["kind"] == "executor"


def test_threads_change_nothing_and_follow_joblib(mixed: Mixed) -> None:
    frame, y = mixed

    def jobs(n_jobs: Any) -> Any:
        path = RenyiSelector(n_jobs=n_jobs).fit(frame, y).path_
        return path.run["jobs"], path.steps

    one, two = jobs(None), jobs(2)
    assert (one[0], two[0], one[1]) == (1, 2, two[1])
    assert jobs(-1)[0] == joblib.effective_n_jobs(-1)
    with joblib.parallel_config(n_jobs=2):
        assert jobs(None)[0] == 2


def test_an_interrupted_fit_keeps_what_was_finished(
    mixed: Mixed, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame, y = mixed
    whole = RenyiSelector().fit(frame, y)
    select = renyi.select

    def interrupted(*given: Any, **options: Any) -> Any:
        def stop(progress: renyi.Progress) -> None:
            if progress.phase == "step":
                raise KeyboardInterrupt

        return select(*given, **{**options, "progress": stop})

    monkeypatch.setattr(renyi, "select", interrupted)
    selector = RenyiSelector()
    with pytest.raises(Interrupted):
        selector.fit(frame, y)
    assert selector.path_.verdict.stopped == "interrupted"
    assert selector.path_.selected == whole.path_.selected[:1]
    assert selector.transform(frame).columns == list(selector.path_.selected)
    assert "interrupted" in selector._repr_html_()


def test_a_fit_that_fails_leaves_nothing_of_the_last_one(mixed: Mixed) -> None:
    frame, y = mixed
    selector = RenyiSelector().fit(frame, y)
    with pytest.raises(ValueError, match="alpha"):
        selector.set_params(alpha=-1).fit(frame.select("size", "level"), y)
    with pytest.raises(NotFittedError):
        selector.transform(frame)


def test_it_pickles_with_its_path(mixed: Mixed) -> None:
    frame, y = mixed
    for table in (frame, frame.to_pandas(), frame.to_arrow()):
        selector = RenyiSelector(n_jobs=1).fit(table, y)
        again = pickle.loads(pickle.dumps(selector))
        assert again.path_ == selector.path_
        assert type(again.transform(table)) is type(table)
        assert not hasattr(clone(selector), "path_")
        assert clone(selector).get_params() == selector.get_params()


def test_the_page_says_what_was_selected_and_why_it_stopped(mixed: Mixed) -> None:
    frame, y = mixed
    odd = "<b>size</b> & more"
    selector = RenyiSelector()
    assert "renyi-chosen" not in selector._repr_html_()
    selector.fit(frame.rename({"size": odd}), y)
    page = selector._repr_html_().partition('class="renyi-chosen"')[2]
    assert "2 of 6 columns selected: " in page
    assert "&lt;b&gt;size&lt;/b&gt; &amp; more" in page
    assert odd not in page
    assert "The search stopped before `" in page
    assert selector._repr_mimebundle_()["text/html"].endswith(page)
    with pytest.warns(UserWarning, match="selected no column"):
        selector.fit(frame.select("noise"), y)
    assert "None of 1 columns was selected." in selector._repr_html_()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"criterion": "nothing"}, "`criterion` must be one of"),
        ({"alpha": 0}, "alpha"),
        ({"missing": "guess"}, "missing"),
        ({"bandwidth": "wide"}, "bandwidth"),
        ({"max_features": 0}, "max_features"),
    ],
)
def test_a_wrong_option_is_one_sentence(options: Any, said: str, mixed: Mixed) -> None:
    frame, y = mixed
    with pytest.raises(OptionError, match=said):
        RenyiSelector(**options).fit(frame, y)


def test_a_table_without_use_is_a_value_error() -> None:
    y = [0, 1] * 10
    with pytest.raises(ValueError, match="No feature is left to use"):
        RenyiSelector().fit(np.ones((20, 2)), y)
    with pytest.raises(ValueError, match=r"finite, and has 1 infinite"):
        RenyiSelector().fit(np.array([[np.inf]] + [[1.0]] * 19), y)
    with pytest.raises(ValueError, match="a"):
        RenyiSelector().fit(pl.DataFrame({"a": [float("inf"), *range(19)]}), y)


def test_a_score_starts_from_the_preset_that_it_has_in_select() -> None:
    wine = load_wine(as_frame=True)
    frame = pl.from_pandas(wine.data)
    found = RenyiSelector(score_name="jmi", max_features=4).fit(frame, wine.target).path_
    assert found.options.preset == "shannon"
    expected = renyi.select(
        frame, wine.target.to_numpy(), score="jmi", max_features=4, kind={"y": "nominal"}
    )
    assert found.selected == expected.selected


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_series_is_no_table(library: str) -> None:
    series = pl.Series("a", [0.0, 1.0, 2.0, 3.0])
    given = series.to_pandas() if library == "pandas" else series
    with pytest.raises(ValueError, match=r"`X` must be 2D.* Use X.to_frame"):
        RenyiSelector().fit(given, [0, 1, 0, 1])


def test_a_wrong_option_is_called_as_it_is_here() -> None:
    with pytest.raises(OptionError, match=r"^`score_name` must be one of"):
        RenyiSelector(score_name="jmy").fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])


def test_there_is_a_page_to_look_at(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    x = pd.DataFrame(rng.normal(size=(60, 3)), columns=["a", "b", "c"])
    y = pd.Series(np.where(x["b"] > 0, "up", "down"), name="way")
    selector = RenyiSelector()
    with pytest.raises(NotFittedError):
        _ = selector.report_
    selector.fit(x, y)
    assert "1 of 3 candidates is selected for the target way" in selector.report_.html
    assert "data-still>Picture" not in selector.report_.html
    page = selector.path_.report(tmp_path / "report.html", data=x, y=y)
    assert page.notes == ()
    assert "data-still>Picture" in page.html
    bare = RenyiSelector().fit(x.to_numpy(), y.to_numpy())
    assert "x1" in bare.report_.html
