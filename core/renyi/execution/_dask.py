"""A crew behind a scheduler of Dask, by its futures alone; the one module that knows Dask.

A value is a task of its own, which gives it back: the scheduler has it done again where the worker
that held it is lost, and one that joins late takes it from another. It comes in pieces, since a
scheduler hands on many small messages better than a large one.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from time import monotonic, sleep
from typing import Any, ClassVar, Final
from uuid import uuid4
from weakref import WeakKeyDictionary

from renyi.errors import ExecutorError, MissingExtraError, Way
from renyi.execution._crew import LEAST_OPERATIONS, Crew, Job, Lost
from renyi.execution._remote import Outcome, Worker, greeted, own_versions, perform
from renyi.execution._signals import held_ctrl_c
from renyi.execution._work import pause

__all__ = ["DaskCrew", "cluster_crew", "is_client"]

CONNECT_SECONDS: Final = 10.0
"""How long a scheduler may take to answer, on a machine that is busy too."""

JOINING_SECONDS: Final = 30.0
"""How long the first worker may take to join."""

GREETING_SECONDS: Final = 10.0
"""How long workers may take to tell their versions; each task asks again."""

LONELY_SECONDS: Final = 60.0
"""How long there may be no worker at all."""

LOOK_SECONDS: Final = 5.0
"""How often it is asked whether there is one."""

SENT_BYTES: Final = 2**22
"""Bytes of one message."""

GIVEN: Final = 512
"""Tasks that the scheduler is given at a time."""


def is_client(value: object) -> bool:
    """Return whether something is a client of Dask; nothing is imported to find out."""
    known = sys.modules.get("distributed")
    return known is not None and isinstance(value, known.Client)


def _library() -> Any:
    import distributed

    return distributed


@contextmanager
def cluster_crew(address: str, least: float = LEAST_OPERATIONS) -> Iterator[DaskCrew]:
    """Give the crew behind a scheduler's address, or of a cluster of processes on this machine.

    Parameters
    ----------
    address
        Such as ``tcp://host:8786``, or ``local:4``.
    least
        As of `Crew`.

    Raises
    ------
    MissingExtraError
        If Dask is not installed.
    ExecutorError
        If nobody answers there.
    """
    try:
        distributed = _library()
    except ImportError:
        raise MissingExtraError.for_extra("dask", f"`executor` {address}") from None
    if address.startswith("local:"):
        with _local(distributed, int(address.removeprefix("local:"))) as client:
            yield DaskCrew(client, address, least)
        return
    try:
        client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        raise _unreachable(address, error) from error
    try:
        yield DaskCrew(client, address, least)
    finally:
        _closed(client)


@contextmanager
def _local(distributed: Any, workers: int) -> Iterator[Any]:
    """Start a cluster on this machine, and close it."""
    import logging

    hear_ctrl_c = held_ctrl_c()
    try:
        cluster = distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
        )
    except Exception as error:
        hear_ctrl_c()
        raise ExecutorError(
            f"`executor` local:{workers} could not start its processes: {type(error).__name__}.",
            'In a script the call must stand under: if __name__ == "__main__":',
        ) from error
    with cluster:
        hear_ctrl_c()
        client = distributed.Client(cluster, set_as_default=False)
        try:
            yield client
        finally:
            _closed(client)


def _closed(client: Any) -> None:
    with suppress(Exception):  # it may be gone already
        client.close(timeout=CONNECT_SECONDS)


def _unreachable(address: str, error: Exception) -> ExecutorError:
    why = "" if isinstance(error, OSError) else f" ({type(error).__name__})"
    return ExecutorError(
        f"`executor` must be where a scheduler answers, got {address}: none did within "
        f"{CONNECT_SECONDS:g} seconds{why}.",
        "Start one with: dask scheduler; or use ",
        Way("executor", "local:2"),
        ".",
    )


class DaskCrew(Crew):
    """Workers of a scheduler.

    Parameters
    ----------
    client
        Connected to it; it is left open.
    place
        Its address, in words.
    least
        As of `Crew`.

    Raises
    ------
    ExecutorError
        If it has no workers, or one of another version.
    """

    kind: ClassVar[str] = "dask"

    def __init__(self, client: Any, place: str = "", least: float = LEAST_OPERATIONS) -> None:
        if client.asynchronous:
            raise ExecutorError(
                "`executor` must be a client that waits, got an asynchronous one.",
                "Make one without asynchronous=True.",
            )
        super().__init__(place or str(client.scheduler.address), least)
        self._client = client
        self._own, self._numbers = uuid4().hex[:12], count()
        self._values: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()
        self._looked = self._seen = monotonic()
        self._greet()

    def _submit(self, function: Any, *given: Any, **how: Any) -> Any:
        # by the name before the dash Dask learns how long tasks take, and whether moving one pays
        key = f"renyi_{function.__name__}-{self._own}-{next(self._numbers)}"
        try:
            # of tasks given out within the usual timeout Dask does the last ones first
            return self._client.submit(function, *given, key=key, pure=False, fifo_timeout=0, **how)
        except Exception as error:
            raise self._gone() from error

    def _addresses(self) -> list[str]:
        try:
            return [*self._client.nthreads()]
        except Exception as error:
            raise self._gone() from error

    def _gone(self) -> ExecutorError:
        return ExecutorError(
            f"The scheduler at `{self.place}` is gone.",
            "With ",
            Way("checkpoint", rule="FILE"),
            " the same call goes on after the last finished step, once it is back.",
        )

    def _greet(self) -> None:
        """Ask every worker for its versions."""
        first = self._submit(perform, own_versions(), greeted, ())  # some clusters grow when asked
        until = monotonic() + JOINING_SECONDS
        while not self._addresses():
            if monotonic() > until:
                raise ExecutorError(
                    f"`executor` must have workers: none has joined the scheduler at "
                    f"`{self.place}` within {JOINING_SECONDS:g} seconds.",
                    "Start some with: dask worker ADDRESS",
                )
            self.wait([first], 1.0)
        until = monotonic() + GREETING_SECONDS
        asked = {
            address: self._submit(
                perform, own_versions(), greeted, (), workers=[address], allow_other_workers=False
            )
            for address in self._addresses()
        }
        for address, future in asked.items():
            if self.wait([future], max(until - monotonic(), 0.0)) is None:
                continue  # it is asked again with its first task
            outcome = self._told(future, address)
            if outcome.kind == "versions":
                raise self.differing(outcome.worker, outcome.said)

    def _told(self, future: Any, address: str) -> Outcome:
        try:
            return self.outcome(future)
        except Lost:
            return Outcome("done", Worker(address, 0))

    def give(self, task: Any, values: Sequence[Any], job: Job) -> Any:
        """Give a task out, elsewhere than where it is at work already."""
        held = [self._value(value) for value in values]
        how: dict[str, Any] = {}
        others = self._others(job)
        if others:
            how = {"workers": others, "allow_other_workers": True, "priority": 10}
        elif job.tries:
            how = {"priority": 10}
        return self._submit(perform, own_versions(), task, job.pieces, *held, **how)

    def _others(self, job: Job) -> list[str]:
        """Return where a task had better be done, nothing where that is all the same."""
        if not job.futures and job.avoided is None:
            return []
        busy = {future.key for future in job.futures}
        host = "" if job.avoided is None else job.avoided.host
        with suppress(Exception):
            at_work = self._client.processing()
            taken = {place for place, keys in at_work.items() if busy.intersection(keys)}
            others = [place for place in at_work if place not in taken]
            away = [place for place in others if host and host not in place]
            return away or others
        return []

    def _value(self, value: Any) -> Any:
        """Return the future of a value that workers are to hold."""
        future = self._values.get(value)
        if future is None or future.status in {"cancelled", "lost", "error"}:
            whole = pickle.dumps(value, protocol=5)
            pieces = [whole[at : at + SENT_BYTES] for at in range(0, len(whole), SENT_BYTES)]
            if len(pieces) == 1:
                future = self._submit(joined, whole)
            else:
                future = self._submit(joined, *(self._submit(kept, piece) for piece in pieces))
            self._values[value] = future
        return future

    def wait(self, futures: Sequence[Any], seconds: float) -> Any:
        """Return a future that is done."""
        library = _library()
        if not any(future.done() for future in futures) and seconds > 0:
            # one that is cancelled, or a connection that is lost, is seen below
            with self._client.as_current(), suppress(TimeoutError, library.CancelledError):
                library.wait([*futures], timeout=seconds, return_when="FIRST_COMPLETED")
        return next((one for one in futures if one.done() or self.came_to_nothing(one)), None)

    def came_to_nothing(self, future: Any) -> bool:
        """Return whether a future will never tell of its task."""
        return future.status in {"cancelled", "lost"}

    def outcome(self, future: Any) -> Outcome:
        """Return what became of a future."""
        from distributed.scheduler import KilledWorker

        if self.came_to_nothing(future):
            raise Lost
        try:
            found = future.result()
        except KilledWorker as error:  # mostly by who watches its memory
            return Outcome("memory", Worker(_host(error.last_worker.address), 0))
        except (_library().CancelledError, OSError, EOFError) as error:
            raise Lost from error
        except Exception as error:
            raise ExecutorError(
                f"A worker at `{self.place}` cannot do what it is asked: {type(error).__name__}.",
                f"It needs {own_versions()} as this process has, and so does the scheduler.",
            ) from error
        if not isinstance(found, Outcome):
            raise Lost
        return found

    def cancel(self, futures: Sequence[Any]) -> None:
        """Drop tasks that have not begun; they go with their futures."""
        left = [future for future in futures if not future.done()]
        if left and self._client.status == "running":
            with suppress(Exception):
                self._client.cancel(left, force=True)

    def ahead(self) -> int:
        """Return how many tasks the scheduler is given at a time."""
        return GIVEN

    def idle(self) -> bool:
        """Return whether a worker has nothing to do."""
        with suppress(Exception):
            return not all(self._client.processing().values())
        return False

    def check(self) -> None:
        """Raise `ExecutorError` where the scheduler is gone, or has had no worker for long."""
        until = monotonic() + 2 * CONNECT_SECONDS
        while self._client.status == "connecting" and monotonic() < until:
            sleep(0.1)
            pause()
        if self._client.status != "running":
            raise self._gone()
        if monotonic() - self._looked < LOOK_SECONDS:
            return
        self._looked = monotonic()
        if self._addresses():
            self._seen = monotonic()
        elif monotonic() - self._seen > LONELY_SECONDS:
            raise ExecutorError(
                f"No worker is left at `{self.place}`, and none has joined for "
                f"{LONELY_SECONDS:g} seconds.",
                "With ",
                Way("checkpoint", rule="FILE"),
                " the same call goes on after the last finished step.",
            )


def _host(address: str) -> str:
    return address.rpartition("//")[2].rpartition(":")[0]


def kept(piece: bytes) -> bytes:
    """Hold a piece of a value."""
    return piece


def joined(*pieces: bytes) -> Any:
    """Return the value of its pieces."""
    return pickle.loads(b"".join(pieces))
