"""What a section of the page is."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from measuring import Workbench

__all__ = [
    "Case",
    "Figures",
    "Section",
    "bytes_told",
    "factor_told",
    "prose",
    "seconds_told",
    "table",
]

Figures: TypeAlias = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Case:
    """One figure: its name in the store, and how it is measured."""

    name: str
    measure: Callable[[Workbench], dict[str, Any]]


@dataclass(frozen=True)
class Section:
    """One part of the page.

    Attributes
    ----------
    name
        Of its file of figures, and of `--only`.
    cases
        What is measured; smaller where asked whether it is a quick trial.
    page
        The part in Markdown lines, from the figures there are.
    """

    name: str
    cases: Callable[[bool], Sequence[Case]]
    page: Callable[[Figures], list[str]]


def table(head: Sequence[str], rows: Iterable[Sequence[object]], left: int = 1) -> list[str]:
    """Return a Markdown table, its first columns flush left, the others right."""
    lines = ["| " + " | ".join(head) + " |"]
    lines.append("|" + "|".join("---" if k < left else "---:" for k in range(len(head))) + "|")
    for cells in rows:
        told = [str(cell).replace("|", "\\|") for cell in cells]
        lines += ["| " + " | ".join(told) + " |"]
    return lines


def prose(text: str, **values: object) -> list[str]:
    """Return paragraphs, separated by empty lines in `text`, each wrapped and closed by one."""
    lines: list[str] = []
    for paragraph in textwrap.dedent(text).strip().split("\n\n"):
        filled = " ".join(paragraph.split()).format(**values)
        lines += [*textwrap.wrap(filled, 100, break_long_words=False, break_on_hyphens=False), ""]
    return lines


def seconds_told(seconds: float | None) -> str:
    """Return seconds with three figures, minutes and hours where they are many."""
    if seconds is None:
        return ""
    if seconds < 1:
        return f"{seconds:.3f} s"
    if seconds < 600:
        return f"{seconds:.3g} s" if seconds < 100 else f"{seconds:.0f} s"
    return f"{seconds / 60:.3g} min" if seconds < 7200 else f"{seconds / 3600:.3g} h"


def bytes_told(count: float | None) -> str:
    """Return bytes as GiB or MiB."""
    if count is None:
        return ""
    return f"{count / 2**30:.2f} GiB" if count >= 2**30 else f"{count / 2**20:.0f} MiB"


def factor_told(factor: float | None) -> str:
    """Return a factor with two figures, large ones by thousands."""
    if factor is None:
        return ""
    return f"{float(f'{factor:.2g}'):,.10g}x"
