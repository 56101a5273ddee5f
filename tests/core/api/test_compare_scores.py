"""`renyi.compare` of several scores: the path of each as alone, stops compared on shared draws."""

from __future__ import annotations

import inspect
import json
import math
from importlib.resources import files
from itertools import pairwise

import jsonschema
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
import referencing
from scipy import stats

import renyi

# the keywords that checkers see, beside those that there are
from renyi.api.comparing._given import ComparisonGiven
from renyi.errors import OptionError

# the draws of each path are watched
from renyi.evaluation import _scores as judging
from renyi.evaluation import bootstrap_scores
from renyi.variables import Variable

SCORES = ("mi", "jmi", "mrmr")
QUICK = {"permutations": 39, "runs": 12, "seed": 4}


@pytest.fixture(scope="module")
def table() -> dict[str, list]:
    rng = np.random.default_rng(11)
    y = rng.integers(2, size=150)
    columns = {f"x{k}": (y * (k < 3) + rng.normal(scale=0.6 + 0.3 * k, size=150)) for k in range(6)}
    columns["copy"] = columns["x0"] + rng.normal(scale=0.05, size=150)
    return {name: values.tolist() for name, values in columns.items()} | {
        "y": [("no", "yes")[value] for value in y]
    }


@pytest.fixture(scope="module")
def found(table) -> renyi.ScoreComparison:
    return renyi.compare(table, target="y", score=SCORES, **QUICK)


def test_each_score_has_the_path_and_the_stop_of_a_selection_by_it(table, found):
    options = {key: value for key, value in QUICK.items() if key != "runs"}
    assert found.scores == SCORES
    assert len({one.path for one in found.comparisons}) > 1
    for stop in found.stops:
        alone = renyi.select(table, target="y", score=stop.score, **options)
        (result,) = found.comparison(stop.score).results
        assert (stop.criterion,) == alone.options.criteria
        assert result.selected == alone.selected
        assert result.reason == alone.verdict.reason
        entered = [name for step in alone.steps for name in step.features]
        assert found.comparison(stop.score).path[: len(entered)] == tuple(entered)
    assert [stop.criterion for stop in found.stops] == ["cmi-max", "score-max", "score-max"]


def test_each_comparison_is_that_of_the_score_alone(table, found):
    for stop in found.stops:
        alone = renyi.compare(
            table, target="y", score=stop.score, criterion=stop.criterion, **QUICK
        )
        assert found.comparison(stop.score) == alone
    with pytest.raises(KeyError, match="'mim' was not compared; there are"):
        found.comparison("mim")


def test_one_score_is_compared_as_ever_whatever_its_form(table):
    asked = {"target": "y", "max_features": 3, **QUICK}
    plain = renyi.compare(table, score="jmi", **asked)
    assert isinstance(plain, renyi.Comparison)
    assert renyi.compare(table, score=["jmi"], **asked) == plain
    assert len(plain.results) > 4
    assert renyi.compare(table, score=("mi",), **asked) == renyi.compare(table, **asked)


def test_all_paths_are_judged_on_the_same_rows(table, monkeypatch):
    drawn: list[tuple[int, bytes, bytes]] = []
    plain = judging.bootstrap_draw

    def watched(target, seed, run, *rest):
        draw = plain(target, seed, run, *rest)
        drawn.append((run, draw.train.tobytes(), draw.test.tobytes()))
        return draw

    monkeypatch.setattr(judging, "bootstrap_draw", watched)
    weights = np.linspace(0.5, 2, 150)
    groups = {**table, "g": [f"g{k // 3}" for k in range(150)]}
    for data, more in ((table, {"weights": weights}), (groups, {"groups": "g"})):
        drawn.clear()
        renyi.compare(data, target="y", score=SCORES, max_features=2, **QUICK | {"runs": 5} | more)
        by_path = [drawn[start : start + 5] for start in range(0, 15, 5)]
        assert len(drawn) == 15
        assert [run for run, *_ in by_path[0]] == list(range(5))
        assert by_path[0] == by_path[1] == by_path[2]


