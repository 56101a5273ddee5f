"""``renyi select``: what is asked of the search, and what is shown of its answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from records import (
    FEATURES,
    data_report,
    heart_path,
    there_and_back,
)
from renyi.options import MethodOptions
from renyi.selection import Verdict

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
        *("--table", "t", "--decimal", ",", "--thousands", "space"),
        *("--rows", "300", "--criterion", "cmi-perm", "--criterion", "mi-chi2"),
        *("--stop-when", "all", "--max-features", "3", "--permutations", "19"),
        *(
            "--significance",
            "0.1",
            "--p-rule",
            "paper",
            "--error-rate",
            "fdr",
            "--epsilon",
            "1e-3",
            "--bins",
            "4",
        ),
        *("--binning", "frequency", "--preset", "paper", "--alpha", "2", "--bandwidth", "scott"),
        *("--bandwidth", "a=1.5", "--standardise", "rank", "--label-kernel", "onehot"),
        *("--nominal", "delta", "--class-weights", "none", "--rank", "raw", "--for", "news"),
        *("--score", "chi2-gain", "--solver", "dense", "--tolerance", "1e-9", "--seed", "7"),
        *("--backend", "numpy", "--jobs", "1", "--max-memory", "2GiB"),
        *("--checkpoint", "part.json", "--lookahead", "2", "--min-gain", "1%"),
        *("--sensitivity", "--stability", "50", "--start", "r.json", "--search", "floating"),
    )
    assert result.exit_code == 0
    assert search.asked == {
        "target": ("y",),
        "features": ("a", "b", "c*"),
        "exclude": ("z",),
        "keep": ("b",),
        "start": "r.json",
        "search": "floating",
        "kind": (("a", "nominal"), ("*", "ordinal")),
        "table": "t",
        "decimal": ",",
        "thousands": "space",
        "missing": "drop",
        "rows": 300,
        "purpose": "news",
        "criterion": ("cmi-perm", "mi-chi2"),
        "stop_when": "all",
        "max_features": 3,
        "lookahead": 2,
        "min_gain": "1%",
        "permutations": "19",
        "significance": 0.1,
        "p_rule": "paper",
        "error_rate": "fdr",
        "epsilon": 1e-3,
        "bins": 4,
        "binning": "frequency",
        "preset": "paper",
        "alpha": 2.0,
        "bandwidth": "scott",
        "bandwidths": {"a": "1.5"},
        "standardise": "rank",
        "nominal": "delta",
        "label_kernel": "onehot",
        "class_weights": "none",
        "score": "chi2-gain",
        "rank": "raw",
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


def test_choices_that_are_not_usual_are_in_the_heading(run: Run, search: Any) -> None:
    plain = MethodOptions(rank="raw", nominal="delta", class_weights="none")
    search.answer = heart_path(options=plain)
    words = " ".join(run("select", "x").stdout.split())
    assert "rank raw, alpha 2, steady, zscore, nominal delta, class weights none" in words
    search.answer = heart_path(options=MethodOptions(alpha=1.01, class_weights="none"))
    words = " ".join(run("select", "x").stdout.split())
    assert "rank chance, alpha 1.01" in words  # there it is raw that is usual


@pytest.mark.parametrize(
    ("criteria", "said"),
    [
        (
            ("cmi-max",),
            "age For a model: columns that help together with those before; `--for news`",
        ),
        (
            ("cmi-local",),
            "age For news: columns that say something beyond those before; `--for model`",
        ),
        (("cmi-perm",), ""),
        (("cmi-max", "mi-perm"), ""),
    ],
)
def test_what_the_columns_are_for_is_said_below_the_verdict(
    run: Run, search: Any, criteria: tuple[str, ...], said: str
) -> None:
    search.answer = heart_path(options=MethodOptions(criteria=criteria))
    words = " ".join(run("select", "x").stdout.split())
    assert said in words
    assert ("--for" in words) == bool(said)


def test_two_words_for_what_is_asked_must_agree(run: Run) -> None:
    result = run("select", "no-such.csv", "--for", "news", "--criterion", "cmi-max")
    assert result.exit_code == 2
    words = " ".join(result.stderr.split())
    assert "--for must agree with --criterion: news means cmi-local, got cmi-max." in words
    assert "Leave one of the two out." in words
    assert "--for must be one of model, news; got 'x'" in run("select", "d", "--for", "x").stderr


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


def test_a_sample_and_a_limit_are_in_the_heading(run: Run, search: Any) -> None:
    report = data_report(FEATURES, rows=1_234_567, rows_used=2000)
    search.answer = heart_path(data=report, options=replace(heart_path().options, max_features=3))
    out = " ".join(run("select", "x", "-q").stdout.split())
    assert "2,000 rows of 1,234,567" in out
    assert "at most 3 features" in out


def test_columns_that_are_taken_away_are_marked(
    run: Run, search: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "140")
    search.answer = there_and_back()
    found = run("select", "x", "--search", "beam:3")
    text = found.stdout
    assert search.asked["search"] == "beam:3"
    assert "search beam:3" in text
    assert "age + sex (start)" in text
    assert "- age" in text
    assert "stays" in text
    assert "not selected" not in text.split("Selected")[0]
    assert "Selected 2 of" in text
    assert "- name: taken away" in " ".join(text.split())


def test_a_selection_goes_on_from_a_file(run: Run, tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    rows = [f"{i % 7},{(3 * i) % 5},{'p' if i % 7 > 3 else 'q'}" for i in range(60)]
    table.write_text("a,b,y\n" + "\n".join(rows) + "\n")
    first = tmp_path / "first.json"
    assert run("select", str(table), "--max-features", "1", "-o", str(first)).exit_code == 0
    found = run("select", str(table), "--start", str(first), "--criterion", "none", "--json")
    steps = json.loads(found.stdout)["steps"]
    assert [(step["action"], step["features"]) for step in steps] == [
        ("start", ["a"]),
        ("add", ["b"]),
    ]
    refused = run("select", str(table), "--start", str(first), "--exclude", "a")
    assert refused.exit_code == 2
    assert "start must not hold a column that is excluded" in refused.stderr.replace("`", "")
    assert not refused.stdout
