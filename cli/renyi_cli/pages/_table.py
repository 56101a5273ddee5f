"""Tables that fit: too narrow a page loses whole columns, the least needed first, never digits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from renyi_cli._console import PROSE_WIDTH, plain_characters, printable

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["Column", "print_pairs", "print_prose", "print_table", "shorten", "wider"]

GAP: Final = 2
"""Blanks between columns."""

MARGIN: Final = 1
"""Blanks after the last column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of a table.

    Attributes
    ----------
    title, cells
        What stands at its head, maybe in several lines, and in its rows.
    below
        A second line of each row's cell, empty for none.
    need
        The column with the lowest need is dropped first; 0 never.
    least
        Width to which long cells may be shortened in their middle; None where they may not.
    right
        Whether cells stand to the right, as numbers do.
    style
        Style of its cells.
    """

    title: str
    cells: Sequence[str]
    below: Sequence[str] = ()
    need: int = 0
    least: int | None = None
    right: bool = True
    style: str = ""

    @property
    def natural(self) -> int:
        """Width that shows every cell in full."""
        from rich.cells import cell_len

        cells = (printable(text) for text in (*self.cells, *self.below))
        return max(cell_len(line) for line in (*self.title.split("\n"), *cells))

    @property
    def narrowest(self) -> int:
        """Width that the column needs at least."""
        if self.least is None:
            return self.natural
        return min(self.natural, max(self.least, len(self.title)))

    def lines(self, row: int) -> list[str]:
        """Return the lines of one cell."""
        below = self.below[row] if self.below else ""
        return [printable(text) for text in (self.cells[row], *([below] if below else []))]


def shorten(text: str, width: int, dots: str) -> str:
    """Return `text` in at most `width` cells, its middle left out where it is longer.

    Examples
    --------
    >>> shorten("mean radius of the cell", 12, "...")
    'mean ...cell'
    """
    from rich.cells import cell_len

    if cell_len(text) <= width:
        return text
    room = max(0, width - cell_len(dots))
    head, tail = "", ""
    for letter in text:
        if cell_len(head + letter) > room - room // 2:
            break
        head += letter
    for letter in reversed(text):
        if cell_len(letter + tail) > room - cell_len(head):
            break
        tail = letter + tail
    return head + dots[: max(0, width)] + tail


def fit(columns: Sequence[Column], width: int) -> list[tuple[Column, int]]:
    """Choose the columns that fit into `width`, and their widths."""
    kept = list(columns)

    def needed(chosen: Sequence[Column]) -> int:
        return sum(column.narrowest for column in chosen) + GAP * (len(chosen) - 1) + MARGIN

    while needed(kept) > width and any(column.need for column in kept):
        kept.remove(min((c for c in kept if c.need), key=lambda column: column.need))
    spare = width - needed(kept)
    widths = []
    for column in kept:
        more = max(0, min(spare, column.natural - column.narrowest))
        spare -= more
        widths.append((column, column.narrowest + more))
    return widths


def print_table(
    console: Console,
    columns: Sequence[Column],
    *,
    apart: Sequence[int] = (),
    styles: Sequence[str] | None = None,
) -> list[str]:
    """Draw a table with a line under its head.

    Parameters
    ----------
    console
        Where to.
    columns
        Its columns, from left to right.
    apart
        Rows that have a line above them.
    styles
        Style of each row.

    Returns
    -------
    list of str
        First lines of the titles of those columns that had no room.
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    plain = plain_characters(console)
    dots = "..." if plain else "\N{HORIZONTAL ELLIPSIS}"
    line = "-" if plain else "\N{BOX DRAWINGS LIGHT HORIZONTAL}"
    empty, rule = "    \n", f" {line * 2} \n"
    ruled = box.Box(empty * 2 + rule + empty + rule + empty * 3, ascii=plain)
    fitted = fit(columns, console.width)
    table = Table(box=ruled, show_edge=False, padding=(0, 1, 0, 0), border_style="quiet")
    for column, width in fitted:
        title = Text(column.title, style="heading")
        justify: Literal["left", "right"] = "right" if column.right else "left"
        table.add_column(title, justify=justify, width=width, no_wrap=True, style=column.style)
    count = len(columns[0].cells) if columns else 0
    for row in range(count):
        if row in apart:
            table.add_section()
        cells = []
        for column, width in fitted:
            lines = (shorten(line, width, dots) for line in column.lines(row))
            cells.append(Text("\n".join(lines)))
        table.add_row(*cells, style=styles[row] if styles else None)
    console.print(table)
    kept = [id(column) for column, _ in fitted]
    return [column.title.partition("\n")[0] for column in columns if id(column) not in kept]


def wider(hidden: Sequence[str]) -> str:
    """Say what a wider terminal would show; nothing where all is shown.

    Examples
    --------
    >>> wider(["gap", "runner-up"])
    ' (A wider terminal shows more columns: gap, runner-up.)'
    """
    names = ", ".join(dict.fromkeys(hidden))
    return f" (A wider terminal shows more columns: {names}.)" if hidden else ""


def print_pairs(console: Console, pairs: Sequence[tuple[str, str]]) -> None:
    """Write names and texts side by side, one pair a line."""
    from rich.text import Text

    width = max(len(printable(name)) for name, _ in pairs)
    for name, text in pairs:
        left = Text(printable(name).ljust(width + GAP), style="name")
        console.print(left.append(printable(text), style="default"), soft_wrap=True)


def print_prose(console: Console, *parts: str | tuple[str, str], indent: int = 0) -> None:
    """Write a paragraph of (text, style) parts, its lines no longer than is good to read."""
    from rich.padding import Padding
    from rich.text import Text

    text = Text()
    for part in parts:
        words, style = (part, "") if isinstance(part, str) else part
        text.append(printable(words), style=style)
    width = min(console.width, PROSE_WIDTH)
    console.print(Padding(text, (0, 0, 0, indent)), width=width)
