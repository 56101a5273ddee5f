"""`renyi.compare`: criteria on one path find what each finds alone, judged by models."""

from __future__ import annotations

import json
from importlib.resources import files

import jsonschema
import numpy as np
import polars as pl
import pytest
import referencing

import renyi
from renyi.errors import DataError, MemoryBudgetError, OptionError
from renyi.evaluation import bootstrap_draw, ranks
from renyi.options import CRITERIA
from renyi.variables import Variable

QUICK = {"alpha": 2, "permutations": 39, "runs": 8, "seed": 4}
ALL = tuple(
    name
    for name, traits in CRITERIA.items()
    if traits.made_by and not traits.refuted and not traits.judges_score
)


@pytest.fixture(scope="module")
def table() -> dict[str, list]:
    rng = np.random.default_rng(11)
    y = rng.integers(2, size=120)
    return {
        "strong": (y + rng.normal(scale=0.5, size=120)).tolist(),
        "noise1": rng.normal(size=120).tolist(),
        "second": (y + rng.normal(scale=0.8, size=120)).tolist(),
        "noise2": rng.normal(size=120).tolist(),
        "noise3": rng.normal(size=120).tolist(),
        "y": [("no", "yes")[value] for value in y],
    }


@pytest.fixture(scope="module")
def found(table) -> renyi.Comparison:
    return renyi.compare(table, target="y", **QUICK)


def test_all_criteria_but_none_are_compared(found):
    assert tuple(result.criterion for result in found.results) == ALL


def test_a_score_brings_its_own_tests_and_the_refuted_come_where_asked_for(table):
    quick = {**QUICK, "criterion": None, "alpha": None}
    names = {r.criterion for r in renyi.compare(table, target="y", score="jmi", **quick).results}
    assert names == {*ALL, "score-perm", "score-max"}
    asked = ["mi-peak", "markov-blanket", "cmi-max"]
    found = renyi.compare(table, target="y", **{**QUICK, "criterion": asked})
    assert [result.criterion for result in found.results] == asked


@pytest.mark.parametrize("criterion", ALL)
def test_each_criterion_finds_what_it_finds_alone(table, found, criterion):
    options = {key: value for key, value in QUICK.items() if key != "runs"}
    alone = renyi.select(table, target="y", criterion=criterion, **options)
    (result,) = (result for result in found.results if result.criterion == criterion)
    assert result.selected == alone.selected
    assert result.stopped == alone.verdict.stopped
    assert list(result.reports) == [step.criteria[-1] for step in alone.steps]
    assert result.reason == alone.verdict.reason
    if result.stopped == "criterion":
        assert result.step == alone.verdict.step
        assert result.p_value == alone.steps[-1].criteria[-1].p_value


def test_a_least_gain_ends_every_criterion_as_it_does_alone(table):
    options = QUICK | {"min_gain": "5%", "criterion": ("mi-perm", "cmi-heuristic")}
    compared = renyi.compare(table, target="y", **options)
    for result in compared.results:
        alone = renyi.select(
            table,
            target="y",
            criterion=result.criterion,
            min_gain="5%",
            alpha=2,
            seed=4,
            permutations=39,
        )
        assert result.selected == alone.selected
        assert result.reason == alone.verdict.reason


def test_scores_are_those_of_a_model_on_the_bootstrap_draws(table, found):
    svm = pytest.importorskip("sklearn.svm", reason="scikit-learn is not installed")
    y = np.array([value == "yes" for value in table["y"]])
    target = Variable.nominal("y", y.astype(int), ("no", "yes"))
    x = np.array([table[name] for name in found.path[:2]]).T
    scores = []
    for run in range(8):
        draw = bootstrap_draw(target, 4, run)
        z = (x - x[draw.train].mean(0)) / x[draw.train].std(0)
        model = svm.SVC(kernel="linear").fit(z[draw.train], y[draw.train])
        scores.append(model.score(z[draw.test], y[draw.test]))
    assert found.score(2).mean == pytest.approx(np.mean(scores), abs=0.005)


