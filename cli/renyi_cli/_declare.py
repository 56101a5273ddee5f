"""How an option is declared, and the panels of a help page."""

from __future__ import annotations

from typing import Any

import typer

from renyi_cli._session import Session
from renyi_cli._words import completed

__all__ = [
    "DATA",
    "METHOD",
    "OTHER",
    "OUTPUT",
    "RUN",
    "STOPPING",
    "option",
    "switch",
    "telling",
]

DATA = "Data"
METHOD = "Method"
STOPPING = "Stopping"
RUN = "Run"
OUTPUT = "Output"
OTHER = "Other"


def option(names: str, panel: str, value: str, text: str, words: str | None = None) -> Any:
    """Declare an option: its names, its panel of the help page, what stands for its value there.

    `words` names the values that a shell completes, see `CHOICES`.
    """
    return typer.Option(
        *names.split(),
        metavar=value,
        help=text,
        rich_help_panel=panel,
        show_default=False,
        autocompletion=completed(words) if words else None,
    )


def switch(names: str, panel: str, text: str, callback: Any = None) -> Any:
    """Declare an option without a value."""
    return typer.Option(
        *names.split(),
        help=text,
        rich_help_panel=panel,
        show_default=False,
        callback=callback,
        is_eager=callback is not None,
    )


def telling(field: str, value: bool) -> Any:
    """Return a callback that tells the run's session about a switch, before anything can fail."""

    def tell(ctx: typer.Context, given: bool) -> bool:
        session = ctx.find_root().obj
        if given and isinstance(session, Session):
            setattr(session, field, value)
        return given

    return tell
