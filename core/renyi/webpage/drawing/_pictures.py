"""Small pictures of what each column says of the target, out of summaries of the rows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from markupsafe import Markup

from renyi._typing import FloatArray
from renyi.variables import Dataset, Kind, Variable
from renyi.webpage.drawing._portraits import (
    MOST_PORTRAITS,
    MOST_TARGETS,
    PORTRAIT,
    Legend,
    Portrait,
    Portraits,
)
from renyi.webpage.drawing._sketches import (
    SketchTarget,
    along,
    by_level,
    is_of_numbers,
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

WHOLE: Final = 960_000
A_ROW: Final = 100
"""Characters of a page but for its own words, and what of it a column takes without a picture: its
row, and its part of the compressed result."""


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
    portraits
        Larger ones of the first columns.
    targets
        Number of targets; where they are several quantities, `target` is the first.
    """

    drawn: Mapping[str, Markup]
    legend: tuple[tuple[int, str], ...]
    target: str
    of_numbers: bool
    every: int
    missed: int
    roomy: bool
    portraits: Portraits
    targets: int


@dataclass(frozen=True)
class _Detail:
    """How much a picture shows: its size, bins of a column, parts along it, classes."""

    size: tuple[float, float]
    bins: int
    parts: int
    classes: int


def _detail(room: float) -> _Detail:
    """Return how much there is room for, by characters a picture."""
    if room >= ROOMY:
        return _Detail(LARGE, 12, 8, MOST_CLASSES)
    many = room >= 200
    return _Detail(SMALL, 8 if many else 6, 8 if many else 6, 3 if room >= 120 else 2)


def _of_portraits(rows: int) -> _Detail:
    """Return how much so many rows can show."""
    return _Detail(
        PORTRAIT,
        min(24, max(8, math.isqrt(rows))),
        min(16, max(4, rows // 20)),
        MOST_CLASSES,
    )


def pictures(data: Dataset, order: Sequence[str], large: int = 0) -> Pictures:
    """Return small pictures of columns, and larger ones of the first.

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
    large
        How many of them are drawn larger, too.
    """
    columns = {one.name: one for one in data.columns}
    every = max(1, -(-data.n * len(columns) // MOST_VALUES))
    rows = slice(None, None, every)
    weights = (np.ones(data.n) if data.weights is None else data.weights)[rows]
    known = [columns[name] for name in order if name in columns]
    portraits = _portraits(data, known[:large], weights, rows)
    left = BUDGET if len(columns) <= MANY else min(BUDGET_OF_MANY, WHOLE - A_ROW * len(columns))
    left -= sum(len(picture) for one in portraits.each for _, picture in one.pictures)
    one, detail = data.targets[0], _detail(left / max(len(columns), 1))
    target, legend = _target(data, one, weights, rows, detail)
    drawn: dict[str, Markup] = {}
    for variable, picture in _each(known, target, rows):
        left -= len(picture)
        if left < 0:
            break
        drawn[variable.name] = picture
    joint = data.target.kind is Kind.NOMINAL
    return Pictures(
        drawn,
        legend,
        data.target.name if joint else one.name,
        not legend,
        every,
        len(known) - len(drawn),
        detail.size == LARGE,
        portraits,
        1 if joint else len(data.targets),
    )


def _portraits(
    data: Dataset, known: Sequence[Variable], weights: FloatArray, rows: slice
) -> Portraits:
    """Return larger pictures of columns, of each target that is not one with the others."""
    shown = known[:MOST_PORTRAITS]
    several = data.target.kind is not Kind.NOMINAL
    targets = data.targets[:MOST_TARGETS] if several else data.targets[:1]
    detail = _of_portraits(len(weights))
    made: dict[str, list[tuple[str, Markup]]] = {one.name: [] for one in shown}
    legends = []
    for one in targets:
        target, legend = _target(data, one, weights, rows, detail)
        name = one.name if several else data.target.name
        legends.append((name, legend))
        for variable, picture in _each(shown, target, rows):
            made[variable.name].append((name, picture))
    each = [Portrait(v.name, tuple(made[v.name]), along(v, weights, rows)) for v in shown]
    return Portraits(tuple(each), tuple(legends), len(known) - len(shown))


def _target(
    data: Dataset, one: Variable, weights: FloatArray, rows: slice, detail: _Detail
) -> tuple[SketchTarget, Legend]:
    """Return the target, and the names of its classes."""
    whole = data.target if data.target.kind is Kind.NOMINAL else one
    if whole.kind is Kind.CONTINUOUS or (
        whole.kind is Kind.ORDINAL and whole.distinct > MOST_CLASSES
    ):
        values = one.values[rows, 0]
        codes = np.zeros(len(values), np.int64)
        return SketchTarget(codes, 1, values, weights, detail.parts, detail.size), ()
    most, codes = detail.classes, whole.codes[rows]
    shares = np.bincount(codes, weights, whole.distinct)
    names = _class_names(whole)
    if whole.distinct > most:
        largest = np.sort(np.argsort(-shares, kind="stable")[: most - 1])
        new = np.full(whole.distinct, most - 1)
        new[largest] = np.arange(most - 1)
        codes = new[codes]
        names = [*(names[code] for code in largest), f"{whole.distinct - most + 1} others"]
    nothing = np.empty(0)
    sketch = SketchTarget(codes, len(names), nothing, weights, detail.bins, detail.size)
    return sketch, tuple(enumerate(names, 1))


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
        numbers = [one for one in chunk if is_of_numbers(one)]
        made: dict[str, Markup] = {}
        if numbers:
            values = np.column_stack([one.values[rows, 0] for one in numbers])
            lacking = np.column_stack([lacking_rows(one)[rows] for one in numbers])
            draw = medians if len(target.values) else outlines
            made = dict(zip((n.name for n in numbers), draw(values, lacking, target), strict=True))
        for one in chunk:
            yield one, made[one.name] if one.name in made else by_level(one, target, rows)
