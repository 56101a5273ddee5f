"""What a worker of a crew does: one task with one BLAS thread, and word of what became of it.

Everything here is found by its name on the worker: what travels are names, arrays and numbers.
"""

from __future__ import annotations

import os
import platform
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import metadata
from time import perf_counter
from typing import Any, Final, Literal, NamedTuple

from renyi._version import __version__
from renyi.errors import RenyiError
from renyi.execution._heap import kept_heap
from renyi.execution._threads import one_blas_thread

__all__ = ["Outcome", "Versions", "Worker", "greeted", "own_versions", "perform", "perform_held"]

HELD: Final = 6
"""Values that a worker keeps which nobody else keeps for it: those of two passes."""


class Versions(NamedTuple):
    """What must be the same on both sides for the answer to be the same."""

    renyi: str
    numpy: str
    scipy: str

    def __str__(self) -> str:
        return ", ".join(f"{name} {one}" for name, one in self._asdict().items())


class Worker(NamedTuple):
    """Who did a task."""

    host: str
    process: int

    def __str__(self) -> str:
        return f"host {self.host}, process {self.process}"


class Outcome(NamedTuple):
    """What became of a task.

    Attributes
    ----------
    kind
        `done`; `memory` where it did not suffice; `failed` with an error that nobody expects;
        `refused` with one that says why; `versions` where they differ; `missing` where a value
        has to be sent again.
    worker
        Who says so.
    seconds
        How long it took there.
    result
        Of a task that is done; the error of one that was refused.
    said
        The name of an unexpected error, or the worker's versions.
    """

    kind: Literal["done", "memory", "failed", "refused", "versions", "missing"]
    worker: Worker
    seconds: float = 0.0
    result: Any = None
    said: str = ""


@cache
def own_versions() -> Versions:
    """Return the versions here."""
    return Versions(__version__, metadata.version("numpy"), metadata.version("scipy"))


def greeted(pieces: Sequence[Any]) -> Sequence[Any]:
    """Do nothing."""
    return pieces


def perform(
    expected: Versions,
    task: Callable[..., Any],
    pieces: Sequence[Any],
    *values: Any,
) -> Outcome:
    """Do a task.

    Parameters
    ----------
    expected
        The versions of who asks.
    task
        Called with the values and the pieces.
    pieces
        What to do.
    values
        What to do it with.
    """
    here, began = Worker(platform.node(), os.getpid()), perf_counter()
    if own_versions() != expected:
        return Outcome("versions", here, said=str(own_versions()))
    try:
        with one_blas_thread(), kept_heap():
            found = task(*values, pieces)
    except MemoryError:
        return Outcome("memory", here)
    except RenyiError as error:
        return Outcome("refused", here, result=error)
    except Exception as error:
        return Outcome("failed", here, said=type(error).__name__)
    return Outcome("done", here, perf_counter() - began, found)


_held: OrderedDict[str, Any] = OrderedDict()
_lock = threading.Lock()


def perform_held(
    expected: Versions,
    task: Callable[..., Any],
    pieces: Sequence[Any],
    keys: Sequence[str],
    sent: Mapping[str, Any],
) -> Outcome:
    """Do a task with values that this worker was sent before, or is now.

    Parameters
    ----------
    expected, task, pieces
        As of `perform`.
    keys
        Of its values, in order.
    sent
        Some of them.
    """
    with _lock:
        _held.update(sent)
        for key in keys:
            if key in _held:
                _held.move_to_end(key)
        values = [_held.get(key) for key in keys]
        while len(_held) > HELD:
            _held.popitem(last=False)
    if any(value is None for value in values):
        return Outcome("missing", Worker(platform.node(), os.getpid()))
    return perform(expected, task, pieces, *values)
