"""A crew behind any executor of `concurrent.futures`: processes, those of MPI, a cluster's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent import futures
from itertools import count
from typing import Any, ClassVar, Final
from uuid import uuid4
from weakref import WeakKeyDictionary

from renyi.errors import ExecutorError, Way
from renyi.execution._crew import LEAST_OPERATIONS, Crew, Job, Lost, Task
from renyi.execution._remote import Outcome, Worker, greeted, own_versions, perform_held
from renyi.execution._threads import default_jobs

__all__ = ["PoolCrew"]

GREETING_SECONDS: Final = 60.0
"""How long the first worker may take to start."""


class PoolCrew(Crew):
    """Workers of an executor, which says nothing of who they are.

    A value is sent along with tasks until every worker that has been heard of has it; one that
    does not says so, and gets it with the task.

    Parameters
    ----------
    pool
        The executor; it is left open.
    least
        As of `Crew`.
    """

    kind: ClassVar[str] = "executor"

    def __init__(self, pool: futures.Executor, least: float = LEAST_OPERATIONS) -> None:
        super().__init__(type(pool).__name__, least)
        self._pool = pool
        self._own, self._numbers = uuid4().hex, count()
        self._keys: WeakKeyDictionary[Any, str] = WeakKeyDictionary()
        self._holders: dict[str, set[Worker]] = {}
        self._of: dict[futures.Future[Outcome], Sequence[str]] = {}
        self._greet()

    def _greet(self) -> None:
        """Ask a worker for its versions."""
        future = self._submitted((), {}, greeted, ())
        try:
            outcome = future.result(GREETING_SECONDS)
        except futures.TimeoutError:
            raise ExecutorError(
                f"`executor` must have workers: none of {self.place} has done anything within "
                f"{GREETING_SECONDS:g} seconds.",
                "Start workers, or leave it out for threads of this process.",
            ) from None
        except futures.BrokenExecutor as error:
            raise self._broken() from error
        if outcome.kind == "versions":
            raise self.differing(outcome.worker, outcome.said)

    def _submitted(
        self, keys: Sequence[str], sent: Mapping[str, Any], task: Task, pieces: Sequence[Any]
    ) -> futures.Future[Outcome]:
        try:
            return self._pool.submit(perform_held, own_versions(), task, pieces, keys, sent)
        except RuntimeError as error:  # it is closed, or broken
            raise self._broken() from error

    def _broken(self) -> ExecutorError:
        return ExecutorError(
            f"`executor` must be at work: a worker of {self.place} was lost, or it was closed.",
            "Give a new one; with ",
            Way("checkpoint", rule="FILE"),
            " it goes on after the last finished step.",
        )

    def give(self, task: Task, values: Sequence[Any], job: Job) -> futures.Future[Outcome]:
        """Give a task out, with the values that its worker may lack."""
        known = {self._key(value): value for value in values}
        heard = set(self.workers)
        sent = {
            key: value
            for key, value in known.items()
            if job.tries or not heard or not heard <= self._holders[key]
        }
        future = self._submitted(tuple(known), sent, task, job.pieces)
        self._of[future] = tuple(known)
        return future

    def _key(self, value: Any) -> str:
        if value not in self._keys:
            self._keys[value] = f"{self._own}-{next(self._numbers)}"
            alive = set(self._keys.values())
            self._holders = {key: all_ for key, all_ in self._holders.items() if key in alive}
            self._holders[self._keys[value]] = set()
        return self._keys[value]

    def wait(
        self, futures_: Sequence[futures.Future[Outcome]], seconds: float
    ) -> futures.Future[Outcome] | None:
        """Return a future that is done."""
        done = futures.wait(futures_, seconds, futures.FIRST_COMPLETED).done
        return next((one for one in futures_ if one in done), None)

    def outcome(self, future: futures.Future[Outcome]) -> Outcome:
        """Return what became of a future."""
        try:
            found = future.result()
        except futures.CancelledError:
            raise Lost from None
        except futures.BrokenExecutor as error:
            raise self._broken() from error
        for key in self._of.pop(future, ()):
            holders = self._holders.get(key, set())
            (holders.discard if found.kind == "missing" else holders.add)(found.worker)
        return found

    def cancel(self, futures_: Sequence[futures.Future[Outcome]]) -> None:
        """Drop tasks that have not begun."""
        for future in futures_:
            future.cancel()
            self._of.pop(future, None)

    def check(self) -> None:
        """Do nothing: a pool that is broken says so with each of its futures."""

    def ahead(self) -> int:
        """Return twice as many as there are workers, as far as is known."""
        return 2 * max(len(self.workers), default_jobs())
