"""Ctrl-C while processes start: neither they nor what starts them shall hear it then."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from time import monotonic
from types import FrameType
from typing import Final

__all__ = ["held_ctrl_c"]

PATIENCE_SECONDS: Final = 2.0
"""How long after a first Ctrl-C more of them mean the same, while processes start."""


def held_ctrl_c() -> Callable[[], None]:
    """Hold Ctrl-C off, and off what is started meanwhile for good; return what hears it again.

    A terminal sends it to workers as well, each of which would write how it was interrupted. Here
    it would leave behind what has been started so far, of which nobody has a hold yet.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        return lambda: None
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # where it is started later, it lets Ctrl-C through again
    hear_again = _postponed()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})

    def hear() -> None:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        hear_again()

    return hear


def _postponed() -> Callable[[], None]:
    """Postpone Ctrl-C, which any thread may be given, until what is returned is called.

    One that comes long after the first is heard at once: what is waited for may never come.
    """
    before = signal.getsignal(signal.SIGINT)
    if not callable(before) or threading.current_thread() is not threading.main_thread():
        return lambda: None
    pressed: list[float] = []

    def note(number: int, frame: FrameType | None) -> None:
        pressed.append(monotonic())
        if pressed[-1] - pressed[0] > PATIENCE_SECONDS:
            before(number, frame)

    def hear() -> None:
        signal.signal(signal.SIGINT, before)
        if pressed:
            before(signal.SIGINT, None)

    signal.signal(signal.SIGINT, note)
    return hear
