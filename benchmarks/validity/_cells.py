"""The cells of the whole experiment: which tables, which methods, how many runs."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from validity._added import LEVELS, SETS, added, added_cell, set_problem
from validity._cases import BINARY, CASES
from validity._claims import copies_of_everything, madelon, madelon_problem
from validity._further import DEPENDENT, FURTHER
from validity._methods import METHODS, Method, method_of
from validity._null import BASIC, Null
from validity._peers import CHI_SQUARE, PEERS, Peer, peer_of
from validity._power import POWERS
from validity._tables import Made, generator
from validity._truth import PROBLEMS

__all__ = [
    "ADDED_RUNS",
    "DETAILED",
    "EVERYWHERE",
    "PARTS",
    "PURPOSES",
    "Cell",
    "all_cells",
    "cell_of",
    "worker_of",
]

PARTS = ("null", "power", "truth", "claims", "added")

EVERYWHERE = ("cmi-max", "cmi-perm", "mi-perm", "mi-chi2", "default")
PURPOSES = ("default", "news")
"""A set for a model, and the columns that say something beyond the others."""
OTHER_WIDTHS = ("cmi-max-sigma1", "cmi-max-growing", "cmi-local", "cmi-local-sigma1")
"""Where a step is not the first, how much of y a kernel takes out of what is selected decides."""
DETAILED = ("continuous-100-1", "continuous-100-20", "discrete-100-20", "correlated-100-20")
"""At a first step cmi-local is the test of cmi-max and news that of the default: seen in these."""

ADDED_RUNS = {"heart": 20, "parkinsons": 20, "sonar": 20, "ionosphere": 20}
"""Fewer where a run is slow."""


@dataclass(frozen=True)
class Cell:
    """Tables drawn alike, and the methods that run on them.

    Attributes
    ----------
    part, name
        Its key.
    runs
        How many tables, by method.
    chunk
        Runs between two writings.
    draw
        Makes one table.
    options
        What `renyi.select` is told beside the methods' own options.
    keep
        Columns forced in.
    shared
        Whether the methods share entropies.
    """

    part: str
    name: str
    runs: Mapping[str, int]
    chunk: int
    draw: Callable[[np.random.Generator], Made]
    options: Mapping[str, Any] = field(default_factory=dict)
    keep: tuple[str, ...] = ()
    shared: bool = True

    @property
    def key(self) -> str:
        return f"{self.part}/{self.name}"

    @property
    def methods(self) -> tuple[str, ...]:
        """The names of those that run on it."""
        return tuple(self.runs)

    def table(self, run: int) -> Made:
        """Return the table of one run."""
        return self.draw(generator(self.key, run))

    def identity(self) -> dict[str, Any]:
        """Return in JSON values what its tables are: outcomes of other ones must not be mixed in.

        The first table stands for all; to nine digits, which is far above what the mathematical
        functions of two systems differ by.
        """
        made = self.table(0)
        digest = hashlib.sha256()
        for column in (*made.columns.values(), made.target):
            digest.update(np.char.mod("%.9g", column.values.astype(float)).tobytes())
        return {"name": self.key, "keep": list(self.keep), "first_table": digest.hexdigest()[:16]}


def worker_of(name: str) -> Method | Peer:
    """Return a method or a peer by its name."""
    if any(method.name == name for method in METHODS):
        return method_of(name)
    return peer_of(name)


def all_cells() -> Iterator[Cell]:
    """Yield every cell, the cheap parts of the null first."""
    yield from _nulls()
    yield from _powers()
    yield from _truths()
    yield from _claims()
    yield from _added()


def _nulls() -> Iterator[Cell]:
    for null in (*BASIC, *FURTHER, *DEPENDENT):
        most = {"max_features": len(null.keep) + 1}
        yield Cell("null", null.name, _null_runs(null), 20, null.draw, most, null.keep)


def _null_runs(null: Null) -> dict[str, int]:
    if null in DEPENDENT:
        return {"default": 200}
    if null in FURTHER:
        return {"default": 100}
    if null.keep:
        return dict.fromkeys(("default", "news", "cmi-max", "cmi-local"), 50)
    if not null.judged:
        return {"cmi-max": 100, "default": 100}
    slow = null.rows == 400
    runs = {"cmi-max": 400, "default": 100}
    older = 80 if slow and null.count == 200 else 100
    runs |= dict.fromkeys(("cmi-perm", "mi-perm", "mi-chi2"), older)
    return runs | ({"cmi-local": 400, "news": 100} if null.name in DETAILED else {})


def _powers() -> Iterator[Cell]:
    criteria = ("default", "cmi-max", "cmi-max-sigma1", "cmi-max-1.01")
    older = ("cmi-perm", "mi-perm", "mi-chi2", "cmi-heuristic")
    runs = dict.fromkeys((*criteria, *older, *(peer.name for peer in PEERS)), 100)
    for power in POWERS:
        yield Cell("power", power.name, runs, 20, power.draw, {"max_features": 1})


def _truths() -> Iterator[Cell]:
    older = ("cmi-perm", "mi-perm", "mi-chi2", "cmi-heuristic")
    purposes = dict.fromkeys(PURPOSES, 120)
    whole = purposes | dict.fromkeys(("cmi-max", *OTHER_WIDTHS, *older), 60)
    # a look-ahead needs a criterion that can judge a pair
    pairs = {"default": 10, "news": 10, "cmi-max-pairs": 60}
    few = {"default": 10, "news": 10, "cmi-max": 20}
    for problem in PROBLEMS:
        runs = pairs if problem.options else whole if problem.all_true else few
        yield Cell("truth", problem.name, runs, 5, problem.table, dict(problem.options))
    for case in CASES:
        yield Cell("truth", case.name, dict.fromkeys(PURPOSES, 100), 10, case.table)
    runs = dict.fromkeys((*PURPOSES, CHI_SQUARE.name), 200)
    yield Cell("truth", BINARY.name, runs, 10, BINARY.table)


def _claims() -> Iterator[Cell]:
    runs = dict.fromkeys(("default", "none", "cmi-max"), 100)
    yield Cell("claims", "copies", runs, 10, copies_of_everything, shared=False)
    if not madelon_problem():
        ten = {"max_features": 10}
        yield Cell("claims", "madelon", {"none": 1}, 1, madelon, ten, shared=False)


def _added() -> Iterator[Cell]:
    for name in SETS:
        if not set_problem(name):
            for levels in (0, *LEVELS):
                place, draw = added_cell(name, levels), added(name, levels)
                yield Cell("added", place, {"default": ADDED_RUNS[name]}, 5, draw, shared=False)


def cell_of(key: str) -> Cell:
    """Return a cell by its key."""
    return next(cell for cell in all_cells() if cell.key == key)
