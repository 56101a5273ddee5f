"""A selection at work: the search, its checkpoint, its interruption, its answer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from time import perf_counter

from renyi._progress import CancelToken, Observer, Progress
from renyi.api._session import Session, run_record
from renyi.api.selecting._checkpoint import Checkpoint
from renyi.api.selecting._path import SelectionPath
from renyi.api.selecting._reruns import Repeats, repeated
from renyi.errors import Interrupted
from renyi.options import DataOptions, MethodOptions
from renyi.selection import (
    ForwardSearch,
    Step,
    Unselected,
    Verdict,
    chance_note,
    explain,
    notes_of,
)

__all__ = ["run_search"]


def run_search(
    session: Session,
    options: DataOptions,
    method: MethodOptions,
    *,
    repeats: Repeats,
    checkpoint: Path | None,
    observer: Observer,
    cancel: CancelToken | None,
    started: float,
) -> SelectionPath:
    """Search, from where a checkpoint says, and return the answer.

    Parameters
    ----------
    session, options, method
        What is searched, and how.
    repeats
        What is repeated afterwards.
    checkpoint
        Where finished steps and repeats are kept; None for nowhere.
    observer, cancel
        Told of progress and asked for interruption.
    started
        When the work began, by `perf_counter`.

    Raises
    ------
    Interrupted
        On Ctrl-C; its `.path` holds what was finished, and so does the checkpoint.
    """
    saved = Checkpoint.open(checkpoint, session, options, method)
    order = {name: number for number, name in enumerate(session.loaded.dataset.names)}
    steps: list[Step] = []
    unselected: tuple[Unselected, ...] = ()

    def watch(progress: Progress, /) -> None:
        # a new step is saved before anyone is told; only a whole result has another verdict
        if progress.phase == "step" and len(steps) > len(saved.steps):
            saved.save(path(search.interrupted))
        observer(progress)

    def path(verdict: Verdict) -> SelectionPath:
        work = [*saved.work, *search.work][: len(steps)]
        run = run_record(session, perf_counter() - started, work)
        return SelectionPath(
            data=replace(session.report, notes=()),  # they are among the warnings
            data_options=options,
            options=method,
            steps=tuple(steps),
            verdict=verdict,
            aliases={
                name: session.aliases[name]
                for step in steps
                for name in step.features
                if step.selected and name in session.aliases
            },
            unselected=unselected,
            bandwidth_choice=session.choice,
            warnings=(
                *session.report.notes,
                *notes_of(
                    steps,
                    search.cmi_problem,
                    one_width=not session.entropies.computation.model.grows,
                ),
            ),
            run={**run, "resumed_steps": len(saved.steps)},
        )

    search = ForwardSearch(
        session.loaded.dataset,
        session.entropies,
        method,
        keep=[order[name] for name in options.keep if name in order],
        choice=session.choice,
        finished=saved.steps,
        observer=watch,
        cancel=cancel,
    )
    saved.check_cmi(search.cmi_problem)
    try:
        saved.save(path(search.interrupted))  # whether it can be written shows before the work
        steps.extend(search)
    except KeyboardInterrupt:
        found = path(search.interrupted)
        saved.save(found)
        raise Interrupted(found) from None
    if search.verdict is None:  # pragma: no cover - the search ends with a verdict
        raise RuntimeError
    found = path(search.verdict)
    known = saved.found
    try:
        if known is not None and known.verdict == found.verdict:  # it was finished before
            found = replace(found, unselected=known.unselected, warnings=known.warnings)
        else:
            unselected = explain(
                session.loaded.dataset.names,
                session.entropies,
                steps,
                search.verdict,
                method.seed,
                session.aliases,
            )
            chance = chance_note(session.entropies, tuple(order), steps, method.seed)
            found = path(search.verdict)
            if chance is not None:
                found = replace(found, warnings=(*found.warnings, chance))
        for further in repeated(
            found, session, repeats, known=known, observer=observer, cancel=cancel
        ):
            found = further
            saved.save(found)
    except KeyboardInterrupt:
        raise Interrupted(found) from None
    return found
