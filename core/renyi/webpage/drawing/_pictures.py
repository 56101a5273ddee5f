"""Small pictures of what each column says of the target, out of summaries of the rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from markupsafe import Markup

from renyi._typing import FloatArray
from renyi.variables import Dataset, Kind, Variable
from renyi.webpage.drawing._sketches import (
    MOST_LEVELS,
    SketchTarget,
    by_level,
    lacking_rows,
    medians,
    outlines,
)

__all__ = ["Pictures", "pictures"]

SMALL: Final = (54.0, 18.0)
LARGE: Final = (120.0, 32.0)
"""Width and height of a picture, pixels, for many columns and for few."""

ROOMY: Final = 400.0
"""Characters a picture from which there is room for the large ones."""

MOST_CLASSES: Final = 6
MOST_VALUES: Final = 40_000_000
"""Values that are looked at: a sort of so many takes some seconds."""

AT_ONCE: Final = 4_000_000
"""Values worked on together."""

BUDGET: Final = 300_000
BUDGET_OF_MANY: Final = 460_000
MANY: Final = 1_500
"""Characters that all pictures together may take: with that many columns or fewer, with more."""


@dataclass(frozen=True)
class Pictures:
    """The pictures of columns, and what is to be said of all of them.

    Attributes
    ----------
    drawn
        Column -> its picture.
    legend
        The classes, each with its number from 1; empty for a target of numbers.
    target
        Whose picture it is.
    of_numbers
        Whether the target is a quantity.
    every
        The rows looked at: each so-manieth.
    missed
        Columns for which there was no room.
    roomy
        Whether they are drawn at the larger of two sizes.
    """

    drawn: Mapping[str, Markup]
    legend: tuple[tuple[int, str], ...]
    target: str
    of_numbers: bool
    every: int
    missed: int
    roomy: bool


def pictures(data: Dataset, order: Sequence[str]) -> Pictures:
    """Return small pictures of columns.

    A column of numbers and classes: the outline of its histogram in each class. A column of levels
    and classes: for each level, as wide as it is frequent, the shares of the classes. A quantity as
    target: its median and middle half within bins of the column with equally many rows, or within
    its levels. Missing values have a part of their own at the right.

    The work is n F log n operations for n rows of F columns.

    Parameters
    ----------
    data
        The rows in use.
    order
        Names of columns, those first that matter most: where not all can be drawn, they are.
    """
    columns = {one.name: one for one in data.columns}
    every = max(1, -(-data.n * len(columns) // MOST_VALUES))
    rows = slice(None, None, every)
    one = data.targets[0]
    weights = np.ones(data.n) if data.weights is None else data.weights
    left = BUDGET if len(columns) <= MANY else BUDGET_OF_MANY
    room = left / max(len(columns), 1)
    target, legend = _target(data, one, weights[rows], rows, room)
    drawn: dict[str, Markup] = {}
    known = [columns[name] for name in order if name in columns]
    for variable, picture in _each(known, target, rows):
        left -= len(picture)
        if left < 0:
            break
        drawn[variable.name] = picture
    name = data.target.name if len(data.targets) == 1 or legend else one.name
    return Pictures(drawn, legend, name, not legend, every, len(known) - len(drawn), room >= ROOMY)


def _target(
    data: Dataset, one: Variable, weights: FloatArray, rows: slice, room: float
) -> tuple[SketchTarget, tuple[tuple[int, str], ...]]:
    """Return the target, and the names of its classes."""
    whole = data.target if data.target.kind is Kind.NOMINAL else one
    size = LARGE if room >= ROOMY else SMALL
    if whole.kind is Kind.CONTINUOUS or (
        whole.kind is Kind.ORDINAL and whole.distinct > MOST_CLASSES
    ):
        values = one.values[rows, 0]
        bins = 8 if room >= 200 else 6
        return SketchTarget(np.zeros(len(values), np.int64), 1, values, weights, bins, size), ()
    bins = 12 if room >= ROOMY else 8 if room >= 200 else 6
    most = MOST_CLASSES if room >= ROOMY else 3 if room >= 120 else 2
    codes = whole.codes[rows]
    shares = np.bincount(codes, weights, whole.distinct)
    names = _class_names(whole)
    if whole.distinct <= most:
        return SketchTarget(codes, whole.distinct, np.empty(0), weights, bins, size), tuple(
            enumerate(names, 1)
        )
    largest = np.sort(np.argsort(-shares, kind="stable")[: most - 1])
    new = np.full(whole.distinct, most - 1)
    new[largest] = np.arange(most - 1)
    kept = [names[code] for code in largest]
    legend = tuple(enumerate([*kept, f"{whole.distinct - most + 1} others"], 1))
    return SketchTarget(new[codes], most, np.empty(0), weights, bins, size), legend


def _class_names(whole: Variable) -> list[str]:
    if whole.levels:
        return [*whole.levels]
    first = np.unique(whole.codes, return_index=True)[1]
    return [
        ", ".join(member.levels[member.codes[row]] for member in whole.members) for row in first
    ]


def _each(
    known: Sequence[Variable], target: SketchTarget, rows: slice
) -> Iterator[tuple[Variable, Markup]]:
    """Yield columns with their pictures, those of numbers many at a time."""
    at_once = max(1, AT_ONCE // max(len(target.codes), 1))
    for first in range(0, len(known), at_once):
        chunk = known[first : first + at_once]
        numbers = [
            one for one in chunk if one.kind is Kind.CONTINUOUS and one.distinct > MOST_LEVELS
        ]
        made: dict[str, Markup] = {}
        if numbers:
            values = np.column_stack([one.values[rows, 0] for one in numbers])
            lacking = np.column_stack([lacking_rows(one)[rows] for one in numbers])
            draw = medians if len(target.values) else outlines
            made = dict(zip((n.name for n in numbers), draw(values, lacking, target), strict=True))
        for one in chunk:
            yield one, made[one.name] if one.name in made else by_level(one, target, rows)
