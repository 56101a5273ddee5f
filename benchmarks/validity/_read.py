"""What the outcomes say: counts of runs, by cell and method."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise, starmap
from statistics import median

from validity._added import added_cell
from validity._cases import BINARY, CASES
from validity._cells import cell_of
from validity._claims import SAME
from validity._further import NULLS
from validity._null import Null
from validity._rates import Count, holm
from validity._store import CellStore
from validity._tables import generator
from validity._truth import PROBLEMS, Problem

__all__ = ["LEVEL", "Added", "Kept", "NullVerdict", "Truth"]

LEVEL = 0.05
Event = Callable[[list[int]], bool]


@dataclass(frozen=True)
class NullVerdict:
    """Whether the cells under the global null speak against a level of .05.

    Attributes
    ----------
    rejected
        Cells that the exact test rejects, by the method of Holm over all cells.
    largest
        The cell with the highest rate, and its count.
    pooled
        All runs with the same number of candidates together.
    cells
        Cells with runs.
    """

    rejected: tuple[str, ...]
    largest: tuple[str, Count]
    pooled: Mapping[int, Count]
    cells: int


@dataclass(frozen=True)
class Truth:
    """What a method did on one problem.

    Attributes
    ----------
    complete
        Runs in which every true column was selected.
    false_after
        Of those, the runs in which a false one entered once all true ones were in.
    false_ever
        Runs in which any false one was selected.
    found
        True columns selected, of those there are, over all runs.
    size
        Median number of columns selected.
    """

    complete: Count
    false_after: Count | None
    false_ever: Count
    found: Count
    size: float


@dataclass(frozen=True)
class Added:
    """What a random column did to the selection from a public set.

    Attributes
    ----------
    stable
        Runs in which at most one other column left and at most one column came, the random one
        included.
    entered
        Runs in which the random column was selected.
    """

    stable: Count
    entered: Count


class Kept:
    """All outcomes, by cell.

    Parameters
    ----------
    stores
        By cell key.
    """

    def __init__(self, stores: Mapping[str, CellStore]) -> None:
        self._stores = stores

    def outcomes(self, cell: str, method: str) -> list[list[int]]:
        return self._stores[cell].outcomes(method) if cell in self._stores else []

    def methods(self, part: str) -> set[str]:
        """Return the methods with runs in a part."""
        stores = (s for key, s in self._stores.items() if key.startswith(f"{part}/"))
        return {name for store in stores for name in store.methods}

    def settings(self, method: str, cell: str = "") -> dict[str, object] | None:
        """Return the settings behind a method's outcomes in a cell, by default any of them.

        None where it has none.
        """
        for key, store in self._stores.items():
            if method in store.methods and cell in {"", key}:
                return store.settings(method)
        return None

    def commits(self) -> list[str]:
        """Return the commits that were run."""
        stores = self._stores.values()
        found = (c for s in stores for record in s.methods.values() for c in record["commits"])
        return sorted(set(found))

    def hours(self) -> float:
        """Return the time of one core that all took."""
        return sum(store.seconds for store in self._stores.values()) / 3600

    def count(self, cell: str, method: str, event: Event) -> Count | None:
        """Return in how many runs something happened; None without runs."""
        found = self.outcomes(cell, method)
        return Count(sum(map(event, found)), len(found)) if found else None

    def null(self, null: Null, method: str) -> Count | None:
        """Return in how many runs anything was selected besides what was forced in."""
        return self.count(f"null/{null.name}", method, lambda run: len(run) > len(null.keep))

    def null_verdict(self, method: str) -> NullVerdict | None:
        """Return what the judged cells say of a method; None without runs."""
        counts = {null: self.null(null, method) for null in NULLS if null.judged}
        known = {null: count for null, count in counts.items() if count is not None}
        if not known:
            return None
        rejected = holm([count.above(LEVEL) for count in known.values()], LEVEL)
        pooled: dict[int, Count] = {}
        for null, count in known.items():
            pooled[null.count] = pooled.get(null.count, Count(0, 0)) + count
        worst = max(known, key=lambda null: known[null].rate)
        names = tuple(null.name for null, bad in zip(known, rejected, strict=True) if bad)
        return NullVerdict(names, (worst.name, known[worst]), pooled, len(known))

    def truth(self, problem: Problem, method: str) -> Truth | None:
        """Return what a method did on a problem; None without runs."""
        runs = self.outcomes(f"truth/{problem.name}", method)
        if not runs:
            return None
        true = _true_columns(problem.name)
        complete = [run for run in runs if true <= set(run)]
        after = None
        if complete:
            hits = sum(bool(run[max(map(run.index, true)) + 1 :]) for run in complete)
            after = Count(hits, len(complete))
        return Truth(
            Count(len(complete), len(runs)),
            after,
            Count(sum(not set(run) <= true for run in runs), len(runs)),
            Count(sum(len(true & set(run)) for run in runs), len(true) * len(runs)),
            median(map(len, runs)),
        )

    def each_found(self, problem: Problem, method: str) -> dict[str, Count]:
        """Return for each true column in how many runs it was selected."""
        runs = self.outcomes(f"truth/{problem.name}", method)
        places = {name: _column(f"truth/{problem.name}", name) for name in problem.true}
        found = {name: sum(place in run for run in runs) for name, place in places.items()}
        return {name: Count(hits, len(runs)) for name, hits in found.items() if runs}

    def added(self, name: str, levels: int, method: str) -> Added | None:
        """Return what a random column of so many levels did, run by run of the same seed."""
        alone, runs = (self.outcomes(f"added/{added_cell(name, k)}", method) for k in (0, levels))
        pairs = [(set(a), set(b)) for a, b in zip(alone, runs, strict=False)]
        if not pairs:
            return None
        random = _column(f"added/{added_cell(name, levels)}", "random")
        stable = sum(starmap(_stable, pairs))
        entered = sum(random in b for _, b in pairs)
        return Added(Count(stable, len(pairs)), Count(entered, len(pairs)))

    def reseeded(self, name: str, method: str) -> Count | None:
        """Return how often the next seed alone, on the same set, changes as little."""
        runs = list(map(set, self.outcomes(f"added/{added_cell(name, 0)}", method)))
        pairs = list(pairwise(runs))
        return Count(sum(starmap(_stable, pairs)), len(pairs)) if pairs else None

    def power(self, cell: str, method: str) -> tuple[Count, Count] | None:
        """Return in how many runs the true column was selected, and a false one in its place."""
        right = self.count(f"power/{cell}", method, lambda run: run[:1] == [0])
        wrong = self.count(f"power/{cell}", method, lambda run: bool(run) and run[0] != 0)
        return None if right is None or wrong is None else (right, wrong)

    def copies(self, method: str) -> Count | None:
        """Return in how many runs two columns that are the same were both selected."""
        groups = [{_column("claims/copies", name) for name in pair} for pair in SAME]
        return self.count(
            "claims/copies", method, lambda run: any(group <= set(run) for group in groups)
        )


def _stable(before: set[int], after: set[int]) -> bool:
    return len(before - after) <= 1 and len(after - before) <= 1


@cache
def _names(cell: str) -> tuple[str, ...]:
    return tuple(cell_of(cell).table(0).names)


def _column(cell: str, name: str) -> int:
    return _names(cell).index(name)


@cache
def _true_columns(name: str) -> frozenset[int]:
    every = (*PROBLEMS, *CASES, BINARY)
    problem = next(problem for problem in every if problem.name == name)
    names = problem.table(generator("names", 0)).names
    return frozenset(names.index(column) for column in problem.true)
