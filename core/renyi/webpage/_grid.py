"""Tables of words, as a template writes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Grid", "Head", "grid"]


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a column; `left` for one of text."""

    title: str
    left: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """A small table: what it is called, heads, and rows whose first cell names them.

    Attributes
    ----------
    marked
        Numbers of rows that stand out.
    """

    label: str
    heads: tuple[Head, ...]
    rows: tuple[tuple[str, ...], ...]
    marked: frozenset[int] = frozenset()


def grid(
    label: str,
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    left: Sequence[str] = (),
    marked: Sequence[int] = (),
) -> Grid:
    """Return a table; the first column, and those named in `left`, are text."""
    named = tuple(Head(title, place == 0 or title in left) for place, title in enumerate(heads))
    return Grid(label, named, tuple(map(tuple, rows)), frozenset(marked))
