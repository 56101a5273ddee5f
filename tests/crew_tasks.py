"""Tasks for workers in other processes, which find them by this module's name."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from renyi.errors import UsageError

LONGEST = 600.0
"""Seconds after which a task goes on that nothing has ended: only a fault lets it come to that."""


class Value:
    """Something that all tasks share."""

    def __init__(self, content: Any) -> None:
        self.content = content


def times(value: Value, pieces: Sequence[int]) -> list[int]:
    return [value.content * piece for piece in pieces]


def slowly(value: Value, pieces: Sequence[int]) -> list[int]:
    time.sleep(0.15 * len(pieces))
    return times(value, pieces)


def held(value: Value, pieces: Sequence[int]) -> list[int]:
    """Wait until a file is there; the task of piece 0 says that it has begun."""
    mark = Path(value.content)
    if 0 in pieces:
        mark.with_suffix(".begun").touch()
    until = time.monotonic() + LONGEST
    while not mark.exists() and time.monotonic() < until:
        time.sleep(0.02)
    mark.with_suffix(".ended").touch()
    return list(pieces)


def when(value: Value, pieces: Sequence[int]) -> list[float]:
    time.sleep(0.05)
    return [time.monotonic() for _ in pieces]


def who(value: Value, pieces: Sequence[int]) -> list[tuple[int, int]]:
    time.sleep(0.05)
    return [(piece, os.getpid()) for piece in pieces]


def failing(value: Value, pieces: Sequence[int]) -> list[int]:
    raise ZeroDivisionError


def refusing(value: Value, pieces: Sequence[int]) -> list[int]:
    raise UsageError("`x` must be told.")


def greedy(value: Value, pieces: Sequence[int]) -> list[int]:
    """Need memory that only single pieces leave."""
    if len(pieces) > 1:
        raise MemoryError
    return times(value, pieces)


def never_enough(value: Value, pieces: Sequence[int]) -> list[int]:
    raise MemoryError


def stops_itself_once(value: Value, pieces: Sequence[int]) -> list[int]:
    """Be stopped at piece 0 in the first process that takes it, as a worker that hangs."""
    mark = Path(value.content)
    if 0 in pieces and not mark.exists():
        mark.touch()
        time.sleep(LONGEST)
        mark.with_suffix(".ended").touch()
    time.sleep(0.05)
    return list(pieces)


def blas_threads(value: Value, pieces: Sequence[int]) -> list[int]:
    import numpy  # noqa: F401, ICN001
    from threadpoolctl import threadpool_info

    found = [one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"]
    return [max(found)] * len(pieces)


def with_two_threads() -> None:
    """Have the libraries of a process, which are not loaded yet, use two threads."""
    os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "2")
