"""The caller's function: how often, on which thread, and how it stops the work."""

from __future__ import annotations

import itertools
import signal
import threading
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

import renyi
from renyi import bridge

# a clock of its own
from renyi.bridge import _pace
from renyi.errors import Way

TABLE = pa.table(
    {
        "a": [0.5, 1.5, 2.5, 9.0, 4.0] * 6,
        "b": [float(i * i % 11) for i in range(30)],
        "c": [float(i * i % 13) for i in range(30)],
        "y": ["p", "q"] * 15,
    }
)
QUICK = {"criterion": "none", "alpha": 2}


@pytest.fixture
def every_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_pace, "monotonic", itertools.count().__next__)  # a second each time


def stop_after(step: int, how: Callable[[], object]) -> Callable[[dict[str, Any]], object]:
    def stop(report: dict[str, Any]) -> object:
        return how() if report["phase"] == "step" and report["step"] == step else None

    return stop


def press_ctrl_c() -> None:
    signal.raise_signal(signal.SIGINT)


@pytest.mark.usefixtures("every_report")
def test_reports_are_dicts_on_the_calling_thread(lender: Any) -> None:
    seen: list[tuple[int, dict[str, Any]]] = []
    alive = threading.active_count()
    bridge.select(
        lender.table(TABLE),
        QUICK | {"jobs": 2},
        None,
        lambda r: seen.append((threading.get_ident(), r)),
    )
    assert {thread for thread, _ in seen} == {threading.get_ident()}
    assert threading.active_count() == alive
    steps = [report for _, report in seen if report["phase"] == "step"]
    assert [report["step"] for report in steps] == [1, 2, 3]
    fields = {
        "phase",
        "step",
        "done",
        "total",
        "feature",
        "steps_total",
        "ahead",
        "share",
        "estimate",
    }
    assert all(set(report) == fields and type(report) is dict for _, report in seen)
    assert {report["steps_total"] for _, report in seen} == {3}


def test_calls_are_at_least_a_tenth_of_a_second_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    called: list[float] = []

    def slow(report: dict[str, Any]) -> None:
        nonlocal now
        called.append(now)
        now += 0.03  # the caller draws

    monkeypatch.setattr(_pace, "monotonic", lambda: now)
    observer = _pace.paced(slow)
    assert observer is not None
    for done in range(100):
        observer(renyi.Progress("candidates", 1, done, 100))
        now += 0.01
    assert called[0] == 1000.0
    apart = [later - earlier for earlier, later in itertools.pairwise(called)]
    assert len(apart) >= 7
    assert all(0.13 <= gap < 0.142 for gap in apart)  # measured from the end of the call before


@pytest.mark.usefixtures("every_report")
@pytest.mark.parametrize("how", [lambda: False, press_ctrl_c], ids=["false", "Ctrl-C"])
def test_an_interrupted_selection_keeps_its_steps(
    lender: Any, out: Any, how: Callable[[], object]
) -> None:
    reply = bridge.select(lender.table(TABLE), QUICK, None, stop_after(2, how), out.places)
    assert reply["ok"] is False
    assert reply["error"] == {
        "code": "interrupted",
        "message": "The selection was interrupted after 2 finished steps.",
        "hint": "",
        "parts": [],
    }
    result = reply["value"]["result"]
    assert result["verdict"]["stopped"] == "interrupted"
    whole = renyi.select(TABLE, **QUICK).to_dict()
    assert result["steps"] == whole["steps"][:2]
    assert renyi.SelectionPath.from_json(reply["value"]["json"]).selected == tuple(
        result["selected"]
    )
    assert out.take().column("feature").to_pylist() == result["selected"]
    assert lender.nothing_is_held


def test_an_interruption_at_once_has_no_steps(lender: Any, out: Any) -> None:
    reply = bridge.select(lender.table(TABLE), QUICK, None, lambda _: False, out.places)
    assert reply["error"]["message"] == "The selection was interrupted after 0 finished steps."
    assert reply["value"]["result"]["steps"] == []
    assert out.take().num_rows == 0


@pytest.mark.usefixtures("every_report")
@pytest.mark.parametrize("answer", [None, True, 0, "", []])
def test_anything_but_false_goes_on(lender: Any, answer: object) -> None:
    reply = bridge.select(lender.table(TABLE), QUICK, None, lambda _: answer)
    assert reply["value"]["result"]["verdict"]["stopped"] == "exhausted"


@pytest.mark.usefixtures("every_report")
def test_a_second_ctrl_c_is_no_exception(lender: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes while the partial answer is written down."""

    def interrupted(path: object) -> None:
        press_ctrl_c()

    monkeypatch.setattr(renyi.SelectionPath, "to_dict", interrupted)
    reply = bridge.select(lender.table(TABLE), QUICK, None, stop_after(1, press_ctrl_c))
    assert reply["error"]["code"] == "interrupted"
    assert reply["value"] is None


def test_ctrl_c_before_the_search_has_no_path(
    lender: Any, out: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("renyi.io._load.assign_roles", lambda *_: press_ctrl_c())
    for call in (bridge.select, bridge.describe):
        reply = call(lender.table(TABLE), out=out.places)
        assert reply["error"]["code"] == "interrupted"
        assert reply["value"] is None
        assert not out.filled
    assert lender.nothing_is_held


@pytest.mark.usefixtures("every_report")
def test_a_function_that_fails_is_told_as_such(lender: Any, out: Any) -> None:
    def fail() -> None:
        raise ValueError("patient 4711")

    reply = bridge.select(lender.table(TABLE), QUICK, None, stop_after(1, fail), out.places)
    assert reply["error"]["code"] == "callback"
    assert reply["error"]["message"] == "The progress function failed with ValueError."
    assert reply["value"] is None
    assert not out.filled
    assert lender.nothing_is_held


def test_what_is_no_function_is_refused(lender: Any) -> None:
    reply = bridge.select(lender.table(TABLE), QUICK, None, "draw")
    assert reply["error"]["code"] == "usage"
    assert "`progress` must be a function, got str" in reply["error"]["message"]


def test_an_estimate_is_told_in_builtins_and_never_dropped() -> None:
    seen: list[dict[str, Any]] = []
    observer = _pace.paced(seen.append)
    assert observer is not None
    observer(renyi.Progress("prepare", 1, 0, 1))
    ways = ((Way("rows", 5000), 14.0),)
    told = renyi.Estimate(260.0, ways)
    observer(renyi.Progress("estimate", 1, 0, 1, estimate=told))
    way = {"option": "rows", "value": 5000, "rule": "", "seconds": 14.0}
    assert seen[1]["estimate"] == {"seconds": 260.0, "ways": [way]}