@pytest.mark.parametrize("test", ["paired", "corrected"])
def test_stops_are_compared_by_a_t_test_of_the_scores_run_by_run(table, test):
    found = renyi.compare(table, target="y", score=SCORES, test=test, **QUICK)
    y = np.array([value == "yes" for value in table["y"]]).astype(int)
    target = Variable.nominal("y", y, ("no", "yes"))
    columns = {n: Variable.continuous(n, np.array(v)) for n, v in table.items() if n != "y"}
    raw = []
    for stop in found.stops:
        path = [columns[name] for name in found.comparison(stop.score).path]
        raw.append(bootstrap_scores(path, target, [stop.features], runs=12, seed=4)[:, 0])
    means = [scores.mean() for scores in raw]
    best = int(np.argmax(means))
    assert found.best == found.stops[best]
    assert found.best.p_value == 1
    assert found.best.difference == 0
    factor = 1 / 12 + (math.exp(-1) / (1 - math.exp(-1)) if test == "corrected" else 0)
    for stop, scores in zip(found.stops, raw, strict=True):
        (result,) = found.comparison(stop.score).results
        assert result.score.mean == pytest.approx(scores.mean(), abs=1e-12)
        apart = scores - raw[best]
        assert stop.difference == pytest.approx(apart.mean(), abs=1e-12)
        if np.ptp(apart) == 0:
            continue
        t = apart.mean() / (apart.std(ddof=1) * math.sqrt(factor))
        assert stop.p_value == pytest.approx(2 * stats.t.sf(abs(t), 11), rel=1e-9)
    assert any(stop.p_value < 1 for stop in found.stops)


def test_a_preset_that_is_named_is_that_of_all(table):
    asked = {"target": "y", "score": ("mi", "jmi"), "max_features": 2, **QUICK}
    own = renyi.compare(table, **asked)
    assert [one.options.preset for one in own.comparisons] == ["default", "shannon"]
    same = renyi.compare(table, preset="default", **asked)
    assert [one.options.preset for one in same.comparisons] == ["default", "default"]
    assert [stop.criterion for stop in same.stops] == ["cmi-max", "score-max"]
    # a preset that never stops leaves that to the score
    never = renyi.compare(table, preset="lrmi", **asked)
    assert [stop.criterion for stop in never.stops] == ["cmi-max", "score-max"]


def test_criteria_that_are_named_go_to_the_scores_that_take_them(table):
    asked = {"target": "y", "score": ("mi", "jmi"), "max_features": 2, **QUICK}
    found = renyi.compare(table, criterion=["score-max", "mi-chi2"], **asked)
    ends = [(stop.score, stop.criterion) for stop in found.stops]
    assert ends == [("mi", "mi-chi2"), ("jmi", "score-max"), ("jmi", "mi-chi2")]
    notes = [note.message for note in found.warnings if note.code == "criteria_left_out"]
    assert len(notes) == 1
    assert "score-max" in notes[0]
    assert "mi" in notes[0].split()
    with pytest.raises(OptionError, match="`criterion` must name one that score mi takes"):
        renyi.compare(table, criterion="score-max", **asked)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"score": ["mi", "MI"]}, "`score` must name each score once, got mi twice"),
        ({"score": ["fou", "jmi", "cife"]}, "got cife twice"),
        ({"score": ["mi", "jim"]}, "`score` must be one of"),
        ({"score": ["mi", None]}, "`score` must be one of"),
        ({"score": []}, "`score` must name at least one"),
        ({"score": 3}, "`score` must be one of"),
        ({"score": ["mi", "jmi"], "criterion": "none"}, "`criterion` must name criteria"),
        ({"score": ["mi", "jmi"], "criterion": "cmi-mx"}, "`criterion` must be one of"),
        ({"score": ["mi", "jmi"], "rank": "chance"}, "`rank` chance needs score mi, got jmi"),
    ],
)
def test_wrong_scores_are_refused_in_a_sentence(table, wrong, told):
    with pytest.raises(OptionError, match=told):
        renyi.compare(table, target="y", **QUICK | wrong)


def test_a_stream_is_read_but_once(table, found):
    reader = pa.table(table).to_reader()
    assert renyi.compare(reader, target="y", score=SCORES, **QUICK).stops == found.stops


def test_columns_that_are_one_under_one_score_only_stay_two_under_the_other():
    rng = np.random.default_rng(3)
    x = rng.uniform(size=90)
    table = {
        "x": x,
        "near": np.minimum(np.floor(5 * (x - x.min()) / np.ptp(x)), 4),
        "z": rng.normal(size=90),
    }
    table["y"] = np.where(x + 0.2 * rng.normal(size=90) > 0.5, "a", "b")
    asked = {"target": "y", "score": ["mi", "jmi"], "kind": {"near": "continuous"}, **QUICK}
    found = renyi.compare(table, **asked)
    assert sorted(found.comparison("mi").path) == ["near", "x", "z"]
    assert sorted(found.comparison("jmi").path) == ["x", "z"]
    (note,) = (note for note in found.warnings if note.code == "duplicate_column")
    assert note.message.startswith("Score jmi: ")


