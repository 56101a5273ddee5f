"""Sketches of columns: outlines of histograms, medians along a column, shares within levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from markupsafe import Markup

from renyi._typing import BoolArray, FloatArray, IntArray
from renyi.variables import Kind, Variable
from renyi.webpage.drawing._svg import element, number

__all__ = [
    "SketchTarget",
    "along",
    "by_level",
    "is_of_numbers",
    "lacking_rows",
    "medians",
    "outlines",
]

GAP: Final = 3.0
"""Before the part that shows missing values."""
LACKING: Final = 8.0
"""Width of that part."""
EDGE: Final = 0.02
"""Share of the rows beyond each end of a picture of numbers: they stand at its edge."""
MOST_LEVELS: Final = 6
DIGIT: Final = 10.0
"""Pixels apart from which a step takes two digits anyway."""

_Upright: TypeAlias = tuple[float, float, float]
"""The values of the target at the bottom and the top of a picture, and its height."""


@dataclass(frozen=True)
class SketchTarget:
    """The target as classes or as numbers, over the rows looked at.

    Attributes
    ----------
    codes
        (n,) class of each row, 0 to `classes` - 1; all 0 for a quantity.
    values
        (n,) numbers; empty for classes.
    weights
        (n,) how much a row counts.
    bins
        Parts that a column of numbers is cut into.
    size
        Of a picture.
    """

    codes: IntArray
    classes: int
    values: FloatArray
    weights: FloatArray
    bins: int
    size: tuple[float, float]

    @property
    def wide(self) -> float:
        """Width of a picture."""
        return self.size[0]

    @property
    def tall(self) -> float:
        """Height of a picture."""
        return self.size[1]


def lacking_rows(one: Variable) -> BoolArray:
    """Return (n,) whether a column has no value."""
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


def outlines(values: FloatArray, lacking: BoolArray, target: SketchTarget) -> list[Markup]:
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
    tops = np.rint((target.tall - 1) * (1 - shares[:, :, :bins] / most)).astype(int)
    holed: list[bool] = np.any(lacking, axis=0).tolist()
    found = []
    for column in range(count):
        wide = target.wide - (GAP + LACKING if holed[column] else 0.0)
        step = wide / bins if bins * 9 > wide or wide > DIGIT * bins else float(int(wide / bins))
        xs = [int((k + 0.5) * step) for k in range(bins)]  # of one digit apart, if narrow
        lines = [
            Markup('<path d="{}"/>').format(_steps(xs, tops[column, one].tolist()))
            for one in range(classes)
        ]
        if holed[column]:
            lines.append(_hole(shares[column, :, bins], target))
        found.append(_svg(*lines))
    return found


def _hole(shares: FloatArray, target: SketchTarget) -> Markup:
    """Draw in the part for missing values how many of each class lack one."""
    wide = LACKING / len(shares)
    start = target.wide - LACKING
    bars = [
        element(
            "rect",
            class_=f"f{one + 1}",
            x=start + one * wide,
            y=target.tall * (1 - float(share)),
            width=wide,
            height=target.tall * float(share),
        )
        for one, share in enumerate(shares)
        if share > 0
    ]
    box = f"M{number(start - 1)} 0v{number(target.tall)}"
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


def medians(values: FloatArray, lacking: BoolArray, target: SketchTarget) -> list[Markup]:
    """Draw the median and the middle half of the target along each column (n, F)."""
    scale = _height_of(target)
    found = []
    for column in range(values.shape[1]):
        holes = lacking[:, column]
        order = np.argsort(values[:, column], kind="stable")
        order = order[~holes[order]]
        wide = target.wide - (GAP + LACKING if holes.any() else 0.0)
        parts = _equal_parts(values[order, column], order, target)
        found.append(_svg(*_ribbon(parts, wide, scale, target), *_holed_box(holes, scale, target)))
    return found


def _equal_parts(
    sorted_values: FloatArray, order: IntArray, target: SketchTarget
) -> list[IntArray]:
    """Cut rows in order into parts of equal weight; equal values stay in one part."""
    if not len(order):
        return []
    passed = np.cumsum(target.weights[order])
    part = np.minimum((passed / passed[-1] * target.bins - 1e-9).astype(np.int64), target.bins - 1)
    first = np.searchsorted(sorted_values, sorted_values, side="left")
    part = part[first]
    return [order[part == one] for one in np.unique(part)]


def _height_of(target: SketchTarget) -> _Upright:
    low, high = np.quantile(target.values, [0.05, 0.95])
    return float(low), float(high if high > low else low + 1.0), target.tall


def _at(value: float, scale: _Upright) -> int:
    share = (value - scale[0]) / (scale[1] - scale[0])
    return round((scale[2] - 1) * (1 - min(max(share, 0.0), 1.0)))


def _quartiles(rows: IntArray, target: SketchTarget) -> tuple[float, float, float]:
    """Return the weighted quartiles of the target in some rows."""
    values, weights = target.values[rows], target.weights[rows]
    order = np.argsort(values, kind="stable")
    passed = np.cumsum(weights[order])
    at = np.searchsorted(passed, np.array([0.25, 0.5, 0.75]) * passed[-1], side="left")
    one, two, three = values[order][np.minimum(at, len(values) - 1)]
    return float(one), float(two), float(three)


def _ribbon(
    parts: list[IntArray], wide: float, scale: _Upright, target: SketchTarget
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


def _holed_box(holes: BoolArray, scale: _Upright, target: SketchTarget) -> list[Markup]:
    rows = np.flatnonzero(holes)
    if not len(rows):
        return []
    start = target.wide - LACKING
    return [
        _path(f"M{number(start - 1)} 0v{number(target.tall)}", "gap"),
        *_box(rows, start, LACKING, scale, target),
    ]


def _box(
    rows: IntArray, x: float, wide: float, scale: _Upright, target: SketchTarget
) -> list[Markup]:
    low, middle, high = (_at(v, scale) for v in _quartiles(rows, target))
    x, wide = round(x), max(round(wide) - 1, 1)
    return [
        _path(f"M{x} {high}h{wide}V{low}h{-wide}z", "q"),
        _path(f"M{x} {middle}h{wide}", "c1"),
    ]


def is_of_numbers(one: Variable) -> bool:
    """Whether a column is drawn along its numbers, not by its levels."""
    return one.kind is Kind.CONTINUOUS and one.distinct > MOST_LEVELS


def _frequent(one: Variable, weights: FloatArray, rows: slice) -> tuple[IntArray, int]:
    """Return the levels that are drawn each for itself, in their order, and how many others."""
    lacking = lacking_rows(one)[rows]
    counts = np.bincount(one.codes[rows], weights * ~lacking, one.distinct)
    kept = np.argsort(-counts, kind="stable")[:MOST_LEVELS]
    if one.kind is not Kind.NOMINAL:
        kept = np.sort(kept)
    kept = kept[counts[kept] > 0]
    return kept, int(np.count_nonzero(counts)) - len(kept)


def along(one: Variable, weights: FloatArray, rows: slice) -> tuple[str, ...]:
    """Return what stands along a column: near both ends of its numbers, or its levels."""
    if is_of_numbers(one):
        low, high = _edges(one.values[rows], lacking_rows(one)[rows, None])
        return _told(low[0]), _told(high[0])
    kept, others = _frequent(one, weights, rows)
    if one.levels:
        names = [one.levels[code] for code in kept]
    else:
        first = np.unique(one.codes, return_index=True)[1]
        names = [_told(one.values[first[code], 0]) for code in kept]
    names += [f"{others} others"] if others else []
    names += ["no value"] if lacking_rows(one)[rows].any() else []
    return tuple(names)


def _told(value: float) -> str:
    return f"{value:.0f}" if 1e3 <= abs(value) < 1e9 else f"{value:.3g}"


def by_level(one: Variable, target: SketchTarget, rows: slice) -> Markup:
    """Draw a column of levels: those that are frequent, the rest together, missing apart."""
    codes = one.codes[rows]
    lacking = lacking_rows(one)[rows]
    kept, _ = _frequent(one, target.weights, rows)
    groups = [np.flatnonzero((codes == level) & ~lacking) for level in kept]
    others = np.flatnonzero(~np.isin(codes, kept) & ~lacking)
    groups += [others] if len(others) else []
    wide = target.wide - (GAP + LACKING if lacking.any() else 0.0)
    total = max(float((target.weights * ~lacking).sum()), 1e-300)
    scale = _height_of(target) if len(target.values) else (0.0, 1.0, target.tall)
    parts, at = [], 0.0
    for group in groups:
        share = float(target.weights[group].sum()) / total * wide
        parts += _part(group, at, share, scale, target)
        at += share
    if lacking.any():
        parts.append(_path(f"M{number(target.wide - LACKING - 1)} 0v{number(target.tall)}", "gap"))
        parts += _part(np.flatnonzero(lacking), target.wide - LACKING, LACKING, scale, target)
    return _svg(*parts)


def _part(
    rows: IntArray, x: float, wide: float, scale: _Upright, target: SketchTarget
) -> list[Markup]:
    """Draw one level: the shares of the classes upon each other, or the quartiles."""
    if len(target.values):
        return _box(rows, x, wide, scale, target)
    shares = np.bincount(target.codes[rows], target.weights[rows], target.classes)
    tops = np.concatenate([[0.0], np.cumsum(shares / max(shares.sum(), 1e-300))]) * target.tall
    width = max(wide - 0.7, 0.5)
    return [
        _path(
            f"M{number(x)} {number(float(target.tall - tops[one + 1]))}h{number(width)}"
            f"v{number(float(tops[one + 1] - tops[one]))}h{number(-width)}z",
            f"f{one + 1}",
        )
        for one in range(target.classes)
        if shares[one] > 0
    ]
