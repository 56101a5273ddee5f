"""The work: a method on a split of a set, in processes of their own."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from rivals._judges import judge
from rivals._methods import AT, RENYI, Method, code_of_renyi, method_of, versions
from rivals._sets import facts_of, load
from rivals._store import MethodStore, Outcome, write_facts
from rivals._table import Table, parts_of

__all__ = ["Asked", "Piece", "do", "select_and_judge", "work_out"]

PROTOCOL = {"rows": 800, "training": 0.7, "models": "svm, forest of 100, 5-nn", "version": 1}


@dataclass(frozen=True)
class Piece:
    """One selection: of a method, on a split of a set, to a size where the method asks for one."""

    set: str
    method: str
    split: int
    size: int = 0


@dataclass(frozen=True)
class Asked:
    """What to do: sets, methods, splits of each, processes, and what to begin anew."""

    folder: Path
    sets: Sequence[str]
    methods: Sequence[str]
    splits: int
    jobs: int
    again: frozenset[str] = frozenset()


def do(asked: Asked, say: Callable[[str], None]) -> list[str]:
    """Do what is not yet known, keep each outcome as it comes, and return what failed."""
    facts = {name: facts_of(name) for name in asked.sets}
    write_facts(asked.folder, facts)
    tables = {name: fact["table"] for name, fact in facts.items()}
    stores = {name: _open(asked, name) for name in asked.methods}
    failed: list[str] = []
    # mRMR at equal size needs the sizes, so that it comes last
    for late in (False, True):
        names = [name for name in asked.methods if name.startswith(AT) == late]
        pieces = list(_pieces(asked, names, stores, tables))
        if names:
            say(f"{len(pieces)} selections to do: {', '.join(names)}")
        failed += _all(pieces, asked.jobs, stores, say)
    return failed


def work_out(piece: Piece) -> Outcome | str:
    """Do one piece of work; return in words what went wrong, where something did."""
    try:
        return select_and_judge(load(piece.set), piece, method_of(piece.method, piece.size))
    except Exception as error:  # one method's failure is no reason to end all others' work
        return f"{piece.set}, split {piece.split}, {piece.method}: {type(error).__name__}: {error}"


def select_and_judge(table: Table, piece: Piece, method: Method) -> Outcome:
    """Select on the training rows alone, judge on the others."""
    train, test = parts_of(table, piece.split)
    start = time.process_time()
    names = method.select(train, piece.split)
    seconds = time.process_time() - start
    scores = judge(train, test, names)
    return Outcome(
        set=piece.set,
        split=piece.split,
        table=table.digest(),
        scores={name: round(score, 5) for name, score in scores.items()},
        seconds=round(seconds, 3),
        columns=len(names),
        selected="*" if names == table.names else list(names),
        code=code_of_renyi() if piece.method in RENYI else "",
    )


def _open(asked: Asked, name: str) -> MethodStore:
    settings = {**method_of(name).settings, **PROTOCOL, "versions": versions(name)}
    store = MethodStore(asked.folder / f"{name}.jsonl", settings)
    if name in asked.again:
        store.forget()
    return store


def _pieces(
    asked: Asked, names: Sequence[str], stores: dict[str, MethodStore], tables: dict[str, str]
) -> Iterator[Piece]:
    """Yield what is not known yet, set by set."""
    sizes = {name: _sizes_for(asked, name) for name in names if name.startswith(AT)}
    for place in asked.sets:
        for name in names:
            for split in range(asked.splits):
                known = stores[name].has(place, split, tables[place])
                if name not in sizes:
                    if not known:
                        yield Piece(place, name, split)
                    continue
                size = sizes[name].get((place, split))
                there = stores[name].outcomes.get((place, split))
                if size is not None and not (known and there and there.columns == size):
                    yield Piece(place, name, split, size)


def _sizes_for(asked: Asked, name: str) -> dict[tuple[str, int], int]:
    """Return the sizes that the method behind mRMR at equal size chose, from its file."""
    other = MethodStore(asked.folder / f"{name.removeprefix(AT)}.jsonl")
    return {place: outcome.columns for place, outcome in other.outcomes.items()}


def _all(
    pieces: Sequence[Piece],
    jobs: int,
    stores: dict[str, MethodStore],
    say: Callable[[str], None],
) -> list[str]:
    failed: list[str] = []
    for piece, outcome in _outcomes(pieces, jobs):
        if isinstance(outcome, str):
            failed.append(outcome)
            say(f"FAILED {outcome}")
            continue
        stores[piece.method].put(outcome)
        say(
            f"{piece.set} {piece.split} {piece.method}: {100 * outcome.score:.1f} "
            f"with {outcome.columns}, {outcome.seconds:.1f} s"
        )
    return failed


def _outcomes(pieces: Sequence[Piece], jobs: int) -> Iterable[tuple[Piece, Outcome | str]]:
    if not pieces:
        return
    if jobs == 1:
        for piece in pieces:
            yield piece, work_out(piece)
        return
    # Processes are begun afresh, not forked: a fork of a process with threads may hang.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context) as pool:
        waiting = {pool.submit(work_out, piece): piece for piece in pieces}
        try:
            for done in as_completed(waiting):
                yield waiting[done], done.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
