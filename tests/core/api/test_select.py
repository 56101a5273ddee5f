"""The main job as a person asks for it: the same numbers, whatever way they were asked for."""

import json
import pickle
import statistics
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import oracle
import renyi
import tables
from renyi.errors import OptionError
from renyi.information import Thresholds

RECIPE = "CRBNWC"
PLAIN = {"rank": "raw", "nominal": "delta", "class_weights": "none"}
"""What the oracle works out: MI as it is, equality of levels, rows that count alike."""


def answer(path):
    """All of a result but how the work was done, as bytes."""
    record = path.to_dict()
    del record["run"]
    return json.dumps(record)


@pytest.mark.parametrize(
    ("alpha", "label", "criterion"),
    [
        (1.01, "delta", "cmi-perm"),
        (1.01, "numeric", ("mi-perm", "cmi-heuristic")),
        (2.0, "onehot", ("cmi-perm", "mi-chi2")),
        (3.0, "delta", "none"),
    ],
)
def test_jobs_change_nothing_but_the_run(alpha, label, criterion, with_thresholds):
    with_thresholds(Thresholds(task_rows=150))
    frame = tables.random_table(RECIPE, label, 70, seed=1).frame
    answers = {
        answer(
            renyi.select(
                frame,
                alpha=alpha,
                criterion=criterion,
                stop_when="all",
                label_kernel="onehot" if label == "onehot" else "delta",
                permutations=39,
                jobs=jobs,
            )
        )
        for jobs in (1, 2, 4)
    }
    assert len(answers) == 1


@pytest.mark.parametrize("alpha", [1.01, 2.0])
@pytest.mark.parametrize("label", ["delta", "numeric"])
def test_the_oracle_agrees_on_a_whole_path(label, alpha):
    table = tables.random_table(RECIPE, label, 50, seed=2)
    path = renyi.select(table.frame, alpha=alpha, bandwidth=1.0, criterion="none", **PLAIN)
    truth = oracle.greedy(table.grams, table.label, alpha, len(RECIPE))
    assert list(path.selected) == [f"f{step.index}" for step in truth]
    assert [s.mi for s in path.steps] == pytest.approx([t.mi for t in truth], abs=1e-9)
    assert [s.cmi for s in path.steps] == pytest.approx([t.cmi for t in truth], abs=1e-9)


SCALES = {
    "zscore": oracle.zscore,
    "minmax": oracle.minmax,
    "rank": oracle.rank_uniform,
    "none": np.asarray,
    "bins:4": lambda v: oracle.bins_as_numbers(v, 4),
}


@pytest.mark.parametrize("standardise", SCALES)
def test_every_standardisation(standardise):
    rng = np.random.default_rng(3)
    columns = {f"f{j}": rng.gamma(1.0 + j, size=40) for j in range(4)}
    target = (columns["f1"] + rng.normal(size=40) > 2).tolist()
    grams = [oracle.gaussian(SCALES[standardise](v), 0.8) for v in columns.values()]
    path = renyi.select(
        {**columns, "y": target},
        alpha=2,
        bandwidth=0.8,
        standardise=standardise,
        criterion="none",
        **PLAIN,
    )
    truth = oracle.greedy(grams, oracle.delta(target), 2, 4)
    assert list(path.selected) == [f"f{step.index}" for step in truth]
    assert [s.mi for s in path.steps] == pytest.approx([t.mi for t in truth], abs=1e-10)


