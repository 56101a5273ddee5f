"""How a candidate is ranked, by name: one function each, the formula first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from renyi.information import SetEntropies
from renyi.options import SCORES, imported
from renyi.shannon import ChiSquareModel

__all__ = ["ScoreFunction", "chi2_gain", "score_values"]

ScoreFunction: TypeAlias = Callable[
    [SetEntropies, ChiSquareModel, Sequence[int], Sequence[int]], list[float]
]
"""(entropies, chi-square model, selected, candidates) -> bits, larger is better."""


def chi2_gain(
    entropies: SetEntropies,
    chi_square: ChiSquareModel,
    selected: Sequence[int],
    candidates: Sequence[int],
) -> list[float]:
    """I(x; y | S') less the chi-square quantile over 2 N ln2, plug-in (Vinh et al., AAAI 2014)."""
    return [chi_square.delta(x, selected).gain(entropies.computation.n) for x in candidates]


def score_values(name: str) -> ScoreFunction | None:
    """Return what ranks candidates by a score, as its record says.

    None for I({S', x}; y), matrix-based (Yu, Sanchez Giraldo, Jenssen, Principe, T-PAMI 2020),
    whose two best candidates are found by a race.
    """
    place = SCORES[name].made_by
    values: ScoreFunction | None = imported(place) if place else None
    return values
