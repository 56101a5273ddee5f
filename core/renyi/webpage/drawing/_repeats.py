"""Repeated selections as dot matrices: which columns stay, under other settings and on halves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from renyi.selection import FeatureShare, SelectionPath, Sensitivity, Stability
from renyi.webpage._grid import Grid, grid
from renyi.webpage.drawing._panels import LEFT, WIDTH, Panel, Rows
from renyi.webpage.drawing._svg import element, number
from renyi.wording import BOUNDS, counted

__all__ = ["Repeat", "repeats_of"]

SHARE: Final = 40.0
"""Pixels at the right for the share in figures."""

WIDEST: Final = 18.0
"""Pixels between two columns of dots, at most."""

MOST_ROWS: Final = 40
"""Columns of the table that have a row; of more, those that were selected most often."""


@dataclass(frozen=True, slots=True)
class Repeat:
    """One kind of repeated selection.

    Attributes
    ----------
    title, words
        What it is, and how to read it.
    panel
        The dots; None where nothing was selected anywhere.
    grids
        What goes with it.
    """

    title: str
    words: str
    panel: Panel | None
    grids: tuple[Grid, ...]


def repeats_of(path: SelectionPath, name: str) -> list[Repeat]:
    """Return the repeats that were asked for."""
    found = []
    if path.sensitivity is not None:
        found.append(_sensitivity(path.sensitivity, path.selected, name))
    if path.stability is not None:
        found.append(_stability(path.stability, path.selected, name))
    return found


def _sensitivity(found: Sensitivity, selected: Sequence[str], name: str) -> Repeat:
    run = [one for one in found.settings if one.stopped is not None]
    rows = [
        (
            str(place),
            f"{one.alpha:g}",
            one.bandwidth if isinstance(one.bandwidth, str) else f"{one.bandwidth:g}",
            "-" if one.stopped is None else str(len(one.selected)),
            one.reason if one.stopped is None else ", ".join(one.selected) or "none",
        )
        for place, one in enumerate(found.settings, 1)
    ]
    settings = grid(
        "Settings",
        ["#", "alpha", "bandwidth", "columns", "selected"],
        rows,
        left=["bandwidth", "selected"],
    )
    words = (
        "The same selection under other settings of alpha and bandwidth. A column that is there in "
        "all of them does not hang on them; that is no further evidence that it matters, since all "
        f"look at the same rows.{_finished(len(found.settings), found.asked)}"
    )
    heads = [str(place) for place, one in enumerate(found.settings, 1) if one.stopped is not None]
    dots = [one.selected for one in run]
    panel = _dots(found.features, dots, heads, selected, f"{name}-settings", "settings")
    return Repeat("Under other settings", words, panel, (settings,))


def _stability(found: Stability, selected: Sequence[str], name: str) -> Repeat:
    drawn = "each class halved by itself" if found.stratified else "drawn from all rows"
    sizes = ", ".join(f"{size} in {count}" for size, count in found.sizes)
    words = (
        f"The same selection on halves of {found.rows:,} rows in complementary pairs, {drawn}"
        f"{_finished(len(found.halves), found.asked)}. A half has half the rows: weak columns are "
        "missed more often there, so a low share is no proof against a column. Columns selected, "
        f"in how many halves: {sizes}."
    )
    bounds = grid(
        f"How many of those above a share may be there by chance: {BOUNDS}.",
        ["share from", "columns", "false at most", "if unimodal"],
        [
            (
                f"{one.threshold:g}",
                str(len(one.features)),
                _bound(one.bound),
                _bound(one.unimodal_bound),
            )
            for one in found.thresholds
        ],
    )
    kept = set(found.kept)
    dots = [tuple(n for n in half.selected if n not in kept) for half in found.halves]
    panel = _dots(found.features, dots, [], selected, f"{name}-halves", "halves")
    title = f"On {counted(len(found.halves), 'half').replace('halfs', 'halves')} of the rows"
    return Repeat(title, words, panel, (bounds,) if found.halves else ())


def _finished(done: int, asked: int) -> str:
    return "" if done == asked else f" ({done} of {asked} finished)"


def _bound(value: float | None) -> str:
    return "-" if value is None else f"{value:.2g}"


def _dots(
    shares: Sequence[FeatureShare],
    selections: Sequence[Sequence[str]],
    heads: Sequence[str],
    selected: Sequence[str],
    name: str,
    what: str,
) -> Panel | None:
    """Return a dot for each column and each repeat that selected it, and its share in figures."""
    if not shares:
        return None
    shown, answer = shares[:MOST_ROWS], set(selected)
    step = min(WIDEST, (WIDTH - LEFT - SHARE) / max(len(selections), 1))
    rows = Rows(name, [one.feature for one in shown], [""] * len(shown))
    sets = [set(one) for one in selections]
    inside = []
    for place, one in enumerate(shown):
        y = rows.middle(place)
        xs = [LEFT + (k + 0.5) * step for k, chosen in enumerate(sets) if one.feature in chosen]
        kind = "dots" if one.feature in answer else "dots others"
        path = "".join(f"M{number(x)} {number(y)}h0" for x in xs)
        said = f"{one.feature}: in {one.count} of {len(selections)} {what}"
        marks = element("path", class_=kind, d=path, stroke_width=min(7.0, step * 0.8))
        share = element(
            "text", f"{one.share:.2f}", class_="share", x=LEFT + len(sets) * step + 6, y=y + 4
        )
        inside.append(Markup().join([element("title", said), marks, share]))
    numbers = [
        element("text", head, class_="tick", x=LEFT + (k + 0.5) * step, y=18.0)
        for k, head in enumerate(heads)
    ]
    about = "; ".join(f"{one.feature} {one.share:.2f}" for one in shown[:10])
    drawing = rows.drawn(
        f"Which columns were selected in which of {len(selections)} {what}",
        f"Shares: {about}.",
        "dots",
        None,
        inside,
        *numbers,
    )
    reading = f"A dot: selected there. At the right: the share of the {what}. "
    reading += "Strong: columns of the answer; pale: others."
    if heads:
        reading += " Numbers: the settings below."
    if len(shares) > MOST_ROWS:
        reading += f" {len(shares) - MOST_ROWS} columns that were selected less often are left out."
    return Panel(f"Selected in which of the {what}", reading, drawing)
