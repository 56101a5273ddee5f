"""Wrong use and bad input: one sentence, the way out, the right status, nothing on stdout."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import renyi.options

Run = Callable[..., Any]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    draws = np.random.default_rng(0)
    n = 60
    y = draws.integers(0, 2, n)
    file = tmp_path / "data.parquet"
    pl.DataFrame(
        {
            "age": y + draws.normal(size=n),
            "fare": draws.normal(size=n),
            "constant": np.ones(n),
            "id": [f"row {i}" for i in range(n)],
            "hole": [None] * n,
            "y": y.astype(str),
        }
    ).write_parquet(file)
    return file


OPTIONS = {
    "alpha 0": (["--alpha", "0"], "--alpha must be a positive number, got 0"),
    "alpha -1": (["--alpha", "-1"], "--alpha must be a positive number, got -1"),
    "alpha nan": (["--alpha", "nan"], "--alpha must be a positive number, got nan"),
    "alpha inf": (["--alpha", "inf"], "--alpha must be a positive number, got inf"),
    "alpha text": (["--alpha", "abc"], "--alpha must be a number, got 'abc'"),
    "permutations 0": (["--permutations", "0"], "--permutations must be a whole number"),
    "permutations text": (["--permutations", "many"], "--permutations must be a whole number"),
    "permutations too few": (["--permutations", "5"], "--permutations must be at least 19"),
    "significance 2": (["--significance", "2"], "--significance must be a number between"),
    "epsilon nan": (["--epsilon", "nan"], "--epsilon must be a number of at least 0, got nan"),
    "bandwidth 0": (["--bandwidth", "0"], "--bandwidth must be a positive number"),
    "bandwidth nan": (["--bandwidth", "nan"], "--bandwidth must be a positive number"),
    "bandwidth unknown": (["--bandwidth", "wide"], "--bandwidth must be a positive number or"),
    "bandwidth of a column": (["--bandwidth", "age=-2"], "--bandwidth age must be a positive"),
    "max-features 0": (["--max-features", "0"], "--max-features must be a whole number"),
    "criterion": (["--criterion", "cmi-prem"], "--criterion must be one of cmi-heuristic"),
    "stop-when": (["--stop-when", "some"], "--stop-when must be one of any, all"),
    "score": (["--score", "x"], "--score must be one of mi, chi2-gain"),
    "backend": (["--backend", "nmpy"], "--backend must be one of auto, numpy, cupy"),
    "solver": (["--solver", "fast"], "--solver must be one of auto, dense, eigen, low-rank"),
    "tiles": (
        ["--solver", "tiles", "--alpha", "1.01"],
        "--alpha must be 2 for solver tiles, got 1.01.",
    ),
    "tolerance": (["--tolerance", "0"], "--tolerance must be a positive number, got 0"),
    "memory": (["--max-memory", "8 cats"], "--max-memory must be a size such as 8GiB"),
    "kind": (["--kind", "age=nominla"], "--kind must be one of continuous, ordinal, nominal"),
    "kind without a column": (["--kind", "nominal"], "--kind must have the form COLUMN=KIND"),
    "standardise": (["--standardise", "bins:1"], "--standardise must be one of zscore"),
    "label kernel": (["--label-kernel", "x"], "--label-kernel must be one of delta, onehot"),
    "p-rule": (["--p-rule", "x"], "--p-rule must be one of paper, valid"),
    "preset": (["--preset", "papre"], "--preset must be one of default, paper, lrmi"),
    "missing": (["--missing", "skip"], "--missing must be one of error, drop, level, category"),
    "rows": (["--rows", "1"], "--rows must be a whole number of at least 2"),
    "seed": (["--seed", "-1"], "--seed must be a whole number of at least 0"),
    "jobs": (["--jobs", "0"], "--jobs must be a whole number"),
    "cluster": (["--cluster", "host:8786"], "--cluster must be an address such as"),
    "a cluster of none": (["--cluster", "local:0"], "--cluster must be an address such as"),
    "a cluster without a port": (
        ["--cluster", "tcp://host"],
        "--cluster must be an address such as",
    ),
    "bins": (["--bins", "1"], "--bins must be a whole number of at least 2"),
    "binning": (["--binning", "deep"], "--binning must be one of width, frequency"),
    "format": (["--format", "tabel"], "--format must be one of table, json, csv, names"),
    "two forms": (["--json", "--format", "csv"], "--json cannot be joined with --format csv"),
    "an unknown target": (["--target", "yy"], "--target must name columns of the data, got `yy`"),
    "an unknown feature": (["--features", "agee"], "got `agee`"),
    "target among the features": (["--features", "age,y", "--target", "y"], "the target `y`"),
    "an id": (["--features", "id"], "`id` cannot be a feature"),
    "a column without values": (["--features", "hole"], "`hole` cannot be a feature"),
    "all left out": (
        ["--features", "age", "--exclude", "age"],
        "--exclude must leave some of --features, got age",
    ),
    "an unclosed quote": (["--features", '"age'], "--features has a quotation mark"),
}


@pytest.mark.parametrize("name", OPTIONS)
def test_a_wrong_option_is_told_in_one_sentence(name: str, run: Run, table: Path) -> None:
    arguments, words = OPTIONS[name]
    result = run("select", str(table), *arguments)
    assert result.exit_code == 2, result.stderr
    assert result.stdout == ""
    first, *rest = result.stderr.splitlines()
    assert first.startswith("Error: ")
    assert words in first
    assert first.endswith(".")
    assert len(rest) == 1
    assert rest[0].startswith("Hint: ")


COMMANDS = {
    "select": [],
    "compare": ["--runs", "2"],
    "describe": [],
    "measure": ["--x", "age", "--y", "y"],
}
WORDED = [
    (verb, one.typed.split()[0])
    for one in renyi.options.OPTIONS
    for verb in COMMANDS
    if verb in one.verbs and one.metavar and one.name != "checkpoint"
]


@pytest.mark.parametrize(("verb", "flag"), WORDED)
def test_every_option_says_a_way_out_of_a_value_that_it_cannot_have(
    verb: str, flag: str, run: Run, table: Path
) -> None:
    result = run(verb, str(table), *COMMANDS[verb], flag, "-7")
    assert result.exit_code in {1, 2}, result.output
    error, hint = [line for line in result.stderr.splitlines() if not line.startswith("Warning: ")]
    assert error.startswith("Error: ")
    assert hint.startswith("Hint: ")
    assert hint.removeprefix("Hint: ")


@pytest.mark.parametrize(
    ("arguments", "way"),
    [
        (["--search", "beam"], "`beam:2` is the quickest beam; one of 1 is `forward`."),
        (["--seed", "-1"], "Leave --seed out for the default (0)."),
        (["--rows", "1"], "Leave --rows out for the default (all)."),
        (["--jobs", "two"], "Leave --jobs out for the default (one a core)."),
        (["--missing", "x"], "Leave --missing out for the default (error, drop in describe)."),
        (["--kind", "age"], "Put an equals sign between the two, without blanks."),
        (["--kind", "age=x"], "Numbers are continuous, names are nominal, and steps"),
        (["--keep", "age", "--exclude", "age"], "Take it out of one of the two."),
        (["--score", "tmi"], "Did you mean `mi`, `jmi` or `cmi`?"),
        (["--format", "x"], "Leave --format out for the default (table)."),
    ],
)
def test_the_way_out_is_one_that_helps(
    arguments: list[str], way: str, run: Run, table: Path
) -> None:
    hint = run("select", str(table), *arguments).stderr.splitlines()[-1]
    assert hint.startswith(f"Hint: {way}")


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--features", "agee"], "`age`"),
        (["--target", "Y"], "`y`"),
        (["--criterion", "cmi-prem"], "`cmi-perm`"),
        (["--kind", "age=nominla"], "`nominal`"),
        (["--format", "tabel"], "table"),
        (["--alhpa", "2"], "--alpha"),
    ],
)
def test_the_nearest_name_is_offered(
    arguments: list[str], word: str, run: Run, table: Path
) -> None:
    hint = run("select", str(table), *arguments).stderr.splitlines()[1]
    assert hint.startswith("Hint: ")
    assert word in hint


def test_a_misspelt_command_gets_the_nearest(run: Run) -> None:
    result = run("selct", "x")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Error: No such command 'selct'.\nHint: Did you mean 'select'")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["select"], "Missing argument 'DATA'"),
        (["select", "a", "b"], "unexpected extra argument"),
        (["select", "a", "--alpha"], "requires an argument"),
        (["plot", "a.json"], "Missing option '--output'"),
        (["apply", "a.json", "b.csv"], "Missing option '--output'"),
        (["measure", "a.csv", "--x", "age"], "Missing option '--y'"),
    ],
)
def test_a_wrong_command_line_is_told_in_one_sentence(
    arguments: list[str], words: str, run: Run
) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    error, hint = result.stderr.splitlines()
    assert words in error
    assert error.startswith("Error: ")
    command = arguments[0] if arguments[0] in {"select", "plot", "apply", "measure"} else ""
    assert f"`renyi {command} --help` shows what there is." in hint


def test_options_in_hints_are_written_as_they_are_typed(run: Run, tmp_path: Path) -> None:
    file = files(tmp_path)["null.parquet"]
    result = run("select", str(file))
    assert "--missing drop (" in result.stderr
    assert "--p-rule paper" in run("select", str(file), "--permutations", "5").stderr


def test_a_set_that_is_not_known_is_told_by_the_argument(run: Run) -> None:
    result = run("datasets", "fetch", "wavefrom")
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: NAME must be a known data set, got `wavefrom`.")


def files(folder: Path) -> dict[str, Path]:
    """Data that cannot be used, each with its own reason."""
    (folder / "empty.csv").write_bytes(b"")
    (folder / "text.parquet").write_text("a,b\n1,2\n", encoding="utf-8")
    (folder / "nothing").mkdir()
    whole = folder / "whole.parquet"
    frame = pl.DataFrame({"a": [0.5, 1.0, 2.0, 3.0], "y": ["p", "q", "p", "q"]})
    frame.write_parquet(whole)
    (folder / "cut.parquet").write_bytes(whole.read_bytes()[:-20])
    frame.clear().write_parquet(folder / "no_rows.parquet")
    frame.head(1).write_parquet(folder / "one_row.parquet")
    frame.select("y").write_parquet(folder / "one_column.parquet")
    frame.with_columns(y=pl.lit("p")).write_parquet(folder / "one_class.parquet")
    frame.with_columns(a=pl.Series([0.5, None, 2.0, 3.0])).write_parquet(folder / "null.parquet")
    frame.with_columns(a=pl.Series([0.5, float("nan"), 2.0, 3.0])).write_parquet(
        folder / "nan.parquet"
    )
    frame.with_columns(a=pl.Series([0.5, float("inf"), 2.0, 3.0])).write_parquet(
        folder / "infinite.parquet"
    )
    (folder / "twice.csv").write_text("a,a,y\n1,2,p\n3,4,q\n", encoding="utf-8")
    (folder / "mixed.csv").write_text("a,y\n1,p\nx,q\n2,p\n3,q\n", encoding="utf-8")
    return {path.name: path for path in folder.iterdir()} | {"absent.csv": folder / "absent.csv"}


@pytest.mark.parametrize(
    "name",
    [
        "absent.csv",
        "empty.csv",
        "text.parquet",
        "nothing",
        "cut.parquet",
        "no_rows.parquet",
        "one_row.parquet",
        "one_column.parquet",
        "one_class.parquet",
        "null.parquet",
        "nan.parquet",
        "infinite.parquet",
        "twice.csv",
        "mixed.csv",
    ],
)
@pytest.mark.parametrize("command", ["select", "describe"])
def test_bad_data_is_told_in_one_sentence(
    command: str, name: str, run: Run, tmp_path: Path
) -> None:
    before = set(files(tmp_path))
    result = run(command, str(tmp_path / name), "--json")
    assert result.exit_code in {1, 2}, result.output
    assert result.stdout == ""
    errors = [line for line in result.stderr.splitlines() if not line.startswith("Warning: ")]
    assert errors[0].startswith("Error: ")
    assert "bug" not in errors[0]
    assert len(errors) == 2
    assert errors[1].startswith("Hint: ")
    assert {path.name for path in tmp_path.iterdir()} | {"absent.csv"} == before


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (
            ["--groups", "rows", "--shuffle", "within", "--exclude", "missing"],
            "the target `seed` is constant in each `rows`",
        ),
        (
            ["--groups", "alpha", "--exclude", "missing"],
            "in `alpha` every row has a value of its own",
        ),
        (
            ["--groups", "kind", "--significance", "0.001", "--exclude", "missing"],
            "the 6 groups of `kind` are moved as a whole",
        ),
        (["--target", "seed", "--target", "seed"], "each column once, got `seed` twice"),
        (["--keep", "jobs", "--exclude", "jobs"], "got `jobs`"),
        (["--features", "missing"], "under --missing error; counts: `missing` (1)"),
        (["--groups", "missing"], "`missing` has no value in 1 row"),
        (["--target", "kinds"], "Did you mean `kind`"),
        (["--features", "bins"], "Columns: `rows`, `alpha`, `kind`, `jobs`"),
    ],
)
def test_columns_that_are_called_like_options_keep_their_names(
    asked: list[str], told: str, run: Run, tmp_path: Path
) -> None:
    """Options are written as they are typed, columns as they are called."""
    at = np.arange(48)
    pl.DataFrame(
        {
            "rows": at // 4,
            "alpha": at,
            "kind": at // 8,
            "jobs": np.random.default_rng(0).normal(size=48),
            "missing": [None, *(at[1:] % 5)],
            "seed": np.where(at // 8 % 2, "p", "q"),
        }
    ).write_parquet(tmp_path / "t.parquet")
    result = run("select", str(tmp_path / "t.parquet"), *asked)
    assert result.exit_code in {1, 2}, result.output
    assert told in " ".join(result.stderr.split())
    assert not {"--rows", "--alpha", "--kind", "--jobs", "--seed"} & set(result.stderr.split())
