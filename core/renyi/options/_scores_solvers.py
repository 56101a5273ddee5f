"""How candidates are ranked and entropies computed: of each score and solver one record."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from renyi import _validate
from renyi.errors import OptionError
from renyi.options.table._option import Named

__all__ = [
    "SCORES",
    "SOLVERS",
    "ScoreTraits",
    "SolverTraits",
    "parse_score",
    "score_parameter",
    "score_traits",
]


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
    shuffles
        Whether it can be had of shuffled copies, which `score-perm` and `score-max` compare with.
    criterion
        The criterion that goes with it where nothing is said.
    of_levels
        Whether it is one of levels: where no preset is asked for it starts from `shannon`.
    parameter, value, least
        Name of the number that it takes after a colon, that number where nothing is said, and the
        least that it may be; empty for none.
    """

    made_by: str = ""
    above_chance: bool = False
    ranks_pairs: bool = False
    counts_rows: bool = False
    shuffles: bool = False
    criterion: str = "cmi-max"
    of_levels: bool = False
    parameter: str = ""
    value: float = 0.0
    least: float = 0.0


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


def _low_order(
    name: str, formula: str, function: str = "", parameter: str = "", value: float = 0.0
) -> ScoreTraits:
    """Return the record of a score that looks at one or two selected features at a time."""
    return ScoreTraits(
        name,
        formula,
        made_by=f"renyi.scores._low_order:{function or name}",
        shuffles=True,
        criterion="score-max",
        of_levels=True,
        parameter=parameter,
        value=value,
    )


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
        _low_order("mim", "I(x;y) alone (Lewis 1992)"),
        _low_order("mifs", "I(x;y) - BETA sum I(x;s) (Battiti 1994)", "", "beta", 1.0),
        _low_order("mifs-u", "the same by shares (Kwak 2002)", "mifs_u", "beta", 1.0),
        _low_order("nmifs", "normalised redundancy (Estevez 2009)"),
        _low_order("mrmr", "I(x;y) - mean I(x;s) (Peng 2005)"),
        _low_order("mrmr-quotient", "I(x;y) / mean I(x;s) (Ding 2005)", "mrmr_quotient"),
        _low_order("cife", "I(x;y) - sum I(x;s) + sum I(x;s|y) (Lin 2006), also called fou"),
        _low_order("condred", "I(x;y) + sum I(x;s|y) (Brown 2012)"),
        _low_order("jmi", "I(x;y) - mean I(x;s) + mean I(x;s|y) (Yang 1999)"),
        _low_order("jmi3", "mean I(x,s,t;y) over pairs (Sechidis 2019)"),
        _low_order("relax", "jmi less mean I(x;s|t) over pairs (Vinh 2016)"),
        _low_order("jmim", "least I(x,s;y) (Bennasar 2015)"),
        _low_order("njmim", "least I(x,s;y) / H(x,s,y) (Bennasar 2015)"),
        _low_order("disr", "sum I(x,s;y) / H(x,s,y) (Meyer 2006)"),
        _low_order("cmim", "least I(x;y|s) (Fleuret 2004)"),
        _low_order("icap", "I(x;y) - sum max(0, I(x;s) - I(x;s|y)) (Jakulin 2005)"),
        _low_order("cmi", "I(x;y|S), given all selected (Brown 2012)"),
        ScoreTraits(
            "knn",
            "joint MI by NEIGHBOURS nearest rows (Francois 2007)",
            made_by="renyi.scores._neighbours:knn",
            counts_rows=True,
            shuffles=True,
            criterion="score-perm",
            parameter="neighbours",
            value=3,
            least=1,
        ),
    )
}
"""Those that can be asked for; one may be added at run time. Selected features are S, one of them
s or t."""

ALSO_CALLED: Final = {"fou": "cife"}
"""Other names of scores in papers."""


def score_parameter(asked: str) -> tuple[str, float]:
    """Return a score's name, and its number.

    Examples
    --------
    >>> score_parameter("mifs:0.5"), score_parameter("knn")
    (('mifs', 0.5), ('knn', 3))
    """
    name, _, number = asked.partition(":")
    return name, float(number) if number else SCORES[name].value


def score_traits(asked: str) -> ScoreTraits:
    """Return the record of a score."""
    return SCORES[score_parameter(asked)[0]]


def parse_score(value: object) -> str:
    """Return a score's name, with its number where that is not the usual one.

    Raises
    ------
    OptionError
        If it is not known, takes no number, or takes another one.

    Examples
    --------
    >>> parse_score("mifs:1"), parse_score("MIFS:0.50")
    ('mifs', 'mifs:0.5')
    """
    hint = _validate.left_out("score", "mi")
    if not isinstance(value, str):
        return _validate.choice("score", value, tuple(SCORES), *hint)
    name, colon, number = value.strip().lower().partition(":")
    name = _validate.choice("score", ALSO_CALLED.get(name, name), tuple(SCORES), *hint)
    traits = SCORES[name]
    if not colon:
        return name
    if not traits.parameter:
        raise OptionError(f"`score` {name} takes no number, got {value}.", f"Use `{name}`.")
    whole = isinstance(traits.value, int)
    try:
        found: float = int(number) if whole else float(number)
    except ValueError:
        found = math.nan
    if not traits.least <= found < math.inf:
        kind = "whole number" if whole else "number"
        raise OptionError(
            f"`score` {name} takes a {kind} of at least {traits.least:g} after the colon, "
            f"got {value}.",
            f"Use {name}, which is {name}:{traits.value:g}.",
        )
    return name if found == traits.value else f"{name}:{found:.12g}"


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
