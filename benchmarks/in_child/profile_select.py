"""Run one `renyi.select` and tell where its time goes.

    python profile_select.py TASK.json

The task holds `data` and keyword arguments of `renyi.select`. Two ways of looking:

- The eigenvalue routines of the backend are wrapped: how often, for which sizes, how many seconds
  of threads. The same eigenproblems are then timed alone, size by size, by the backend's routine
  and by NumPy's: all cores on one problem, or a core each on as many as there are cores, whichever
  is fastest. That is what they cost at library speed.
- A thread looks every few milliseconds at what every other thread is doing, down to the
  instruction, and files it under eigenvalues, reductions to bands, matrix products, factors and
  triangular systems, kernel values, other array work, or Python. It sees a thread only when that
  thread lets go of the interpreter, as NumPy does in all large operations: short steps of pure
  Python are seen less often than they run.
"""

from __future__ import annotations

import dis
import json
import linecache
import os
import sys
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from time import perf_counter
from types import CodeType, FrameType
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from threadpoolctl import ThreadpoolController

Routine: TypeAlias = Callable[..., Any]

PAUSE = 0.002
MATMUL = {"@", "@="}
CALLS = {
    "bands": ("_to_band", "sy2sb"),
    "eigenvalues": ("eigvalsh", "eigh", "eigvals", "syev", "stebz", "sterf", "sytrd"),
    "matrix products": ("matmul", "dot", "gemm", "syrk", "einsum", "tensordot", "inner"),
    "factors and systems": (
        "cholesky",
        "solve",
        "trsm",
        "trtri",
        "potr",
        "qr",
        "pstrf",
        "svd",
        "inv",
    ),
    "kernel values": ("exp", "expm1", "exp2"),
}
IDLE = ("wait", "acquire", "sleep", "_worker", "result", "join", "select", "get")
LIBRARIES = ("numpy", "scipy", "threadpoolctl", "renyi/backend")


class Problem(NamedTuple):
    """A kind of eigenproblem: its rows, and whether vectors were asked for."""

    rows: int
    vectors: bool


class Eigenproblems:
    """What goes through the `eigvalsh` and `eigh` of every backend that is made."""

    def __init__(self) -> None:
        self.counts: Counter[Problem] = Counter()
        self.seconds = 0.0
        self._routines: dict[bool, list[Routine]] = {
            False: [np.linalg.eigvalsh],
            True: [np.linalg.eigh],
        }
        self._timed: list[Routine] = []
        self._lock = threading.Lock()
        self._inside = threading.local()
        self.over = False

    def watch(self, backend: Any) -> None:
        """Wrap the routines of a backend record class."""
        plain_init = backend.__init__

        def init(record: Any, *given: Any, **named: Any) -> None:
            for name, vectors in (("eigvalsh", False), ("eigh", True)):
                if named.get(name) is not None:
                    named[name] = self._around(named[name], vectors)
            plain_init(record, *given, **named)

        backend.__init__ = init

    def _around(self, routine: Routine, vectors: bool) -> Routine:
        if routine in self._timed:  # the record is a copy of another
            return routine
        if routine not in self._routines[vectors]:
            self._routines[vectors].append(routine)

        def timed(a: Any) -> Any:
            if self.over or getattr(self._inside, "now", False):
                return routine(a)  # a record's routine may be made of another record's
            self._inside.now = True
            start = perf_counter()
            try:
                return routine(a)
            finally:
                self._inside.now = False
                self._note(a.shape, vectors, perf_counter() - start)

        self._timed.append(timed)
        return timed

    def _note(self, shape: Sequence[int], vectors: bool, seconds: float) -> None:
        with self._lock:
            problem = Problem(int(shape[-1]), vectors)
            self.counts[problem] += int(np.prod(shape[:-2], dtype=np.int64))
            self.seconds += seconds

    def at_library_speed(self) -> float:
        """Return what the same problems take at best, see `_alone`."""
        total = 0.0
        for vectors in (False, True):
            sizes = sorted(problem.rows for problem in self.counts if problem.vectors == vectors)
            if not sizes:
                continue
            measured = sizes if len(sizes) <= MOST_SIZES else _spread(sizes, MOST_SIZES)
            logs = np.log([self._alone(size, vectors) for size in measured])
            each = np.exp(np.interp(np.log(sizes), np.log(measured), logs))
            counts = [self.counts[Problem(size, vectors)] for size in sizes]
            total += float(np.dot(counts, each))
        return total

    def _alone(self, size: int, vectors: bool) -> float:
        """Return seconds a problem: all cores on one, or a core each on as many at once."""
        gram = _gram(size)
        shortest = []
        for routine in self._routines[vectors]:
            shortest.append(_shortest(routine, gram))
            with ThreadpoolController().limit(limits=1, user_api="blas"):
                shortest.append(_shortest(routine, gram) / CORES)
        return min(shortest)


