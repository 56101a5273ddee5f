"""How candidates are ranked and entropies computed: of each score and solver one record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from renyi.options._option import Named

__all__ = ["SCORES", "SOLVERS", "ScoreTraits", "SolverTraits"]


@dataclass(frozen=True)
class ScoreTraits(Named):
    """What a score can do.

    Attributes
    ----------
    made_by
        ``module:function`` of its values; empty for joint MI, whose best is found by a race.
    above_chance
        Whether what chance gives can be taken out of it.
    ranks_pairs
        Whether two features at once can be ranked by it.
    counts_rows
        Whether it counts rows, so that all must count alike.
    """

    made_by: str = ""
    above_chance: bool = False
    ranks_pairs: bool = False
    counts_rows: bool = False


@dataclass(frozen=True)
class SolverTraits(Named):
    """What a solver takes.

    Attributes
    ----------
    rule
        The alphas that it takes, in words; empty for any.
    applies
        Whether it takes this alpha.
    by_eigenvalues
        Whether it takes eigenvalues at any alpha.
    """

    rule: str = ""
    applies: Callable[[float], bool] = lambda alpha: True  # noqa: ARG005
    by_eigenvalues: bool = False


SCORES: Final[dict[str, ScoreTraits]] = {
    traits.name: traits
    for traits in (
        ScoreTraits("mi", "joint MI", above_chance=True, ranks_pairs=True),
        ScoreTraits(
            "chi2-gain",
            "plug-in information less a chi-square quantile",
            made_by="renyi.scores._scores:chi2_gain",
            counts_rows=True,
        ),
    )
}

SOLVERS: Final[dict[str, SolverTraits]] = {
    traits.name: traits
    for traits in (
        SolverTraits("auto", "the cheapest that meets the tolerance, with the decisions of dense"),
        SolverTraits("dense", "eigenvalues of the whole Gram, no shortcut", by_eigenvalues=True),
        SolverTraits("eigen", "eigenvalues block by block on distinct rows", by_eigenvalues=True),
        SolverTraits(
            "low-rank",
            "certified pivoted Cholesky, alpha from 1",
            "at least 1",
            lambda alpha: alpha >= 1,
        ),
        SolverTraits("tiles", "alpha 2 without eigenvalues", "2", lambda alpha: alpha == 2),
        SolverTraits(
            "power",
            "whole alpha from 2 by matrix products",
            "a whole number of at least 2",
            lambda alpha: alpha >= 2 and alpha == int(alpha),
        ),
    )
}
