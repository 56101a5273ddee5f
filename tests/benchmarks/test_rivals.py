"""The comparison with other selectors: rows are kept apart, and work goes on where it ended."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

pytest.importorskip("sklearn")

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture(autouse=True)
def _forests_are_small(monkeypatch: pytest.MonkeyPatch, _benchmarks_are_importable: None) -> None:
    import rivals._encoded as encoded
    import rivals._judges as judges

    monkeypatch.setitem(judges.FOREST, "n_estimators", 10)
    monkeypatch.setitem(encoded.ELIMINATE, "trees", 10)
    monkeypatch.setitem(encoded.BORUTA, "trees", 30)
    monkeypatch.setitem(encoded.BORUTA, "iterations", 20)


def made(rows: int = 120, classes: bool = True) -> Any:
    """A table with one column of numbers and one of names that matter, and two that do not."""
    from rivals._table import Table

    rng = np.random.default_rng(3)
    number, name = rng.normal(size=rows), rng.integers(3, size=rows)
    effect = 2 * number + 3 * (name == 1) + 0.3 * rng.normal(size=rows)
    target = np.where(effect > 1, "yes", "no").tolist() if classes else effect.tolist()
    frame = pl.DataFrame(
        {
            "noise": rng.normal(size=rows),
            "number": number,
            "name": [("red", "green", "blue")[k] for k in name],
            "coin": [("heads", "tails")[k] for k in rng.integers(2, size=rows)],
            "y": target,
        }
    )
    return Table(frame, "y", frozenset({"name", "coin"}), classes)


def outcome(**changed: Any) -> Any:
    from rivals._store import Outcome

    usual = {
        "set": "iris",
        "split": 0,
        "table": "t",
        "scores": {"svm": 0.9, "forest": 0.8, "knn": 0.7},
        "seconds": 0.5,
        "columns": 2,
        "selected": ["a", "b"],
    }
    return Outcome(**{**usual, **changed})


@pytest.fixture
def two_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the work find made tables in place of the public ones."""
    import rivals._work as work

    tables = {"iris": made(), "diabetes_reg": made(classes=False)}
    monkeypatch.setattr(work, "load", tables.__getitem__)
    monkeypatch.setattr(
        work, "facts_of", lambda name: {"table": tables[name].digest(), "rows": 120}
    )


def asked_of(folder: Path, methods: list[str], **changed: Any) -> Any:
    from rivals import Asked

    usual = {"sets": ["iris", "diabetes_reg"], "splits": 2, "jobs": 1}
    return Asked(folder=folder, methods=methods, **{**usual, **changed})


def test_splits_keep_the_shares_of_classes_and_share_no_row() -> None:
    from rivals._table import parts_of

    table = made()
    whole = Counter(table.y)
    parts = [parts_of(table, split) for split in range(3)]
    for train, test in parts:
        assert (len(train.y), len(test.y)) == (84, 36)
        together = pl.concat([train.frame, test.frame])
        assert together.sort("number").equals(table.frame.sort("number"))
        for value, count in Counter(train.y).items():
            assert abs(count - 0.7 * whole[value]) < 1
    assert not parts[0][0].frame.equals(parts[1][0].frame)
    assert parts_of(table, 1)[0].frame.equals(parts[1][0].frame)


def test_a_selection_sees_the_training_rows_alone() -> None:
    from rivals._methods import Method
    from rivals._table import parts_of
    from rivals._work import Piece, select_and_judge

    table, seen = made(), []

    def watched(train: Any, seed: int) -> list[str]:
        seen.append((train.frame, seed))
        return ["number"]

    result = select_and_judge(table, Piece("made", "watched", 1), Method("watched", {}, watched))
    train, _ = parts_of(table, 1)
    assert len(seen) == 1
    assert seen[0][0].equals(train.frame)
    assert (result.columns, result.selected, seen[0][1]) == (1, ["number"], 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["all", "rfecv", "l1", "mrmr-cv", "kbest-mi-cv", "default"])
@pytest.mark.parametrize("classes", [True, False])
def test_what_matters_is_found_and_columns_are_those_of_the_table(name: str, classes: bool) -> None:
    from rivals._methods import method_of

    table = made(classes=classes)
    method = method_of(name)
    found = method.select(table, 0)
    assert {"number", "name"} <= set(found) <= set(table.names)
    assert len(set(found)) == len(found)
    assert method.select(table, 0) == found


@pytest.mark.slow
def test_boruta_finds_what_matters() -> None:
    pytest.importorskip("boruta")
    from rivals._methods import method_of

    assert set(method_of("boruta").select(made(), 0)) == {"number", "name"}


def test_a_feature_is_kept_if_any_of_its_levels_is() -> None:
    from rivals._table import Encoder

    encoder = Encoder(made())
    assert encoder.owners == ["noise", "number", "name", "name", "name", "coin"]
    kept = np.array([False, False, False, True, True, False])
    assert encoder.features(kept) == ["name"]
    assert encoder.features(~kept) == ["noise", "number", "name", "coin"]


