"""``renyi compare`` with several scores on a small table."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import renyi
from renyi.wording import scores_sentence

# words that no short comparison gives

Run = Callable[..., Any]
QUICK = ("--runs", "6", "--permutations", "39")
SCORES = ("--score", "mi", "--score", "jmi", "--score", "MRMR")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(4)
    y = rng.integers(2, size=100)
    file = tmp_path_factory.mktemp("compare") / "data.csv"
    columns = {f"x{k}": y * (k < 2) + rng.normal(scale=0.5 + 0.2 * k, size=100) for k in range(4)}
    pl.DataFrame({**columns, "y": np.where(y, "yes", "no")}).write_csv(file)
    return file


@pytest.fixture(scope="module")
def found(table: Path) -> renyi.ScoreComparison:
    compared = renyi.compare(str(table), score=["mi", "jmi", "mrmr"], runs=6, permutations=39)
    assert isinstance(compared, renyi.ScoreComparison)
    return compared


def test_the_page_has_a_row_a_score_and_the_paths_side_by_side(
    run: Run, table: Path, found: renyi.ScoreComparison
) -> None:
    result = run("compare", str(table), *SCORES, *QUICK)
    assert result.exit_code == 0
    lines = [line.split() for line in result.stdout.splitlines()]
    for stop in found.stops:
        row = next(line for line in lines if line[:2] == [stop.score, stop.criterion])
        (outcome,) = found.comparison(stop.score).results
        assert row[2] == str(stop.features)
        assert row[3] == f"{100 * outcome.score.mean:.1f}%"
        assert row[-1] == f"{outcome.distance:+d}"
    assert f"Best stop: {found.best.score} with" in result.stdout
    assert ["mi", "jmi", "mrmr"] in lines
    for place in range(1, max(stop.features for stop in found.stops) + 1):
        row = next(line for line in lines if line[:1] == [str(place)])
        told = [word for word in row[1:] if word != "*"]
        assert told == [one.path[place - 1] for one in found.comparisons]
        marked = sum(stop.features == place for stop in found.stops)
        assert row.count("*") == marked
    assert "How to read" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 88


def test_several_criteria_are_told_apart_by_letters(run: Run, table: Path) -> None:
    asked = ("--criterion", "mi-chi2", "--criterion", "score-max")
    result = run("compare", str(table), *SCORES[:4], *asked, *QUICK)
    assert result.exit_code == 0
    assert "*: the last feature before the stop of a mi-chi2, b score-max" in " ".join(
        result.stdout.split()
    )
    assert "*a" in result.stdout
    assert "score mi does not take: score-max" in result.stderr


def test_json_csv_and_files_are_what_python_gives(
    run: Run, table: Path, found: renyi.ScoreComparison, tmp_path: Path
) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    chosen = ("compare", str(table), *SCORES, *QUICK)
    places = ("-o", str(tmp_path / "s.json"), "--plot", str(tmp_path / "s.svg"))

    def known(text: str) -> dict[str, Any]:
        record: dict[str, Any] = json.loads(text)
        for part in (record, *record["comparisons"]):
            del part["run"]
        return record

    assert known(run(*chosen, *places, "--json").stdout) == known(found.to_json())
    assert known((tmp_path / "s.json").read_text(encoding="utf-8")) == known(found.to_json())
    assert "<svg" in (tmp_path / "s.svg").read_text(encoding="utf-8")
    assert run(*chosen, "--format", "csv").stdout == found.to_polars().write_csv()


def test_one_score_has_the_page_of_ever(run: Run, table: Path) -> None:
    chosen = ("compare", str(table), "--criterion", "mi-perm", *QUICK)
    assert run(*chosen, "--score", "mi").stdout == run(*chosen).stdout
    assert "p(best): paired t-test against the best size" in " ".join(run(*chosen).stdout.split())


def test_wrong_scores_are_told_in_a_sentence(run: Run, table: Path) -> None:
    for wrong, told in (
        (("--score", "mi", "--score", "mi"), "--score must name each score once, got mi twice"),
        (("--score", "mi", "--score", "mj"), "--score must be one of"),
        ((*SCORES, "--criterion", "score-perm"), "--criterion must name one that score mi takes"),
    ):
        result = run("compare", str(table), *QUICK, *wrong)
        assert result.exit_code == 2
        assert told in " ".join(result.stderr.replace("`", "").split())
        assert not result.stdout


def test_the_sentence_names_those_that_do_not_differ(found: renyi.ScoreComparison) -> None:
    best, *others = sorted(found.stops, key=lambda stop: -stop.difference)
    worse = [replace(stop, p_value=0.01, difference=-0.1) for stop in others]
    alike = [replace(stop, p_value=0.4, difference=-0.01) for stop in others]
    clear = replace(found, stops=(best, *worse))
    assert scores_sentence(clear).endswith("; all others predict worse.")
    told = scores_sentence(replace(found, stops=(best, *alike)))
    assert told.endswith(", ".join(f"{stop.score} (p 0.4)" for stop in others) + ".")


def test_what_was_finished_is_drawn_when_the_rest_was_interrupted(
    run: Run, table: Path, found: renyi.ScoreComparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = replace(
        found, comparisons=found.comparisons[:1], stops=found.stops[:1], unfinished=("jmi", "mrmr")
    )

    def interrupted(*_: object, **__: object) -> None:
        raise renyi.Interrupted(left)

    monkeypatch.setattr(renyi, "compare", interrupted)
    result = run("compare", str(table), *SCORES, *QUICK)
    assert result.exit_code == 130
    assert "Interrupted: nothing is known of jmi, mrmr." in result.stdout
    assert "Best stop: " in result.stdout
    asked = run("compare", str(table), *SCORES, *QUICK, "--json")
    assert json.loads(asked.stdout)["unfinished"] == ["jmi", "mrmr"]
