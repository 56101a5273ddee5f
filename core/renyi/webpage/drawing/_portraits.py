"""Larger pictures of selected columns, with what stands along them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from markupsafe import Markup

__all__ = ["MOST_PORTRAITS", "MOST_TARGETS", "PORTRAIT", "Legend", "Portrait", "Portraits"]

PORTRAIT: Final = (280.0, 84.0)
"""Width and height, pixels."""

MOST_PORTRAITS: Final = 24
MOST_TARGETS: Final = 3
"""Quantities, of several targets together, that a column is set against."""

Legend: TypeAlias = tuple[tuple[int, str], ...]
"""Classes, each with its number from 1; empty for a quantity."""


@dataclass(frozen=True)
class Portrait:
    """One column.

    Attributes
    ----------
    column
        Its name.
    pictures
        For each target its name and the picture.
    along
        What stands below: near both ends, or the levels from left to right.
    """

    column: str
    pictures: tuple[tuple[str, Markup], ...]
    along: tuple[str, ...]


@dataclass(frozen=True)
class Portraits:
    """Those of the columns that come first.

    Attributes
    ----------
    legends
        For each target its name and its classes.
    more
        Columns that were asked for and have none.
    """

    each: tuple[Portrait, ...] = ()
    legends: tuple[tuple[str, Legend], ...] = ()
    more: int = 0
