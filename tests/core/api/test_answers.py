"""What was saved is read back as what it was, whichever kind it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import renyi
from renyi.errors import ReadError


@pytest.fixture(scope="module")
def table() -> dict[str, Any]:
    rng = np.random.default_rng(1)
    y = rng.integers(2, size=60)
    return {"a": y + rng.normal(size=60), "b": rng.normal(size=60), "y": np.where(y, "p", "n")}


@pytest.fixture(scope="module")
def answers(table) -> dict[str, Any]:
    few = {"target": "y", "permutations": 19}
    return {
        "selection": renyi.select(table, **few),
        "comparison": renyi.compare(table, runs=4, criterion=["mi-perm", "cmi-heuristic"], **few),
        "scores": renyi.compare(table, runs=4, score=["mi", "jmi"], **few),
    }


@pytest.mark.parametrize("kind", ["selection", "comparison", "scores"])
def test_it_is_what_it_was(answers, kind: str, tmp_path: Path) -> None:
    known = answers[kind]
    again = renyi.read_answer(known.save(tmp_path / "a.json"))
    assert type(again) is type(known)
    assert again == known
    if kind != "selection":  # whose file has a digest of its own
        assert again.to_json() == known.to_json()
        assert type(again).from_json(known.to_json()) == known
    if isinstance(again, renyi.ScoreComparison):
        assert {type(one) for one in again.comparisons} == {renyi.Comparison}
        assert again.to_polars().equals(known.to_polars())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"curve": []}, "`curve` must have sizes"),
        ({"best": 7}, "`best` must be a size of the curve"),
        ({"best": "1"}, "`best` must be a whole number"),
        ({"results": []}, "must not be empty"),
        ({"steps": None}, "not a whole result of `renyi compare`"),
        ({"schema_version": "9.0"}, "newer than"),
        ({"schema_version": 1}, "must be text such as"),
    ],
)
def test_what_is_broken_is_refused(answers, change, said: str, tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text(json.dumps(answers["comparison"].to_dict() | change), encoding="utf-8")
    with pytest.raises(ReadError, match=said):
        renyi.read_answer(file)


def test_stops_must_be_those_of_the_paths(answers, tmp_path: Path) -> None:
    record = answers["scores"].to_dict()
    record["stops"][0]["features"] += 1
    file = tmp_path / "a.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(ReadError, match="`stops` must be one for each criterion"):
        renyi.read_answer(file)
    del record["comparisons"][0]["curve"]
    file.write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(ReadError, match="`curve` is missing"):
        renyi.read_answer(file)
