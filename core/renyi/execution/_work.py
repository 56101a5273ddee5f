"""What a caller has asked for: how far it is, whether it shall stop, and who hears of it meanwhile.

Work that takes long says between its pieces what it has done (`pause`). On the calling thread the
caller hears of it five times a second (`beat`), while it waits for workers too. Where the caller
has gone, by Ctrl-C or a cancel token, the next pause ends the worker's task. No result depends on
any of this.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from time import monotonic
from typing import Any, Final, TypeVar

from renyi._progress import CancelToken, Observer, Progress
from renyi.execution._heap import kept_heap

__all__ = ["Stopped", "Work", "current", "expect", "followed", "pause", "within"]

BEAT_SECONDS: Final = 0.2
"""Seconds between two beats at least: what an eye sees as alive."""

Result = TypeVar("Result")


class Stopped(BaseException):
    """Ends a worker's task whose caller has gone; no caller ever sees it."""


class Work:
    """All that one caller waits for, on however many threads.

    Parameters
    ----------
    beat
        Called on the thread that made this, now and then; what it raises ends the work.
    crew
        Who does tasks elsewhere, a `renyi.execution.Crew`; None for threads here.

    Attributes
    ----------
    done, expected
        What has been done and what there is to do as far as is known, in operations.
    stopping
        Whether tasks shall end at their next pause.
    """

    def __init__(self, beat: Callable[[], None] | None = None, crew: Any = None) -> None:
        self._beat = beat
        self.crew = crew
        self._owner = threading.get_ident()
        self._lock = threading.Lock()
        self._due = monotonic() + BEAT_SECONDS
        self.done = self.expected = 0.0
        self.stopping = False

    def add(self, done: float, expected: float) -> None:
        """Count what was done, or will be."""
        with self._lock:
            self.done += done
            self.expected += expected

    def beat(self) -> None:
        """Tell the caller, if this is its thread and it is time."""
        if self._beat is None or threading.get_ident() != self._owner:
            return
        if monotonic() >= self._due:
            self._beat()
            self._due = monotonic() + BEAT_SECONDS


class _Here(threading.local):
    work: Work | None = None


_here = _Here()


def current() -> Work:
    """Return the work that this thread does its part of; new work where there is none."""
    return _here.work or Work()


def within(work: Work, task: Callable[[], Result]) -> Result:
    """Run a task on a worker thread as a part of some work."""
    _here.work = work
    pause()
    return task()


def expect(operations: float) -> None:
    """Say how many operations are to be done now."""
    if _here.work is not None:
        _here.work.add(0.0, operations)


def pause(operations: float = 0.0) -> None:
    """Say between two pieces of work how many operations the last one took.

    Raises
    ------
    Stopped
        If the caller has gone.
    """
    work = _here.work
    if work is None:
        return
    work.add(operations, 0.0)
    if work.stopping:
        raise Stopped
    work.beat()


@contextmanager
def followed(
    observer: Observer, cancel: CancelToken | None, crew: Any = None
) -> Iterator[Observer]:
    """Have an observer told of what happens between two reports, and a token asked as often.

    Parameters
    ----------
    observer
        Told on the calling thread.
    cancel
        Asked for interruption; None for nothing to ask.
    crew
        Who does tasks elsewhere, see `crew_of`; None for threads here.

    Yields
    ------
    Observer
        What to tell. Its last report is told again with the share that is done of what that said
        is `ahead`.
    """
    told = _Followed(observer, cancel, crew)
    before, _here.work = _here.work, told.work
    try:
        with kept_heap():
            yield told
    except BaseException:
        told.work.stopping = True  # tasks of an iterator that was left may still run
        raise
    finally:
        _here.work = before


class _Followed:
    def __init__(self, observer: Observer, cancel: CancelToken | None, crew: Any) -> None:
        self._observer, self._cancel = observer, cancel
        self.work = Work(self._beat, crew)
        self._last: Progress | None = None
        self._base = (0.0, 0.0)
        self._part = 0.0

    def __call__(self, progress: Progress, /) -> None:
        self._last, self._part = progress, 0.0
        self._base = self.work.done, self.work.expected
        self._observer(progress)

    def _beat(self) -> None:
        if self._cancel is not None:
            self._cancel.check()
        last = self._last
        if last is None or last.phase in {"step", "estimate"}:  # these are told once
            return
        if last.ahead and last.total:
            done, expected = self.work.done - self._base[0], self.work.expected - self._base[1]
            # a further pass makes the whole longer than it looked: what was told is not taken back
            self._part = max(self._part, min(done / expected, 1.0) if expected > 0 else 0.0)
            last = replace(last, share=(last.done + last.ahead * self._part) / last.total)
        self._observer(last)
