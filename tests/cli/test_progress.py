"""Progress: honest about what is known, on a terminal only, and gone afterwards."""

from __future__ import annotations

import io
import re
import sys
from typing import Any

import pytest

import renyi_cli._progress as progress
from renyi import Estimate, Progress
from renyi.errors import Way
from renyi_cli._progress import Watch, time_left
from renyi_cli._session import Session


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def watched(session: Session, clock: list[float], stream: io.StringIO) -> str:
    """Return what a session writes to stderr; pytest swaps that stream before each test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stderr", stream)
        report_steps(session, clock)
    return stream.getvalue()


def report_steps(session: Session, clock: list[float]) -> None:
    with Watch(session) as watch:
        for done in (0, 5, 10):
            watch(Progress("candidates", 1, done, 20, None, 13))
            clock[0] += 5
            if watch._live is not None:
                watch._live.refresh()
        watch(Progress("permutations", 1, 0, 100, "[red]", 13))
        clock[0] += 2
        watch(Progress("permutations", 1, 10, 100, "[red]", 13))
        if watch._live is not None:
            watch._live.refresh()
        watch(Progress("step", 1, 1, 13, "[red]\x1b[31m", 13))


def visible(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text)


def test_the_line_says_where_the_search_is(clock: list[float]) -> None:
    written = watched(Session(), clock, Terminal())
    text = visible(written)
    assert "step 1 of at most 13" in text
    assert "candidates" in text
    assert "10/20" in text
    assert "0:10 left" in text  # 10 seconds for the first half
    assert "10/100" in text
    assert "at most 0:18 left" in text  # 2 seconds for a tenth; the test may end early
    assert "\x1b[2K" in written  # the line is cleared


def test_repeats_count_by_themselves(clock: list[float]) -> None:
    def report(session: Session) -> None:
        with Watch(session) as watch:
            for done in (0, 5, 10):
                watch(Progress("stability", done + 1, done, 20))
                clock[0] += 5
                if watch._live is not None:
                    watch._live.refresh()

    stream = Terminal()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stderr", stream)
        report(Session())
    text = visible(stream.getvalue())
    assert "repeat halves" in re.sub(r"\s+", " ", text)
    assert "10/20" in text
    assert "0:10 left" in text  # one pace for all halves


@pytest.mark.parametrize(
    "session", [Session(quiet=True), Session(progress=False), Session(quiet=True, verbose=True)]
)
def test_nothing_is_shown_where_nothing_is_wanted(session: Session, clock: list[float]) -> None:
    assert watched(session, clock, Terminal()) == ""


def test_no_terminal_no_line(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    assert watched(Session(), clock, io.StringIO()) == ""
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert watched(Session(), clock, io.StringIO()) == ""


def long_pass(session: Session, clock: list[float], stream: io.StringIO) -> str:
    """Report one pass over all rows that takes two minutes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stderr", stream)
        with Watch(session) as watch:
            watch(Progress("candidates", 3, 0, 15, None, 15, 15))
            for second in range(120):
                clock[0] += 1
                watch(Progress("candidates", 3, 0, 15, None, 15, 15, (second + 1) / 120))
                if watch._live is not None:
                    watch._live.refresh()
    return visible(stream.getvalue())


def test_a_pass_moves_the_bar_and_its_pace_is_of_the_work(clock: list[float]) -> None:
    text = long_pass(Session(), clock, Terminal())
    assert "50%" in text
    assert "1:00 left" in text
    assert "0/15" not in text


def test_where_there_is_no_terminal_a_plain_line_comes_every_half_minute(
    clock: list[float],
) -> None:
    lines = long_pass(Session(), clock, io.StringIO()).splitlines()
    assert lines == [
        "0:30 step 3 of at most 15: candidates 25%, 1:30 left",
        "1:00 step 3 of at most 15: candidates 50%, 1:00 left",
        "1:30 step 3 of at most 15: candidates 75%, 0:30 left",
        "2:00 step 3 of at most 15: candidates 100%, 0:00 left",
    ]
    assert long_pass(Session(progress=False), clock, io.StringIO()) == ""
    assert long_pass(Session(quiet=True), clock, io.StringIO()) == ""


@pytest.mark.parametrize("stream", [io.StringIO(), Terminal()], ids=["pipe", "terminal"])
def test_a_long_run_says_how_long_and_what_is_faster(stream: io.StringIO) -> None:
    estimate = Estimate(260.0, ((Way("rows", 5000), 14.0), (Way("alpha", 2), 70.0)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stderr", stream)
        with Watch(Session()) as watch:
            watch(Progress("estimate", 1, 0, 1, estimate=estimate))
        told = visible(stream.getvalue())
        with Watch(Session(quiet=True)) as watch:
            watch(Progress("estimate", 1, 0, 1, estimate=estimate))
    words = "Estimate: this will take about 4 min. Faster: --rows 5000 (10 s), --alpha 2 (1 min)."
    assert words in told
    assert visible(stream.getvalue()).count("Estimate:") == 1


def test_a_dumb_terminal_gets_no_line(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    assert watched(Session(), clock, Terminal()) == ""


@pytest.mark.parametrize("live", [True, False])
def test_verbose_tells_each_step(live: bool, clock: list[float]) -> None:
    written = watched(Session(verbose=True, progress=live), clock, Terminal())
    assert r"step 1: [red]\x1b[31m (17.0 s)" in visible(written)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("candidates", 0.0, 10.0), ""),
        (("candidates", 0.05, 0.1), ""),
        (("permutations", 1 / 59, 10.0), ""),  # what comes first is no pace
        (("candidates", 1.0, 10.0), "0:00 left"),
        (("prepare", 0.5, 3600.0), "1:00:00 left"),
        (("permutations", 0.5, 30.0), "at most 0:30 left"),
    ],
)
def test_time_left_is_from_the_pace_so_far(arguments: Any, words: str) -> None:
    assert time_left(*arguments) == words
