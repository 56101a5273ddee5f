"""``renyi select``: where its answer goes, and how a run ends."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import renyi
from records import heart_path
from renyi.errors import DataError, Interrupted
from renyi.selection import Verdict

Run = Callable[..., Any]


def test_json_is_the_record(run: Run, search: Any) -> None:
    for arguments in (["--json"], ["--format", "json"], ["--json", "--format", "json"]):
        out = run("select", "x", *arguments).stdout
        assert renyi.SelectionPath.from_json(out) == search.public()
        assert json.loads(out) == search.public().to_dict()


def test_names_are_one_a_line(run: Run, search: Any) -> None:
    assert run("select", "x", "--format", "names").stdout == "thal\nvessels\nage\n"
    search.answer = heart_path(steps=heart_path().steps[3:])
    assert run("select", "x", "--format", "names").stdout == ""


def test_csv_is_a_row_a_step(run: Run, search: Any) -> None:
    rows = list(csv.DictReader(io.StringIO(run("select", "x", "--format", "csv").stdout)))
    assert [row["feature"] for row in rows] == ["thal", "vessels", "age", "oldpeak"]
    assert [float(row["mi"]) for row in rows] == [step.mi for step in heart_path().steps]
    assert [row["selected"] for row in rows] == ["true", "true", "true", "false"]


@pytest.mark.parametrize("suffix", ["json", "csv", "parquet"])
def test_output_is_written_beside_stdout(
    suffix: str, run: Run, search: Any, tmp_path: Path
) -> None:
    file = tmp_path / f"result.{suffix}"
    result = run("select", "x", "--format", "names", "--output", str(file))
    assert result.stdout == "thal\nvessels\nage\n"
    assert f"Wrote {file}" in result.stderr
    assert file.stat().st_size > 0
    if suffix == "json":
        assert renyi.read_result(file) == search.public()


def test_output_is_checked_before_the_work(run: Run, search: Any, tmp_path: Path) -> None:
    there = tmp_path / "there.json"
    there.write_text("mine", encoding="utf-8")
    folder = tmp_path / "r.csv"
    folder.mkdir()
    refused = {there: 1, tmp_path / "no" / "r.json": 1, folder: 1, tmp_path / "r.txt": 2}
    for file, status in refused.items():
        result = run("select", "x", "-o", str(file))
        assert (result.exit_code, result.stdout, search.data) == (status, "", ""), file
        assert result.stderr.startswith("Error: ")
    assert "--force" in run("select", "x", "-o", str(there)).stderr
    assert there.read_text(encoding="utf-8") == "mine"
    data = tmp_path / "data.csv"
    data.write_text("a,y\n", encoding="utf-8")
    result = run("select", str(data), "-o", str(data), "--force")
    assert (result.exit_code, search.data) == (2, "")
    assert result.stderr.startswith("Error: --output must not be the file that is read")
    assert run("select", "x", "-o", str(there), "--force").exit_code == 0
    assert renyi.read_result(there) == search.public()


def test_the_file_of_a_known_set_is_not_written_to(
    run: Run, search: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "heart.csv"
    own.write_text("a,y\n", encoding="utf-8")
    monkeypatch.setattr("renyi.datasets.locate", {"heart": own}.get)
    result = run("select", "heart", "-o", str(own), "--force")
    assert (result.exit_code, search.data) == (2, "")
    assert result.stderr.startswith("Error: --output must not be the file that is read")
    assert own.read_text(encoding="utf-8") == "a,y\n"


def test_an_answer_that_cannot_be_saved_is_still_shown(
    run: Run, search: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "result.json"
    monkeypatch.setattr(
        search, "public", lambda: (file.write_text("x"), type(search).public(search))[1]
    )
    result = run("select", "x", "-o", str(file), "--format", "names")
    assert (result.exit_code, result.stdout) == (1, "thal\nvessels\nage\n")
    assert "there already" in result.stderr


def test_notes_and_the_target_go_to_stderr(run: Run, search: Any) -> None:
    result = run("select", "x", "--json")
    assert "Warning: `thal` won by 0.004 bits over `chest_pain`." in result.stderr
    assert "Target: class (its name is one of target, label, class, y)" in result.stderr
    assert "Target" not in run("select", "x", "--json", "--target", "class").stderr
    assert run("select", "x", "--json", "-q").stderr == ""


def test_verbose_says_how_the_work_was_done(run: Run, search: Any) -> None:
    assert "numpy" not in run("select", "x").stderr
    assert "backend effective: numpy" in run("select", "x", "-v").stderr
    assert run("select", "x", "-v", "-q").stderr == ""


def test_verbose_says_how_each_step_was_settled(run: Run, search: Any) -> None:
    none: dict[str, int] = {}
    search.answer = heart_path(
        run={
            "seconds": 2.5,
            "seconds_by_step": [2.101, 0.4],
            "steps": [
                {
                    "seconds": 2.101,
                    "candidates": {"rank 64": 18, "eigen": 2},
                    "replicates": {"bound": 90, "rank 256": 6},
                },
                {"seconds": 0.4, "candidates": none, "replicates": none},
            ],
            "max_memory_bytes": 2**30,
        }
    )
    lines = run("select", "x", "-v").stderr.splitlines()
    assert (
        "step 1: thal; 2.10 s; candidates: 18 at rank 64, 2 by eigen; "
        "replicates: 90 by bound, 6 at rank 256"
    ) in lines
    assert "step 2: vessels; 0.40 s" in lines
    assert f"max memory bytes: {2**30}" in lines
    assert not [line for line in lines if line.startswith("seconds by step")]


def test_a_checkpoint_is_told_of(run: Run, search: Any) -> None:
    search.answer = heart_path(run={"resumed_steps": 3})
    result = run("select", "x", "--checkpoint", "part.json")
    assert "Resumed: 3 finished steps came from the checkpoint." in result.stderr
    search.answer = heart_path(run={"resumed_steps": 0})
    assert "Resumed" not in run("select", "x", "--checkpoint", "part.json").stderr
    search.error = Interrupted(search.public())
    stopped = run("select", "x", "--checkpoint", "part.json")
    assert "Checkpoint: part.json; the same command goes on from there." in stopped.stderr
    assert run("select", "x", "--checkpoint", "part.json", "-q").stderr == "Interrupted.\n"
    assert "Checkpoint" not in run("select", "x").stderr


def test_the_checkpoint_is_no_output_too(run: Run, search: Any, tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    result = run("select", "x", "-o", str(file), "--checkpoint", f"{tmp_path}/./r.json")
    assert (result.exit_code, search.data) == (2, "")
    assert result.stderr.startswith("Error: --output must be another file than the checkpoint")
    assert "leave --output out" in result.stderr


@pytest.mark.parametrize("form", ["table", "json", "names", "csv"])
def test_an_interrupted_search_shows_what_was_finished(
    form: str, run: Run, search: Any, tmp_path: Path
) -> None:
    verdict = Verdict(stopped="interrupted", reason="interrupted after 2 finished steps", step=2)
    search.answer = heart_path(steps=heart_path().steps[:2], verdict=verdict)
    search.error = Interrupted(search.public())
    file = tmp_path / "part.json"
    result = run("select", "x", "--format", form, "-o", str(file))
    assert result.exit_code == 130
    assert "vessels" in result.stdout
    assert result.stderr.endswith("Interrupted.\n")
    assert renyi.read_result(file).verdict == verdict


@pytest.mark.parametrize("form", ["table", "json", "names", "csv"])
def test_a_search_interrupted_before_its_first_step_writes_nothing(
    form: str, run: Run, search: Any, tmp_path: Path
) -> None:
    verdict = Verdict(stopped="interrupted", reason="interrupted after 0 finished steps", step=0)
    search.answer = heart_path(steps=(), verdict=verdict)
    search.error = Interrupted(search.public())
    asked = ("select", "x", "--format", form, "--checkpoint", f"{tmp_path}/c.json")
    result = run(*asked, "-o", f"{tmp_path}/part.json", "--report", f"{tmp_path}/part.html")
    assert (result.exit_code, result.stdout) == (130, "")
    assert result.stderr == "Nothing is written: no step was finished.\nInterrupted.\n"
    assert not [*tmp_path.iterdir()]


def test_ctrl_c_before_any_work_is_quiet_about_it(run: Run, search: Any) -> None:
    search.error = KeyboardInterrupt()
    result = run("select", "x")
    assert (result.exit_code, result.stdout, result.stderr) == (130, "", "Interrupted.\n")


def test_an_expected_failure_is_a_sentence_and_a_hint(run: Run, search: Any) -> None:
    search.error = DataError("The target `y` must have two classes, got one.", "Name another.")
    result = run("select", "x", "--json")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        "Error: The target `y` must have two classes, got one.\nHint: Name another.\n"
    )


def test_an_unexpected_failure_is_a_bug_and_shows_no_data(run: Run, search: Any) -> None:
    search.error = ValueError("row 7 holds Alice")
    result = run("select", "x")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "This is a bug in renyi" in result.stderr
    assert "--debug" in result.stderr
    shown = run("select", "x", "--debug")
    assert shown.exit_code == 1
    assert "Traceback (most recent call last)" in shown.stderr
    assert "ValueError" in shown.stderr
    assert "Alice" not in result.stderr + shown.stderr


def test_a_panic_of_another_language_is_no_traceback(run: Run, search: Any) -> None:
    search.error = pl.exceptions.PanicException("index out of bounds: 12345")
    result = run("select", "x")
    assert result.exit_code == 1
    assert "This is a bug in renyi: an unexpected PanicException" in result.stderr
    assert "12345" not in result.stderr
