"""`renyi report` and `select --report`: a page is written whole, and what it lacks is said."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

Run = Callable[..., Any]


@pytest.fixture
def typed(run: Run) -> Run:
    return lambda *words: run(*map(str, words))


@pytest.fixture
def table(tmp_path: Path) -> Path:
    draw = np.random.default_rng(6)
    a = draw.normal(size=50)
    frame = pl.DataFrame({"a": a, "b": draw.normal(size=50), "y": np.where(a > 0, "p", "q")})
    place = tmp_path / "table.csv"
    frame.write_csv(place)
    return place


def test_a_selection_writes_its_page_beside_its_result(
    typed: Run, table: Path, tmp_path: Path
) -> None:
    page, result = tmp_path / "page.html", tmp_path / "result.json"
    done = typed("select", table, "--report", page, "-o", result, "--json")
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["selected"] == ["a"]
    html = page.read_text(encoding="utf-8")
    assert f"Wrote {page}" in " ".join(done.stderr.split())
    assert "data-still>Picture" in html
    again = tmp_path / "again.html"
    done = typed("report", result, "-o", again)
    assert (done.exit_code, done.stdout) == (0, "")
    assert again.read_text(encoding="utf-8") == html


def test_a_page_without_pictures_says_so_here_too(typed: Run, table: Path, tmp_path: Path) -> None:
    result, page = tmp_path / "result.json", tmp_path / "page.html"
    typed("select", table, "-q", "-o", result)
    moved = table.rename(tmp_path / "moved.csv")
    done = typed("report", result, "-o", page)
    assert done.exit_code == 0
    assert "has no pictures" in " ".join(done.stderr.split())
    done = typed("report", result, "-o", page, "--force", "--data", moved)
    assert "has no pictures" not in " ".join(done.stderr.split())
    done = typed("report", result, "-o", page, "--force", "--no-data", "-q")
    assert done.stderr == ""
    assert "data-still>Picture" not in page.read_text(encoding="utf-8")


def test_two_results_are_set_side_by_side(typed: Run, table: Path, tmp_path: Path) -> None:
    for name, purpose in (("one", "model"), ("two", "news")):
        typed("select", table, "-q", "-o", tmp_path / f"{name}.json", "--for", purpose)
    page = tmp_path / "both.html"
    done = typed("report", tmp_path / "one.json", tmp_path / "two.json", "-o", page)
    assert done.exit_code == 0, done.stderr
    html = page.read_text(encoding="utf-8")
    assert '<a href="#r2">two</a>' in html
    assert html.count("<article") == 2


@pytest.mark.parametrize(
    ("words", "said", "code"),
    [
        (["report", "none.json", "-o", "page.html"], "cannot be read", 1),
        (["report", "RESULT", "-o", "page.pdf"], "must end in", 2),
        (["report", "RESULT", "-o", "no/page.html"], "there is no directory", 1),
        (["report", "RESULT", "-o", "there.html"], "is there already", 1),
        (["report", "TABLE", "-o", "page.html"], "not JSON", 1),
        (["report", "RESULT"], "--output", 2),
        (["report", "-o", "page.html"], "RESULT", 2),
        (["report", "RESULT", "-o", "page.html", "--data", "none.csv"], "is not there", 1),
        (["select", "TABLE", "--report", "page.txt"], "must end in", 2),
        (["select", "TABLE", "--report", "there.html"], "is there already", 1),
    ],
)
def test_what_goes_wrong_is_told_in_a_sentence(
    words: list[str],
    said: str,
    code: int,
    typed: Run,
    table: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    typed("select", table, "-q", "-o", "result.json")
    Path("there.html").write_text("mine", encoding="utf-8")
    named = {"RESULT": "result.json", "TABLE": str(table)}
    done = typed(*(named.get(word, word) for word in words))
    assert done.exit_code == code, done.stderr
    assert done.stdout == ""
    assert said in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert not Path("page.html").exists()
    assert Path("there.html").read_text(encoding="utf-8") == "mine"
