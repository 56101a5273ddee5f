"""How an option is declared, and how a command takes those of a verb of `renyi`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, TypeAlias

import typer

from renyi.options import Option, option_of, options_of
from renyi_cli._session import Session
from renyi_cli._values import values

__all__ = [
    "DATA",
    "METHOD",
    "OTHER",
    "OUTPUT",
    "Options",
    "option",
    "registered",
    "switch",
    "takes",
    "telling",
]

DATA = "Data"
METHOD = "Method"
OUTPUT = "Output"
OTHER = "Other"

Options: TypeAlias = dict[str, Any]
"""What was given of a verb's options, by the names of its keywords."""


def option(
    names: str,
    panel: str,
    value: str,
    text: str,
    completed: Callable[[str], list[tuple[str, str]]] | None = None,
) -> Any:
    """Declare an option: its names, its panel of the help page, what stands for its value there.

    `completed` returns the values that a shell completes, each with what it is.
    """
    return typer.Option(
        *names.split(),
        metavar=value,
        help=text,
        rich_help_panel=panel,
        show_default=False,
        autocompletion=completed,
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


def registered(name: str, verb: str = "select") -> Any:
    """Declare an option as the table of options has it."""
    return _declared(option_of(name, verb))


def _declared(one: Option) -> Any:
    if one.reads == "switch":
        return switch(one.typed, one.group, one.text)
    completed = one.completed if one.choices else None
    return option(one.typed, one.group, one.metavar, one.text, completed)


def takes(verb: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Let a command take the options of a verb, in the place of its parameter `options`."""
    known = [one for one in options_of(verb) if one.text]

    def declare(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def run(**typed: Any) -> None:
            given = values(known, {one.name: typed.pop(one.name) for one in known})
            command(options=given, **typed)

        taken: list[inspect.Parameter] = []
        for own in inspect.signature(command, eval_str=True).parameters.values():
            taken += [_parameter(one) for one in known] if own.name == "options" else [own]
        named = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in taken]
        run.__signature__ = inspect.Signature(named)  # type: ignore[attr-defined]
        run.__annotations__ = {one.name: one.annotation for one in named}
        return run

    return declare


def _parameter(one: Option) -> inspect.Parameter:
    several = one.reads in {"names", "many", "pairs", "groups", "bandwidths"}
    kind = bool if one.reads == "switch" else list[str] if several else str
    default = inspect.Parameter.empty if one.required else False if kind is bool else None
    typed: Any = kind if one.required or kind is bool else kind | None
    return inspect.Parameter(
        one.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[typed, _declared(one)],
    )


def telling(field: str, value: bool) -> Any:
    """Return a callback that tells the run's session about a switch, before anything can fail."""

    def tell(ctx: typer.Context, given: bool) -> bool:
        session = ctx.find_root().obj
        if given and isinstance(session, Session):
            setattr(session, field, value)
        return given

    return tell