def test_the_whole_curve_stands_beside_the_criteria(found):
    assert [point.size for point in found.curve] == [0, 1, 2, 3, 4, 5]
    assert found.path[:2] == ("strong", "second")
    assert found.all_features == found.curve[-1]
    means = [point.mean for point in found.curve]
    assert found.best == int(np.argmax(means))
    assert 1 <= found.smallest <= found.best
    for result in found.results:
        assert result.score == found.score(result.features)
        assert result.distance == result.features - found.smallest
    assert {r.criterion: r.rank for r in found.results} == ranks(
        {r.criterion: abs(r.distance) for r in found.results}
    )


def test_jobs_change_nothing_but_the_run(table, found):
    assert renyi.compare(table, target="y", jobs=3, **QUICK) == found


def test_sizes_asked_for_are_added_to_those_the_criteria_need(table, found):
    asked = renyi.compare(table, target="y", criterion="mi-perm", sizes=(1, 4, 9), **QUICK)
    needed = {0, 1, 4, 5, asked.results[0].features}
    assert [point.size for point in asked.curve] == sorted(needed)
    assert asked.score(4) != found.score(0)
    assert asked.score(4).mean == found.score(4).mean
    (note,) = (note for note in asked.warnings if note.code == "sizes_left_out")
    assert "9" in note.message


def test_a_limited_path_still_tells_what_all_features_are_worth(table, found):
    short = renyi.compare(
        table,
        target="y",
        criterion="cmi-heuristic",
        max_features=2,
        bandwidth=2,
        rank="raw",
        **QUICK,
    )
    assert short.results[0].stopped == "max_features"
    assert short.results[0].features == 2
    assert "did not stop within 2" in short.results[0].reason
    assert short.all_features.size == 5
    assert short.all_features.mean == pytest.approx(found.all_features.mean, abs=0.02)


def test_forced_features_are_not_judged(table):
    kept = renyi.compare(table, target="y", keep="noise3", criterion="mi-perm", **QUICK)
    assert kept.path[0] == "noise3"
    alone = renyi.select(
        table, target="y", keep="noise3", criterion="mi-perm", alpha=2, permutations=39, seed=4
    )
    assert kept.results[0].selected == alone.selected


def test_a_number_is_judged_by_r_squared():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(80, 3))
    table = {f"x{j}": x[:, j] for j in range(3)} | {"y": 2 * x[:, 1] + rng.normal(size=80)}
    found = renyi.compare(table, target="y", criterion="mi-perm", **QUICK)
    assert (found.model, found.measure) == ("ridge", "r2")
    assert found.curve[0].mean <= 0
    assert found.score(1).mean > 0.6


def test_json_is_what_the_schema_says(found):
    folder = files("renyi") / "schemas"
    path_schema, schema = (
        json.loads((folder / f"{name}.schema.json").read_text(encoding="utf-8"))
        for name in ("selection-path", "comparison")
    )
    registry = referencing.Registry().with_contents([(path_schema["$id"], path_schema)])
    jsonschema.Draft202012Validator.check_schema(schema)
    record = json.loads(found.to_json())
    jsonschema.Draft202012Validator(schema, registry=registry).validate(record)
    assert set(record) == set(schema["properties"])
    for name, part in (("result", record["results"][0]), ("score", record["curve"][0])):
        assert set(part) == set(schema["$defs"][name]["properties"])
    assert record == found.to_dict()


def test_tables_and_files_hold_one_row_a_criterion(found, tmp_path):
    frame = found.to_polars()
    assert frame["criterion"].to_list() == list(ALL)
    assert frame["features"].to_list() == [result.features for result in found.results]
    assert found.curve_to_polars()["size"].to_list() == [0, 1, 2, 3, 4, 5]
    for suffix, read in ((".csv", pl.read_csv), (".parquet", pl.read_parquet)):
        place = found.save(tmp_path / f"c{suffix}")
        assert read(place)["rank"].to_list() == frame["rank"].to_list()
    written = json.loads(found.save(tmp_path / "c.json").read_text(encoding="utf-8"))
    assert written == found.to_dict()


