"""Options of figures: what is drawn, how large, in which colours."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from renyi.errors import OptionError
from renyi.options.table._option import Named, Option, section

__all__ = ["FIGURES", "FIGURE_OPTIONS", "STYLES", "size_in_mm"]

PLOT: Final = ("plot",)

FIGURES: Final[Mapping[str, Named]] = {
    one.name: one
    for one in (
        Named("path", "MI and CMI against the number of columns, the null band and the stop"),
        Named("redundancy", "what is left of each column given each selected one, by the table"),
        Named("sensitivity", "which columns stay at other alpha and bandwidth"),
        Named("stability", "how often each column is selected on halves of the rows"),
    )
}
"""What can be drawn of a selection; of a comparison there is one figure."""

STYLES: Final = ("plain", "dark", "grey")

COLUMNS: Final[Mapping[str, float]] = {"one": 88.0, "two": 180.0}
"""Width of a figure in one and two columns of a journal, mm: Nature has 89 and 183, Elsevier 90
and 190, the IEEE 88.9 and 182."""

LEAST: Final = 60.0
MOST: Final = 1000.0
"""Sides of a figure, mm: on less its words cannot be read."""

_SIZE: Final = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,6})?)x([0-9]{1,6}(?:\.[0-9]{1,6})?)")


def size_in_mm(size: object) -> tuple[float, float | None]:
    """Return the width and height that a size stands for, in mm; the height may be free.

    Raises
    ------
    OptionError
        If it is no size.

    Examples
    --------
    >>> size_in_mm("one"), size_in_mm("120x80.5")
    ((88.0, None), (120.0, 80.5))
    """
    if isinstance(size, str) and size in COLUMNS:
        return COLUMNS[size], None
    sides = _SIZE.fullmatch(size) if isinstance(size, str) else None
    if sides is None:
        raise OptionError(
            f"`size` must be one, two or width x height in mm, got {size!r}.",
            "Write it as 120x80.",
        )
    width, height = float(sides[1]), float(sides[2])
    if not all(LEAST <= side <= MOST for side in (width, height)):
        raise OptionError(
            f"`size` must have sides of {LEAST:g} to {MOST:g} mm, got {size}.",
            "`one` is 88 mm wide, as a column of a journal, and `two` is 180.",
        )
    return width, height


def _size(value: object) -> str | None:
    if value is None:
        return None
    text = value.strip().lower() if isinstance(value, str) else value
    size_in_mm(text)
    return str(text)


FIGURE_OPTIONS: Final[tuple[Option, ...]] = section(
    "Figure",
    PLOT,
    Option("figure", "NAME", "What is drawn of a selection: {explained}.", "path", choices=FIGURES),
    Option(
        "size",
        "SIZE",
        "For a page with words of its own, without title and verdict: one (88 mm wide, as a "
        "column), two (180 mm), or width x height in mm such as 120x80.",
        rule=_size,
    ),
    Option(
        "style",
        "NAME",
        "{offered}: on white, on black, in shades of grey.",
        "plain",
        choices=STYLES,
    ),
)
