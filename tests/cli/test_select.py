"""``renyi select``: what is asked of the search, and what is shown of its answer."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import renyi
from records import FEATURES, data_report, heart_path, permutation_report, step
from renyi.errors import DataError, Interrupted
from renyi.options import MethodOptions
from renyi.selection import RunnerUp, Unselected, Verdict, WhyNot
from renyi.stopping import CriterionReport

Run = Callable[..., Any]


def test_nothing_is_passed_that_was_not_given(run: Run, search: Any) -> None:
    assert run("select", "heart.parquet").exit_code == 0
    assert search.data == "heart.parquet"
    assert search.asked == {}
    assert callable(search.progress)


def test_every_option_reaches_the_search(run: Run, search: Any) -> None:
    result = run(
        *("select", "d.csv", "-t", "y", "--features", "a,b", "--features", "c*", "--exclude", "z"),
        *("--keep", "b", "--kind", "a=nominal", "--kind", "*=ordinal", "--missing", "drop"),
        *("--rows", "300", "--criterion", "cmi-perm", "--criterion", "mi-chi2"),
        *("--stop-when", "all", "--max-features", "3", "--permutations", "19"),
        *("--significance", "0.1", "--p-rule", "paper", "--epsilon", "1e-3", "--bins", "4"),
        *("--binning", "frequency", "--preset", "paper", "--alpha", "2", "--bandwidth", "scott"),
        *("--bandwidth", "a=1.5", "--standardise", "rank", "--label-kernel", "onehot"),
        *("--score", "chi2-gain", "--solver", "dense", "--tolerance", "1e-9", "--seed", "7"),
        *("--backend", "numpy", "--jobs", "1", "--max-memory", "2GiB"),
        *("--checkpoint", "part.json", "--lookahead", "2", "--min-gain", "1%"),
        *("--sensitivity", "--stability", "50"),
        *("--sensitivity", "--stability", "50"),
    )
    assert result.exit_code == 0
    assert search.asked == {
        "target": "y",
        "features": ("a", "b", "c*"),
        "exclude": ("z",),
        "keep": ("b",),
        "kind": (("a", "nominal"), ("*", "ordinal")),
        "missing": "drop",
        "rows": 300,
        "criterion": ("cmi-perm", "mi-chi2"),
        "stop_when": "all",
        "max_features": 3,
        "lookahead": 2,
        "min_gain": "1%",
        "permutations": "19",
        "significance": 0.1,
        "p_rule": "paper",
        "epsilon": 1e-3,
        "bins": 4,
        "binning": "frequency",
        "preset": "paper",
        "alpha": 2.0,
        "bandwidth": "scott",
        "bandwidths": {"a": "1.5"},
        "standardise": "rank",
        "label_kernel": "onehot",
        "score": "chi2-gain",
        "solver": "dense",
        "tolerance": 1e-9,
        "seed": 7,
        "backend": "numpy",
        "jobs": 1,
        "max_memory": "2GiB",
        "sensitivity": True,
        "stability": 50,
        "checkpoint": "part.json",
    }


def test_the_table_says_what_was_found(run: Run, search: Any) -> None:
    out = run("select", "heart.parquet").stdout
    lines = out.splitlines()
    assert lines[0] == "heart.parquet: 270 rows, 6 features"
    assert lines[1] == "Target class (its name is one of target, label, class, y)"
    assert all(word in lines[2] for word in ("cmi-perm", "alpha 1.01", "sigma 2", "seed 0"))
    head = lines[4].split()
    assert head[:5] == ["#", "feature", "MI", "CMI", "p"]
    row = dict(zip(head, lines[6].split(), strict=False))
    assert row["feature"] == "thal"
    assert (row["MI"], row["CMI"], row["p"], row["draws"]) == (
        "0.2101",
        "0.5702",
        "0.0099",
        "0/100",
    )
    failed = next(number for number, line in enumerate(lines) if "oldpeak" in line)
    assert set(lines[failed - 1]) == {"\u2500"}
    assert lines[failed + 1].strip() == "not selected"
    assert "6/12" in lines[failed]
    text = " ".join(out.split())
    assert "Stopped before `oldpeak`: a shuffled copy did as well in 6 of 12 draws" in text
    assert "Selected 3 of 6 features: thal, vessels, age" in text
    assert "at most its entropy, 0.9911" in text
    assert max(map(len, lines)) <= 80


def test_a_p_value_decided_early_is_a_bound(run: Run, search: Any) -> None:
    early = permutation_report(False, drawn=96, exceedances=0)
    assert early.p_value is None
    search.answer = heart_path(steps=(step(1, "thal", 0.2, 0.5, criteria=(early,)),))
    row = run("select", "x").stdout.splitlines()[6]
    assert "<= 0.05 " in row
    assert "0/96" in row


def test_how_many_are_drawn_and_the_least_gain_are_told(run: Run, search: Any) -> None:
    least = CriterionReport(
        criterion="min-gain",
        stop=False,
        keeps_feature=False,
        reason="",
        statistic_name="gain",
        statistic=0.2,
        threshold=0.01,
    )
    tested = permutation_report(False, drawn=50, exceedances=0, criterion="cmi-max", p_value=0.02)
    for permutations, words in (
        ("auto:499", "up to 499 permutations (by betting) at level 0.05"),
        ("besag-clifford:999", "up to 999 permutations (besag-clifford) at level 0.05"),
        (19, "19 permutations at level 0.05"),
    ):
        for gain, told in (("1%", "gain at least 1% of H(y)"), (0.02, "gain at least 0.02 bits")):
            search.answer = heart_path(
                options=MethodOptions(
                    criteria=("cmi-max",), permutations=permutations, min_gain=gain
                ),
                steps=(step(1, "thal", 0.2, 0.5, criteria=(least, tested)),),
            )
            out = run("select", "x").stdout
            text = " ".join(out.split())
            assert words in text
            assert told in text
            assert "0/50" in text


def test_what_a_criterion_compared_is_shown(run: Run, search: Any) -> None:
    chi = CriterionReport(
        criterion="mi-chi2",
        stop=False,
        keeps_feature=False,
        reason="",
        statistic_name="chi2",
        statistic=78.0612,
        threshold=5.991,
    )
    both = (permutation_report(False, drawn=100, exceedances=1), chi)
    search.answer = heart_path(
        options=MethodOptions(criteria=("cmi-perm", "mi-chi2"), stop_when="all"),
        steps=(step(1, "thal", 0.2, 0.5, criteria=both),),
    )
    out = run("select", "x").stdout
    lines = out.splitlines()
    assert lines[2].startswith("cmi-perm and mi-chi2, ")
    head = next(number for number, line in enumerate(lines) if line.startswith("#"))
    titles = zip(lines[head - 1].split(), lines[head].split()[4:7], strict=True)
    assert list(titles) == [("p", "cmi-perm"), ("chi2", "mi-chi2"), ("quantile", "mi-chi2")]
    assert lines[head + 2].split()[4:7] == ["0.02", "78.06", "5.991"]


def test_missing_numbers_forced_and_grouped_features_are_shown(run: Run, search: Any) -> None:
    first = step(1, "age", -0.00002, None, action="keep", criteria=(), runner_up=None)
    group = step(2, "", 0.1, None, features=("sex", "thal"), criteria=(), runner_up=None)
    search.answer = heart_path(steps=(first, group))
    out = run("select", "x").stdout
    assert "age (kept)" in out
    assert "sex + thal" in out
    assert "-2.0e-05" in out
    assert "CMI" not in out.splitlines()[4]
    assert "runner-up" not in out


def test_aliases_and_reasons_are_shown(run: Run, search: Any) -> None:
    def why(name: str, code: WhyNot, gain: float | None = 0.012, *given: str) -> Unselected:
        return Unselected(
            feature=name, code=code, reason="r", mi=0.1, gain=gain, p_value=0.01, given=given
        )

    search.answer = heart_path(
        aliases={"thal": ("thal2", "thal3")},
        unselected=(
            why("sex", "redundant", 0.1, "thal", "age"),
            why("slope", "redundant", 0.1, "thal", "age", "vessels"),
            why("chest", "weak"),
            why("rest", "not_reached", None),
            *(why(f"n{k}", "uninformative") for k in range(10)),
            why("n0_again", "alias", 0.1, "n0"),
        ),
    )
    out = run("select", "x").stdout
    assert "thal stands for thal2, thal3, the same column." in out
    assert "redundant: sex (given thal, age), slope (given the selected ones" in out
    assert "not enough to add: chest (adds 0.012 bits)" in out
    assert "not reached: rest\n" in out
    words = " ".join(out.split())
    assert "no better than chance: n0 (p 0.01)" in words
    assert "n7 (p 0.01) and 2 more" in words
    assert "the same as another one: n0_again (n0)" in words


def test_a_look_at_pairs_is_in_the_heading(run: Run, search: Any) -> None:
    chosen = MethodOptions(criteria=("cmi-max",), alpha=2.0, lookahead=2)
    search.answer = heart_path(options=chosen)
    assert "looking ahead at pairs" in " ".join(run("select", "x").stdout.split())


def test_no_step_is_a_page_too(run: Run, search: Any) -> None:
    verdict = Verdict(stopped="interrupted", reason="interrupted before any step", step=0)
    search.answer = heart_path(steps=(), verdict=verdict)
    out = run("select", "x").stdout
    assert "Interrupted before any step" in out
    assert "Selected 0 of 6 features: none" in out


NASTY = ("[red]", "a\x1b[31mb", "two\nlines", "\u540d\u524d" * 15, "n" * 200, "a,b")


def test_names_are_printed_as_they_are_and_obeyed_by_nobody(run: Run, search: Any) -> None:
    rival = RunnerUp(features=("[/red]",), mi=0.1, gap=0.01)
    steps = tuple(
        step(i, name, 0.1 * i, 0.5, runner_up=rival) for i, name in enumerate(NASTY, start=1)
    )
    search.answer = heart_path(steps=steps, data=data_report(NASTY))
    out = run("select", "x").stdout
    table = out.splitlines()[4 : 4 + 2 + len(NASTY)]
    assert "[red]" in table[2]
    assert r"a\x1b[31mb" in table[3]
    assert r"two\nlines" in table[4]
    assert all("0.5000" in line for line in table[2:])
    assert "\x1b" not in out
    assert max(map(len, out.splitlines())) <= 80


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


def test_a_sample_and_a_limit_are_in_the_heading(run: Run, search: Any) -> None:
    report = data_report(FEATURES, rows=1_234_567, rows_used=2000)
    search.answer = heart_path(data=report, options=replace(heart_path().options, max_features=3))
    out = " ".join(run("select", "x", "-q").stdout.split())
    assert "2,000 rows of 1,234,567" in out
    assert "at most 3 features" in out


@pytest.mark.parametrize(
    ("width", "hidden"),
    [("200", []), ("80", ["runner-up"]), ("40", ["draws", "saturation", "runner-up"])],
)
def test_the_legend_is_of_the_columns_shown(
    width: str, hidden: list[str], run: Run, search: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    out = run("select", "x").stdout
    head, legend = out.partition("MI")[0], " ".join(out.partition("How to read")[2].split())
    legend, _, more = legend.partition("A wider terminal shows more columns: ")
    for name in hidden:
        assert name not in head + legend
        assert name in more
    assert bool(more) == bool(hidden)
    assert ("draws h/L" in legend) == ("draws" not in hidden)
