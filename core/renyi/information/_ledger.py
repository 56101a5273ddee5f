"""How entropies were found: by which solver, and how each candidate and replicate was settled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

from renyi.bounds import Pair, how
from renyi.entropies import Solution

__all__ = ["Ledger"]


class Ledger:
    """Counts that a result's `run` reports; no answer depends on them.

    Attributes
    ----------
    solvers
        How many entropies each solver gave.
    """

    def __init__(self) -> None:
        self.solvers: Counter[str] = Counter()
        self._settled: dict[str, dict[Hashable, str]] = {}

    def count(self, *solutions: Solution) -> None:
        """Count entropies."""
        self.solvers.update(solution.solver for solution in solutions)

    def settle(self, kind: str, number: Hashable, pair: Pair | str) -> None:
        """Note how a candidate or a replicate was settled; the last note of a number counts."""
        self._settled.setdefault(kind, {})[number] = pair if isinstance(pair, str) else how(pair)

    def take_settled(self) -> dict[str, dict[str, int]]:
        """Return how many candidates and replicates were settled how since the last call."""
        settled, self._settled = self._settled, {}
        return {kind: dict(Counter(ways.values())) for kind, ways in settled.items()}