def test_columns_are_encoded_as_the_training_rows_have_them() -> None:
    from rivals._table import Encoder

    table = made()
    blue = table.rows(np.flatnonzero(table.values("name") == "blue"))
    other = table.rows(np.flatnonzero(table.values("name") != "blue"))
    encoder = Encoder(other, ["number", "name"])
    known, asked = encoder.columns(other), encoder.columns(blue)
    assert known.shape[1] == asked.shape[1] == 2
    assert abs(known[:, 0].mean()) < 1e-12
    assert abs(asked[:, 0].mean()) > 1e-12
    assert not asked[:, 1].any()


def test_without_a_column_the_answer_is_the_commonest() -> None:
    from rivals._judges import judge
    from rivals._table import parts_of

    train, test = parts_of(made(), 0)
    common = Counter(train.y).most_common(1)[0][0]
    assert judge(train, test, [])["knn"] == pytest.approx(np.mean(test.y == common))
    train, test = parts_of(made(classes=False), 0)
    assert -0.2 < judge(train, test, [])["svm"] <= 0
    assert judge(train, test, ["number", "name"])["forest"] > 0.7


def test_mrmr_orders_by_relevance_less_redundancy() -> None:
    from rivals._ranked import mrmr_order
    from rivals._table import Table

    rng = np.random.default_rng(0)
    first, second = rng.integers(2, size=(2, 400))
    columns = {"twin": first, "first": first, "second": second, "y": first + 2 * second}
    frame = pl.DataFrame(columns).with_columns(pl.all().cast(pl.String))
    table = Table(frame, "y", frozenset({"twin", "first", "second"}), True)
    order = mrmr_order(table, 3, 0)
    assert set(order[:2]) in ({"twin", "second"}, {"first", "second"})
    assert mrmr_order(table, 2, 0) == order[:2]


def test_sets_are_brought_into_shape() -> None:
    from rivals._sets import MOST_ROWS, Source, prepare

    rows = 3000
    rng = np.random.default_rng(1)
    frame = pl.DataFrame(
        {
            "code": rng.integers(3, size=rows),
            "date": rng.normal(size=rows),
            "some holes": [None, *rng.normal(size=rows - 1)],
            "holes": [None] * 1500 + [1.0] * 1500,
            "text": ["a", "b"] * 1500,
            "class": ["rare"] * 4 + ["few"] * 596 + ["many"] * 2400,
        }
    )
    table = prepare(frame, Source("made", codes=("code",), without=("date",)))
    assert table.names == ["code", "some holes", "text"]
    assert table.nominal == {"code", "text"}
    assert table.frame.null_count().sum_horizontal().item() == 0
    assert Counter(table.y) == {"few": 159, "many": 641}
    assert len(table.y) == MOST_ROWS


