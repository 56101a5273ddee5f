"""The other commands, on small real tables."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import renyi
from records import heart_path, step
from renyi.io import write_result

Run = Callable[..., Any]
LEVELS = 4 * ["a", "b"] + 2 * ["a", "a"]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Rows of which entropies are known by counting, and one column of numbers."""
    n = len(LEVELS)
    file = tmp_path / "data.csv"
    pl.DataFrame(
        {
            "copy": LEVELS,
            "[red]": ["p", "q"] * (n // 2),
            "constant": ["c"] * n,
            "number": np.random.default_rng(0).normal(size=n),
            "y": LEVELS,
        }
    ).write_csv(file)
    return file


def collision(shares: list[float]) -> float:
    """Renyi entropy of order 2, bits."""
    return -math.log2(sum(share**2 for share in shares))


H_Y = collision([2 / 3, 1 / 3])
COUNTED = ("--nominal", "delta", "--class-weights", "none")
"""Choices under which entropies are known by counting."""


def test_describe_shows_what_columns_are_taken_for(run: Run, table: Path) -> None:
    result = run("describe", str(table), "--alpha", "2", *COUNTED)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    text = " ".join(lines)
    # a long path may be broken anywhere
    assert "data.csv:12rows,3features" in "".join(text.split())
    assert f"Target y (the column named y), entropy {H_Y:.4f} bits" in text
    rows = {line.split()[0]: line.split() for line in lines if line}
    assert rows["copy"][1:4] == ["feature", "nominal", "2"]
    assert rows["copy"][-2:] == [f"{H_Y:.4f}", f"{H_Y:.4f}"]
    assert rows["number"][2] == "continuous"
    assert rows["constant"][1:3] == ["left", "out"]
    assert "[red]" in rows
    assert rows["y"][1:3] == ["target", "nominal"]
    assert "copy" in result.stderr  # a column that is the target deserves a word
    assert run("describe", str(table), "--alpha", "2", "-q").stderr == ""


def test_describe_as_json_and_csv_is_the_same_as_in_python(run: Run, table: Path) -> None:
    described = renyi.describe(str(table), alpha=2)
    out = run("describe", str(table), "--alpha", "2", "--json").stdout
    assert json.loads(out) == described.to_dict()
    text = run("describe", str(table), "--alpha", "2", "--format", "csv").stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["name"] for row in rows] == ["copy", "[red]", "constant", "number", "y"]
    assert float(rows[0]["entropy"]) == described.columns[0].entropy


def test_describe_says_how_many_rows_lack_what_and_who_weighs_them(
    run: Run, tmp_path: Path
) -> None:
    file = tmp_path / "w.csv"
    frame = {
        "a": [1.0, None, 3.0, 4.0] * 5,
        "money": [f"€{k}.50" for k in range(20)],
        "w": [0, 1, 2, 1] * 5,
        "y": ["p", "q", "q", "p"] * 5,
    }
    pl.DataFrame(frame).write_csv(file)
    words = ("--weights", "w", "--weight-kind", "frequency", "--missing", "level")
    found = run("describe", str(file), "-t", "y", *words)
    assert "w.csv: 20 rows weighed by w, 1 feature" in " ".join(found.stdout.split())
    assert "nothing missing in 15 rows\nmissing in 5 rows: a" in found.stdout
    assert "5 of 20 rows left out for a weight of 0, or none, in `w`." in found.stderr
    assert "(make numbers or dates of text that holds them): `money`." in found.stderr


def test_describe_has_no_names(run: Run, table: Path) -> None:
    result = run("describe", str(table), "--format", "names")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "table, json, csv; got 'names'" in result.stderr


