"""Names along an axis: turned, shortened and thinned until none lies on another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Literal

from renyi.plot._letters import fitted, inches

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from renyi.plot._page import Page

__all__ = ["Names", "placed"]

APART: Final = 0.06
"""Inches between two names on one line."""

MOST: Final = 60
"""Names along an axis: more are no help."""

SLANTED: Final = 0.85
"""Inches up to which names are set at 45 degrees: longer ones would reach out of the figure."""


@dataclass(frozen=True, slots=True)
class Names:
    """Names as they are set along an axis.

    Attributes
    ----------
    at, texts
        Places and names; some are left out where there is no room for all.
    turn
        Degrees.
    deep
        Inches that they take away from the axis.
    """

    at: tuple[float, ...]
    texts: tuple[str, ...]
    turn: Literal[0, 45, 90]
    deep: float

    def put(self, axes: Axes, page: Page) -> None:
        """Set them along the x axis."""
        axes.set_xticks(
            self.at,
            self.texts,
            rotation=self.turn,
            horizontalalignment="right" if self.turn == 45 else "center",
            rotation_mode="anchor" if self.turn == 45 else "default",
            fontsize=page.points,
        )


def placed(names: Sequence[str], gap: float, most: float, page: Page, *, first: int = 1) -> Names:
    """Return names at `first`, ..., `gap` inches apart, each of `most` inches or less."""
    line = page.line
    short = fitted(names, most, page.points)
    wide = [inches(name, page.points) for name in short]
    at = tuple(float(place) for place in range(first, first + len(names)))
    need = max(((a + b) / 2 for a, b in pairwise(wide)), default=0.0)
    if need + APART <= gap or len(names) == 1:
        return Names(at, tuple(short), 0, line)
    if gap >= 1.45 * line and max(wide) <= SLANTED:
        return Names(at, tuple(short), 45, 0.71 * max(wide) + line)
    every = max(1, -(-len(names) // MOST), math.ceil(line / gap))
    if every > 1:
        counted = enumerate(names, start=first)
        numbered = [name if first == 0 else f"{place} {name}" for place, name in counted][::every]
        short, at = fitted(numbered, most, page.points), at[::every]
        wide = [inches(name, page.points) for name in short]
    return Names(at, tuple(short), 90, max(wide, default=0.0) + 0.05)
