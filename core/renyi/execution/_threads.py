"""Independent tasks on worker threads, results in order.

The heavy parts of a task (eigenvalues of stacks, matrix products) run without the interpreter
lock, so threads suffice. The BLAS threads inside a task depend on how many tasks the problem
has, never on the number of workers: a result is the same for any number of them.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from functools import cache, partial
from time import monotonic
from typing import Any, TypeVar

from renyi.execution._work import Work, current, pause, within

__all__ = ["default_jobs", "in_turn", "leave_blas_threads", "lone", "one_blas_thread", "run"]

SMALL_ROWS = 1500
"""Rows below which a second BLAS thread gains little for eigenvalues (a sixth at 569 rows) and,
since it waits by spinning, costs much where another process wants the core."""

TURN_ROWS = 800
"""Rows below which work of many short calls is slower on several threads than on one."""

WAKE_SECONDS = 0.2
"""How long the calling thread sleeps at once. Polars takes SIGINT so that a wait without end is
begun again after it: Ctrl-C would be heard at the end of the work."""

LEAVING_SECONDS = 1.0
"""How long a task is waited for whose caller has gone: it ends at its next pause, and a library's
call that has none ends by itself, unwaited for."""

Item = TypeVar("Item")
Result = TypeVar("Result")


def default_jobs() -> int:
    """Return the number of cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on Linux
        return os.cpu_count() or 1


@cache
def _controller() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


class _SharedLimit:
    """The one limit of a process: the first to want it sets it, the last to leave restores.

    The libraries know one limit for all threads. Saved and restored by each caller for itself,
    two selections that overlap would leave the limit of the first behind for ever.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._holders = 0
        self._limiter: Any = None
        self.off = False

    def __enter__(self) -> None:
        with self._lock:
            if self._holders == 0 and not self.off:
                self._limiter = _controller().limit(limits=1, user_api="blas")
            self._holders += 1

    def __exit__(self, *raised: object) -> None:
        with self._lock:
            self._holders -= 1
            if self._holders == 0 and self._limiter is not None:
                self._limiter.restore_original_limits()
                self._limiter = None


_shared_limit = _SharedLimit()


def one_blas_thread() -> AbstractContextManager[None]:
    """Hold the BLAS libraries in use to one thread each."""
    return _shared_limit


def leave_blas_threads() -> None:
    """Leave BLAS threads as they are from now on: `one_blas_thread` does nothing in this process.

    For a program that runs where threadpoolctl is not installed, such as `benchmarks/gpu_check.py`
    on a bare GPU image. Results may then depend on the number of workers in their last digits.
    """
    _shared_limit.off = True


_turn = threading.Lock()


def _renew_turn() -> None:
    """Free the lock in the child of a fork: the thread that may hold it is not there."""
    global _turn  # noqa: PLW0603 - a lock cannot be reset
    _turn = threading.Lock()


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_renew_turn)


def in_turn(rows: int) -> AbstractContextManager[object]:
    """Hold other tasks off work of many short calls, where these are too short to share a core.

    Each call gives the interpreter lock away and has to wait for it: with 600 rows two threads take
    a fifth longer than one for the same factors. What a task does outside runs beside it.

    Parameters
    ----------
    rows
        Rows of its matrices.
    """
    return _turn if rows < TURN_ROWS else nullcontext()


def lone(work: Callable[[], Result], rows: int) -> Result:
    """Run work that has no other task beside it, with all BLAS threads if its matrices are large.

    Large work runs on a worker thread: the calling thread hears Ctrl-C at once, and the work ends
    at its next pause. It waits a second for that; a library's call that takes longer is left alone.

    Parameters
    ----------
    work
        Called without arguments.
    rows
        Rows of its matrices.
    """
    if rows < SMALL_ROWS:
        with one_blas_thread():
            return work()
    whole = current()
    pool = ThreadPoolExecutor(1, thread_name_prefix="renyi")
    future = pool.submit(within, whole, work)
    try:
        _await(future, whole)
        return future.result()
    finally:
        _leave(pool, [future], whole)


def _await(future: Future[Any], work: Work) -> None:
    """Wait for the end of a task; hear signals and tell the caller on the way."""
    try:
        while not wait((future,), WAKE_SECONDS).done:
            work.beat()
    except BaseException:
        work.stopping = True
        raise


def _leave(pool: ThreadPoolExecutor, futures: Iterable[Future[Any]], work: Work) -> None:
    """Drop what has not started, and wait for what has: a little while where the caller has gone.

    In short sleeps after Ctrl-C, too: a second one must be heard.
    """
    begun = [future for future in futures if not future.cancel()]
    until = monotonic() + LEAVING_SECONDS
    while any(not future.done() for future in begun):
        if work.stopping and monotonic() >= until:
            break
        wait(begun, WAKE_SECONDS)
    pool.shutdown(wait=not work.stopping)


def run(
    task: Callable[[Item], Result],
    items: Sequence[Item],
    *,
    rows: int,
    jobs: int | None = None,
) -> Generator[Result, None, None]:
    """Yield `task(item)` for every item, in order; consumed on the calling thread.

    Several tasks run with one BLAS thread each, a lone one with all of them if its matrices are
    large. Closing the iterator early drops what has not started and waits for what has; after
    Ctrl-C as `lone` does.

    Parameters
    ----------
    task
        Called with one item; safe to run on several threads at once.
    items
        The items.
    rows
        Rows of the tasks' matrices.
    jobs
        Worker threads; None for one per core.
    """
    if len(items) <= 1:
        for item in items:
            yield lone(partial(task, item), rows)
        return
    with one_blas_thread():
        workers = min(jobs or default_jobs(), len(items))
        if workers == 1:
            for item in items:
                pause()
                yield task(item)
            return
        whole = current()
        pool = ThreadPoolExecutor(workers, thread_name_prefix="renyi")
        futures = deque[Future[Result]](
            pool.submit(within, whole, partial(task, item)) for item in items
        )
        try:
            while futures:
                _await(futures[0], whole)
                yield futures.popleft().result()  # no result is held once it was given
        finally:
            _leave(pool, futures, whole)
