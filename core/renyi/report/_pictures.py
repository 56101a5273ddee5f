"""Small pictures of what each column says of the target, out of summaries of the rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from markupsafe import Markup

from renyi._typing import BoolArray, FloatArray, IntArray
from renyi.report._svg import element, number
from renyi.variables import Dataset, Kind, Variable

__all__ = ["Pictures", "pictures"]

WIDTH: Final = 72.0
HEIGHT: Final = 20.0
GAP: Final = 3.0
"""Before the part that shows missing values."""

LACKING: Final = 8.0
"""Width of that part."""

MOST_CLASSES: Final = 6
MOST_LEVELS: Final = 6
MOST_VALUES: Final = 40_000_000
"""Values that are looked at: a sort of so many takes some seconds."""

AT_ONCE: Final = 4_000_000
"""Values worked on together."""

BUDGET: Final = 430_000
"""Characters that all pictures together may take."""

EDGE: Final = 0.02
"""Share of the rows beyond each end of a picture of numbers: they stand at its edge."""


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
    """

    drawn: Mapping[str, Markup]
    legend: tuple[tuple[int, str], ...]
    target: str
    of_numbers: bool
    every: int
    missed: int


@dataclass(frozen=True)
class _Target:
    """The target as classes or as numbers, over the rows looked at.

    Attributes
    ----------
    codes
        (n,) class of each row, 0 to `classes` - 1; all 0 for a quantity.
    values
        (n,) numbers; empty for classes.
    weights
        (n,) how much a row counts.
    """

    codes: IntArray
    classes: int
    values: FloatArray
    weights: FloatArray
    bins: int


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
    room = BUDGET / max(len(columns), 1)
    target, legend = _target(data, one, weights[rows], rows, room)
    drawn: dict[str, Markup] = {}
    left = BUDGET
    known = [columns[name] for name in order if name in columns]
    for variable, picture in _each(known, target, rows):
        left -= len(picture)
        if left < 0:
            break
        drawn[variable.name] = picture
    name = data.target.name if len(data.targets) == 1 or legend else one.name
    return Pictures(drawn, legend, name, not legend, every, len(known) - len(drawn))


def _target(
    data: Dataset, one: Variable, weights: FloatArray, rows: slice, room: float
) -> tuple[_Target, tuple[tuple[int, str], ...]]:
    """Return the target, and the names of its classes."""
    whole = data.target if data.target.kind is Kind.NOMINAL else one
    if whole.kind is Kind.CONTINUOUS or (
        whole.kind is Kind.ORDINAL and whole.distinct > MOST_CLASSES
    ):
        values = one.values[rows, 0]
        bins = 8 if room >= 200 else 6
        return _Target(np.zeros(len(values), np.int64), 1, values, weights, bins), ()
    bins = 12 if room >= 400 else 8 if room >= 200 else 6
    most = MOST_CLASSES if room >= 400 else 3 if room >= 120 else 2
    codes = whole.codes[rows]
    shares = np.bincount(codes, weights, whole.distinct)
    names = _class_names(whole)
    if whole.distinct <= most:
        return _Target(codes, whole.distinct, np.empty(0), weights, bins), tuple(
            enumerate(names, 1)
        )
    largest = np.sort(np.argsort(-shares, kind="stable")[: most - 1])
    new = np.full(whole.distinct, most - 1)
    new[largest] = np.arange(most - 1)
    kept = [names[code] for code in largest]
    legend = tuple(enumerate([*kept, f"{whole.distinct - most + 1} others"], 1))
    return _Target(new[codes], most, np.empty(0), weights, bins), legend


def _class_names(whole: Variable) -> list[str]:
    if whole.levels:
        return [*whole.levels]
    first = np.unique(whole.codes, return_index=True)[1]
    return [
        ", ".join(member.levels[member.codes[row]] for member in whole.members) for row in first
    ]


