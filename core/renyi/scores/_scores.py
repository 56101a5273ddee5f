"""How a candidate is ranked, by name: one function each, the formula first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from renyi.information import SetEntropies
from renyi.shannon import ChiSquareModel

__all__ = ["SCORE_FUNCTIONS", "Score", "chi2_gain"]

ScoreFunction: TypeAlias = Callable[
    [SetEntropies, ChiSquareModel, Sequence[int], Sequence[int]], list[float]
]
"""(entropies, chi-square model, selected, candidates) -> bits, larger is better."""


@dataclass(frozen=True, slots=True)
class Score:
    """A way to rank candidates.

    Attributes
    ----------
    values
        The function; None for I({S', x}; y), matrix-based (Yu, Sanchez Giraldo, Jenssen, Principe,
        T-PAMI 2020), whose two best candidates are found by a race.
    """

    values: ScoreFunction | None


def chi2_gain(
    entropies: SetEntropies,
    chi_square: ChiSquareModel,
    selected: Sequence[int],
    candidates: Sequence[int],
) -> list[float]:
    """I(x; y | S') less the chi-square quantile over 2 N ln2, plug-in (Vinh et al., AAAI 2014)."""
    return [chi_square.delta(x, selected).gain(entropies.computation.n) for x in candidates]


SCORE_FUNCTIONS: Final[Mapping[str, Score]] = {
    "mi": Score(None),
    "chi2-gain": Score(chi2_gain),
}