def test_progress_tells_of_models_too(table):
    phases = []
    renyi.compare(
        table, target="y", criterion="mi-chi2", progress=lambda p: phases.append(p.phase), **QUICK
    )
    assert phases[0] == "prepare"
    assert phases[-1] == "models"
    token = renyi.CancelToken()
    token.cancel()
    with pytest.raises(KeyboardInterrupt):
        renyi.compare(table, target="y", cancel=token, **QUICK)


def pressing(phase, *, step=0, done=0):
    """Return an observer that presses Ctrl-C once a phase is so far."""

    def press(report):
        if report.phase == phase and report.step >= step and report.done >= done:
            raise KeyboardInterrupt

    return press


def test_an_interrupted_path_tells_which_criteria_had_stopped(table, found):
    with pytest.raises(renyi.Interrupted) as stop:
        renyi.compare(table, target="y", progress=pressing("step", step=3), **QUICK)
    partial = stop.value.path
    assert 0 < len(partial.steps) < len(found.steps)
    assert partial.path == found.path[: len(partial.steps)]
    assert partial.curve == ()
    for part, whole in zip(partial.results, found.results, strict=True):
        if part.stopped == "interrupted":
            assert part.features == len(partial.steps)
            assert whole.step is None or whole.step >= len(partial.steps)
        else:
            assert (part.step, part.reason) == (whole.step, whole.reason)
            assert part.reports == whole.reports
    assert {part.stopped for part in partial.results} == {"interrupted", "criterion"}
    assert json.loads(partial.to_json())["interrupted"] is True
    assert partial.to_polars()["mean"].null_count() == len(partial.results)


@pytest.mark.parametrize("targets", ["y", ["y", "z"]])
def test_interrupted_models_leave_the_path_and_the_sizes_judged(table, targets):
    both = table | {"z": table["y"][::-1]}
    asked = {"target": targets, "criterion": "mi-perm", "jobs": 1, **QUICK}
    whole = renyi.compare(both, **asked)
    sizes = len(whole.curve)
    judged = QUICK["runs"] * (sizes * (len(whole.data.targets) - 1) + 4)
    press = pressing("models", done=judged)
    with pytest.raises(renyi.Interrupted, match=r"interrupted; `.path` holds \d finished") as stop:
        renyi.compare(both, progress=press, **asked)
    partial = stop.value.path
    assert partial.steps == whole.steps
    assert [point.size for point in partial.curve] == [0, 1, 2, 3]
    for point in partial.curve:
        assert point.mean == whole.score(point.size).mean
    (one,) = partial.results
    assert one.reason == whole.results[0].reason
    assert partial.score(sizes) is None


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"criterion": "none"}, "`criterion` must name criteria"),
        ({"criterion": "cmi-perms"}, "`criterion` must be one of"),
        ({"runs": 1}, "`runs` must be a whole number of at least 2"),
        ({"sizes": "3"}, "`sizes` must be a list"),
        ({"sizes": (1.5,)}, "`sizes` must be a whole number"),
        ({"test": "wilcoxon"}, "`test` must be one of"),
        ({"model": "ridge"}, "`model` must be one of"),
    ],
)
def test_wrong_options_are_refused_in_a_sentence(table, wrong, told):
    with pytest.raises(OptionError, match=told):
        renyi.compare(table, target="y", **(QUICK | wrong))


def test_where_cmi_does_not_fit_only_criteria_that_need_none_are_compared(table, monkeypatch):
    from renyi.information import SetEntropies

    monkeypatch.setattr(SetEntropies, "everything_problem", "it does not fit.")
    found = renyi.compare(table, target="y", **QUICK)
    names = {result.criterion for result in found.results}
    assert {"mi-perm", "mi-chi2"} <= names < set(ALL)
    assert "criteria_left_out" in {note.code for note in found.warnings}
    with pytest.raises(MemoryBudgetError, match="cmi-heuristic need CMI"):
        renyi.compare(table, target="y", criterion="cmi-heuristic", **QUICK)


def test_a_table_without_features_is_refused():
    constant = {"x": [1.0] * 30, "y": ["a", "b", "a"] * 10}
    with pytest.raises(DataError, match="feature"):
        renyi.compare(constant, target="y", **QUICK)