def test_json_is_what_the_schema_says(found):
    folder = files("renyi") / "schemas"
    names = ("selection-path", "comparison", "score-comparison")
    *others, schema = (
        json.loads((folder / f"{name}.schema.json").read_text(encoding="utf-8")) for name in names
    )
    registry = referencing.Registry().with_contents([(one["$id"], one) for one in others])
    jsonschema.Draft202012Validator.check_schema(schema)
    record = json.loads(found.to_json())
    jsonschema.Draft202012Validator(schema, registry=registry).validate(record)
    assert set(record) == set(schema["properties"])
    assert set(record["best"]) == set(schema["$defs"]["stop"]["properties"])
    assert record == found.to_dict()
    assert record["comparisons"][1]["path"] == list(found.comparison("jmi").path)


def test_tables_and_files_hold_one_row_a_stop(found, tmp_path):
    frame = found.to_polars()
    assert frame.columns[:2] == ["score", "criterion"]
    assert frame["score"].to_list() == list(SCORES)
    assert frame["p_value_from_best_stop"].to_list() == [stop.p_value for stop in found.stops]
    assert frame["smallest"].to_list() == [one.smallest for one in found.comparisons]
    assert frame["distance"].to_list() == (frame["features"] - frame["smallest"]).to_list()
    curves = found.curve_to_polars()
    assert (
        curves.filter(pl.col("score") == "jmi")
        .drop("score")
        .equals(found.comparison("jmi").curve_to_polars())
    )
    paths = found.paths_to_polars()
    assert paths.columns == ["place", *SCORES]
    assert tuple(paths["mrmr"].drop_nulls()) == found.comparison("mrmr").path
    for suffix, read in ((".csv", pl.read_csv), (".parquet", pl.read_parquet)):
        place = found.save(tmp_path / f"s{suffix}")
        assert read(place)["features"].to_list() == frame["features"].to_list()
    written = json.loads(found.save(tmp_path / "s.json").read_text(encoding="utf-8"))
    assert written == found.to_dict()
    with pytest.raises(OptionError, match="must end in"):
        found.save(tmp_path / "s.txt")


def test_it_is_written_in_a_line_and_equal_but_for_its_run(table, found):
    assert "jmi score-max: " in repr(found)
    assert f"best {found.best.score}" in repr(found)
    assert renyi.compare(table, target="y", score=SCORES, jobs=3, **QUICK) == found


def test_what_all_scores_share_is_said_once(table):
    data = {**table, "constant": [1.0] * 150}
    found = renyi.compare(data, target="y", score=("mi", "jmi"), max_features=1, **QUICK)
    codes = [note.code for note in found.warnings]
    for one in found.comparisons:
        assert {note.code for note in one.warnings} <= set(codes)
    assert len(codes) == len(set(codes))


def test_a_number_is_judged_by_r_squared_of_several_targets_too(table):
    data = {**table, "z": table["x0"], "x0": table["x5"]}
    found = renyi.compare(data, target=["z", "x1"], score=["mi", "mim"], max_features=2, **QUICK)
    assert {one.measure for one in found.comparisons} == {"r2"}
    assert found.best.difference == 0


def test_progress_tells_of_all_scores_and_a_token_ends_them(table):
    phases = []
    renyi.compare(
        table, target="y", score=SCORES, progress=lambda p: phases.append(p.phase), **QUICK
    )
    turns = [b for a, b in pairwise(phases) if a != b]
    assert turns.count("models") == 3


@pytest.mark.parametrize("finished", [0, 1, 2])
def test_an_interrupt_keeps_the_scores_that_were_finished(table, found, finished):
    token = renyi.CancelToken()
    begun: list[str] = []

    def stop(report: renyi.Progress) -> None:
        if report.phase == "models" and (not begun or begun[-1] != "models"):
            begun.append("models")
            if begun.count("models") == finished + 1:
                token.cancel()
        elif report.phase != "models":
            begun.append(report.phase)

    with pytest.raises(renyi.Interrupted) as told:
        renyi.compare(table, target="y", score=SCORES, progress=stop, cancel=token, **QUICK)
    left = told.value.path
    if not finished:
        assert isinstance(left, renyi.PartialComparison)
        assert left.options.score == "mi"
        return
    assert left.comparisons == found.comparisons[:finished]
    assert left.unfinished == SCORES[finished:]
    assert len(left.stops) == finished
    assert left.best.p_value == 1
    assert left.to_dict()["unfinished"] == list(SCORES[finished:])
    assert found.unfinished == ()


def test_checkers_see_the_keywords_that_there_are():
    keywords = {
        name
        for name, parameter in inspect.signature(renyi.compare).parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY
    }
    assert set(ComparisonGiven.__annotations__) == keywords - {"score"}
