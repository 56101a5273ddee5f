"""Live progress on stderr: where the search is and how long its present part can still take.

The number of steps is not known before they are done, so no time is promised for the whole; the
time left is that of the candidates or shuffles at work, from their own pace.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import AbstractContextManager, ExitStack
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from renyi_cli._console import is_terminal, printable, say
from renyi_cli._session import Session
from renyi_cli.pages._numbers import duration

if TYPE_CHECKING:
    from rich.progress import Task

    from renyi import Progress

__all__ = ["Watch"]

PHASES: Final = {
    "prepare": "preparing",
    "candidates": "candidates",
    "permutations": "draws",
    "sensitivity": "settings",
    "stability": "halves",
    "models": "models",
}

REPEATS: Final = frozenset({"sensitivity", "stability"})
"""Phases that repeat a whole selection: they count by themselves, and one is one pace."""

SOON: Final = 0.5
"""Seconds of work before a pace is believed."""


def time_left(phase: str, done: int, total: int, seconds: float) -> str:
    """Write how long a phase will still take; a test of shuffles may also end early.

    Examples
    --------
    >>> time_left("candidates", 5, 20, 10.0), time_left("permutations", 5, 20, 10.0)
    ('0:30 left', 'at most 0:30 left')
    """
    if done <= 0 or seconds < SOON:
        return ""
    left = duration(seconds / done * (total - done))
    return f"at most {left} left" if phase == "permutations" else f"{left} left"


class Watch(AbstractContextManager["Watch"]):
    """Takes the reports of a selection and shows them, as far as the session allows."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._live: Any = None
        self._task: Any = None
        self._phase = ("", 0)
        self._began = self._step_began = time.monotonic()
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        """Begin to show."""
        session = self._session
        live = session.progress and not session.quiet and is_terminal(sys.stderr)
        if live and os.environ.get("TERM", "") != "dumb":
            self._live = self._stack.enter_context(_live_line())
            self._task = self._live.add_task("", total=None, step="reading", left="")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Clear the line."""
        self._stack.__exit__(kind, error, trace)
        self._live = None

    def __call__(self, report: Progress, /) -> None:
        """Take one report."""
        now = time.monotonic()
        if report.phase == "step":
            self._tell_step(report, now)
            return
        part = (report.phase, 0 if report.phase in REPEATS else report.step)
        if part != self._phase:
            self._phase, self._began = part, now
        if self._live is not None:
            step = "repeat" if report.phase in REPEATS else f"step {report.step}"
            if report.steps_total is not None:
                step += f" of at most {report.steps_total}"
            self._live.update(
                self._task,
                description=PHASES.get(report.phase, report.phase),
                completed=report.done,
                total=report.total or None,
                step=step,
                left=time_left(report.phase, report.done, report.total, now - self._began),
            )

    def _tell_step(self, report: Progress, now: float) -> None:
        if self._session.verbose and not self._session.quiet:
            line = f"step {report.step}: {report.feature} ({now - self._step_began:.1f} s)"
            if self._live is not None:
                self._live.console.print(printable(line))
            else:
                say("", line)
        self._step_began = now


def _live_line() -> Any:
    """Build the one live line: step, what is at work, bar, count, time left."""
    from rich import progress as bars
    from rich.console import Console
    from rich.text import Text

    class Words(bars.ProgressColumn):
        """The task's words, as they are."""

        def __init__(self, words: str) -> None:
            super().__init__()
            self._words = words

        def render(self, task: Task) -> Text:
            fields = {
                **task.fields,
                "doing": task.description,
                "count": f"{task.completed:.0f}/{task.total:.0f}" if task.total else "",
                "elapsed": duration(task.elapsed or 0.0),
            }
            return Text(printable(fields[self._words]))

    console = Console(stderr=True, highlight=False, markup=False, emoji=False)
    words = [Words(name) for name in ("elapsed", "step", "doing", "count", "left")]
    columns = (*words[:3], bars.BarColumn(16), *words[3:])
    return bars.Progress(*columns, console=console, transient=True, refresh_per_second=8)