def test_measure_shows_quantities_with_bounds(run: Run, table: Path) -> None:
    arguments = ["measure", str(table), "--x", "copy", "--y", "y", "--given", "[red]"]
    arguments += COUNTED
    out = run(*arguments, "--alpha", "2").stdout
    rows = {words[0]: words for words in map(str.split, out.splitlines()) if words}
    joint = collision([6 / 12, 4 / 12, 2 / 12])  # of [red] and y
    given = collision([1 / 2, 1 / 2])
    assert rows["H(x)"][1] == rows["I(x;y)"][1] == f"{H_Y:.4f}"
    assert rows["I(x;y|given)"][1] == f"{joint - given:.4f}"
    assert "I(copy; y | [red])" in out
    found = json.loads(run(*arguments, "--alpha", "2", "--json").stdout)
    plain = {"nominal": "delta", "class_weights": "none"}
    python = renyi.measure(str(table), x=["copy"], y=["y"], given=["[red]"], alpha=2, **plain)
    assert found == python.to_dict()
    text = run(*arguments, "--alpha", "2", "--format", "csv").stdout
    values = {row["name"]: float(row["value"]) for row in csv.DictReader(io.StringIO(text))}
    assert values["I(x;y)"] == pytest.approx(H_Y, abs=1e-12)


@pytest.fixture
def result(run: Run, table: Path, tmp_path: Path) -> Path:
    file = tmp_path / "result.json"
    done = run(
        *("select", str(table), "--alpha", "2", "-o", str(file)),
        *("--criterion", "cmi-heuristic", *COUNTED),
    )
    assert done.exit_code == 0
    return file


def test_select_apply_and_plot_work_on_one_result(
    run: Run, table: Path, result: Path, tmp_path: Path
) -> None:
    assert renyi.read_result(result).selected == ("copy",)
    reduced = tmp_path / "reduced.csv"
    done = run("apply", str(result), str(table), "-o", str(reduced))
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == f"Wrote {reduced}\n"
    assert pl.read_csv(reduced).columns == ["copy", "y"]
    again = run("apply", str(result), str(table), "-o", str(reduced), "--no-target")
    assert again.exit_code == 1
    assert "--force" in again.stderr
    run("apply", str(result), str(table), "-o", str(reduced), "--no-target", "--force", "-q")
    assert pl.read_csv(reduced).columns == ["copy"]
    pytest.importorskip("matplotlib", reason="the extra `plot` is not installed")
    figure = tmp_path / "path.svg"
    done = run("plot", str(result), "-o", str(figure))
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", f"Wrote {figure}\n")
    assert figure.read_text(encoding="utf-8").startswith("<?xml")
    assert "--force" in run("plot", str(result), "-o", str(figure)).stderr


def test_what_is_no_result_is_refused(run: Run, table: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text("{}", encoding="utf-8")
    for file in (other, table, tmp_path / "absent.json"):
        for rest in (["plot", str(file)], ["apply", str(file), str(table)]):
            done = run(*rest, "-o", str(tmp_path / "out.png"))
            assert (done.exit_code, done.stdout) in {(1, ""), (2, "")}
            assert done.stderr.startswith("Error: ")
    assert not (tmp_path / "out.png").exists()


def test_datasets_are_listed(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RENYI_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    rows = json.loads(run("datasets", "list", "--json").stdout)
    by_name = {row["name"]: row for row in rows}
    assert by_name["waveform"]["state"] == "generated"
    assert by_name["heart"]["state"] == "not at hand"
    assert by_name["heart"]["rows"] == 270
    out = run("datasets", "list").stdout
    assert all(name in out for name in by_name)
    assert "renyi datasets fetch NAME" in out
    assert run("datasets", "list", "--format", "names").stdout == "waveform\n"
    text = run("datasets", "list", "--format", "csv").stdout
    assert [row["name"] for row in csv.DictReader(io.StringIO(text))] == list(by_name)


def test_a_table_is_generated(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "w.parquet"
    arguments = ["datasets", "generate", "waveform", "--rows", "7", "--seed", "3"]
    done = run(*arguments, "-o", str(file))
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", f"Wrote {file}\n")
    expected = renyi.datasets.generate("waveform", rows=7, seed=3)
    assert pl.read_parquet(file).equals(expected)
    assert run(*arguments, "-o", str(file)).exit_code == 1
    monkeypatch.chdir(tmp_path)
    assert run(*arguments).exit_code == 0
    assert pl.read_parquet(tmp_path / "waveform.parquet").equals(expected)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["generate", "wave"], "waveform"),
        (["generate", "waveform", "--rows", "0"], "--rows must be a whole number"),
        (["generate", "waveform", "--rows", "many"], "--rows must be a whole number"),
        (["generate", "waveform", "--seed", "-1"], "--seed must be a whole number"),
        (["fetch", "hearts"], "heart"),
        (["fetch"], "Missing argument 'NAME...'"),
        (["list", "--format", "x"], "--format must be one of table, json, csv, names"),
    ],
)
def test_datasets_refuse_wrong_use(arguments: list[str], words: str, run: Run) -> None:
    done = run("datasets", *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert words in done.stderr


def test_fetch_prints_where_the_file_is(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str | None]] = []

    def fetch(name: str, *, url: str | None = None) -> Path:
        asked.append((name, url))
        return Path(f"/cache/{name}.parquet")

    monkeypatch.setattr(renyi.datasets, "fetch", fetch)
    done = run("datasets", "fetch", "heart", "breast")
    assert done.stdout == "/cache/heart.parquet\n/cache/breast.parquet\n"
    run("datasets", "fetch", "heart", "--url", "http://x/heart.csv")
    assert asked == [("heart", None), ("breast", None), ("heart", "http://x/heart.csv")]


