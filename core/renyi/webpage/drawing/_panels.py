"""Panels of a figure that share their rows: names at the left, a scale above, marks beside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from renyi.webpage.drawing._scales import Scale
from renyi.webpage.drawing._svg import drawing, element, path_of

__all__ = ["LEFT", "RIGHT", "TOP", "WIDTH", "Panel", "Rows", "dot", "line", "shortened", "tick"]

WIDTH: Final = 340.0
"""Of a panel, pixels: what a telephone shows without shrinking its letters."""

LEFT: Final = 104.0
"""Where the scale begins: right of the names."""

RIGHT: Final = 12.0
TOP: Final = 26.0
BOTTOM: Final = 12.0
LONGEST: Final = 15
"""Letters of a name that fit beside a panel."""

TALLEST: Final = 900.0
"""Pixels of all rows of a long path."""

APART: Final = 14.0
"""Pixels between what was done and what was tested only: a line of small letters."""


@dataclass(frozen=True)
class Panel:
    """One panel of the figure.

    Attributes
    ----------
    title, reading
        Above it and below it, in words.
    drawing
        The SVG.
    """

    title: str
    reading: str
    drawing: Markup


@dataclass(frozen=True)
class Rows:
    """Where the rows of all panels stand.

    Attributes
    ----------
    name
        Of the figure, unique on the page.
    names
        Of the rows, as they are shown.
    keys
        What ties a row to that of a table.
    apart
        Whether the last one stands apart from the others.
    stop
        What is written beside the line after the last that was done; none if empty.
    """

    name: str
    names: Sequence[str]
    keys: Sequence[str]
    apart: bool = False
    stop: str = ""

    @property
    def height(self) -> float:
        """Of a row."""
        return min(20.0, max(3.0, TALLEST / max(len(self.names), 1)))

    def middle(self, row: int) -> float:
        """Return the middle of a row."""
        apart = APART if self.apart and row == len(self.names) - 1 and row else 0.0
        return TOP + self.height * (row + 0.5) + apart

    @property
    def bottom(self) -> float:
        """Below the last row."""
        return self.middle(len(self.names) - 1) + self.height / 2

    @property
    def size(self) -> float:
        """Radius of a mark."""
        return min(4.0, max(1.5, self.height / 4))

    def drawn(
        self,
        title: str,
        about: str,
        kind: str,
        scale: Scale | None,
        inside: Sequence[Markup],
        *more: Markup,
    ) -> Markup:
        """Return a panel: its scale, the rows with their names, and what goes over all of them."""
        ticks = () if scale is None else tuple((scale(v), words) for v, words in scale.ticks)
        grid = [
            element("path", class_="grid", d=path_of([(x, TOP - 2), (x, self.bottom)]))
            for x, _ in ticks
        ]
        labels = [element("text", words, class_="tick", x=x, y=TOP - 8) for x, words in ticks]
        every = -(-12 // int(self.height)) if self.height < 12 else 1
        lines = []
        for row, (name, key, marks) in enumerate(zip(self.names, self.keys, inside, strict=True)):
            y = self.middle(row)
            hit = element(
                "rect", class_="hit", x=0.0, y=y - self.height / 2, width=WIDTH, height=self.height
            )
            named = Markup()
            if row % every == 0:
                named = element("text", shortened(name), class_="name", x=LEFT - 8, y=y + 4)
            lines.append(element("g", hit, named, marks, class_="row", data_step=key))
        return drawing(
            title,
            about,
            f"{self.name}-{kind}",
            (WIDTH, self.bottom + BOTTOM),
            [*grid, *labels, *more, *lines, *self._stop()],
        )

    def _stop(self) -> list[Markup]:
        if not self.stop:
            return []
        last = len(self.names) - 1
        y = (
            self.middle(last) - self.height / 2 - APART / 2
            if self.apart
            else self.bottom + APART / 2
        )
        line = element("path", class_="stop", d=path_of([(LEFT, y), (WIDTH - RIGHT, y)]))
        return [line, element("text", self.stop, class_="stopped", x=LEFT - 8, y=y + 3)]


def shortened(name: str) -> str:
    """Return a name that fits beside a panel; a long one loses its middle."""
    if len(name) <= LONGEST:
        return name
    half = (LONGEST - 1) // 2
    return f"{name[:half]}\N{HORIZONTAL ELLIPSIS}{name[-half:]}"


def dot(x: float, y: float, size: float, kind: str, *, done: bool = True) -> Markup:
    """Return a dot, a hollow one for what was not done."""
    return element("circle", class_=kind if done else f"{kind} hollow", cx=x, cy=y, r=size)


def tick(x: float, y: float, height: float, kind: str) -> Markup:
    """Return an upright mark."""
    return element("path", class_=kind, d=path_of([(x, y - height), (x, y + height)]))


def line(points: Sequence[tuple[float, float]], kind: str) -> Markup:
    """Return a line; nothing for a single point."""
    return element("path", class_=kind, d=path_of(points)) if len(points) > 1 else Markup()
