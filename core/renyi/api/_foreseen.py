"""How long a call will take, told before it begins where that may be more than a minute."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias

from renyi._progress import Estimate, Observer, Progress
from renyi.api._session import Session
from renyi.errors import Way
from renyi.selection import Speed, Task, speed_of

__all__ = ["Seconds", "Work", "changed", "foreseen", "foreseen_together", "task_of"]

FASTEST: Final = 2e10
"""Operations a second and worker that no machine of today exceeds."""

WORTH: Final = 0.5
"""Share of the time that a faster way must at most take to be named."""

MOST_WAYS: Final = 3

Seconds: TypeAlias = Callable[[Task, Speed], float]
"""What a call takes whose search is such a task."""

Work: TypeAlias = "tuple[float, Seconds, tuple[Way, Seconds]]"
"""What `foreseen` is told beside the session."""


def task_of(session: Session) -> Task:
    """Return the search of a session in numbers."""
    by = session.entropies.computation
    features = len(by.model.features)
    whole = not session.entropies.everything_problem
    counted = by.alpha != 2 and by.plan.counts and all(part.is_hard for part in by.model.features)
    return Task(by.n, features, by.jobs, session.method, whole, counted)


def foreseen(
    session: Session,
    observer: Observer,
    possible: float,
    seconds: Seconds,
    *further: tuple[Way, Seconds],
) -> Session:
    """Return the session with what its work is expected to take; tell that where it is long.

    Nothing is looked at where that is known.

    Parameters
    ----------
    session
        What is to be searched, and how.
    observer
        Told.
    possible
        Operations that the whole call may take.
    seconds
        Seconds that the whole call takes for a search.
    further
        Further options that may make it faster, and what it takes then.
    """
    task, thresholds = task_of(session), session.entropies.computation.thresholds
    if session.estimate_seconds is not None:
        return session
    if possible < thresholds.looked_at_seconds * FASTEST * task.jobs:
        return session
    speed = speed_of(session.entropies.computation, session.method)
    found = seconds(task, speed)
    if found >= thresholds.told_seconds:
        faster = [(way, seconds(other, speed)) for way, other in _ways(task, speed)]
        faster += [(way, by_it(task, speed)) for way, by_it in further]
        worth = sorted((one for one in faster if one[1] <= WORTH * found), key=lambda one: one[1])
        told = Estimate(found, tuple(worth[:MOST_WAYS]))
        observer(Progress("estimate", 1, 0, 1, estimate=told))
    return replace(session, estimate_seconds=found)


def foreseen_together(
    sessions: Sequence[Session], works: Sequence[Work], observer: Observer
) -> list[Session]:
    """Return sessions that are worked on in turn, and tell what all take where that is long.

    Parameters
    ----------
    sessions
        What is to be searched, and how.
    works
        What `foreseen` is told of each beside it.
    observer
        Told once.
    """
    found, faster = [], []
    for session, work in zip(sessions, works, strict=True):
        ways: dict[Way, float] = {}

        def note(report: Progress, ways: dict[Way, float] = ways) -> None:
            ways.update(report.estimate.ways if report.estimate else ())

        found.append(foreseen(session, note, *work))
        faster.append(ways)
    seconds = [session.estimate_seconds or 0.0 for session in found]
    whole = sum(seconds)
    if whole >= found[0].entropies.computation.thresholds.told_seconds:
        every = dict.fromkeys(way for ways in faster for way in ways)
        by_way = [
            (way, sum(ways.get(way, same) for ways, same in zip(faster, seconds, strict=True)))
            for way in every
        ]
        worth = sorted((one for one in by_way if one[1] <= WORTH * whole), key=lambda one: one[1])
        told = Estimate(whole, tuple(worth[:MOST_WAYS]))
        observer(Progress("estimate", 1, 0, 1, estimate=told))
    return found


def _ways(task: Task, speed: Speed) -> Iterator[tuple[Way, Task]]:
    """Yield what might be changed, and the task that it makes."""
    options = task.options
    for rows in (5000, 2000, 1000):
        if task.rows >= 2 * rows:
            yield Way("rows", rows), replace(task, rows=rows)
            break
    for limit in (10, 5):
        if task.steps(speed) > 1.5 * limit:
            yield Way("max_features", limit), changed(task, max_features=limit)
            break
    if options.alpha != 2:
        yield Way("alpha", 2), changed(task, alpha=2.0)
    if "cmi-perm" in options.criteria:
        yield Way("criterion", "mi-perm"), changed(task, criteria=("mi-perm",))


def changed(task: Task, **options: Any) -> Task:
    """Return a task under some other options."""
    return replace(task, options=replace(task.options, **options))
