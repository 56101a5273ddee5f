"""The cells of the whole experiment: which tables, which methods, how many runs."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from validity._claims import copies_of_everything, madelon, madelon_problem
from validity._methods import METHODS, Method, method_of
from validity._null import NULLS, Null
from validity._peers import PEERS, Peer, peer_of
from validity._power import POWERS
from validity._tables import Made, generator
from validity._truth import PROBLEMS

__all__ = [
    "DETAILED",
    "DETAILS",
    "EVERYWHERE",
    "PARTS",
    "Cell",
    "all_cells",
    "cell_of",
    "worker_of",
]

PARTS = ("null", "power", "truth", "claims")

EVERYWHERE = ("cmi-max", "cmi-perm", "mi-perm", "mi-chi2", "default")
DETAILS = ("cmi-local", "cmi-max-auto", "cmi-max-besag", "cmi-max-1.01", "cmi-max-chosen")
"""In a few cells: at the first step cmi-local draws as cmi-max does, and validity depends neither
on alpha, nor on when a sequential test ends, nor on a bandwidth chosen as the test allows for."""
OTHER_WIDTHS = ("cmi-max-sigma1", "cmi-max-growing", "cmi-local", "cmi-local-sigma1")
"""Where a step is not the first, how much of y a kernel takes out of what is selected decides."""
DETAILED = ("continuous-100-1", "continuous-100-20", "discrete-100-20", "correlated-100-20")


@dataclass(frozen=True)
class Cell:
    """Tables drawn alike, and the methods that run on them.

    Attributes
    ----------
    part, name
        Its key.
    runs
        How many tables.
    chunk
        Runs between two writings.
    methods
        Their names.
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
    runs: int
    chunk: int
    methods: tuple[str, ...]
    draw: Callable[[np.random.Generator], Made]
    options: Mapping[str, Any] = field(default_factory=dict)
    keep: tuple[str, ...] = ()
    shared: bool = True

    @property
    def key(self) -> str:
        return f"{self.part}/{self.name}"

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


def _null_methods(null: Null) -> tuple[str, ...]:
    if null.keep:
        return (*EVERYWHERE, *OTHER_WIDTHS)
    return (*EVERYWHERE, *DETAILS) if null.name in DETAILED else EVERYWHERE


def all_cells() -> Iterator[Cell]:
    """Yield every cell, the cheap parts of the null first."""
    for null in NULLS:
        most = len(null.keep) + 1
        yield Cell(
            "null",
            null.name,
            400,
            20,
            _null_methods(null),
            null.draw,
            {"max_features": most},
            null.keep,
        )
    pairs = next(null for null in NULLS if null.name == "continuous-100-20")
    yield Cell("null", "pairs-100-20", 400, 10, ("cmi-max-pairs",), pairs.draw, {"max_features": 2})
    yield from _powers()
    yield from _truths()
    yield from _claims()


def _powers() -> Iterator[Cell]:
    criteria = ("default", "cmi-max", "cmi-max-sigma1", "cmi-max-1.01")
    older = ("cmi-perm", "mi-perm", "mi-chi2", "cmi-heuristic")
    methods = (*criteria, *older, *(peer.name for peer in PEERS))
    for power in POWERS:
        yield Cell("power", power.name, 200, 20, methods, power.draw, {"max_features": 1})


def _truths() -> Iterator[Cell]:
    older = ("cmi-perm", "mi-perm", "mi-chi2", "cmi-heuristic")
    whole = ("default", "news", "cmi-max", "cmi-max-chosen", *OTHER_WIDTHS, *older)
    pairs = ("default", "cmi-max-pairs")  # a look-ahead needs a criterion that can judge a pair
    for problem in PROBLEMS:
        methods = pairs if problem.options else whole
        yield Cell("truth", problem.name, 200, 5, methods, problem.table, dict(problem.options))


def _claims() -> Iterator[Cell]:
    methods = ("default", "none", "cmi-max")
    yield Cell("claims", "copies", 100, 10, methods, copies_of_everything, shared=False)
    if not madelon_problem():
        ten = {"max_features": 10}
        yield Cell("claims", "madelon", 1, 1, ("none",), madelon, ten, shared=False)


def cell_of(key: str) -> Cell:
    """Return a cell by its key."""
    return next(cell for cell in all_cells() if cell.key == key)
