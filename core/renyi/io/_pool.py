"""Whether the threads that polars works with are there: a fork leaves them behind."""

from __future__ import annotations

import os
import re
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final

import polars as pl

from renyi import _validate
from renyi.errors import UsageError

__all__ = ["check_pool"]

_TASKS: Final = Path("/proc/self/task")
"""A folder of this process's threads, on Linux."""

_PATIENCE: Final = 2.0
"""Seconds that sorting two numbers may take, where threads have no names to know them by."""

_seen: list[int] = []
"""The process that was last found to have them."""


def check_pool() -> None:
    """Refuse to begin where polars would wait for ever: call it before tables are read or written.

    In a child of `os.fork` only the thread that forked goes on. The pool that polars began in the
    parent cannot be begun again, and work given to it waits without end. The R function `mclapply`
    forks without telling Python, so that a handler of forks would not do.

    Raises
    ------
    MemoryBudgetError
        If the process has too few addresses for the threads to begin.
    UsageError
        If this process was forked from one in which polars had begun its threads.
    """
    here = os.getpid()
    if _seen == [here]:
        return
    _validate.address_room()
    if _seen or _lost():
        raise UsageError(
            "A process that was forked from one in which tables were read already cannot read or "
            "write any: the threads for it stayed behind.",
            "Start processes afresh (in Python multiprocessing.get_context('spawn'), in R "
            "parallel::makePSOCKcluster()), or read no table before the fork.",
        )
    _seen.append(here)


def _lost() -> bool:
    """Whether work that is given to the pool is never done."""
    pl.thread_pool_size()  # begins it where nobody has
    if _TASKS.is_dir() and any(_is_of_pool(task) for task in _TASKS.iterdir()):
        return False
    trial = threading.Thread(target=pl.Series([2, 1]).arg_sort, daemon=True)
    trial.start()
    trial.join(_PATIENCE)
    return trial.is_alive()


def _is_of_pool(task: Path) -> bool:
    with suppress(OSError):  # a thread that has just ended
        return re.match(r"polars-\d", (task / "comm").read_text()) is not None
    return False
