"""A described table as a page for a reader: its columns, what they hold, and why."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from renyi.wording import ROOM_LEFT, ROOM_WORDS, bits, kernel_words
from renyi_cli.pages._heading import draw_heading
from renyi_cli.pages._table import Column, print_prose, print_table, wider

if TYPE_CHECKING:
    from rich.console import Console

    from renyi import ColumnReport, Description

__all__ = ["draw_description"]

MANY: Final = 8
"""Columns of one reason that are named; more are counted."""

MOST_PATTERNS: Final = 6
"""Combinations of columns that lack a value together, of which as many are shown."""


def draw_description(description: Description, console: Console) -> None:
    """Draw the whole page."""
    data = description.data
    entropy = f", entropy {bits(description.target_entropy)} bits"
    draw_heading(console, data, kernel_words(description.options), entropy)
    console.print()
    styles = ["quiet" if column.role == "dropped" else "" for column in description.rows]
    hidden = print_table(console, _columns(description), styles=styles)
    console.print()
    _draw_reasons(description.rows, console)
    _draw_patterns(description.missing_patterns, console)
    _draw_reading(hidden, console)


def _columns(description: Description) -> list[Column]:
    reports = description.rows
    found = {column.name: column for column in description.columns}
    held = [found.get(report.name) for report in reports]
    sigmas = ["-" if r.bandwidth is None else f"{r.bandwidth:.4g}" for r in reports]
    return [
        Column(
            title="column", cells=[r.name for r in reports], least=14, right=False, style="name"
        ),
        Column(title="type", cells=[r.dtype for r in reports], need=4, least=8, right=False),
        Column(title="use", cells=[_use(r) for r in reports], need=11, right=False),
        Column(title="kind", cells=[r.kind or "-" for r in reports], need=12, right=False),
        Column(title="distinct", cells=[_count(r.distinct) for r in reports], need=6),
        Column(title="missing", cells=[_count(r.missing) for r in reports], need=7),
        Column(title="kernel", cells=[r.kernel or "-" for r in reports], need=5, right=False),
        Column(title="sigma", cells=sigmas, need=3),
        Column(title="H", cells=[bits(c.entropy if c else None) for c in held], need=8),
        Column(title="I(x;y)", cells=[bits(c.mi_with_target if c else None) for c in held], need=9),
        Column(title=ROOM_LEFT, cells=[bits(c.saturation if c else None) for c in held], need=2),
    ]


def _use(report: ColumnReport) -> str:
    return "left out" if report.role == "dropped" else report.role


def _count(number: int | None) -> str:
    return "-" if number is None else f"{number:,}"


def _draw_reasons(columns: Sequence[ColumnReport], console: Console) -> None:
    """Say why columns have the use and kind they have, columns of one reason together."""
    reasons: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for report in columns:
        if report.role != "target" and report.reason:
            verdict = report.kind or _use(report)
            reasons[verdict, report.reason].append(report.name)
    for (verdict, reason), names in reasons.items():
        some = ", ".join(names[:MANY])
        if len(names) > MANY:
            some += f" and {len(names) - MANY:,} more"
        print_prose(console, f"{verdict}: ", (some, "name"), (f" ({reason})", "quiet"))


def _draw_patterns(patterns: Sequence[tuple[Sequence[str], int]], console: Console) -> None:
    """Say which columns lack a value together, and in how many rows."""
    for names, rows in patterns[:MOST_PATTERNS]:
        some = ", ".join(names[:MANY])
        if len(names) > MANY:
            some += f" and {len(names) - MANY:,} more"
        lacking = "missing" if names else "nothing missing"
        head = f"{lacking} in {rows:,} row{'s' if rows > 1 else ''}"
        print_prose(console, head, *((": ", (some, "name")) if names else ()))
    if len(patterns) > MOST_PATTERNS:
        rest = sum(rows for _, rows in patterns[MOST_PATTERNS:])
        more = len(patterns) - MOST_PATTERNS
        print_prose(console, f"missing in {rest:,} rows: {more:,} more combinations of columns")


def _draw_reading(hidden: Sequence[str], console: Console) -> None:
    """Say what the columns mean that are shown."""
    said = {
        "H": "a column's entropy",
        "I(x;y)": "what it alone tells of the target",
        ROOM_LEFT: ROOM_WORDS,
    }
    lines = "; ".join(f"{name}: {line}" for name, line in said.items() if name not in hidden)
    print_prose(console, (f"How to read, in bits. {lines}.{wider(hidden)}", "quiet"))