@pytest.mark.parametrize("rule", ["scott", "silverman", "median", "range:0.15"])
def test_every_bandwidth_rule(rule):
    rng = np.random.default_rng(4)
    n = 41
    columns = {f"f{j}": rng.gamma(1.0 + j, size=n) for j in range(3)}
    scaled = [oracle.zscore(column) for column in columns.values()]
    sigma = {
        "scott": lambda _: n ** (-1 / 5),
        "silverman": lambda _: (4 / (3 * n)) ** (1 / 5),
        "median": lambda v: statistics.median(abs(v[i] - v[j]) for i in range(n) for j in range(i)),
        "range:0.15": lambda v: 0.15 * (max(v) - min(v)),
    }[rule]
    y = rng.integers(0, 3, size=n)
    table = {**columns, "y": [f"class {code}" for code in y]}
    path = renyi.select(table, alpha=1.01, bandwidth=rule, criterion="none")
    reported = [c.bandwidth for c in path.data.columns if c.role == "feature"]
    assert reported == pytest.approx([sigma(v) for v in scaled], rel=1e-12)
    grams = [oracle.gaussian(v, sigma(v)) for v in scaled]
    truth = oracle.greedy(grams, oracle.delta(y), 1.01, 3)
    assert list(path.selected) == [f"f{step.index}" for step in truth]
    assert [s.mi for s in path.steps] == pytest.approx([t.mi for t in truth], abs=1e-10)


def test_a_column_with_its_own_bandwidth():
    table = tables.random_table("CC", "delta", 30, seed=5)
    path = renyi.select(
        table.frame, alpha=2, bandwidth=1.0, bandwidths={"f1": 0.3}, criterion="none", **PLAIN
    )
    grams = [table.grams[0], oracle.gaussian(oracle.zscore(table.features[1].values), 0.3)]
    truth = oracle.greedy(grams, table.label, 2, 2)
    assert [s.mi for s in path.steps] == pytest.approx([t.mi for t in truth], abs=1e-10)
    assert path.options.to_dict()["bandwidths"] == {"f1": 0.3}


def test_the_paper_preset():
    """Columns with more than five values in five bins as numbers, sigma 1, delta label, 1.01."""
    rng = np.random.default_rng(6)
    columns = {"f0": rng.normal(size=60), "f1": rng.integers(0, 4, 60), "f2": rng.normal(size=60)}
    y = (columns["f0"] + columns["f1"] > 1.5).astype(int)
    grams = [oracle.gaussian(oracle.bins_as_numbers(column, 5), 1.0) for column in columns.values()]
    table = {**columns, "y": y}
    path = renyi.select(table, preset="paper", criterion="none", kind={"f*": "continuous"})
    truth = oracle.greedy(grams, oracle.delta(y), 1.01, 3)
    assert list(path.selected) == [f"f{step.index}" for step in truth]
    assert [s.mi for s in path.steps] == pytest.approx([t.mi for t in truth], abs=1e-10)


@pytest.mark.parametrize("alpha", [1.01, 2.0])
def test_rows_columns_and_names_of_levels_in_another_order(alpha):
    frame = tables.random_table(RECIPE, "delta", 60, seed=7).frame
    first = renyi.select(frame, target="y", alpha=alpha, criterion="none")
    renamed = frame.with_columns(
        pl.col("f3", "y").replace({"a": "z", "b": "a", "c": "m", "d": "c"})
    )
    shuffled = renamed.sample(fraction=1.0, shuffle=True, seed=1).select(reversed(frame.columns))
    second = renyi.select(shuffled, target="y", alpha=alpha, criterion="none")
    assert first.selected == second.selected
    assert [s.mi for s in first.steps] == pytest.approx([s.mi for s in second.steps], abs=1e-10)
    assert [s.cmi for s in first.steps] == pytest.approx([s.cmi for s in second.steps], abs=1e-10)


def interrupt_at(phase, step):
    def watch(progress):
        if progress.phase == phase and progress.step == step:
            raise KeyboardInterrupt

    return watch


@pytest.mark.parametrize(
    ("phase", "step", "finished"),
    [("prepare", 1, 0), ("candidates", 1, 0), ("permutations", 2, 1), ("step", 2, 2)],
)
def test_an_interruption_carries_what_was_finished(phase, step, finished):
    frame = tables.random_table("CCRN", "numeric", 60, seed=8).frame
    options = {"alpha": 2, "criterion": "mi-perm", "significance": 0.5, "permutations": 19}
    whole = renyi.select(frame, **options)
    assert len(whole.steps) > finished
    with pytest.raises(renyi.Interrupted) as caught:
        renyi.select(frame, **options, progress=interrupt_at(phase, step))
    path = caught.value.path
    assert path.steps == whole.steps[:finished]
    assert path.verdict.stopped == "interrupted"
    assert path.verdict.step == finished
    assert path.selected == whole.selected[:finished]
    assert isinstance(caught.value, KeyboardInterrupt)
    assert renyi.SelectionPath.from_json(path.to_json()) == path


