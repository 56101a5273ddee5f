"""`RenyiSelectorCV`: honest scores of every size of one path."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import polars as pl
import pytest

pytest.importorskip("sklearn", reason="scikit-learn is not installed")

import sklearn
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_wine
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import get_scorer
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    StratifiedKFold,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

import renyi
from renyi_sklearn import RenyiSelector, RenyiSelectorCV

Mixed = tuple[pl.DataFrame, pl.Series]


def test_every_score_is_that_of_a_pipeline_that_selects_so_many() -> None:
    """scikit-learn's own cross-validation of selector and model together says the same."""
    x, y = load_wine(return_X_y=True)
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    found = RenyiSelectorCV(GaussianNB(), max_features=4, cv=folds).fit(x, y)
    results = found.cv_results_
    assert results["n_features"].tolist() == [1, 2, 3, 4]
    for place, size in enumerate(results["n_features"]):
        model = make_pipeline(RenyiSelector(criterion="none", max_features=int(size)), GaussianNB())
        scores = cross_val_score(model, x, y, cv=folds)
        assert [results[f"split{k}_test_score"][place] for k in range(3)] == scores.tolist()
        assert results["mean_test_score"][place] == pytest.approx(scores.mean(), abs=1e-15)
        assert results["std_test_score"][place] == pytest.approx(scores.std(), abs=1e-15)
        error = scores.std(ddof=1) / np.sqrt(3)
        assert results["standard_error"][place] == pytest.approx(error, abs=1e-15)


@pytest.mark.parametrize("rule", ["one_standard_error", "best"])
def test_the_rule_chooses_the_number(rule: str) -> None:
    x, y = (part[:150] for part in load_diabetes(return_X_y=True))
    selector = RenyiSelector(target_kind="continuous")
    found = RenyiSelectorCV(Ridge(), selector=selector, rule=rule, max_features=6, cv=5).fit(x, y)
    results = found.cv_results_
    mean, error = results["mean_test_score"].tolist(), results["standard_error"].tolist()
    best = max(range(6), key=lambda place: (mean[place], -place))
    least = mean[best] - (error[best] if rule == "one_standard_error" else 0)
    assert found.n_features_ == 1 + next(k for k in range(6) if mean[k] >= least)
    assert set(found.get_feature_names_out()) == set(found.path_.selected[: found.n_features_])
    assert len(found.path_.selected) == 6


def test_the_test_stands_beside_it(mixed: Mixed) -> None:
    frame, y = mixed
    x = frame.select("noise", "size", "count")
    found = RenyiSelectorCV(GaussianNB(), cv=3).fit(x, y)
    tested = RenyiSelector().fit(x, y)
    assert found.test_path_ == tested.path_
    assert found.n_features_test_ == len(tested.path_.selected) == 1
    assert len(found.path_.selected) == 3
    assert found.path_.selected[:1] == tested.path_.selected
    page = found._repr_html_().partition('class="renyi-chosen"')[2]
    assert f"{found.n_features_} features: " in page
    assert "The test would select 1: it stopped before" in page
    again = pickle.loads(pickle.dumps(found))
    assert again.path_ == found.path_
    assert not hasattr(clone(found), "path_")


@pytest.mark.slow
def test_columns_chosen_on_all_rows_do_not_flatter() -> None:
    """Of many columns of noise some look good; rows that had no part in it see through them."""
    rng = np.random.default_rng(1)
    x, y = rng.standard_normal((40, 80)), np.repeat([0, 1], 20)
    folds = StratifiedKFold(4, shuffle=True, random_state=0)
    found = RenyiSelectorCV(GaussianNB(), max_features=4, cv=folds).fit(x, y)
    honest = found.cv_results_["mean_test_score"][3]
    chosen = [int(name[1:]) for name in found.path_.selected]
    flattered = cross_val_score(GaussianNB(), x[:, chosen], y, cv=folds).mean()
    assert flattered > 0.7
    assert honest < 0.6
    assert found.n_features_test_ == 0


@pytest.mark.parametrize("table", ["polars", "pandas", "arrow", "array"])
def test_every_table_gives_the_same_scores(table: str, mixed: Mixed) -> None:
    frame, y = mixed
    x = frame.select("noise", "size", "count")
    given = {"polars": x, "pandas": x.to_pandas(), "arrow": x.to_arrow(), "array": x.to_numpy()}
    found = RenyiSelectorCV(GaussianNB(), cv=3, n_jobs=2).fit(given[table], y)
    plain = RenyiSelectorCV(GaussianNB(), cv=3).fit(x, y.to_list())
    assert found.cv_results_["mean_test_score"].tolist() == pytest.approx(
        plain.cv_results_["mean_test_score"].tolist()
    )
    assert found.n_features_ == plain.n_features_
    assert type(found.transform(given[table])) is type(given[table])


