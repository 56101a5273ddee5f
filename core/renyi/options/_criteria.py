"""The stopping criteria: of each one record, with all that others must know of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from renyi import _validate
from renyi._typing import Purpose
from renyi.errors import OptionError
from renyi.options.table._option import Named

__all__ = [
    "CRITERIA",
    "GONE",
    "CriterionTraits",
    "criteria_for",
    "criterion_traits",
    "parse_criteria",
    "purpose_of",
    "purposes",
]

Permutes: TypeAlias = Literal["", "rows", "alike rows"]


@dataclass(frozen=True, kw_only=True)
class CriterionTraits(Named):
    """What a criterion needs and can do.

    Attributes
    ----------
    made_by
        ``module:function`` that makes it of its name and `MethodOptions`; empty for `none`.
    permutes
        What it draws random orders of, empty for nothing: all `rows`, or `alike rows`, which are
        moved only among rows that are alike in the selected features.
    purpose
        What the columns that it selects are for, where that has a name.
    needs_cmi
        Whether it compares what some features tell with what all do: it cannot judge where CMI is
        not computed, and kernels keep one width.
    judges_pairs
        Whether it can judge two features at once, which `lookahead` takes.
    judges_removals
        Whether it can judge a feature that is to be taken away, by what it tells given the others.
    takes_error_rate
        Whether its level can bound the share of false features.
    counts_rows
        Whether it counts rows, so that all must count alike.
    takes_pairs
        Whether it can judge by estimates from a share of all pairs of rows.
    judges_score
        Whether it judges by the score that candidates are ranked by, and not by information.
    refuted
        Whether it is known to stop for no good reason: it is compared only where it is asked for.
    free
        Whether it costs nothing once MI and CMI are known; every step says what it would do.
    takes_rows_as_draws
        Whether its threshold is of rows that are draws of their own, whatever is said of them.
    reads
        Options that no other criterion reads.
    limit
        What its threshold is called where that is shown beside its statistic.
    """

    made_by: str = ""
    permutes: Permutes = ""
    purpose: Purpose | None = None
    needs_cmi: bool = False
    judges_pairs: bool = False
    judges_removals: bool = False
    takes_error_rate: bool = False
    counts_rows: bool = False
    takes_pairs: bool = False
    judges_score: bool = False
    refuted: bool = False
    free: bool = False
    takes_rows_as_draws: bool = False
    reads: tuple[str, ...] = ()
    limit: str = ""


_HOME: Final = "renyi.stopping._criteria"

CRITERIA: Final[dict[str, CriterionTraits]] = {
    traits.name: traits
    for traits in (
        CriterionTraits(
            name="cmi-heuristic",
            help="stops once the columns left out add next to nothing",
            made_by=f"{_HOME}:heuristic",
            needs_cmi=True,
            free=True,
            reads=("epsilon",),
            takes_pairs=True,
        ),
        CriterionTraits(
            name="cmi-perm",
            help="compares what the columns left out add with a shuffled copy",
            made_by=f"{_HOME}:permutation",
            permutes="rows",
            needs_cmi=True,
        ),
        CriterionTraits(
            name="cmi-max",
            help="compares the gain with that of the best of all candidates, shuffled together",
            made_by=f"{_HOME}:largest_gain",
            permutes="rows",
            purpose="model",
            judges_pairs=True,
            judges_removals=True,
            takes_error_rate=True,
            takes_pairs=True,
        ),
        CriterionTraits(
            name="cmi-local",
            help="the same, shuffled only among rows alike in the selected columns",
            made_by=f"{_HOME}:largest_gain",
            permutes="alike rows",
            purpose="news",
            judges_pairs=True,
            judges_removals=True,
            takes_error_rate=True,
            takes_pairs=True,
        ),
        CriterionTraits(
            name="mi-perm",
            help="compares MI with that of a shuffled copy",
            made_by=f"{_HOME}:permutation",
            permutes="rows",
            judges_removals=True,
        ),
        CriterionTraits(
            name="mi-chi2",
            help="compares plug-in information with a chi-square quantile",
            made_by=f"{_HOME}:chi_square",
            counts_rows=True,
            judges_removals=True,
            free=True,
            takes_rows_as_draws=True,
            reads=("bins", "binning"),
            limit="quantile",
            takes_pairs=True,
        ),
        CriterionTraits(
            name="score-perm",
            help="compares the score with that of a shuffled copy",
            made_by="renyi.stopping._own_score:shuffled_score",
            permutes="rows",
            judges_score=True,
        ),
        CriterionTraits(
            name="score-max",
            help="compares the score with the best of all candidates, shuffled together",
            made_by="renyi.stopping._own_score:shuffled_score",
            permutes="rows",
            judges_score=True,
        ),
        CriterionTraits(
            name="mi-peak",
            help="stops where MI no longer rises: seldom, and not for lack of news",
            made_by="renyi.stopping._refuted:peak",
            refuted=True,
        ),
        CriterionTraits(
            name="markov-blanket",
            help="stops once the columns left out add nothing at all: late",
            made_by="renyi.stopping._refuted:blanket",
            refuted=True,
            needs_cmi=True,
        ),
        CriterionTraits(
            name="none",
            help="never stops",
            judges_pairs=True,
            judges_removals=True,
            takes_pairs=True,
        ),
    )
}
"""Those that can be asked for; one may be added at run time."""

GONE: Final[Mapping[str, CriterionTraits]] = {
    "cmi-echo": CriterionTraits(
        name="cmi-echo",
        help="Use cmi-max, the default, for the columns a model should get, or cmi-local for "
        "those that say something beyond the others.",
        permutes="rows",
    )
}
"""Criteria of earlier versions, which results may name; the help is what to use."""


def criterion_traits(name: str) -> CriterionTraits:
    """Return what is known of a criterion, nothing of one that is not here.

    Examples
    --------
    >>> criterion_traits("cmi-max").permutes
    'rows'
    """
    return CRITERIA.get(name) or GONE.get(name) or CriterionTraits(name=name, help="")


def parse_criteria(value: object) -> tuple[str, ...]:
    """Return one criterion or several, each once.

    Raises
    ------
    OptionError
        If one is not known, or `none` is not alone.
    """
    criteria = (value,) if isinstance(value, str) else tuple(value)  # type: ignore[arg-type]
    for name in criteria:
        if name in GONE:
            raise OptionError(f"`criterion` {name} is no longer there.", GONE[name].help)
        _validate.choice("criterion", name, tuple(CRITERIA), "`cmi-max` is the usual one.")
    if not criteria:
        raise OptionError("`criterion` must name at least one criterion.", "Use `none` to run on.")
    if len(criteria) > 1 and not all(CRITERIA[name].made_by for name in criteria):
        raise OptionError("`criterion` none cannot be joined with another.", "Leave `none` out.")
    return tuple(dict.fromkeys(criteria))


def purposes() -> dict[str, str]:
    """Return what columns can be selected for, and the criterion that answers it.

    Examples
    --------
    >>> purposes()
    {'model': 'cmi-max', 'news': 'cmi-local'}
    """
    return {traits.purpose: name for name, traits in CRITERIA.items() if traits.purpose}


def criteria_for(purpose: object, criteria: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """Return the criteria of a purpose, or those that were asked for where they agree.

    Examples
    --------
    >>> criteria_for("news", None), criteria_for(None, ("mi-perm",))
    (('cmi-local',), ('mi-perm',))
    """
    if purpose is None:
        return criteria
    named = _validate.choice(
        "purpose", purpose, tuple(purposes()), *_validate.left_out("purpose", "model")
    )
    meant = purposes()[named]
    if criteria is None:
        return (meant,)
    if set(criteria) - {meant}:
        raise OptionError(
            f"`purpose` must agree with `criterion`: {named} means {meant}, got "
            f"{', '.join(criteria)}.",
            "Leave one of the two out.",
        )
    return criteria


def purpose_of(criteria: tuple[str, ...]) -> Purpose | None:
    """Return what columns are for that these criteria select, None where that has no name."""
    return criterion_traits(criteria[0]).purpose if len(criteria) == 1 else None
