"""What is compared: the criteria on the path of one score, or of each of several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from renyi import _validate
from renyi.api._given import Names, names
from renyi.errors import OptionError, Way
from renyi.options import (
    CRITERIA,
    DataOptions,
    MethodOptions,
    method_options,
    parse_score,
    score_traits,
)
from renyi.variables import Note

__all__ = ["Method", "Scores", "methods_of", "possible_with", "scores_of"]

Scores: TypeAlias = "str | Sequence[str] | None"


@dataclass(frozen=True, slots=True)
class Method:
    """How one path is searched.

    Attributes
    ----------
    options
        The method; its criteria are those compared.
    asked
        Whether its criteria must judge: one that cannot is refused, not left out.
    notes
        What the reader should know.
    """

    options: MethodOptions
    asked: bool
    notes: tuple[Note, ...] = ()


def scores_of(score: Scores) -> tuple[str | None, ...]:
    """Return the scores whose paths are compared, of one as it was given.

    Raises
    ------
    OptionError
        If there is none, one comes twice, or one of several is not known.

    Examples
    --------
    >>> scores_of(None), scores_of(["mi", "FOU"])
    ((None,), ('mi', 'cife'))
    """
    if score is None or isinstance(score, str) or not isinstance(score, Iterable):
        return (score,)
    given = tuple(score)
    if not given:
        raise OptionError(
            "`score` must name at least one, got an empty list.", *_validate.left_out("score", "mi")
        )
    if len(given) == 1:
        return given
    found = tuple(parse_score(one) for one in given)
    twice = next((one for one in found if found.count(one) > 1), None)
    if twice is not None:
        raise OptionError(
            f"`score` must name each score once, got {twice} twice.",
            "Draws are keyed by the seed: the same score would only find the same path.",
        )
    return found


def methods_of(
    scores: Sequence[str | None],
    preset: str | None,
    criterion: Names | None,
    under: Callable[[str | None, tuple[str, ...]], MethodOptions],
) -> list[Method]:
    """Return how the path of each score is searched.

    Parameters
    ----------
    scores
        See `scores_of`.
    preset
        That all start from; None for the one that each starts from by itself.
    criterion
        Those to compare. None for all of one score, and of several for the one that goes with each.
    under
        Returns the method of a score and its criteria.

    Raises
    ------
    OptionError
        If an option breaks its rule, or a score takes none of the criteria named.
    """
    several = len(scores) > 1
    asked = () if criterion is None else _named(criterion)
    found = []
    for score in scores:
        base = method_options(preset, score=score)
        if criterion is None:
            criteria = _usual(base) if several else _all_of(base.score)
            found.append(Method(under(score, criteria), asked=several))
            continue
        taken = tuple(name for name in asked if _takes(base.score, name))
        criteria = _some_of(taken, asked, base.score) if several and asked else asked
        left_out = [name for name in asked if name not in criteria]
        found.append(Method(under(score, criteria), True, _left_out(base.score, left_out)))
    return found


def possible_with(data: DataOptions, method: Method) -> Method:
    """Leave out criteria that nobody named and that what is asked of the rows cannot serve."""
    options = method.options
    weighs = data.weights is not None and data.weight_kind != "frequency"
    counting = [name for name in options.criteria if weighs and CRITERIA[name].counts_rows]
    turned = data.blocks == "auto"
    alike = [n for n in options.criteria if turned and CRITERIA[n].permutes == "alike rows"]
    if method.asked or not (counting or alike):
        return method
    why = [f"{', '.join(counting)} counts rows, which do not count alike"] if counting else []
    if alike:
        why.append(
            f"{', '.join(alike)} shuffles rows that are alike, which a series turned as a whole "
            "does not keep together"
        )
    note = Note("criteria_left_out", f"Criteria were left out: {'; '.join(why)}.")
    rest = tuple(name for name in options.criteria if name not in {*counting, *alike})
    return replace(method, options=replace(options, criteria=rest), notes=(*method.notes, note))


def _named(criterion: Names) -> tuple[str, ...]:
    asked = names("criterion", criterion)
    idle = [name for name in asked if name in CRITERIA and not CRITERIA[name].made_by]
    if idle:
        raise OptionError(
            f"`criterion` must name criteria that can be compared, got {idle[0]!r}.",
            "The scores of all features are shown in any case.",
        )
    return asked


def _takes(score: str, criterion: str) -> bool:
    """Whether a criterion has a meaning for a score; one that is not known is refused elsewhere."""
    judges = criterion in CRITERIA and CRITERIA[criterion].judges_score
    return not judges or score_traits(score).shuffles


def _all_of(score: str) -> tuple[str, ...]:
    """Return the criteria that are compared on one path where none is named."""
    return tuple(
        name
        for name, traits in CRITERIA.items()
        if traits.made_by and not traits.refuted and _takes(score, name)
    )


def _usual(base: MethodOptions) -> tuple[str, ...]:
    """Return what stops `select` by default; of a preset that never stops, what suits its score."""
    stopping = tuple(name for name in base.criteria if CRITERIA[name].made_by)
    return stopping or (score_traits(base.score).criterion,)


def _some_of(taken: tuple[str, ...], asked: Sequence[str], score: str) -> tuple[str, ...]:
    """Return the criteria that one of several scores takes, or refuse where it takes none."""
    if not taken:
        raise OptionError(
            f"`criterion` must name one that score {score} takes, got {', '.join(asked)}.",
            "Name ",
            Way("criterion", score_traits(score).criterion),
            " beside it, or leave it out: each score then has the one that goes with it.",
        )
    return taken


def _left_out(score: str, left_out: Sequence[str]) -> tuple[Note, ...]:
    if not left_out:
        return ()
    message = f"Criteria were left out that score {score} does not take: {', '.join(left_out)}."
    return (Note("criteria_left_out", message),)
