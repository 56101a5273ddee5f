"""How long work tells how far it is, and how it is asked to stop."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from renyi.errors import Way

__all__ = ["CancelToken", "Estimate", "Observer", "Phase", "Progress", "Tick", "ignore_progress"]

Phase: TypeAlias = Literal[
    "estimate",
    "prepare",
    "candidates",
    "permutations",
    "step",
    "explain",
    "sensitivity",
    "stability",
    "models",
]


@dataclass(frozen=True, slots=True)
class Estimate:
    """How long a run will take, said before it begins where that is more than a minute.

    Attributes
    ----------
    seconds
        On the clock, meant to be right within a factor of two.
    ways
        Options that would make it faster, and the seconds it would then take.
    """

    seconds: float
    ways: tuple[tuple[Way, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Progress:
    """One report of a running selection.

    Attributes
    ----------
    phase
        `estimate` (a long run says so, once), `prepare` (entropies needed before step 1),
        `candidates` (values of this step's candidates),
        `permutations` (replicates of this step's test), `step` (a step is finished), or, once the
        selection is, `explain` (why the other columns are not selected), `sensitivity` or
        `stability` (it is repeated) or `models` (they are fitted).
    step
        The step or the repeat at work, from 1.
    done, total
        Units of the phase that are finished and that there are at most.
    feature
        The newest feature where there is one.
    steps_total
        The largest number of steps that can still happen.
    ahead
        Units after `done` that are worked on together, as by one pass over all pairs of rows.
    share
        How much of the phase is done, 0 to 1, where that is known better than by `done / total`:
        such a pass tells of it several times a second. None where it is not.
    estimate
        Of the phase `estimate`.
    """

    phase: Phase
    step: int
    done: int
    total: int
    feature: str | None = None
    steps_total: int | None = None
    ahead: int = 0
    share: float | None = None
    estimate: Estimate | None = None

    @property
    def fraction(self) -> float:
        """How much of the phase is done, 0 to 1, as closely as it is known."""
        if self.share is not None:
            return self.share
        return self.done / self.total if self.total else 0.0


class Observer(Protocol):
    """Called on the calling thread only, often; it must be quick."""

    def __call__(self, progress: Progress, /) -> None:
        """Take one report."""
        ...


class Tick(Protocol):
    """Called with how many units are done, of how many, and how many come together next."""

    def __call__(self, done: int, total: int, ahead: int = 0, /) -> None:
        """Take one count."""
        ...


def ignore_progress(progress: Progress, /) -> None:
    """Take a report and do nothing."""


class CancelToken:
    """A request to stop, safe to set from another thread.

    Work checks it between units, on the calling thread, and stops as if the user had pressed
    Ctrl-C: what is finished is kept.
    """

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        """Ask the work to stop."""
        self._event.set()

    @property
    def cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self._event.is_set()

    def check(self) -> None:
        """Raise `KeyboardInterrupt` if `cancel` was called."""
        if self._event.is_set():
            raise KeyboardInterrupt
