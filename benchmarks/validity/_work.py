"""Doing the runs: in pieces, by processes, kept as they come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from time import process_time
from typing import Any

from renyi.errors import RenyiError
from validity._cells import Cell, cell_of, worker_of
from validity._first_step import FirstStep, does
from validity._methods import Method, SharedEntropies, run_whole
from validity._peers import Peer
from validity._store import CellStore, Outcomes

__all__ = ["Asked", "Piece", "Result", "do", "kept", "next_piece", "settings_of", "work_out"]


@dataclass(frozen=True)
class Asked:
    """What is to be done.

    Attributes
    ----------
    store
        Folder of the outcomes.
    jobs
        Processes.
    runs
        At most so many runs a cell; None for all.
    methods
        Only these; empty for all.
    """

    store: Path
    jobs: int = 1
    runs: int | None = None
    methods: frozenset[str] = frozenset()

    def store_of(self, cell: Cell) -> CellStore:
        """Open a cell's file."""
        return CellStore(self.store / cell.part / f"{cell.name}.json", cell.identity())


@dataclass(frozen=True)
class Piece:
    """Runs of one cell that come next for some methods."""

    cell: str
    methods: tuple[str, ...]
    start: int
    stop: int


@dataclass
class Result:
    """What came of a piece.

    Attributes
    ----------
    outcomes
        By method; of each run the columns selected.
    problems
        By method that cannot run, why.
    seconds
        Of one core.
    """

    outcomes: dict[str, Outcomes] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0


def settings_of(cell: Cell, name: str) -> dict[str, Any]:
    """Return in JSON values what a method's outcomes depend on in a cell."""
    worker = worker_of(name)
    if isinstance(worker, Method):
        return worker.settings(**cell.options)
    return worker.settings()


def next_piece(cell: Cell, store: CellStore, asked: Asked, barred: set[str]) -> Piece | None:
    """Return what is to be done next in a cell, None where nothing is.

    Methods that stand at the same run go on together, the least advanced first.
    """
    planned = {
        name: runs if asked.runs is None else min(runs, asked.runs)
        for name, runs in cell.runs.items()
        if name not in barred and (not asked.methods or name in asked.methods)
    }
    known = {name: len(store.outcomes(name, settings_of(cell, name))) for name in planned}
    open_ = {name: count for name, count in known.items() if count < planned[name]}
    if not open_:
        return None
    start = min(open_.values())
    next_ = tuple(name for name, count in open_.items() if count == start)
    ends = [planned[name] for name in next_]
    ends += [count for count in open_.values() if count > start]
    return Piece(cell.key, next_, start, min(start + cell.chunk, *ends))


def work_out(piece: Piece) -> Result:
    """Do the runs of a piece."""
    cell, result, began = cell_of(piece.cell), Result(), process_time()
    names = list(piece.methods)
    quick = {
        name: worker
        for name in names
        if isinstance(worker := worker_of(name), Method)
        and cell.shared
        and does(worker, cell.options, cell.keep)
    }
    for run in range(piece.start, piece.stop):
        made = cell.table(run)
        shared, first = SharedEntropies(made), FirstStep(made, run, quick.values())
        for name in tuple(names):
            worker = worker_of(name)
            try:
                if isinstance(worker, Peer):
                    selected = worker.run(made, run)
                elif name in quick:
                    selected = first.run(worker)
                elif cell.shared and worker.shares:
                    selected = shared.run(worker, run, keep=cell.keep, **cell.options)
                else:
                    selected = run_whole(made, worker, run, keep=cell.keep, **cell.options)
            except RenyiError as refusal:
                result.problems[name] = str(refusal)
                result.outcomes.pop(name, None)
                names.remove(name)
            else:
                result.outcomes.setdefault(name, []).append(selected)
    result.seconds = process_time() - began
    return result


def do(cells: Iterable[Cell], asked: Asked, told: Callable[[str], None] = print) -> None:
    """Do all runs of some cells that are not kept yet, and keep them as they come."""
    if asked.jobs == 1:
        for cell in cells:
            for work in _pieces(cell, asked, told):
                work.keep(work_out(work.piece))
        return
    with ProcessPoolExecutor(asked.jobs, mp_context=get_context("spawn")) as pool:
        _do_together(iter(cells), asked, told, pool)


@dataclass
class _Open:
    """A piece that is being done, and where its result goes."""

    piece: Piece
    keep: Callable[[Result], None]


def _pieces(cell: Cell, asked: Asked, told: Callable[[str], None]) -> Iterator[_Open]:
    """Yield the pieces of a cell one after another: the next once the last one is kept."""
    store, barred = asked.store_of(cell), _cannot(cell, told)
    started = False

    def keep(result: Result) -> None:
        for name, outcomes in result.outcomes.items():
            store.add(name, settings_of(cell, name), outcomes)
        for name, problem in result.problems.items():
            told(f"{cell.key}: {name} left out: {problem}")
            barred.add(name)
        store.seconds = round(store.seconds + result.seconds, 2)
        store.write()

    while (piece := next_piece(cell, store, asked, barred)) is not None:
        if not started:
            told(f"{cell.key} from run {piece.start} ...")
        started = True
        yield _Open(piece, keep)
    if started:
        told(f"{cell.key} done, {store.seconds:.0f} s of one core in all")


def _cannot(cell: Cell, told: Callable[[str], None]) -> set[str]:
    problems = {name: worker_of(name).problem for name in cell.methods}
    for name, problem in problems.items():
        if problem:
            told(f"{cell.key}: {name} left out: {problem}")
    return {name for name, problem in problems.items() if problem}


def _do_together(
    cells: Iterator[Cell], asked: Asked, told: Callable[[str], None], pool: ProcessPoolExecutor
) -> None:
    """Keep all processes busy, each with a cell of its own."""
    running: dict[Future[Result], tuple[_Open, Iterator[_Open]]] = {}

    def submit(pieces: Iterator[_Open]) -> bool:
        work = next(pieces, None)
        if work is not None:
            running[pool.submit(work_out, work.piece)] = work, pieces
        return work is not None

    def refill() -> None:
        while len(running) < asked.jobs:
            cell = next(cells, None)
            if cell is None:
                return
            submit(_pieces(cell, asked, told))

    refill()
    while running:
        finished, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in finished:
            work, pieces = running.pop(future)
            work.keep(future.result())
            submit(pieces)
        refill()


def kept(cells: Sequence[Cell], asked: Asked) -> dict[str, CellStore]:
    """Return the store of every cell, by key."""
    return {cell.key: asked.store_of(cell) for cell in cells}