def _each(
    known: Sequence[Variable], target: _Target, rows: slice
) -> Iterator[tuple[Variable, Markup]]:
    """Yield columns with their pictures, those of numbers many at a time."""
    at_once = max(1, AT_ONCE // max(len(target.codes), 1))
    for first in range(0, len(known), at_once):
        chunk = known[first : first + at_once]
        numbers = [one for one in chunk if one.kind is Kind.CONTINUOUS]
        made: dict[str, Markup] = {}
        if numbers:
            values = np.column_stack([one.values[rows, 0] for one in numbers])
            lacking = np.column_stack([_lacking(one)[rows] for one in numbers])
            draw = _medians if len(target.values) else _outlines
            made = dict(zip((n.name for n in numbers), draw(values, lacking, target), strict=True))
        for one in chunk:
            yield one, made[one.name] if one.name in made else _by_level(one, target, rows)


def _lacking(one: Variable) -> BoolArray:
    return np.zeros(one.n, np.bool_) if one.missing is None else one.missing


def _svg(*inside: Markup) -> Markup:
    return Markup("<svg>{}</svg>").format(Markup().join(inside))


def _path(points: str, kind: str) -> Markup:
    return Markup('<path class={} d="{}"/>').format(kind, points)


def _steps(xs: Sequence[int], ys: Sequence[int]) -> str:
    """Write a line by its differences, which is the shortest way."""
    out = [f"M{xs[0]} {ys[0]}l"]
    for (x0, y0), (x1, y1) in zip(
        zip(xs, ys, strict=True), zip(xs[1:], ys[1:], strict=True), strict=False
    ):
        dy = y1 - y0
        out.append(f"{x1 - x0}{'' if dy < 0 else ' '}{dy} ")
    return "".join(out).rstrip()


def _outlines(values: FloatArray, lacking: BoolArray, target: _Target) -> list[Markup]:
    """Draw the histogram of each column (n, F) in each class as an outline.

    All classes have the same area, whatever their size.
    """
    n, count = values.shape
    bins, classes = target.bins, target.classes
    low, high = _edges(values, lacking)
    span = np.where(high > low, high - low, 1.0)
    place = np.clip(((values - low) / span * bins).astype(np.int64), 0, bins - 1)
    place = np.where(lacking, bins, place)
    width = bins + 1
    cell = (np.arange(count) * classes + target.codes[:, None]) * width + place
    weights = np.broadcast_to(target.weights[:, None], (n, count))
    table = np.bincount(cell.ravel(), weights.ravel(), count * classes * width)
    table = table.reshape(count, classes, width)
    shares = table / np.maximum(table.sum(axis=2, keepdims=True), 1e-300)
    most = np.maximum(shares[:, :, :bins].max(axis=(1, 2), keepdims=True), 1e-300)
    tops = np.rint((HEIGHT - 1) * (1 - shares[:, :, :bins] / most)).astype(int)
    holed: list[bool] = np.any(lacking, axis=0).tolist()
    found = []
    for column in range(count):
        wide = WIDTH - (GAP + LACKING if holed[column] else 0.0)
        xs = [round((k + 0.5) * wide / bins) for k in range(bins)]
        lines = [
            _path(_steps(xs, tops[column, one].tolist()), f"c{one + 1}") for one in range(classes)
        ]
        if holed[column]:
            lines.append(_hole(shares[column, :, bins]))
        found.append(_svg(*lines))
    return found


def _hole(shares: FloatArray) -> Markup:
    """Draw in the part for missing values how many of each class lack one."""
    wide = LACKING / len(shares)
    start = WIDTH - LACKING
    bars = [
        element(
            "rect",
            class_=f"f{one + 1}",
            x=start + one * wide,
            y=HEIGHT * (1 - float(share)),
            width=wide,
            height=HEIGHT * float(share),
        )
        for one, share in enumerate(shares)
        if share > 0
    ]
    box = f"M{number(start - 1)} 0v{number(HEIGHT)}"
    return Markup().join([_path(box, "gap"), *bars])


def _edges(values: FloatArray, lacking: BoolArray) -> tuple[FloatArray, FloatArray]:
    """Return where the picture of each column begins and ends."""
    if lacking.any():
        known = np.where(lacking, np.nan, values)
        low, high = np.nanquantile(known, [EDGE, 1 - EDGE], axis=0)
        return np.nan_to_num(low), np.nan_to_num(high)
    low, high = np.quantile(values, [EDGE, 1 - EDGE], axis=0)
    flat = high <= low  # most rows have one value: then from the least to the largest
    if flat.any():
        low = np.where(flat, values.min(axis=0), low)
        high = np.where(flat, values.max(axis=0), high)
    return low, high


def _medians(values: FloatArray, lacking: BoolArray, target: _Target) -> list[Markup]:
    """Draw the median and the middle half of the target along each column (n, F)."""
    scale = _height_of(target)
    found = []
    for column in range(values.shape[1]):
        holes = lacking[:, column]
        order = np.argsort(values[:, column], kind="stable")
        order = order[~holes[order]]
        wide = WIDTH - (GAP + LACKING if holes.any() else 0.0)
        parts = _equal_parts(values[order, column], order, target)
        found.append(_svg(*_ribbon(parts, wide, scale, target), *_holed_box(holes, scale, target)))
    return found


def _equal_parts(sorted_values: FloatArray, order: IntArray, target: _Target) -> list[IntArray]:
    """Cut rows in order into parts of equal weight; equal values stay in one part."""
    if not len(order):
        return []
    passed = np.cumsum(target.weights[order])
    part = np.minimum((passed / passed[-1] * target.bins - 1e-9).astype(np.int64), target.bins - 1)
    first = np.searchsorted(sorted_values, sorted_values, side="left")
    part = part[first]
    return [order[part == one] for one in np.unique(part)]


def _height_of(target: _Target) -> tuple[float, float]:
    low, high = np.quantile(target.values, [0.05, 0.95])
    return float(low), float(high if high > low else low + 1.0)


def _at(value: float, scale: tuple[float, float]) -> int:
    share = (value - scale[0]) / (scale[1] - scale[0])
    return round((HEIGHT - 1) * (1 - min(max(share, 0.0), 1.0)))


def _quartiles(rows: IntArray, target: _Target) -> tuple[float, float, float]:
    """Return the weighted quartiles of the target in some rows."""
    values, weights = target.values[rows], target.weights[rows]
    order = np.argsort(values, kind="stable")
    passed = np.cumsum(weights[order])
    at = np.searchsorted(passed, np.array([0.25, 0.5, 0.75]) * passed[-1], side="left")
    one, two, three = values[order][np.minimum(at, len(values) - 1)]
    return float(one), float(two), float(three)


def _ribbon(
    parts: list[IntArray], wide: float, scale: tuple[float, float], target: _Target
) -> list[Markup]:
    if not parts:
        return []
    total = sum(float(target.weights[rows].sum()) for rows in parts)
    xs, at = [], 0.0
    for rows in parts:
        share = float(target.weights[rows].sum()) / total
        xs.append(round((at + share / 2) * wide))
        at += share
    lows, middles, highs = zip(*(_quartiles(rows, target) for rows in parts), strict=True)
    up = [_at(v, scale) for v in highs]
    down = [_at(v, scale) for v in lows]
    middle = [_at(v, scale) for v in middles]
    band = _steps([*xs, *reversed(xs)], [*up, *reversed(down)]) + "z"
    return [_path(band, "q"), _path(_steps(xs, middle), "c1")]


def _holed_box(holes: BoolArray, scale: tuple[float, float], target: _Target) -> list[Markup]:
    rows = np.flatnonzero(holes)
    if not len(rows):
        return []
    start = WIDTH - LACKING
    return [
        _path(f"M{number(start - 1)} 0v{number(HEIGHT)}", "gap"),
        *_box(rows, start, LACKING, scale, target),
    ]


def _box(
    rows: IntArray, x: float, wide: float, scale: tuple[float, float], target: _Target
) -> list[Markup]:
    low, middle, high = (_at(v, scale) for v in _quartiles(rows, target))
    x, wide = round(x), max(round(wide) - 1, 1)
    return [
        _path(f"M{x} {high}h{wide}V{low}h{-wide}z", "q"),
        _path(f"M{x} {middle}h{wide}", "c1"),
    ]


def _by_level(one: Variable, target: _Target, rows: slice) -> Markup:
    """Draw a column of levels: those that are frequent, the rest together, missing apart."""
    codes = one.codes[rows]
    lacking = _lacking(one)[rows]
    weights = np.bincount(codes, target.weights * ~lacking, one.distinct)
    kept = np.argsort(-weights, kind="stable")[:MOST_LEVELS]
    if one.kind is Kind.ORDINAL:
        kept = np.sort(kept)
    kept = kept[weights[kept] > 0]
    groups = [np.flatnonzero((codes == level) & ~lacking) for level in kept]
    others = np.flatnonzero(~np.isin(codes, kept) & ~lacking)
    groups += [others] if len(others) else []
    wide = WIDTH - (GAP + LACKING if lacking.any() else 0.0)
    total = max(float((target.weights * ~lacking).sum()), 1e-300)
    scale = _height_of(target) if len(target.values) else (0.0, 1.0)
    parts, at = [], 0.0
    for group in groups:
        share = float(target.weights[group].sum()) / total * wide
        parts += _part(group, at, share, scale, target)
        at += share
    if lacking.any():
        parts.append(_path(f"M{number(WIDTH - LACKING - 1)} 0v{number(HEIGHT)}", "gap"))
        parts += _part(np.flatnonzero(lacking), WIDTH - LACKING, LACKING, scale, target)
    return _svg(*parts)


def _part(
    rows: IntArray, x: float, wide: float, scale: tuple[float, float], target: _Target
) -> list[Markup]:
    """Draw one level: the shares of the classes upon each other, or the quartiles."""
    if len(target.values):
        return _box(rows, x, wide, scale, target)
    shares = np.bincount(target.codes[rows], target.weights[rows], target.classes)
    tops = np.concatenate([[0.0], np.cumsum(shares / max(shares.sum(), 1e-300))]) * HEIGHT
    width = max(wide - 0.7, 0.5)
    return [
        _path(
            f"M{number(x)} {number(float(HEIGHT - tops[one + 1]))}h{number(width)}"
            f"v{number(float(tops[one + 1] - tops[one]))}h{number(-width)}z",
            f"f{one + 1}",
        )
        for one in range(target.classes)
        if shares[one] > 0
    ]
