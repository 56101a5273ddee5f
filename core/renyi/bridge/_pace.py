"""Reports of progress for another language: not too many, on the calling thread."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, replace
from time import monotonic
from typing import Any, Final

from renyi._progress import Observer, Progress
from renyi.bridge._replies import CallbackError
from renyi.errors import UsageError

__all__ = ["paced"]

INTERVAL: Final = 0.1
"""Seconds between two calls at least: a caller's screen and interpreter are slow."""


def paced(callback: object) -> Observer | None:
    """Return an observer that calls `callback` now and then, and stops the work if it says so.

    Raises
    ------
    UsageError
        If it cannot be called.
    """
    if callback is None:
        return None
    if not callable(callback):
        raise UsageError(f"`progress` must be a function, got {type(callback).__name__}.")
    return _Paced(callback)


class _Paced:
    def __init__(self, callback: Callable[[dict[str, Any]], object]) -> None:
        self._callback = callback
        self._due = -math.inf

    def __call__(self, progress: Progress, /) -> None:
        if monotonic() < self._due and progress.estimate is None:
            return
        try:
            answer = self._callback(_report(progress))
        except Exception as error:
            raise CallbackError from error
        if answer is False:
            raise KeyboardInterrupt
        self._due = monotonic() + INTERVAL  # from its end: a slow one must not fill all the time


def _report(progress: Progress) -> dict[str, Any]:
    """Return a report in builtins."""
    report = asdict(replace(progress, estimate=None))
    if progress.estimate is not None:
        ways = [{**way._asdict(), "seconds": seconds} for way, seconds in progress.estimate.ways]
        report["estimate"] = {"seconds": progress.estimate.seconds, "ways": ways}
    return report
