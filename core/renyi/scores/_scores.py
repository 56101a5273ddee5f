"""How a candidate is ranked, by name: one function each, the formula first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from renyi.information import InformationEngine, Pair
from renyi.shannon import ChiSquareModel

__all__ = ["SCORE_FUNCTIONS", "Score", "chi2_gain", "joint_mi"]

ScoreFunction: TypeAlias = Callable[
    [InformationEngine, ChiSquareModel, Sequence[int], Sequence[int], Sequence[Pair]], list[float]
]
"""(engine, chi-square model, selected, candidates, their pairs) -> bits, larger is better."""


@dataclass(frozen=True, slots=True)
class Score:
    """A way to rank candidates.

    Attributes
    ----------
    values
        The function.
    needs_pairs
        Whether it reads the matrix-based entropies of every candidate; where it does not, they
        are computed for the best two alone.
    """

    values: ScoreFunction
    needs_pairs: bool


def joint_mi(
    engine: InformationEngine,
    chi_square: ChiSquareModel,
    selected: Sequence[int],
    candidates: Sequence[int],
    pairs: Sequence[Pair],
) -> list[float]:
    """I({S', x}; y), matrix-based (Yu, Sanchez Giraldo, Jenssen, Principe, T-PAMI 2020)."""
    del chi_square, selected, candidates
    return [engine.mutual_information(pair) for pair in pairs]


def chi2_gain(
    engine: InformationEngine,
    chi_square: ChiSquareModel,
    selected: Sequence[int],
    candidates: Sequence[int],
    pairs: Sequence[Pair],
) -> list[float]:
    """I(x; y | S') less the chi-square quantile over 2 N ln2, plug-in (Vinh et al., AAAI 2014)."""
    del pairs
    return [chi_square.delta(x, selected).gain(engine.n) for x in candidates]


SCORE_FUNCTIONS: Final[Mapping[str, Score]] = {
    "mi": Score(joint_mi, needs_pairs=True),
    "chi2-gain": Score(chi2_gain, needs_pairs=False),
}