def test_another_thread_may_cancel():
    frame = tables.random_table("CCRN", "numeric", 60, seed=8).frame
    token = renyi.CancelToken()

    def watch(progress):
        if progress.phase == "step":
            token.cancel()

    with pytest.raises(renyi.Interrupted) as caught:
        renyi.select(frame, criterion="none", progress=watch, cancel=token)
    assert len(caught.value.path.steps) == 1


def test_a_path_is_frozen_and_survives_every_journey():
    frame = tables.random_table(RECIPE, "delta", 40, seed=9).frame
    path = renyi.select(frame, alpha=2, criterion=("cmi-perm", "mi-chi2"), stop_when="all")
    assert renyi.SelectionPath.from_json(path.to_json()) == path
    assert pickle.loads(pickle.dumps(path)) == path
    again = renyi.select(frame, alpha=2, criterion=("cmi-perm", "mi-chi2"), stop_when="all")
    assert again == path
    with pytest.raises(AttributeError):
        path.verdict = None


def test_kept_columns_by_name():
    frame = tables.random_table(RECIPE, "delta", 40, seed=10).frame
    path = renyi.select(frame, keep=["f4", "f2"], max_features=3, alpha=2, criterion="none")
    assert path.selected[:2] == ("f4", "f2")
    assert [step.action for step in path.steps] == ["keep", "keep", "add"]
    with pytest.raises(renyi.RenyiError, match="`max_features` must be at least"):
        renyi.select(frame, keep=["f4", "f2"], max_features=1)


def test_everything_kept_is_judged_exhausted():
    frame = tables.random_table("CN", "delta", 30, seed=11).frame
    path = renyi.select(frame, keep=["f1", "f0"], alpha=2)
    assert path.selected == ("f1", "f0")
    assert path.verdict.stopped == "exhausted"


def test_a_feature_that_fails_its_test_is_the_last_step_and_not_selected():
    rng = np.random.default_rng(12)
    noise = {f"noise{j}": rng.normal(size=80) for j in range(3)}
    table = {**noise, "y": rng.integers(0, 2, 80)}
    path = renyi.select(table, alpha=2, criterion="mi-perm", significance=0.05, seed=1)
    last = path.steps[-1]
    assert not last.selected
    assert last.feature not in path.selected
    assert path.verdict.reason.startswith(f"stopped before `{last.feature}`: a shuffled copy")


def test_an_exclusive_or_is_missed_by_a_greedy_search_and_seen_by_its_measure():
    """What the search will not do, said in the README: a pair that matters only together."""
    x = np.tile([0, 0, 1, 1], 20)
    z = np.tile([0, 1, 0, 1], 20)
    table = {"x": x, "z": z, "y": x ^ z}
    kind = {"*": "nominal"}
    asked = {"kind": kind, "alpha": 1, "nominal": "delta"}
    path = renyi.select(table, target="y", criterion="mi-perm", **asked)
    assert path.selected == ()
    found = renyi.measure(table, x=["x", "z"], y="y", **asked)
    assert found["I(x;y)"] == pytest.approx(1.0, abs=1e-12)


def test_another_table_under_a_known_name_is_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RENYI_DATA_HOME", str(tmp_path))
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({"a": rng.normal(size=40), "b": rng.normal(size=40), "y": [*"pq"] * 20})
    frame.write_parquet(tmp_path / "heart.parquet")

    def codes(data: object) -> list[str]:
        return [note.code for note in renyi.describe(data).notes]

    assert "content_differs" in codes("heart")
    assert "content_differs" not in codes(str(tmp_path / "heart.parquet"))
    assert "content_differs" not in codes(frame)


def test_no_feature_asked_for_is_refused() -> None:
    table = {"a": [0.5, 1.5, 2.5, 0.0], "y": [*"pqpq"]}
    with pytest.raises(OptionError, match="`features` must name at least one column"):
        renyi.select(table, features=[])
