"""Which columns selected features stand for, and why the others are not selected."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from renyi.wording import UNSELECTED, counted, probability
from renyi_cli.pages._table import print_prose

if TYPE_CHECKING:
    from rich.console import Console

    from renyi import SelectionPath
    from renyi.selection import Unselected

__all__ = ["draw_aliases", "draw_groups", "draw_unselected"]

MOST_NAMES: Final = 8
"""Columns named for one reason; the result has them all."""


def draw_groups(path: SelectionPath, console: Console) -> None:
    """Name the columns of each group that was selected, a line each."""
    for group in path.data.group_columns:
        if group.name in path.selected:
            number = counted(len(group.columns), "column")
            print_prose(console, (group.name, "name"), f" is {number}: {_few([*group.columns])}.")


def draw_aliases(path: SelectionPath, console: Console) -> None:
    """Name the columns that a selected one stands for, a line each."""
    for name, others in path.aliases.items():
        print_prose(console, (name, "name"), f" stands for {_few([*others])}, the same column.")


def draw_unselected(path: SelectionPath, console: Console) -> None:
    """Draw a paragraph a reason with the columns that it is the reason for."""
    by_code: dict[str, list[str]] = {}
    for why in path.unselected:
        by_code.setdefault(why.code, []).append(_said(why))
    for code, title in UNSELECTED.items():
        if code in by_code:
            print_prose(console, (f"Not selected, {title}: ", "quiet"), _few(by_code[code]))


def _said(why: Unselected) -> str:
    if why.code == "redundant":
        given = ", ".join(why.given) if len(why.given) <= 2 else "the selected ones together"
        return f"{why.feature} (given {given})"
    if why.code == "alias":
        return f"{why.feature} ({why.given[0]})"
    if why.code == "uninformative":
        return f"{why.feature} (p {probability(why.p_value)})"
    return f"{why.feature} (adds {why.adds})" if why.adds else why.feature


def _few(words: list[str]) -> str:
    more = len(words) - MOST_NAMES
    shown = ", ".join(words[:MOST_NAMES])
    return f"{shown} and {more} more" if more > 0 else shown
