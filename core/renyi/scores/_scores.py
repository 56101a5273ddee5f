"""How a candidate is ranked, by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

import numpy as np

from renyi._typing import FloatArray
from renyi.options import SCORES, imported, score_parameter
from renyi.scores._terms import Terms

__all__ = ["ScoreFunction", "chi2_gain", "score_values"]

ScoreFunction: TypeAlias = Callable[[Terms, Sequence[int], Sequence[int]], FloatArray]
"""(terms, selected, candidates) -> (c,) scores, larger is better."""


def chi2_gain(terms: Terms, selected: Sequence[int], candidates: Sequence[int]) -> FloatArray:
    """I(x; y | S') less the chi-square quantile over 2 N ln2, plug-in (Vinh et al., AAAI 2014)."""
    n = terms.entropies.computation.n
    return np.array([terms.chi_square.delta(x, selected).gain(n) for x in candidates])


def score_values(asked: str) -> ScoreFunction | None:
    """Return what ranks candidates by a score, as its record says.

    None for I({S', x}; y), matrix-based (Yu, Sanchez Giraldo, Jenssen, Principe, T-PAMI 2020),
    whose two best candidates are found by a race.

    Parameters
    ----------
    asked
        Its name, and after a colon the value of its parameter where it has one.
    """
    name, value = score_parameter(asked)
    traits = SCORES[name]
    if not traits.made_by:
        return None
    function: ScoreFunction = imported(traits.made_by)
    return partial(function, **{traits.parameter: value}) if traits.parameter else function
