"""Who does the work: threads here, or the crew that a caller names."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from renyi._typing import JsonValue
from renyi.errors import OptionError
from renyi.execution._crew import LEAST_OPERATIONS, Crew
from renyi.execution._dask import DaskCrew, cluster_crew, is_client
from renyi.execution._pool import PoolCrew
from renyi.execution._work import current

__all__ = ["crew_for", "crew_of", "crew_record"]


@contextmanager
def crew_of(executor: object, least: float = LEAST_OPERATIONS) -> Iterator[Crew | None]:
    """Give the crew behind an executor, None for threads; what is started here is closed.

    Parameters
    ----------
    executor
        None, an address or ``local:N``, a client of Dask, an executor of `concurrent.futures`, or
        a crew that is at work.
    least
        Operations from which work is done there.

    Raises
    ------
    OptionError
        If it is none of these.
    ExecutorError
        If nobody answers, or somebody of another version.
    MissingExtraError
        If it takes Dask, and that is not installed.
    """
    if executor is None or isinstance(executor, Crew):
        yield executor
    elif isinstance(executor, str):
        with cluster_crew(executor, least) as crew:
            yield crew
    elif is_client(executor):
        yield DaskCrew(executor, "", least)
    elif isinstance(executor, Executor):
        yield PoolCrew(executor, least)
    else:
        raise OptionError(
            "`executor` must be an address, a client of Dask or an executor of "
            f"concurrent.futures, got {type(executor).__name__}.",
            "`executor='local:4'` starts four processes here.",
        )


def crew_for(operations: float) -> Crew | None:
    """Return who does work of so many operations for this caller; None for threads here."""
    crew = current().crew
    return crew if crew is not None and operations >= crew.least else None


def crew_record() -> dict[str, JsonValue] | None:
    """Return who did what for this caller, None where threads here did it all."""
    crew = current().crew
    return None if crew is None else crew.record()