def test_doctor_tells_the_same_as_in_python(run: Run) -> None:
    found = json.loads(run("doctor", "--json").stdout)
    assert found["renyi"] == renyi.__version__
    assert set(found) == set(renyi.doctor())
    assert found["packages"]["numpy"] == np.__version__
    out = run("doctor").stdout
    for words in ("renyi", np.__version__, "BLAS", "cores", "memory", "GPU", "extra plot"):
        assert words in out
    assert run("doctor", "--format", "csv").exit_code == 2


def test_a_reduced_table_on_stdout(run: Run, tmp_path: Path) -> None:
    rows = "".join(f"{k},{k % 3},{'uv'[k % 2]}\n" for k in range(40))
    (tmp_path / "in.csv").write_text("thal,vessels,class\n" + rows)
    steps = (step(1, "thal", 0.1, 0.2),)
    write_result(heart_path(steps=steps), tmp_path / "r.json")
    result = run("apply", str(tmp_path / "r.json"), str(tmp_path / "in.csv"), "-o", "-")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines()[:2] == ["thal,class", "0,u"]
    assert len(result.stdout.splitlines()) == 41


def test_plot_draws_what_it_is_asked_for(
    run: Run, table: Path, result: Path, tmp_path: Path
) -> None:
    pytest.importorskip("matplotlib", reason="the extra `plot` is not installed")
    asked = ("plot", str(result), "-o", str(tmp_path / "a.svg"))
    done = run(*asked, "--figure", "redundancy", "--data", str(table), "--size", "one")
    assert (done.exit_code, done.stdout) == (0, "")
    assert 'width="249' in (tmp_path / "a.svg").read_text(encoding="utf-8")  # 88 mm in points
    for words, said in (
        (["--figure", "redundancy"], "--data FILE"),
        (["--figure", "sensitivity"], "--sensitivity"),
        (["--figure", "nosuch"], "must be one of path, redundancy"),
        (["--size", "88"], "--size must be one, two"),
        (["--style", "seaborn"], "must be one of plain, dark, grey"),
        (["--data", str(table)], "--figure must be redundancy where --data is given"),
    ):
        done = run(*asked, "--force", *words)
        assert (done.exit_code, said in done.stderr) == (2, True), (words, done.stderr)


def test_plot_draws_a_comparison_and_says_what_is_none_of_its_figures(
    run: Run, table: Path, tmp_path: Path
) -> None:
    pytest.importorskip("matplotlib", reason="the extra `plot` is not installed")
    file = tmp_path / "compare.json"
    compare = ("compare", str(table), "--runs", "4", "--criterion", "cmi-heuristic", *COUNTED)
    assert run(*compare, "-o", str(file)).exit_code == 0
    figure = tmp_path / "a.svg"
    assert run("plot", str(file), "-o", str(figure), "--style", "dark").exit_code == 0
    assert figure.read_text(encoding="utf-8").startswith("<?xml")
    done = run("plot", str(file), "-o", str(figure), "--force", "--figure", "stability")
    assert done.exit_code == 2
    assert "--figure must be left out" in done.stderr
