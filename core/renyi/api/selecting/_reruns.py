"""The selection repeated: under other settings, and on halves of the rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from renyi import _validate
from renyi._progress import CancelToken, Observer, Phase, Progress
from renyi._random import stream
from renyi.api._entropies import entropies_for, settle_bandwidth
from renyi.api._foreseen import Seconds, changed, task_of
from renyi.api._session import Session
from renyi.api.selecting._path import SelectionPath
from renyi.errors import MemoryBudgetError, OptionError
from renyi.kernels import KernelModel
from renyi.options import SOLVERS, Bandwidth, MethodOptions
from renyi.resampling import complementary_halves
from renyi.selection import (
    Sensitivity,
    SensitivitySetting,
    Speed,
    Stability,
    StabilityHalf,
    Task,
    Verdict,
    search_of,
    seconds_of,
    selected_after,
    speed_of,
)
from renyi.variables import Dataset, Kind

__all__ = ["Repeats", "repeated"]

ALPHAS: Final = (2.0, 1.01)
BANDWIDTHS: Final[tuple[Bandwidth, ...]] = (1.0, 2.0, 3.0, "growing")
"""The grid of `sensitivity`: quadratic and Shannon-like, from local to wide and growing kernels.
The quick order comes first: an interrupted run has an answer from it."""

PAIR_ALPHAS: Final = (2.0,)
"""Those of the grid at which pairs can be looked at."""

Told: TypeAlias = Callable[..., Observer]


@dataclass(frozen=True, slots=True)
class Repeats:
    """What is to be repeated beside the selection itself.

    Attributes
    ----------
    sensitivity
        Whether to go through the grid of settings.
    stability
        Number of halves, None for none.
    """

    sensitivity: bool = False
    stability: int | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.sensitivity, bool):
            raise OptionError(
                f"`sensitivity` must be true or false, got {self.sensitivity!r}.",
                *_validate.left_out("sensitivity", "false"),
            )
        if self.stability is None:
            return
        _validate.whole_number("stability", self.stability, 2, "100 is usual.")
        if self.stability % 2:
            raise OptionError(
                f"`stability` must be even, two halves a pair; got {self.stability}.",
                f"Use {self.stability + 1}; 100 is usual.",
            )

    def foreseen(self, session: Session) -> tuple[float, Seconds]:
        """Return operations and seconds that a selection may take with its repeats."""
        task = task_of(session)
        possible = task.possible
        if self.sensitivity:
            others = (changed(task, **asked) for asked in _grid(task.options))
            possible += sum(other.possible for other in others)
        if self.stability is not None:
            possible += self.stability * replace(task, rows=task.rows // 2).possible
        in_settings = _Settings(session)

        def seconds(task: Task, speed: Speed) -> float:
            found = seconds_of(task, speed)
            if self.sensitivity:
                found += sum(in_settings.seconds(task, speed))
            if self.stability is not None:
                found += self.stability * seconds_of(replace(task, rows=task.rows // 2), speed)
            return found

        return possible, seconds


class _Settings:
    """What each setting of the grid takes: other orders are looked at once."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._speeds: dict[float, Speed] = {}

    def seconds(self, task: Task, speed: Speed | None = None) -> list[float]:
        """Return the seconds of each setting, in the order of the grid."""
        others = [changed(task, **asked) for asked in _grid(task.options)]
        known = {} if speed is None else {task.options.alpha: speed}
        return [
            seconds_of(other, known.get(other.options.alpha) or self._speed(other.options))
            for other in others
        ]

    def _speed(self, options: MethodOptions) -> Speed:
        if options.alpha not in self._speeds:
            by = replace(self._session.entropies.computation, alpha=options.alpha, solver="auto")
            self._speeds[options.alpha] = speed_of(by, options)
        return self._speeds[options.alpha]


def _grid(options: MethodOptions) -> list[dict[str, Any]]:
    """Return the options that each setting changes."""
    solver = "auto" if SOLVERS[options.solver].rule else options.solver
    grid = []
    for alpha in ALPHAS if options.lookahead == 1 and options.pairs is None else PAIR_ALPHAS:
        asked: dict[str, Any] = {"alpha": alpha, "solver": solver}
        if alpha != 2:  # what chance gives has a closed form at order 2 only, else takes draws
            rank = "raw" if options.alpha == 2 else options.rank
            asked |= {"rank": rank, "class_weights": "none"}
        grid += [{**asked, "bandwidth": bandwidth} for bandwidth in BANDWIDTHS]
    return grid