@pytest.mark.slow
def test_work_goes_on_where_it_was_ended(
    two_sets: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import rivals._work as work

    whole, done = work.work_out, []

    def ended_after_three(piece: Any) -> Any:
        if len(done) == 3:
            raise KeyboardInterrupt
        done.append(piece)
        return whole(piece)

    monkeypatch.setattr(work, "work_out", ended_after_three)
    asked = asked_of(tmp_path, ["all", "mrmr-cv"])
    with pytest.raises(KeyboardInterrupt):
        work.do(asked, print)
    first = list(done)
    with (tmp_path / "mrmr-cv.jsonl").open("a") as file:
        file.write('{"set":"iris","spl')  # torn by the interruption
    monkeypatch.setattr(work, "work_out", lambda piece: done.append(piece) or whole(piece))
    assert work.do(asked, print) == []
    assert len(done) == len(set(done)) == 8
    assert done[:3] == first
    for name in ("all", "mrmr-cv"):
        lines = (tmp_path / f"{name}.jsonl").read_text().splitlines()
        assert len({(line["set"], line["split"]) for line in map(json.loads, lines[1:])}) == 4
    work.do(asked, print)
    assert len(done) == 8
    work.do(asked_of(tmp_path, ["all"], again=frozenset({"all"})), print)
    assert len(done) == 12


@pytest.mark.slow
def test_mrmr_takes_as_many_columns_as_the_method_did(
    two_sets: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import rivals._methods as methods
    import rivals._work as work
    from rivals import read_stores

    monkeypatch.setitem(methods.RENYI, "default", {"max_features": 1})
    both = asked_of(tmp_path, ["default", "mrmr-at-default"])
    assert work.do(both, print) == []
    stores = read_stores(tmp_path)
    assert {o.columns for o in stores["mrmr-at-default"].outcomes.values()} == {1}
    assert all(o.code for o in stores["default"].outcomes.values())
    monkeypatch.setitem(methods.RENYI, "default", {"max_features": 2})
    assert work.do(both, print) == []
    stores = read_stores(tmp_path)
    assert {o.columns for o in stores["mrmr-at-default"].outcomes.values()} == {2}
    assert len(stores["default"].outcomes) == 4


def test_a_failure_is_told_and_ends_nothing(
    two_sets: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import rivals._methods as methods
    import rivals._work as work
    from rivals import read_stores

    monkeypatch.setitem(methods.RENYI, "default", {"alpha": -1})
    failed = work.do(asked_of(tmp_path, ["default", "all"]), print)
    assert len(failed) == 4
    assert failed[0].startswith("iris, split 0, default: ")
    assert list(read_stores(tmp_path)) == ["all"]


def test_outcomes_of_other_settings_or_tables_are_not_continued(tmp_path: Path) -> None:
    from rivals._store import MethodStore

    path = tmp_path / "x.jsonl"
    MethodStore(path, {"sizes": (1, 2)}).put(outcome())
    same = MethodStore(path, {"sizes": (1, 2)})
    assert same.has("iris", 0, "t")
    assert not same.has("iris", 0, "other table")
    other = MethodStore(path, {"sizes": (1, 3)})
    assert not other.outcomes
    assert MethodStore(path).outcomes  # nothing is lost before there is something new
    other.put(outcome(split=1))
    assert set(MethodStore(path).outcomes) == {("iris", 1)}


def stored(folder: Path) -> None:
    """A store in which the default is above, below, and much below the best rival."""
    from rivals._store import MethodStore, write_facts

    scores = {
        "default": {"iris": 0.9, "heart": 0.7, "titanic": 0.78},
        "mrmr-at-default": {"iris": 0.8, "heart": 0.75, "titanic": 0.78},
        "all": {"iris": 0.95, "heart": 0.8, "titanic": 0.8},
        "l1": {"iris": 0.85, "heart": 0.8, "titanic": 0.8},
        "boruta": {"iris": 0.8, "heart": 0.7, "titanic": 0.7},
    }
    for method, by_set in scores.items():
        store = MethodStore(folder / f"{method}.jsonl", {})
        for place, score in by_set.items():
            for split in range(2):
                told = dict.fromkeys(("svm", "forest", "knn"), score + 0.01 * split)
                store.put(outcome(set=place, split=split, scores=told, columns=1 + split))
    fact = {"rows": 150, "rows_of": 150, "complete": 149, "columns": 4, "nominal": 0}
    fact |= {"classes": 3, "without": ["id"], "why": "a number", "holes": ["cabin"], "table": "t"}
    write_facts(folder, {"iris": fact, "heart": fact})
    write_facts(folder, {"titanic": fact})


def test_the_page_says_what_the_store_holds(tmp_path: Path) -> None:
    from rivals import Results, read_facts, read_stores, summary, write_page

    stored(tmp_path)
    results = Results(read_stores(tmp_path))
    page = write_page(results, read_facts(tmp_path), tmp_path / "docs").read_text()
    figure = (tmp_path / "docs" / "figures" / "rivals.svg").read_bytes()
    assert "| iris | `l1` | 85.5 | +5.0 ± 0.0 |" in page
    assert "- heart (-10.0): not explained yet." in page
    assert "- titanic (" not in page.split("## The sets")[0]
    assert "above mRMR on 1 of 3 sets and below it on 1" in page
    assert "without `id` (a number)" in page
    assert "Two cores." not in page
    again = write_page(results, read_facts(tmp_path), tmp_path / "docs", "Two cores.")
    assert again.read_text().replace("Two cores.\n\n", "") == page
    write_page(results, read_facts(tmp_path), tmp_path / "docs")
    assert (tmp_path / "docs" / "rivals.md").read_text() == page
    assert (tmp_path / "docs" / "figures" / "rivals.svg").read_bytes() == figure
    told = summary(Results(read_stores(tmp_path), ["default", "l1"], ["iris"]))
    assert "Means over 1 of 1 sets, up to 2 splits" in told
    assert "90.5 (2)" in told
    assert "boruta" not in told


def test_means_are_over_sets_that_all_have(tmp_path: Path) -> None:
    from rivals import Results, read_stores, summary
    from rivals._store import MethodStore

    assert summary(Results(read_stores(tmp_path))) == "Nothing is done yet."
    stored(tmp_path)
    MethodStore(tmp_path / "l1.jsonl", {}).put(outcome(set="sonar"))
    results = Results(read_stores(tmp_path))
    assert results.sets == ["iris", "heart", "titanic", "sonar"]
    assert results.common() == ["iris", "heart", "titanic"]
    assert results.best_rival("sonar") == "l1"
    assert results.difference("default", "l1", "sonar") is None


@pytest.mark.slow
def test_the_command_names_what_there_is_not(tmp_path: Path) -> None:
    def run(*words: str) -> str:
        command = [sys.executable, str(BENCHMARKS / "rivals.py"), *words, "--store", str(tmp_path)]
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, env={"RENYI_DATA_HOME": ""}
        )
        return done.stdout + done.stderr

    assert "no method named lasso; known are default, news, fdr, all, boruta" in run(
        "summary", "--methods", "lasso"
    )
    assert "no set named moon" in run("run", "--sets", "moon")
    assert "Set RENYI_DATA_HOME" in run("run", "--sets", "iris", "--methods", "rivals")