@pytest.mark.slow
def test_the_largest_number_is_what_is_asked_for(mixed: Mixed) -> None:
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((40, 22)), np.arange(40) % 2
    x[:, 3] += 3 * y

    def largest(found: RenyiSelectorCV) -> int:
        return int(found.fit(x, y).cv_results_["n_features"][-1])

    model = GaussianNB()
    assert largest(RenyiSelectorCV(model, cv=2)) == 20
    assert largest(RenyiSelectorCV(model, cv=2, max_features=30)) == 22
    assert largest(RenyiSelectorCV(model, cv=2, selector=RenyiSelector(max_features=3))) == 3
    assert largest(RenyiSelectorCV(model, cv=2, selector=RenyiSelector(criterion="none"))) == 22


def test_a_column_that_is_constant_in_a_fold_ends_its_path_early() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    x = np.stack([y + rng.standard_normal(40), np.r_[np.ones(20), rng.standard_normal(20)]], axis=1)
    found = RenyiSelectorCV(GaussianNB(), cv=KFold(2)).fit(x, y)
    first, second = found.cv_results_["split1_test_score"]
    assert first == second  # trained on the first half, where there is one column only


def test_weights_and_groups_go_where_they_are_taken(mixed: Mixed) -> None:
    frame, y = mixed
    x = frame.select("noise", "size").to_numpy()
    weights, groups = np.arange(len(y)) % 3, np.repeat(np.arange(40), 3)
    folds = GroupKFold(3)
    found = RenyiSelectorCV(GaussianNB(), cv=folds)
    found.fit(x, y, sample_weight=weights, groups=groups)
    assert found.path_.data_options.weights == "weights"
    assert found.path_.data.together.count == 40
    scores = []
    for train, test in folds.split(x, y, groups):
        columns = RenyiSelector(criterion="none", max_features=1)
        columns.fit(x[train], y.to_numpy()[train], weights[train], groups[train])
        model = GaussianNB().fit(
            columns.transform(x[train]), y.to_numpy()[train], sample_weight=weights[train]
        )
        scores.append(model.score(columns.transform(x[test]), y.to_numpy()[test]))
    assert [found.cv_results_[f"split{k}_test_score"][0] for k in range(3)] == scores
    with pytest.raises(ValueError, match="takes `sample_weight` and `groups`, got `size`"):
        found.fit(x, y, size=weights)


def test_routed_metadata_reach_estimator_selector_splitter_and_scorer(mixed: Mixed) -> None:
    frame, y = mixed
    x = frame.select("noise", "size").to_numpy()
    weights, groups = 1 + np.arange(len(y)) % 3, np.repeat(np.arange(40), 3)
    with sklearn.config_context(enable_metadata_routing=True):
        found = RenyiSelectorCV(
            GaussianNB().set_fit_request(sample_weight=True),
            selector=RenyiSelector().set_fit_request(sample_weight=True, groups=False),
            cv=GroupKFold(3),
            scoring=get_scorer("accuracy").set_score_request(sample_weight=True),
        )
        found.fit(x, y, sample_weight=weights, groups=groups)
        unrouted = RenyiSelectorCV(GaussianNB(), selector=RenyiSelector())
        with pytest.raises(ValueError, match="sample_weight"):
            unrouted.fit(x, y, sample_weight=weights)
    assert found.path_.data_options.weights == "weights"
    assert found.path_.data.together is None
    train, test = next(iter(GroupKFold(3).split(x, y, groups)))
    values = y.to_numpy()
    columns = RenyiSelector(criterion="none", max_features=2)
    columns.fit(x[train], values[train], weights[train])
    model = GaussianNB().fit(columns.transform(x[train]), values[train], weights[train])
    score = model.score(columns.transform(x[test]), values[test], weights[test])
    assert found.cv_results_["split0_test_score"][1] == score


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"rule": "first"}, "`rule` must be one of one_standard_error, best, got 'first'"),
        ({"max_features": 0}, "`max_features` must be a whole number above 0, got 0"),
        ({"max_features": 1.5}, "`max_features` must be a whole number above 0"),
        ({"selector": GaussianNB()}, "`selector` must be a RenyiSelector"),
        ({"estimator": "svm"}, "`estimator` must be a classifier or a regressor, got 'svm'"),
        ({"cv": [(np.arange(20), np.arange(20, 40))]}, "at least 2 folds, got 1"),
    ],
)
def test_a_wrong_option_is_one_sentence(options: Any, said: str) -> None:
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((60, 3)), np.arange(60) % 2
    x[:, 0] += y
    with pytest.raises(ValueError, match=said):
        RenyiSelectorCV(**{"estimator": GaussianNB()} | options).fit(x, y)


def test_an_interruption_leaves_what_the_test_found(
    mixed: Mixed, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame, y = mixed
    x = frame.select("noise", "size").to_numpy()
    select = renyi.select
    calls = []

    def interrupted(*given: Any, **options: Any) -> Any:
        calls.append(options)
        if len(calls) > 2:
            raise KeyboardInterrupt
        return select(*given, **options)

    monkeypatch.setattr(renyi, "select", interrupted)
    found = RenyiSelectorCV(LogisticRegression())
    with pytest.raises(KeyboardInterrupt):
        found.fit(x, y)
    assert found.n_features_ == found.n_features_test_ == 1
    assert found.transform(x).shape == (len(x), 1)
    assert "The test would select 1" in found._repr_html_()
