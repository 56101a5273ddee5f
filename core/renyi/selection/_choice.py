"""The best candidate of a step."""

from __future__ import annotations

from dataclasses import dataclass

from renyi.bounds import Pair
from renyi.information import CandidateSums
from renyi.selection._lookahead import BestPair
from renyi.selection.records._step import RunnerUp

__all__ = ["Choice"]


@dataclass(frozen=True, slots=True)
class Choice:
    """The best candidate of a step, one column or two."""

    columns: tuple[int, ...]
    pair: Pair
    runner_up: RunnerUp | None
    found: BestPair | None = None
    sums: CandidateSums | None = None
    score: float | None = None
