"""What each press of Ctrl-C does."""

from __future__ import annotations

import os
import signal

import pytest

from renyi_cli import _interrupts
from renyi_cli._interrupts import Interrupts

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, and an end of the process that can be seen."""
    now = [0.0]

    def leave(status: int) -> None:
        raise SystemExit(status)

    monkeypatch.setattr(_interrupts.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(_interrupts.os, "_exit", leave)
    return now


def press() -> None:
    signal.raise_signal(signal.SIGINT)


def test_the_first_ends_in_order_a_late_one_at_once(
    clock: list[float], capfd: pytest.CaptureFixture[str]
) -> None:
    before = signal.getsignal(signal.SIGINT)
    with Interrupts() as interrupts:
        interrupts.finishing = True
        with pytest.raises(KeyboardInterrupt):
            press()
        clock[0] = 1.9
        press()
        clock[0] = 2.1
        with pytest.raises(SystemExit) as gone:
            press()
    assert gone.value.code == 130
    assert signal.getsignal(signal.SIGINT) is before
    assert capfd.readouterr().err.splitlines() == [
        "Interrupted: what was finished follows (Ctrl-C again to give up).",
        "Interrupted: gave up.",
    ]


def test_none_is_heard_while_an_answer_is_written(clock: list[float]) -> None:
    with Interrupts() as interrupts:
        interrupts.handing_over = True
        for second in (0.0, 1.0, 9.0):
            clock[0] = second
            press()


def test_an_ignored_signal_stays_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with Interrupts():
            press()
    finally:
        signal.signal(signal.SIGINT, before)
