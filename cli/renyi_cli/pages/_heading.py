"""What a page is of: the table, its target, the kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from renyi.wording import counted
from renyi_cli.pages._table import print_prose

if TYPE_CHECKING:
    from rich.console import Console

    from renyi import DataReport

__all__ = ["draw_heading"]


def draw_heading(console: Console, data: DataReport, choices: str, of_target: str = "") -> None:
    """Write the source with its size, the target with the reason for it, and the choices made."""
    rows = f"{data.rows_used:,} rows"
    if data.rows_used != data.rows:
        rows += f" of {data.rows:,}"
    rows += "".join(f" weighed by {one.name}" for one in data.columns if one.role == "weights")
    print_prose(console, (data.source, "heading"), f": {rows}, {counted(data.features, 'feature')}")
    print_prose(console, "Target ", (data.target, "name"), f" ({data.target_reason}){of_target}")
    if data.together is not None:
        print_prose(console, f"Rows belong together: {data.together.reason}")
    print_prose(console, (choices, "quiet"))
