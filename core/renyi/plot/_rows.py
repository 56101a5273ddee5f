"""Figures with a row a column of the table: which stay, how often, and what others leave of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from renyi.plot._letters import fitted, inches
from renyi.plot._page import Page

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Rows", "rows_for"]

MOST_ROWS: Final = 60
"""Rows of a figure of no given height; more are told of in words."""

SHARE_OF_NAMES: Final = 0.34
"""Of the figure's width, the most that names beside the rows take."""

ROW: Final = 1.25
"""Height of a row, in lines of text."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Names beside the rows of a figure.

    Attributes
    ----------
    names
        Of all rows that are shown, from the top.
    left_out
        How many are not.
    labels
        The names as they are written.
    beside
        Inches that they take.
    height
        Of all rows, inches.
    """

    names: tuple[str, ...]
    left_out: int
    labels: tuple[str, ...]
    beside: float
    height: float

    def put(self, axes: Axes, page: Page) -> None:
        """Write them along the y axis, the first one on top."""
        axes.set_yticks(range(len(self.labels)), self.labels, fontsize=page.points)
        axes.set_ylim(len(self.labels) - 0.4, -0.6)
        axes.tick_params(axis="y", length=0)
        for side in ("left", "top", "right"):
            axes.spines[side].set_visible(False)


def rows_for(names: Sequence[str], width: float, around: float, page: Page) -> Rows:
    """Return as many rows as there is room for, the first ones.

    Parameters
    ----------
    names
        Of the rows, from the top.
    width
        Of the figure, inches.
    around
        Inches of its height that are not for rows, about.
    page
        Where they are drawn.
    """
    row = ROW * page.line
    most = MOST_ROWS
    if page.size is not None and page.size[1] is not None:
        most = max(1, int((page.size[1] - around) / row))
    shown = tuple(names[:most])
    labels = tuple(fitted(shown, SHARE_OF_NAMES * width, page.points))
    beside = max((inches(label, page.points) for label in labels), default=0.0) + 0.1
    return Rows(shown, len(names) - len(shown), labels, beside, row * max(len(shown), 1))
