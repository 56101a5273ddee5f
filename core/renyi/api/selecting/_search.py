"""A selection at work: the search, its checkpoint, its interruption, its answer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from time import perf_counter

from renyi._progress import CancelToken, Observer, Progress
from renyi.api._entropies import check_share
from renyi.api._session import Session, run_record
from renyi.api.selecting._checkpoint import Checkpoint
from renyi.api.selecting._path import SelectionPath
from renyi.api.selecting._reruns import Repeats, repeated
from renyi.errors import Interrupted
from renyi.selection import (
    Step,
    Unselected,
    Verdict,
    chance_note,
    explain,
    lacking_note,
    notes_of,
    search_of,
    selected_after,
)

__all__ = ["run_search"]


def run_search(
    session: Session,
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
    session
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
    OptionError
        If half the rows are too few for the share of pairs.
    Interrupted
        On Ctrl-C; its `.path` holds what was finished, and so does the checkpoint.
    """
    if session.method.pairs is not None and repeats.stability is not None:
        check_share(session.method.pairs, session.loaded.dataset.n // 2)
    saved = Checkpoint.open(checkpoint, session)
    running = _Running(session, saved, observer, cancel, started)
    found = running.searched()
    try:
        found = running.explained(found)
        for further in repeated(
            found, session, repeats, known=saved.found, observer=observer, cancel=cancel
        ):
            found = further
            saved.save(found)
    except KeyboardInterrupt:
        raise Interrupted(found) from None
    return found


class _Running:
    """One search with its checkpoint: `searched`, then `explained`."""

    def __init__(
        self,
        session: Session,
        saved: Checkpoint,
        observer: Observer,
        cancel: CancelToken | None,
        started: float,
    ) -> None:
        self._session, self._saved = session, saved
        self._observer, self._started = observer, started
        self._steps: list[Step] = []
        self._limit: int | None = None
        self._unselected: tuple[Unselected, ...] = ()
        names = session.loaded.dataset.names
        order = {name: number for number, name in enumerate(names)}
        self._search = search_of(
            session.loaded.dataset,
            session.entropies,
            session.method,
            keep=[order[name] for name in session.options.keep if name in order],
            start=[order[name] for name in session.options.start if name in order],
            choice=session.choice,
            finished=saved.steps,
            observer=self._watch,
            cancel=cancel,
        )
        saved.check_cmi(self._search.cmi_problem)

    def searched(self) -> SelectionPath:
        """Search to the end."""
        try:
            # whether it can be written shows before the work
            self._saved.save(self._path(self._search.interrupted))
            self._steps.extend(self._search)
        except KeyboardInterrupt:
            found = self._path(self._search.interrupted)
            self._saved.save(found)
            raise Interrupted(found) from None
        if self._search.verdict is None:  # pragma: no cover - the search ends with a verdict
            raise RuntimeError
        return self._path(self._search.verdict)

    def explained(self, found: SelectionPath) -> SelectionPath:
        """Say why the other columns are not selected, unless that was known before."""
        known, session = self._saved.found, self._session
        if known is not None and known.verdict == found.verdict:  # it was finished before
            return replace(found, unselected=known.unselected, warnings=known.warnings)
        count = max(len(self._steps), 1)
        self._observer(Progress("explain", count, 0, 1, steps_total=self._limit, ahead=1))
        names = session.loaded.dataset.names
        entropies, steps, seed = session.entropies, self._steps, session.method.seed
        together = session.loaded.dataset.structure
        self._unselected = explain(
            names, entropies, steps, found.verdict, seed, session.aliases, together
        )
        chance = chance_note(entropies, tuple(names), steps, seed, together)
        lacking = lacking_note(session.loaded.dataset, entropies, steps)
        found = self._path(found.verdict)
        more = (note for note in (chance, lacking) if note is not None)
        return replace(found, warnings=(*found.warnings, *more))

    def _watch(self, progress: Progress, /) -> None:
        # a new step is saved before anyone is told; only a whole result has another verdict
        if progress.phase == "step" and len(self._steps) > len(self._saved.steps):
            self._saved.save(self._path(self._search.interrupted))
        self._limit = progress.steps_total
        self._observer(progress)

    def _path(self, verdict: Verdict) -> SelectionPath:
        session, steps = self._session, self._steps
        work = [*self._saved.work, *self._search.work][: len(steps)]
        run = run_record(session, perf_counter() - self._started, work)
        return SelectionPath(
            data=replace(session.report, notes=()),  # they are among the warnings
            data_options=session.options,
            options=session.method,
            steps=tuple(steps),
            verdict=verdict,
            aliases={
                name: session.aliases[name]
                for name in selected_after(steps)
                if name in session.aliases
            },
            unselected=self._unselected,
            bandwidth_choice=session.choice,
            warnings=(
                *session.report.notes,
                *notes_of(steps, self._search.cmi_problem, session.entropies.computation.model),
            ),
            run={**run, "resumed_steps": len(self._saved.steps)},
        )
