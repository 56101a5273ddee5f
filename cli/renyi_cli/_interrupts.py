"""Ctrl-C: the first press ends the work in order, a press during the answer is not heard."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from contextlib import AbstractContextManager
from types import FrameType, TracebackType
from typing import Any, Final, Self

from renyi_cli._console import is_terminal

__all__ = ["INTERRUPTED", "Interrupts", "ending"]

INTERRUPTED: Final = 130
"""Exit status of an interrupted run."""

BOUNCE: Final = 2.0
"""Seconds after the first press in which more of them mean the same: fingers repeat themselves,
and so do shells and process managers that pass a signal on."""

FINISHING: Final = "Interrupted: what was finished follows (Ctrl-C again to give up)."


class Interrupts(AbstractContextManager["Interrupts"]):
    """Takes SIGINT for one run of the program, on the main thread only.

    The first one raises `KeyboardInterrupt`; those within two seconds of it are ignored; a later
    one ends the process at once. While an answer is handed over none is heard.

    Attributes
    ----------
    finishing
        Whether what runs will still answer after the first one: it is said at once.
    handing_over
        Whether an answer is being written.
    """

    def __init__(self) -> None:
        self.finishing = False
        self.handing_over = False
        self._first: float | None = None
        self._before: Any = None

    def __enter__(self) -> Self:
        """Take the signal, unless whoever started the process wants it ignored."""
        main = threading.current_thread() is threading.main_thread()
        if main and callable(signal.getsignal(signal.SIGINT)):
            self._before = signal.signal(signal.SIGINT, self._hear)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Give the signal back."""
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _hear(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002
        if self.handing_over:
            return
        now = time.monotonic()
        if self._first is None:
            self._first = now
            if self.finishing:
                _tell(FINISHING)
            raise KeyboardInterrupt
        if now - self._first > BOUNCE:
            _tell("Interrupted: gave up.")
            os._exit(INTERRUPTED)  # worker threads would be waited for by any other way out


def ending(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    """Hear a SIGINT while Python loads or ends: there is nothing to finish."""
    os._exit(INTERRUPTED)


def _tell(line: str) -> None:
    """Write a line to stderr past its buffer, which a signal may have caught half-written."""
    obeys = os.environ.get("TERM", "") != "dumb" and sys.platform != "win32"  # old consoles do not
    if is_terminal(sys.stderr) and obeys:
        line = f"\r\x1b[2K\x1b[?25h{line}"  # over the live line; the cursor is shown again
    try:
        os.write(sys.stderr.fileno(), f"{line}\n".encode())
    except (AttributeError, OSError, ValueError):  # stderr is closed: there is nobody to tell
        return
