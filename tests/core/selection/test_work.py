"""What each step took is told beside the answer, as the ledger counts it."""

from __future__ import annotations

import json
from importlib.resources import files

import jsonschema
import pytest

import renyi
import tables

# to see what is noted
from renyi.information._ledger import Ledger


@pytest.fixture
def counting(monkeypatch):
    """A ledger that says in which ways it settled what it was asked for since the last time."""
    given = []

    def take(ledger):
        given.append(len(given) + 1)
        return {"candidates": {"rank 64": given[-1]}, "replicates": {"bound": 10 * given[-1]}}

    monkeypatch.setattr(Ledger, "take_settled", take, raising=False)
    return given


def test_each_step_has_its_own_record(counting):
    frame = tables.random_table("CRBN", "delta", 30, seed=5).frame
    path = renyi.select(frame, criterion="none", keep=["f3"])
    assert counting == [1, 2, 3, 4]
    steps = path.run["steps"]
    assert [step["candidates"] for step in steps] == [{"rank 64": k} for k in counting]
    assert [step["replicates"] for step in steps] == [{"bound": 10 * k} for k in counting]
    assert [step["seconds"] for step in steps] == list(path.run["seconds_by_step"])
    schema = files("renyi") / "schemas" / "selection-path.schema.json"
    jsonschema.validate(json.loads(path.to_json()), json.loads(schema.read_text(encoding="utf-8")))


def test_an_interrupted_search_tells_of_its_finished_steps(counting):
    frame = tables.random_table("CRBN", "delta", 30, seed=5).frame

    def watch(progress):
        if progress.phase == "candidates" and progress.step == 3:
            raise KeyboardInterrupt

    with pytest.raises(renyi.Interrupted) as caught:
        renyi.select(frame, criterion="none", progress=watch)
    assert len(caught.value.path.run["steps"]) == len(caught.value.path.steps) == 2
