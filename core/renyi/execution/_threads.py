"""Independent tasks on worker threads, results in order.

The heavy parts of a task (eigenvalues of stacks, matrix products) run without the interpreter
lock, so threads suffice. The BLAS threads inside a task depend on how many tasks the problem
has, never on the number of workers: a result is the same for any number of them.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
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
    import numpy  # noqa: F401, ICN001 - a worker may not have loaded what is to be held
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


@dataclass(slots=True, eq=False)
class _Holder:
    """Who holds the state of the libraries: a call, with all threads that work for it.

    Attributes
    ----------
    gone
        Whether the caller left while a thread of it was at work: that one holds nothing any more.
    """

    gone: bool = False


@dataclass(slots=True)
class _Standing:
    """How a thread stands.

    Attributes
    ----------
    holder
        Who holds the state of the libraries for it: itself, or whose task it does.
    limits
        Nested limits to one BLAS thread.
    with_all
        Whether it does work that has all BLAS threads.
    works
        Whether it works for another thread.
    """

    holder: _Holder
    limits: int = 0
    with_all: bool = False
    works: bool = False


_local = threading.local()


def _standing() -> _Standing:
    if not hasattr(_local, "standing"):
        _local.standing = _Standing(_Holder())
    found: _Standing = _local.standing
    if found.holder.gone and not (found.works or found.limits):
        found.holder = _Holder()
    return found


def _stand_as(holder: _Holder, limits: int, with_all: bool) -> None:
    """Begin a worker thread: what it does is part of what another thread holds."""
    _local.standing = _Standing(holder, limits, with_all, works=True)


def _limited() -> Any:
    return _controller().limit(limits=1, user_api="blas")


def _changed(change: Callable[[], Result]) -> Result:
    """Change the limit of the libraries, whichever thread changed it last.

    threadpoolctl lets one thread do so, the first, and from others silently does nothing: a limit
    set in one thread could not be lifted in another. Here a lock keeps them apart.
    """
    _let_any_thread()
    try:
        return change()
    finally:
        _let_any_thread()


def _let_any_thread() -> None:
    for library in _controller().lib_controllers:
        clear = getattr(library, "clear_controlling_thread", None)  # since version 3.7
        if clear is not None:
            clear(force=True)


class _BlasThreads:
    """Work with one BLAS thread, and work with all of them: never both at once.

    The libraries know one limit for all threads. A sum over two BLAS threads has other last digits
    than one over one, so that a selection which met the limit of another would give another answer
    than alone. Who wants the other state waits, in the order of asking, until those who are at work
    have left it; the first to want one thread sets the limit, the last to leave restores.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._queue = deque[object]()
        self._holders = set[_Holder]()
        self._with_all = False
        self._limiter: Any = None
        self.off = False

    def take(self, holder: _Holder, *, with_all: bool) -> None:
        if holder.gone:
            return
        self.leave(holder)  # what an exception at the wrong moment may have left behind
        ticket = object()
        with self._changed:
            self._queue.append(ticket)
            try:
                while self._queue[0] is not ticket or (
                    self._holders and self._with_all is not with_all
                ):
                    self._changed.wait(WAKE_SECONDS)
                if not (self._holders or with_all or self.off):
                    self._limiter = _changed(_limited)
                self._with_all = with_all
                self._holders.add(holder)
            finally:
                self._queue.remove(ticket)
                self._changed.notify_all()

    def lift(self) -> None:
        """Restore what the libraries were limited from, whoever holds it."""
        if self._limiter is not None:
            _changed(self._limiter.restore_original_limits)
            self._limiter = None

    def leave(self, holder: _Holder, *, for_good: bool = False) -> None:
        with self._changed:
            holder.gone = holder.gone or for_good
            self._holders.discard(holder)
            if not self._holders:
                self.lift()
            self._changed.notify_all()


_blas = _BlasThreads()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Hold the BLAS libraries in use to one thread each; waits for work that has all of them."""
    own = _standing()  # of this thread, whoever closes a generator that holds it
    if own.limits == 0:
        if own.with_all:  # the work that this is part of waits meanwhile
            _blas.leave(own.holder)
        _blas.take(own.holder, with_all=False)
    own.limits += 1
    try:
        yield
    finally:
        own.limits -= 1
        if own.limits == 0:
            _blas.leave(own.holder)
            if own.with_all:
                _blas.take(own.holder, with_all=True)


@contextmanager
def _all_blas_threads(own: _Standing) -> Iterator[None]:
    """Have all BLAS threads; waits for work that has one. Nested, it changes nothing."""
    if own.limits or own.with_all:
        yield
        return
    _blas.take(own.holder, with_all=True)
    try:
        yield
    finally:
        _blas.leave(own.holder)


def leave_blas_threads() -> None:
    """Leave BLAS threads as they are from now on: `one_blas_thread` does nothing in this process.

    For a program that runs where threadpoolctl is not installed, such as `benchmarks/gpu_check.py`
    on a bare GPU image. Results may then depend on the number of workers in their last digits.
    """
    _blas.off = True


_turn = threading.RLock()


def _renew_locks() -> None:
    """Free the locks in the child of a fork: the thread that may hold them is not there."""
    global _turn, _blas
    before, _turn, _blas = _blas, threading.RLock(), _BlasThreads()
    _blas.off = before.off
    _local.__dict__.clear()
    before.lift()


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_renew_locks)


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
    own, whole = _standing(), current()
    with _all_blas_threads(own):
        pool = _workers(1, own.holder, own.limits, own.limits == 0)
        future = pool.submit(within, whole, work)
        try:
            _await(future, whole)
            return future.result()
        finally:
            _leave(pool, [future], whole)


def _workers(count: int, holder: _Holder, limits: int, with_all: bool) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(
        count,
        thread_name_prefix="renyi",
        initializer=_stand_as,
        initargs=(holder, limits, with_all),
    )


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
            _blas.leave(_standing().holder, for_good=True)
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
    large, whatever other calls do meanwhile: who needs the other state of the libraries waits.
    Closing the iterator early drops what has not started and waits for what has; after Ctrl-C as
    `lone` does.

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
        pool = _workers(workers, _standing().holder, 1, False)
        futures = deque[Future[Result]](
            pool.submit(within, whole, partial(task, item)) for item in items
        )
        try:
            while futures:
                _await(futures[0], whole)
                yield futures.popleft().result()  # no result is held once it was given
        finally:
            _leave(pool, futures, whole)
