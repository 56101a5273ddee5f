"""Tasks that are done elsewhere: what a crew of workers is, and how it does them in order.

A task is a function of a module, some values that all tasks share, and pieces of work; it returns
one result a piece. It is pure, so that it may be done twice: after its worker was lost, or beside
one that takes long. Results are taken in the order of the pieces, whoever was ready first: no
number depends on who did what.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, ClassVar, Final

from renyi._typing import JsonValue
from renyi.errors import ExecutorError, Way
from renyi.execution._remote import Outcome, Worker, own_versions
from renyi.execution._threads import WAKE_SECONDS, one_blas_thread
from renyi.execution._work import pause

__all__ = ["LEAST_OPERATIONS", "Crew", "Job", "Lost", "Task"]

Task = Callable[..., Sequence[Any]]

LEAST_OPERATIONS: Final = 3e9
"""Work that is less is done by threads here: it takes a fraction of a second."""

TRIES: Final = 5
"""How often a task is given out whose worker is lost, or has too little memory for it."""

LATE_SECONDS: Final = 5.0
LATE_TIMES: Final = 4.0
"""How long a task is waited for that others have overtaken, or might, at least and as a multiple of
the longest so far, before another worker does it too."""

COPIES: Final = 3
"""Of one task at the same time."""


class Lost(Exception):  # noqa: N818 - it is no error of the task
    """A task came to nothing, and nothing is known against it."""


@dataclass(eq=False)
class Job:
    """A task that is given out.

    Attributes
    ----------
    pieces
        What is to be done.
    cost
        Operations.
    futures
        Of the task and its copies; none before it is given out.
    tries
        How often it came to nothing.
    avoided
        Who had too little memory for it.
    """

    pieces: Sequence[Any]
    cost: float
    futures: list[Any] = field(default_factory=list)
    tries: int = 0
    avoided: Worker | None = None

    def halves(self, avoided: Worker | None) -> list[Job]:
        """Return its two halves, for another worker."""
        middle = len(self.pieces) // 2
        cost = self.cost / 2
        return [
            Job(self.pieces[:middle], cost, avoided=avoided),
            Job(self.pieces[middle:], cost, avoided=avoided),
        ]


class Crew(ABC):
    """Workers that do tasks for this process.

    Parameters
    ----------
    place
        Where they are, in words.
    least
        Operations from which work is theirs.
    """

    kind: ClassVar[str]
    """What they are reached by."""

    def __init__(self, place: str, least: float = LEAST_OPERATIONS) -> None:
        self.place, self.least = place, least
        self.workers: dict[Worker, list[float]] = {}
        self.repeated = 0

    @abstractmethod
    def give(self, task: Task, values: Sequence[Any], job: Job) -> Any:
        """Give a task out and return its future; `elsewhere` than its other futures, if any."""

    @abstractmethod
    def wait(self, futures: Sequence[Any], seconds: float) -> Any:
        """Return a future that is done, None where none is after some seconds."""

    @abstractmethod
    def outcome(self, future: Any) -> Outcome:
        """Return what became of a future that is done.

        Raises
        ------
        Lost
            If that is not known.
        """

    @abstractmethod
    def cancel(self, futures: Sequence[Any]) -> None:
        """Drop tasks that have not begun."""

    @abstractmethod
    def ahead(self) -> int:
        """Return how many tasks are given out at a time."""

    @abstractmethod
    def check(self) -> None:
        """Raise `ExecutorError` where nobody can do anything any more."""

    def record(self) -> dict[str, JsonValue]:
        """Return who did what."""
        workers: list[JsonValue] = [
            {
                "host": one.host,
                "process": one.process,
                "tasks": len(each),
                "seconds": round(sum(each), 3),
            }
            for one, each in sorted(self.workers.items())
        ]
        count = sum(map(len, self.workers.values()))
        return {
            "kind": self.kind,
            "place": self.place,
            "tasks": count,
            "repeated": self.repeated,
            "workers": workers,
        }

    def run(
        self,
        task: Task,
        values: Sequence[Any],
        groups: Sequence[Sequence[Any]],
        costs: Sequence[float],
    ) -> Generator[Any, None, None]:
        """Yield the result of every piece, in order.

        Parameters
        ----------
        task
            A function of a module: called with the values and the pieces of a group, it returns
            a result for each.
        values
            What all tasks need; each is sent to a worker once, as long as it lives here.
        groups
            Pieces that are done together; they do not depend on the workers.
        costs
            Operations of each group.

        Raises
        ------
        ExecutorError
            If a worker fails, or none is left.
        """
        waiting = deque(Job(pieces, cost) for pieces, cost in zip(groups, costs, strict=True))
        begun: deque[Job] = deque()
        # workers that are threads of this process have one BLAS thread, too
        with one_blas_thread():
            try:
                while begun or waiting:
                    while waiting and len(begun) < self.ahead():
                        begun.append(waiting.popleft())
                        self._give(task, values, begun[-1])
                    outcome = self._awaited(task, values, begun)
                    done = begun.popleft()
                    rest = self._rest(done, outcome)
                    for job in reversed(rest):
                        self._give(task, values, job)
                        begun.appendleft(job)
                    if not rest:
                        pause(done.cost)
                        yield from outcome.result
            finally:
                self.cancel([future for job in begun for future in job.futures])

    def _give(self, task: Task, values: Sequence[Any], job: Job) -> None:
        job.futures.append(self.give(task, values, job))

    def _awaited(self, task: Task, values: Sequence[Any], begun: Sequence[Job]) -> Outcome:
        """Return what became of the first task that was given out."""
        head, *others = begun
        since = monotonic()
        while True:
            future = self.wait(head.futures, WAKE_SECONDS)
            pause()
            if future is not None:
                try:
                    found = self.outcome(future)
                except Lost:
                    self._again(task, values, [head, *others])
                    continue
                self.cancel([one for one in head.futures if one is not future])
                return found
            self.check()
            if self._late(head, others, monotonic() - since):
                self.repeated += 1
                self._give(task, values, head)
                since = monotonic()

    def _again(self, task: Task, values: Sequence[Any], jobs: Sequence[Job]) -> None:
        """Give out again what came to nothing."""
        self.check()
        for job in jobs:
            if not all(self.came_to_nothing(future) for future in job.futures):
                job.futures = [one for one in job.futures if not self.came_to_nothing(one)]
                continue
            job.tries += 1
            if job.tries > TRIES:
                raise ExecutorError(
                    f"A task at `{self.place}` was lost {job.tries} times.",
                    "See the logs of its workers; ",
                    Way("checkpoint", rule="FILE"),
                    " keeps the steps that are finished.",
                )
            self.repeated += 1
            job.futures = []
            self._give(task, values, job)

    def came_to_nothing(self, future: Any) -> bool:
        """Return whether a future will never tell of its task."""
        return bool(future.cancelled())

    def _late(self, head: Job, others: Sequence[Job], seconds: float) -> bool:
        """Return whether another worker shall do a task, too: others have overtaken it."""
        longest = max((max(each) for each in self.workers.values()), default=0.0)
        if len(head.futures) >= COPIES or seconds < max(LATE_SECONDS, LATE_TIMES * longest):
            return False
        overtaken = any(job.futures and self.wait(job.futures, 0.0) for job in others)
        return overtaken or (not others and len(self.workers) > 1) or self.idle()

    def idle(self) -> bool:
        """Return whether a worker has nothing to do while tasks wait for another one."""
        return False

    def _rest(self, job: Job, outcome: Outcome) -> list[Job]:
        """Return what is left to do of a task, and note who did it."""
        worker = outcome.worker
        if outcome.kind == "done":
            self.workers.setdefault(worker, []).append(outcome.seconds)
            return []
        if outcome.kind == "refused":
            raise outcome.result
        if outcome.kind == "versions":
            raise self.differing(worker, outcome.said)
        if outcome.kind == "failed":
            raise ExecutorError(
                f"A worker at `{self.place}` ({worker}) failed: an unexpected {outcome.said}.",
                "Its log may say more.",
            )
        job.tries += 1
        if outcome.kind == "missing":  # it is sent along now
            return [Job(job.pieces, job.cost, [], job.tries)]
        self.repeated += 1
        if len(job.pieces) > 1:
            return job.halves(worker)
        if job.tries > TRIES:
            raise ExecutorError(
                f"The memory of the workers at `{self.place}` does not suffice for one strip of "
                f"the work: {worker} was the last to say so.",
                "Give them more, or use fewer rows (",
                Way("rows", rule="N"),
                ").",
            )
        return [Job(job.pieces, job.cost, [], job.tries, worker)]

    def differing(self, worker: Worker, theirs: str) -> ExecutorError:
        """Return the error of a worker that may compute something else."""
        return ExecutorError(
            f"`executor` must have the versions of this process ({own_versions()}), got {theirs} "
            f"at {worker}.",
            "Install the same there.",
        )
