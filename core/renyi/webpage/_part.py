"""One result of a page: everything that its template writes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from markupsafe import Markup

from renyi.evaluation import Comparison, ScoreComparison
from renyi.selection import SelectionPath
from renyi.variables import DataReport, Note
from renyi.webpage._facts import facts, headline, in_plain_words
from renyi.webpage._fates import FATES, Fate, compared_fates, fates, meanings
from renyi.webpage._how import Drawn, How, how_of
from renyi.webpage._table import StepsTable, steps_table
from renyi.webpage.drawing._compared import Compared, compared
from renyi.webpage.drawing._panels import Panel
from renyi.webpage.drawing._pictures import Pictures
from renyi.webpage.drawing._portraits import Portraits
from renyi.webpage.drawing._repeats import Repeat, repeats_of
from renyi.webpage.drawing._steps import panels
from renyi.wording import (
    comparison_sentence,
    comparison_words,
    counted,
    method_words,
    scores_sentence,
)

__all__ = ["Answer", "Part", "part_of"]

Answer: TypeAlias = "SelectionPath | Comparison | ScoreComparison"


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Every column and what became of it.

    Attributes
    ----------
    fates
        One record each.
    filters
        Beginnings of words by which the list is cut.
    terms
        Words and numbers of the list, each with what it means.
    numbers
        Whether it has numbers.
    pictures, legend, about
        The picture of each column, the classes, and what the pictures are.
    why_not
        Why there are none.
    """

    fates: list[Fate]
    filters: list[str]
    terms: Sequence[tuple[str, str]]
    numbers: bool
    pictures: Mapping[str, Markup]
    legend: Sequence[tuple[int, str]]
    about: str
    roomy: bool
    why_not: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What the page shows of a result; fields are what its template names."""

    id: str
    level: int
    source: str
    rows: str
    headline: str
    reason: str
    facts: list[tuple[str, list[str]]]
    method: list[str]
    notes: Sequence[Note]
    panels: list[Panel]
    steps: StepsTable | None
    compared: Compared | None
    repeats: list[Repeat]
    portraits: Portraits
    portrayed: str
    columns: Columns
    how: How
    ranked: str = ""


def part_of(answer: Answer, drawn: Drawn, name: str, *, level: int) -> Part:
    """Return what a page shows of a result.

    Parameters
    ----------
    answer
        The result.
    drawn
        Its file and pictures.
    name
        Unique on the page.
    level
        Of the headings of its sections.
    """
    if isinstance(answer, SelectionPath):
        return _of_path(answer, drawn, name, level)
    return _of_comparison(answer, drawn, name, level)


def _of_path(path: SelectionPath, drawn: Drawn, name: str, level: int) -> Part:
    more: dict[str, Any] = {}
    if path.sensitivity is not None:
        more["sensitivity"] = True
    if path.stability is not None:
        more["stability"] = path.stability.asked
    return Part(
        id=name,
        level=level,
        source=path.data.source,
        rows=_rows(path.data),
        headline=headline(path),
        reason=in_plain_words(path),
        facts=facts(path),
        method=[method_words(path)],
        notes=path.warnings,
        panels=panels(path, name) if path.steps else [],
        steps=steps_table(path) if path.steps else None,
        compared=None,
        repeats=repeats_of(path, name),
        portraits=Portraits() if drawn.pictures is None else drawn.pictures.portraits,
        portrayed="" if drawn.pictures is None else _portrayed(drawn.pictures),
        columns=_columns(fates(path), drawn, numbers=True),
        how=how_of(path, drawn, level + 1, more),
        ranked=BY_Z if path.options.rank == "chance" and path.options.score == "mi" else "",
    )


BY_Z: Final = ", by z: its gain above chance in standard deviations"


def _of_comparison(
    found: Comparison | ScoreComparison, drawn: Drawn, name: str, level: int
) -> Part:
    each = found.comparisons if isinstance(found, ScoreComparison) else (found,)
    first = each[0]
    if isinstance(found, ScoreComparison):
        reason = scores_sentence(found)
        if found.unfinished:
            reason += f" Interrupted: nothing is known of {', '.join(found.unfinished)}."
        title = f"{counted(len(each), 'score')} compared for the target {found.data.target}"
        more: dict[str, Any] = {"score": tuple(found.scores)}
        method = [
            f"{one.options.score}: {comparison_words(one.options, one.model, one.runs)}"
            for one in each
        ]
    else:
        reason = comparison_sentence(first)
        criteria = len(first.results)
        title = f"{criteria} {'criterion' if criteria == 1 else 'criteria'} compared"
        title += f" for the target {found.data.target}"
        more, method = {}, [comparison_words(first.options, first.model, first.runs)]
    more |= {"model": first.model, "runs": first.runs, "test": first.test}
    return Part(
        id=name,
        level=level,
        source=found.data.source,
        rows=_rows(found.data),
        headline=title,
        reason=reason,
        facts=[],
        method=method,
        notes=found.warnings,
        panels=[],
        steps=None,
        compared=compared(found, name),
        repeats=[],
        portraits=Portraits(),
        portrayed="",
        columns=_columns(compared_fates(each), drawn),
        how=how_of(first, drawn, level + 1, more),
    )


def _rows(data: DataReport) -> str:
    """Return the size of the table, and what of its columns is a candidate."""
    rows = f"{data.rows_used:,} rows"
    if data.rows_used != data.rows:
        rows += f" of {data.rows:,}"
    roles = Counter(column.role for column in data.columns)
    targets, gone = roles.pop("target", 0), roles.pop("dropped", 0)
    told = [counted(data.features, "candidate")]
    if roles["feature"] != data.features:
        told[0] += f" made of {counted(roles['feature'], 'column')}"
    told.append("the target" if targets == 1 else f"{targets} targets")
    told += [f"{gone:,} left out"] if gone else []
    told += [words for role, words in OTHERS.items() if role in roles]
    return f"{rows}, {counted(len(data.columns), 'column')}: {', '.join(told)}"


OTHERS: Final = {"weights": "the weights of rows", "groups": "the groups of rows"}


NUMBERS: Final = (
    ("Alone", "what a column that is not selected tells of the target by itself, bits"),
    (
        "Adds",
        "what it would add to the selected ones, bits; for a selected one, what it added when it "
        "entered. A copy of a selected one adds a little, too: what is enough, the test says",
    ),
    (
        "p",
        "how likely a shuffled column tells as much by itself, adjusted for how many columns "
        "there are",
    ),
)
"""What the numbers of the list are."""

FILTERS: Final = {
    "selected": "selected",
    "kept": "kept by",
    "alias": "the same as",
    "redundant": "redundant",
    "weak": "adds too little",
    "not_reached": "not reached",
    "uninformative": "chance",
    "passed": "in the path",
    "beyond": "beyond the path",
    "dropped": "left out",
}
"""How the words of a fate begin."""


def _columns(told: list[Fate], drawn: Drawn, *, numbers: bool = False) -> Columns:
    there = {fate.code for fate in told}
    found = drawn.pictures
    return Columns(
        fates=told,
        filters=[FILTERS[code] for code in FATES if code in there and code in FILTERS],
        terms=[*meanings(told), *(NUMBERS if numbers else ())],
        numbers=numbers,
        pictures={} if found is None else found.drawn,
        legend=() if found is None else found.legend,
        about="" if found is None else _about(found),
        roomy=found is not None and found.roomy,
        why_not=drawn.why_not,
    )


def _about(found: Pictures) -> str:
    """Return what the pictures of the list are, in words."""
    words = (
        "The pictures are as above, smaller."
        if found.portraits.each
        else f"Each picture: {_pictured(found, found.of_numbers, not found.of_numbers)}"
    )
    if found.targets > 1:
        words += f" Of {found.targets} targets it is set against the first, {found.target}."
    if found.every > 1:
        words += f" Pictures are of every {found.every}th row."
    if found.missed:
        words += f" For the last {found.missed:,} columns there is no room for a picture."
    return words


def _portrayed(found: Pictures) -> str:
    """Return what the larger pictures are, in words."""
    told, more = found.portraits, found.portraits.more
    numbers = any(not classes for _, classes in told.legends)
    classes = any(classes for _, classes in told.legends)
    words = f"Each picture: {_pictured(found, numbers, classes)} Below it: the 2nd and the 98th "
    words += "percentile of the column, or its levels from left to right."
    if len(told.legends) < found.targets:
        words += f" Of {found.targets} targets the first {len(told.legends)} are drawn."
    if more:
        words += f" {more:,} more selected columns are pictured in the list below only."
    return words


def _pictured(found: Pictures, numbers: bool, classes: bool) -> str:
    """Return what a picture is of a target of numbers, and of one of classes."""
    target = found.target if found.targets == 1 else "the target"
    said = []
    if numbers:
        said.append(
            f"{target} (upwards) along the column. The line is its median, the shade its middle "
            "half, within parts of the column of equally many rows, or within its levels."
        )
    if classes:
        said.append(
            f"numbers as the outline of a histogram in each class of {target}, all of one area; "
            "levels, and numbers of few values, as bars as wide as they are frequent, cut by the "
            "shares of the classes."
        )
    said.append("Behind a line at the right: rows where the column has no value.")
    return " Or: ".join(said[:-1]) + f" {said[-1]}"
