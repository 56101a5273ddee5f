"""``renyi datasets``: tables to try things on."""

from __future__ import annotations

import typer

from renyi_cli._console import write_bytes
from renyi_cli._help import Command, Group

__all__ = ["datasets"]

datasets = typer.Typer(
    name="datasets", cls=Group, pretty_exceptions_enable=False, rich_markup_mode=None
)


@datasets.callback(invoke_without_command=True)
def sets(ctx: typer.Context) -> None:
    """List, fetch and generate tables to try things on.

    Examples
    --------
      renyi datasets list
      renyi datasets fetch heart
      renyi datasets generate waveform --rows 5000 -o waveform.parquet
    """
    if ctx.invoked_subcommand is None:
        write_bytes(ctx.get_help().encode())


@datasets.command("list", cls=Command)
def list_sets() -> None:
    """Show the public sets that are known by name and which of them are at hand."""