def _shortest(routine: Routine, gram: Any) -> float:
    found = []
    for _ in range(1 if len(gram) > 1500 else 3):
        start = perf_counter()
        routine(gram.copy())
        found.append(perf_counter() - start)
    return max(min(found), 1e-7)


def _gram(size: int) -> Any:
    """Return a Gaussian Gram of five columns, as a search meets them."""
    points = np.random.default_rng(0).normal(size=(size, 5))
    squares = (points**2).sum(axis=1)
    return np.exp(-(squares[:, None] + squares[None, :] - 2 * points @ points.T) / 8)


MOST_SIZES = 12
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _spread(sizes: list[int], count: int) -> list[int]:
    places = np.unique(np.linspace(0, len(sizes) - 1, count).astype(int))
    return [sizes[place] for place in places]


@cache
def _instructions(code: CodeType) -> dict[int, dis.Instruction]:
    return {one.offset: one for one in dis.get_instructions(code)}


def _called(code: CodeType, instruction: dis.Instruction) -> str:
    """Return the text before the parenthesis of a call, as it is written in the source."""
    positions = instruction.positions
    if positions is None or positions.lineno is None or positions.col_offset is None:
        return ""
    line = linecache.getline(code.co_filename, positions.lineno)
    return line[positions.col_offset :].partition("(")[0].strip()


def _doing(frame: FrameType) -> str | None:
    """Return what a thread is at; None where it waits."""
    code = frame.f_code
    instruction = _instructions(code).get(frame.f_lasti)
    name = code.co_name
    if code.co_filename.endswith(("threading.py", "queue.py", "thread.py", "_base.py")):
        return None
    if instruction is not None and instruction.opname == "BINARY_OP":
        return "matrix products" if instruction.argrepr in MATMUL else "other array work"
    words = [name]
    if instruction is not None and instruction.opname.startswith("CALL"):
        words.append(_called(code, instruction).rpartition(".")[2])
    caller = frame.f_back
    while caller is not None and _of_library(frame):
        words.append(caller.f_code.co_name)
        frame, caller = caller, caller.f_back
        inside = _instructions(frame.f_code).get(frame.f_lasti)
        if inside is not None:
            words.append(_called(frame.f_code, inside).rpartition(".")[2])
    for kind, names in CALLS.items():
        if any(
            word == known or known in word for word in words for known in names if len(known) > 3
        ):
            return kind
        if any(word in names for word in words):
            return kind
    if any(word in IDLE for word in words):
        return None
    called = instruction is not None and instruction.opname.startswith("CALL")
    return "other array work" if called or _of_library(frame) else "Python"


def _of_library(frame: FrameType) -> bool:
    return any(f"/{name}/" in frame.f_code.co_filename for name in LIBRARIES)


class Watcher(threading.Thread):
    """Counts what the other threads are doing."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.seen: Counter[str] = Counter()
        self._over = threading.Event()

    def run(self) -> None:
        own = threading.get_ident()
        while not self._over.wait(PAUSE):
            for ident, frame in sys._current_frames().items():  # noqa: SLF001 - the only way to look
                if ident == own:
                    continue
                kind = _doing(frame)
                if kind is not None:
                    self.seen[kind] += 1

    def stop(self) -> None:
        self._over.set()
        self.join()


def settled(steps: list[dict[str, Any]]) -> dict[str, dict[str, int]]:
    """Return how candidates and replicates were settled, over all steps."""
    found: dict[str, dict[str, int]] = {}
    for what in ("candidates", "replicates"):
        counts: Counter[str] = Counter()
        for step in steps:
            counts.update(step.get(what, {}))
        found[what] = dict(counts.most_common())
    return found


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    task = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    import renyi
    from renyi.backend import Backend

    eigenproblems = Eigenproblems()
    eigenproblems.watch(Backend)
    watcher = Watcher()
    watcher.start()
    start = perf_counter()
    path = renyi.select(task.pop("data"), **task)
    seconds = perf_counter() - start
    watcher.stop()
    eigenproblems.over = True
    total = sum(watcher.seen.values()) or 1
    json.dump(
        {
            "seconds": seconds,
            "features": len(path.steps),
            "looks": sum(watcher.seen.values()),
            "shares": {kind: count / total for kind, count in watcher.seen.most_common()},
            "eigenproblems": sum(eigenproblems.counts.values()),
            "largest": max((problem.rows for problem in eigenproblems.counts), default=0),
            "thread_seconds": eigenproblems.seconds,
            "library_seconds": eigenproblems.at_library_speed(),
            "settled": settled(json.loads(path.to_json())["run"].get("steps", [])),
        },
        sys.stdout,
    )


if __name__ == "__main__":
    main()
