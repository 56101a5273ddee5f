"""The selection repeated: under other settings, and on halves of the rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from renyi import _validate
from renyi._progress import CancelToken, Observer, Phase, Progress
from renyi._random import stream
from renyi.api._entropies import entropies_for, settle_bandwidth
from renyi.api._session import Session
from renyi.api.selecting._path import SelectionPath
from renyi.errors import MemoryBudgetError, OptionError
from renyi.kernels import KernelModel
from renyi.options import SOLVERS, Bandwidth, MethodOptions
from renyi.resampling import complementary_halves
from renyi.selection import (
    ForwardSearch,
    Sensitivity,
    SensitivitySetting,
    Stability,
    StabilityHalf,
    Verdict,
)
from renyi.variables import Dataset, Kind

__all__ = ["Repeats", "repeated"]

ALPHAS: Final = (2.0, 1.01)
BANDWIDTHS: Final[tuple[Bandwidth, ...]] = (1.0, 2.0, 3.0, "growing")
"""The grid of `sensitivity`: quadratic and Shannon-like, from local to wide and growing kernels.
The quick order comes first: an interrupted run has an answer from it."""

PAIR_ALPHAS: Final = (2.0,)
"""Those of the grid at which pairs can be looked at."""

Told: TypeAlias = Callable[[Phase, int, int], Observer]


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
            raise OptionError(f"`sensitivity` must be true or false, got {self.sensitivity!r}.")
        if self.stability is None:
            return
        _validate.whole_number("stability", self.stability, 2)
        if self.stability % 2:
            raise OptionError(
                f"`stability` must be even, two halves a pair; got {self.stability}.",
                f"Use {self.stability + 1}; 100 is usual.",
            )


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

    def told(phase: Phase, done: int, total: int) -> Observer:
        report = Progress(phase, done + 1, done, total)
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
    alphas = ALPHAS if path.options.lookahead == 1 else PAIR_ALPHAS
    grid = [(alpha, bandwidth) for alpha in alphas for bandwidth in BANDWIDTHS]
    settings = known.settings if known is not None else ()
    yield Sensitivity(asked=len(grid), settings=settings)
    finished = {(setting.alpha, setting.bandwidth) for setting in settings}
    for alpha, bandwidth in (setting for setting in grid if setting not in finished):
        solver = "auto" if SOLVERS[path.options.solver].rule else path.options.solver
        method = replace(path.options, alpha=alpha, bandwidth=bandwidth, solver=solver)
        if alpha != 2:  # what chance gives has a closed form at order 2 only, else takes draws
            rank = "raw" if path.options.alpha == 2 else path.options.rank
            method = replace(method, rank=rank, class_weights="none")
        told_of = told("sensitivity", len(settings), len(grid))
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
    kept = tuple(name for name in path.data_options.keep if name in dataset.names)
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
        for half, rows in enumerate(complementary_halves(dataset.n, path.seed, pair, classes), 1):
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

    def tick(done: int, total: int) -> None:
        if cancel is not None:
            cancel.check()
        told(Progress("prepare", 1, done, total))

    settled, choice = settle_bandwidth(dataset, method, *resources, keep=kept, tick=tick)
    entropies = entropies_for(KernelModel.build(dataset, settled), settled, *resources)
    entropies.check_memory(method.max_features)
    search = ForwardSearch(
        dataset,
        entropies,
        method,
        keep=[dataset.names.index(name) for name in kept],
        choice=choice,
        observer=told,
        cancel=cancel,
    )
    names = tuple(name for step in search if step.selected for name in step.features)
    if search.verdict is None:  # pragma: no cover - the search ends with a verdict
        raise RuntimeError
    return names, search.verdict