def repeated(
    path: SelectionPath,
    session: Session,
    repeats: Repeats,
    *,
    known: SelectionPath | None,
    observer: Observer,
    cancel: CancelToken | None,
) -> Iterator[SelectionPath]:
    """Yield the path again and again, each time with one more repeat in it.

    Parameters
    ----------
    path
        The finished selection.
    session
        What was searched; its table is not read again.
    repeats
        What to repeat.
    known
        An earlier result of the same selection whose repeats are taken over.
    observer, cancel
        Told of progress and asked for interruption.
    """

    def told(phase: Phase, done: int, total: int, share: float | None = None) -> Observer:
        report = Progress(phase, done + 1, done, total, share=share)
        observer(report)
        return lambda progress, /: observer(report)  # noqa: ARG005 - alive, and asked to stop

    if repeats.sensitivity:
        earlier = None if known is None else known.sensitivity
        for sensitivity in _settings(path, session, earlier, told, cancel):
            path = replace(path, sensitivity=sensitivity)
            yield path
    if repeats.stability is not None:
        before = None if known is None else known.stability
        for stability in _halves(path, session, repeats.stability, before, told, cancel):
            path = replace(path, stability=stability)
            yield path
    yield path


def _settings(
    path: SelectionPath,
    session: Session,
    known: Sensitivity | None,
    told: Told,
    cancel: CancelToken | None,
) -> Iterator[Sensitivity]:
    grid = _grid(path.options)
    settings = known.settings if known is not None else ()
    yield Sensitivity(asked=len(grid), settings=settings)
    finished = {(setting.alpha, setting.bandwidth) for setting in settings}
    long = session.estimate_seconds is not None
    costs = _Settings(session).seconds(task_of(session)) if long else [1.0] * len(grid)
    for number, asked in enumerate(grid):
        alpha, bandwidth = asked["alpha"], asked["bandwidth"]
        if (alpha, bandwidth) in finished:
            continue
        method = replace(path.options, **asked)
        told_of = told("sensitivity", len(settings), len(grid), sum(costs[:number]) / sum(costs))
        try:
            names, verdict = _searched(
                path, session, session.loaded.dataset, method, told_of, cancel
            )
            stopped, reason = str(verdict.stopped), verdict.reason
        except MemoryBudgetError as error:
            names, stopped, reason = (), None, error.message
        found = SensitivitySetting(
            alpha=alpha, bandwidth=bandwidth, selected=names, stopped=stopped, reason=reason
        )
        settings = (*settings, found)
        yield Sensitivity(asked=len(grid), settings=settings)


def _halves(
    path: SelectionPath,
    session: Session,
    asked: int,
    known: Stability | None,
    told: Told,
    cancel: CancelToken | None,
) -> Iterator[Stability]:
    dataset = session.loaded.dataset
    classes = dataset.target.codes if dataset.target.kind is Kind.NOMINAL else None
    kept = tuple(name for name in path.data_options.at_hand if name in dataset.names)
    halves = known.halves[:asked] if known is not None else ()

    def record() -> Stability:
        return Stability(
            asked=asked,
            rows=dataset.n // 2,
            stratified=classes is not None,
            candidates=len(dataset.names) - len(kept),
            kept=kept,
            halves=halves,
        )

    yield record()
    for pair in range(len(halves) // 2 + 1, asked // 2 + 1):
        both = []
        halves_of = complementary_halves(dataset.n, path.seed, pair, classes, dataset.structure)
        for half, rows in enumerate(halves_of, 1):
            seed = int(stream(path.seed, "stability", pair, half).integers(2**31))
            told_of = told("stability", 2 * (pair - 1) + half - 1, asked)
            method = replace(path.options, seed=seed)
            names, verdict = _searched(path, session, dataset.take(rows), method, told_of, cancel)
            both.append(
                StabilityHalf(pair=pair, half=half, selected=names, stopped=verdict.stopped)
            )
        halves = (*halves, *both)
        yield record()


def _searched(
    path: SelectionPath,
    session: Session,
    dataset: Dataset,
    method: MethodOptions,
    told: Observer,
    cancel: CancelToken | None,
) -> tuple[tuple[str, ...], Verdict]:
    """Return the features that a whole selection takes, and why it ended."""
    resources = (session.backend, session.asked.jobs, session.max_memory)
    kept = [name for name in path.data_options.keep if name in dataset.names]
    begun = [name for name in path.data_options.start if name in dataset.names]

    def tick(done: int, total: int) -> None:
        if cancel is not None:
            cancel.check()
        told(Progress("prepare", 1, done, total))

    settled, choice = settle_bandwidth(dataset, method, *resources, keep=[*kept, *begun], tick=tick)
    entropies = entropies_for(KernelModel.build(dataset, settled), settled, *resources)
    entropies.check_memory(method.max_features)
    search = search_of(
        dataset,
        entropies,
        method,
        keep=[dataset.names.index(name) for name in kept],
        start=[dataset.names.index(name) for name in begun],
        choice=choice,
        observer=told,
        cancel=cancel,
    )
    names = selected_after(search)
    if search.verdict is None:  # pragma: no cover - the search ends with a verdict
        raise RuntimeError
    return names, search.verdict
