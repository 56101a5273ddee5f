"""``renyi reproduce``: what it hands on and what it says."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import renyi_paper
from renyi_paper import Reproduction, UnitReport
from reproduction_units import own_unit, table_unit

Run = Callable[..., Any]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What `renyi_paper.reproduce` was called with; it answers with units made up."""
    given: dict[str, Any] = {}

    def answer(sets: Any, *, on_unit: Any, progress: Any, **options: Any) -> Reproduction:
        given.update(sets=sets, **options)
        on_unit(UnitReport("heart", "table 1", 75.0, 1, 2))
        on_unit(UnitReport("heart", "default", None, 2, 2))
        return Reproduction((table_unit(),), (own_unit(),), Path("F/reproduction.md"))

    monkeypatch.setattr(renyi_paper, "reproduce", answer)
    return given


def test_everything_is_handed_on(run: Run, asked: dict[str, Any]) -> None:
    words = "reproduce heart spect --tables 1,2 --runs 7 --seed 3 --jobs 2 --out F --page p.md"
    assert run(*words.split()).exit_code == 0
    assert asked == {
        "sets": ["heart", "spect"],
        "tables": (1, 2),
        "runs": 7,
        "seed": 3,
        "jobs": 2,
        "folder": "F",
        "page": "p.md",
    }


def test_units_are_told_and_ours_stand_beside_the_printed_ones(
    run: Run, asked: dict[str, Any]
) -> None:
    result = run("reproduce", "heart")
    assert asked["sets"] == ["heart"]
    assert "1/2 heart, table 1: 1:15" in result.stderr
    assert "2/2 heart, default: was there" in result.stderr
    assert "Wrote F/reproduction.md" in result.stderr
    lines = [line.split() for line in result.stdout.splitlines() if "mi-chi2" in line]
    assert lines == [["1", "heart", "mi-chi2", "3", "2", "80.0", "+-", "14.1", "76.9", "+-", "3.8"]]


def test_quiet_says_nothing_and_json_is_whole(run: Run, asked: dict[str, Any]) -> None:
    result = run("reproduce", "heart", "--quiet", "--json")
    assert result.stderr == ""
    rows = json.loads(result.stdout)
    assert [row["features"] for row in rows] == [13, 4, 3, 4, 6]


def test_csv_has_a_row_a_criterion(run: Run, asked: dict[str, Any]) -> None:
    lines = run("reproduce", "heart", "--format", "csv", "-q").stdout.splitlines()
    assert lines[0].startswith("table,set,criterion,features,printed_features")
    assert len(lines) == 6


@pytest.mark.parametrize("text", ["one", "1;2", "1,", "-1"])
def test_tables_must_be_numbers(text: str, run: Run, asked: dict[str, Any]) -> None:
    result = run("reproduce", "heart", f"--tables={text}")
    assert result.exit_code == 2
    assert "--tables must be 1, 2 or 1,2" in result.stderr
    assert asked == {}


def test_an_interruption_says_how_to_go_on(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(renyi_paper, "reproduce", interrupted)
    result = run("reproduce", "heart", "--out", "kept")
    assert result.exit_code == 130
    assert "goes on from `kept`" in result.stderr
    assert result.stdout == ""
