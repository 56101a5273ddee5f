"""Progress on stderr: where the search is and how long its present part can still take.

On a terminal it is one live line, elsewhere a plain one every half minute.

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

from renyi.wording import duration
from renyi_cli._console import is_terminal, printable, say
from renyi_cli._errors import typed_way
from renyi_cli._session import Session

if TYPE_CHECKING:
    from rich.progress import Task

    from renyi import Estimate, Progress

__all__ = ["Watch"]

PHASES: Final = {
    "prepare": "preparing",
    "candidates": "candidates",
    "permutations": "draws",
    "explain": "explaining",
    "sensitivity": "settings",
    "stability": "halves",
    "models": "models",
}

REPEATS: Final = frozenset({"sensitivity", "stability"})
"""Phases that repeat a whole selection: they count by themselves, and one is one pace."""

SOON: Final = 0.5
LEAST: Final = 0.02
"""Share of the work before its pace is believed: what comes first is mostly no part of it.

Two seconds in a hundred; one count in fifty-nine is not enough.
"""

SIGN_SECONDS: Final = 30.0
"""Seconds between two plain lines where there is no live one."""


def roughly(seconds: float) -> str:
    """Write a time that is known to within a factor of two.

    Examples
    --------
    >>> [roughly(seconds) for seconds in (0.2, 14, 70, 260, 5000, 40_000)]
    ['seconds', '10 s', '1 min', '4 min', '1.4 h', '11 h']
    """
    if seconds < 5:
        return "seconds"
    if seconds < 55:
        return f"{max(10, 10 * round(seconds / 10))} s"
    if seconds < 3300:
        return f"{max(1, round(seconds / 60))} min"
    hours = seconds / 3600
    return f"{hours:.1f} h" if hours < 10 else f"{hours:.0f} h"


def time_left(phase: str, fraction: float, seconds: float) -> str:
    """Write how long a phase will still take; a test of shuffles may also end early.

    Examples
    --------
    >>> time_left("candidates", 0.25, 10.0), time_left("permutations", 0.25, 10.0)
    ('0:30 left', 'at most 0:30 left')
    """
    if fraction < LEAST or seconds < SOON:
        return ""
    left = duration(seconds / fraction * (1 - fraction))
    return f"at most {left} left" if phase == "permutations" else f"{left} left"


class Watch(AbstractContextManager["Watch"]):
    """Takes the reports of a selection and shows them, as far as the session allows."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._live: Any = None
        self._task: Any = None
        self._phase = ("", 0)
        self._fraction = 0.0
        self._signs = False
        self._opened = self._began = self._step_began = time.monotonic()
        self._due = self._opened + SIGN_SECONDS
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        """Begin to show."""
        session = self._session
        wanted = session.progress and not session.quiet
        live = is_terminal(sys.stderr) and os.environ.get("TERM", "") != "dumb"
        self._signs = wanted and not live
        if wanted and live:
            self._live = self._stack.enter_context(_live_line())
            self._task = self._live.add_task("", total=None, step="reading", count="", left="")
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
        if report.estimate is not None:
            self._tell_estimate(report.estimate)
            return
        if report.phase == "step":
            self._tell_step(report, now)
            return
        part = (report.phase, 0 if report.phase in REPEATS else report.step)
        if part != self._phase:
            self._phase, self._began, self._fraction = part, now, 0.0
        # a second pass of a phase may make it longer than it looked: a bar does not go back
        self._fraction = max(self._fraction, report.fraction)
        if self._live is None and not (self._signs and now >= self._due):
            return
        step = "repeat" if report.phase in REPEATS else f"step {report.step}"
        if report.steps_total is not None:
            step += f" of at most {report.steps_total}"
        doing = PHASES.get(report.phase, report.phase)
        left = time_left(report.phase, self._fraction, now - self._began)
        count = f"{report.done}/{report.total}" if report.total else ""
        if report.ahead and not report.done:  # they come together, or a share of their sum
            count = f"{100 * self._fraction:.0f}%"
        if self._live is not None:
            self._live.update(
                self._task,
                description=doing,
                completed=100 * self._fraction,
                total=100 if report.total else None,
                step=step,
                count=count,
                left=left,
            )
            return
        self._due = now + SIGN_SECONDS
        so_far = ", ".join(filter(None, (f"{step}: {doing} {count}", left)))
        say(f"{duration(now - self._opened)}", printable(so_far), "quiet")

    def _tell_estimate(self, estimate: Estimate) -> None:
        if self._session.quiet:
            return
        line = f"this will take about {roughly(estimate.seconds)}."
        if estimate.ways:
            faster = ", ".join(f"{typed_way(way)} ({roughly(s)})" for way, s in estimate.ways)
            line += f" Faster: {faster}."
        if self._live is not None:
            self._live.console.print(printable(f"Estimate: {line}"), soft_wrap=True)
        else:
            say("Estimate:", line, "bold")

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
                "elapsed": duration(task.elapsed or 0.0),
            }
            return Text(printable(fields[self._words]))

    console = Console(stderr=True, highlight=False, markup=False, emoji=False)
    words = [Words(name) for name in ("elapsed", "step", "doing", "count", "left")]
    columns = (*words[:3], bars.BarColumn(16), *words[3:])
    return bars.Progress(*columns, console=console, transient=True, refresh_per_second=8)
