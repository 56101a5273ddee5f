"""A comparison at work: one path, the criteria along it, the models, the answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any, Final

import numpy as np

from renyi._progress import CancelToken, Observer, Progress
from renyi._typing import FloatArray
from renyi.api._foreseen import foreseen
from renyi.api._session import Session, run_record
from renyi.api.comparing._comparison import Comparison
from renyi.api.comparing._partial import PartialComparison
from renyi.api.comparing._seconds import seconds_by
from renyi.errors import DataError, Interrupted, MemoryBudgetError, Way
from renyi.evaluation import (
    MOST_WHOLE,
    CriterionResult,
    Model,
    Outcome,
    PairedTest,
    SizeScore,
    bootstrap_scores,
    interval,
    paired_p_values,
    ranks,
    run_side_by_side,
    smallest_not_different,
)
from renyi.options import MethodOptions, criterion_traits
from renyi.selection import ForwardSearch, Step, notes_of
from renyi.variables import Note

__all__ = ["Judging", "most_steps", "side_by_side"]

EVERY_SIZE: Final = 80
"""Sizes up to which every one is looked at; every tenth above."""

MOST_STEPS: Final = 100
"""Steps of a path of more than 64 features where the caller sets no limit: a criterion that has let
so many in will mostly let all in, and each step of a wide table is work."""


@dataclass(frozen=True, slots=True)
class Judging:
    """How features are judged.

    Attributes
    ----------
    model
        What predicts.
    runs
        Bootstrap runs.
    sizes
        Numbers of features asked for; None for the usual ones.
    test
        How sizes are compared with the best.
    """

    model: Model
    runs: int
    sizes: tuple[int, ...] | None
    test: PairedTest


def side_by_side(
    session: Session,
    judging: Judging,
    *,
    asked: bool,
    observer: Observer,
    cancel: CancelToken | None,
    started: float,
    judged: Callable[[Sequence[int], FloatArray], None] | None = None,
) -> Comparison:
    """Run the path, ask the criteria, judge, and return the answer.

    Parameters
    ----------
    session
        What is searched, and how; the criteria of its method are those compared.
    judging
        How features are judged.
    asked
        Whether the caller named the criteria: one that cannot judge here is then refused, and left
        out with a warning otherwise.
    observer, cancel
        Told of progress and asked for interruption.
    started
        When the work began, by `perf_counter`.
    judged
        Told the sizes and their scores, (runs, sizes).

    Raises
    ------
    MemoryBudgetError
        If a criterion asked for needs CMI and it cannot be computed.
    DataError
        If there is no feature to compare.
    """
    method, notes = _possible(session, asked=asked)
    limit = most_steps(session, method)
    name = judging.model.name
    work = seconds_by(session, method.criteria, name, judging.runs, limit)
    session = foreseen(session, observer, *work)
    found = _Found(session, method, judging, notes)
    try:
        found.steps, found.outcomes = _path(session, method, observer, cancel, found)
        if not found.steps:
            raise DataError(
                "There must be a feature to compare criteria, got none.",
                "`renyi describe` says why each column was left out.",
            )
        wanted, beyond = _sizes(judging.sizes, len(found.steps), found.outcomes)
        found.notes = (*notes, *beyond)
        curve, whole = _scores(session, found.steps, wanted, judging, method.seed, observer, cancel)
    except Interrupted as stop:
        raise Interrupted(found.partial(stop.path, started)) from None
    points = _points(curve, wanted, judging.test)
    if judged is not None:
        judged(wanted, curve)
    best = wanted[int(curve.mean(axis=0).argmax())]
    smallest = smallest_not_different(
        curve, wanted, significance=method.significance, test=judging.test
    )
    by_size = {point.size: point for point in points}
    return Comparison(
        **found.common(started),
        significance=method.significance,
        curve=tuple(points),
        all_features=whole if whole is not None else points[-1],
        best=best,
        smallest=smallest,
        results=_results(found.outcomes, found.steps, by_size, smallest),
    )


@dataclass
class _Found:
    """What was found so far."""

    session: Session
    method: MethodOptions
    judging: Judging
    notes: tuple[Note, ...]
    steps: tuple[Step, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    problem: str = ""

    def common(self, started: float) -> dict[str, Any]:
        """Return the fields that an answer has, whole or not."""
        session = self.session
        return {
            "data": replace(session.report, notes=()),
            "data_options": session.options,
            "options": self.method,
            "model": self.judging.model.name,
            "measure": self.judging.model.measure,
            "runs": self.judging.runs,
            "test": self.judging.test,
            "steps": self.steps,
            "warnings": (
                *session.report.notes,
                *self.notes,
                *notes_of(self.steps, self.problem, session.entropies.computation.model),
            ),
            "run": run_record(session, perf_counter() - started),
        }

    def partial(self, got: Any, started: float) -> PartialComparison:
        """Return what there is, and what the part that was interrupted `got`."""
        if isinstance(got, dict):  # the path is whole: sizes that were judged
            sizes = sorted(got)
            judged = np.column_stack([got[size] for size in sizes]) if sizes else None
            points = [] if judged is None else _points(judged, sizes, self.judging.test)
        else:
            (self.steps, self.outcomes), points = got, []
        return PartialComparison(**self.common(started), results=self.outcomes, curve=tuple(points))


def _possible(session: Session, *, asked: bool) -> tuple[MethodOptions, tuple[Note, ...]]:
    """Return the method with the criteria that can judge here."""
    method, problem = session.method, session.entropies.everything_problem
    if not problem:
        return method, ()
    needing = [name for name in method.criteria if criterion_traits(name).needs_cmi]
    if not needing:
        return method, ()
    message = f"{', '.join(needing)} need CMI, which cannot be computed: {problem.rstrip('.')}."
    if asked:
        raise MemoryBudgetError(
            f"Of the criteria, {message}",
            "Leave them out, or use fewer rows: ",
            Way("rows", rule="N"),
            ".",
        )
    rest = tuple(name for name in method.criteria if name not in needing)
    return replace(method, criteria=rest), (
        Note("criteria_left_out", f"Criteria were left out: {message}"),
    )


def _path(
    session: Session,
    method: MethodOptions,
    observer: Observer,
    cancel: CancelToken | None,
    found: _Found,
) -> tuple[tuple[Step, ...], tuple[Outcome, ...]]:
    """Return the steps and where each criterion stops; `found` learns why CMI is not computed."""
    dataset = session.loaded.dataset
    order = {name: number for number, name in enumerate(dataset.names)}
    keep = [order[name] for name in session.options.keep if name in order]
    total, limit = len(dataset.features), most_steps(session, method)
    search = ForwardSearch(
        dataset,
        session.entropies,
        replace(method, criteria=("none",), min_gain=None, lookahead=1, max_features=limit),
        keep=keep,
        observer=observer,
        cancel=cancel,
    )
    found.problem = search.cmi_problem
    return run_side_by_side(
        search, method, method.criteria, total=total, kept=len(keep), choice=session.choice
    )


def most_steps(session: Session, method: MethodOptions) -> int | None:
    """Return the most steps of the path, None for all features."""
    if method.max_features is not None or len(session.loaded.dataset.features) <= MOST_WHOLE:
        return method.max_features
    return max(MOST_STEPS, len(session.options.keep))


def _sizes(
    asked: Sequence[int] | None, most: int, outcomes: Sequence[Outcome]
) -> tuple[list[int], tuple[Note, ...]]:
    """Return the sizes to look at, ascending, and what is to be said of those left out."""
    needed = {0, most, *(outcome.features for outcome in outcomes)}
    if asked is None:
        usual = (size for size in range(1, most + 1) if size <= EVERY_SIZE or size % 10 == 0)
        return sorted(needed.union(usual)), ()
    left_out = sorted({size for size in asked if size > most})
    notes: tuple[Note, ...] = ()
    if left_out:
        told = ", ".join(map(str, left_out))
        message = f"The path has {most} features; sizes beyond were left out: {told}."
        notes = (Note("sizes_left_out", message),)
    return sorted(needed.union(size for size in asked if size <= most)), notes


def _scores(
    session: Session,
    steps: Sequence[Step],
    sizes: Sequence[int],
    judging: Judging,
    seed: int,
    observer: Observer,
    cancel: CancelToken | None,
) -> tuple[FloatArray, SizeScore | None]:
    """Return the scores, (runs, sizes), and that of all features where the path lacks some."""
    dataset = session.loaded.dataset
    entered = [name for step in steps for name in step.features]
    by_name = dict(zip(dataset.names, dataset.features, strict=True))
    rest = [name for name in dataset.names if name not in set(entered)]
    total = len(dataset.features)
    wanted = [*sizes, total] if rest else list(sizes)
    targets = dataset.targets
    scores: list[FloatArray] = []
    for target in targets:

        def tick(done: int, of: int) -> None:
            told = len(scores) * of + done
            observer(Progress("models", len(steps), told, of * len(targets)))

        try:
            of_target = bootstrap_scores(
                [by_name[name] for name in (*entered, *rest)],
                target,
                wanted,
                model=judging.model.name,
                runs=judging.runs,
                seed=seed,
                weights=dataset.weights,
                structure=dataset.structure,
                jobs=session.entropies.computation.jobs,
                tick=tick,
                cancel=cancel,
            )
        except Interrupted as stop:
            is_last = len(scores) + 1 == len(targets)  # before it no size has its mean
            judged = {
                size: np.mean([*(one[:, wanted.index(size)] for one in scores), column], axis=0)
                for size, column in stop.path.items()
                if is_last
            }
            raise Interrupted(judged) from None
        scores.append(of_target)
    found: FloatArray = np.mean(scores, axis=0) if len(scores) > 1 else scores[0]
    if not rest:
        return found, None
    curve, last = found[:, :-1], found[:, -1:]
    best = curve[:, [int(curve.mean(axis=0).argmax())]]
    against = paired_p_values(np.hstack([best, last]), best=0, test=judging.test)
    return curve, _score(total, last, interval(last)[0], against[1])


def _points(curve: FloatArray, sizes: Sequence[int], test: PairedTest) -> list[SizeScore]:
    p_values = paired_p_values(curve, test=test)
    widths = interval(curve)
    return [
        _score(size, curve[:, [place]], widths[place], p_values[place])
        for place, size in enumerate(sizes)
    ]


def _score(size: int, column: FloatArray, half_width: float, p_value: float) -> SizeScore:
    return SizeScore(
        size=size,
        mean=float(column.mean()),
        deviation=float(column.std(ddof=1)),
        half_width=float(half_width),
        p_value=float(p_value),
    )


def _results(
    outcomes: Sequence[Outcome],
    steps: Sequence[Step],
    scores: dict[int, SizeScore],
    smallest: int,
) -> tuple[CriterionResult, ...]:
    places = ranks({o.criterion: abs(o.features - smallest) for o in outcomes})
    names = [name for step in steps for name in step.features]
    return tuple(
        CriterionResult(
            criterion=outcome.criterion,
            selected=tuple(names[: outcome.features]),
            stopped=outcome.stopped,
            step=outcome.step,
            reason=outcome.reason,
            reports=outcome.reports,
            score=scores[outcome.features],
            distance=outcome.features - smallest,
            rank=places[outcome.criterion],
        )
        for outcome in outcomes
    )
