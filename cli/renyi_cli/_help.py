"""Help pages: usage, the command in a sentence, examples, then the options in panels.

The pages are drawn here, not by typer, for two reasons: all panels of a page share one left
column, and text stands as it is written in the docstring, so that examples keep their lines.
"""

from __future__ import annotations

import sys
import textwrap
from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from typer.core import TyperCommand, TyperGroup

from renyi_cli._console import draw, plain_characters, write_text

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["Command", "Group", "Row", "options_by_panel", "paragraphs"]

LEFT: Final = 26
"""Most columns for an option's names and value; the text of longer ones starts a line below."""

WIDEST: Final = 100


def _show(ctx: Any, _: Any, asked: bool) -> None:
    """Write the help page where --help asks for it; a full disk is told as for any page."""
    if asked and not ctx.resilient_parsing:
        write_text(f"{ctx.get_help()}\n")
        ctx.exit()


class Command(TyperCommand):
    """A command whose help page is drawn here."""

    def get_help_option(self, ctx: Any) -> Any:
        """Return the option --help."""
        option: Any = super().get_help_option(ctx)
        option.callback = _show
        return option

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take the words of the command line; an error says of which command they were."""
        try:
            return super().parse_args(ctx, args)
        except Exception as error:
            if getattr(error, "ctx", ctx) is None:
                error.ctx = ctx  # type: ignore[attr-defined]
            raise

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help page, as stdout can show it, to the formatter."""
        formatter.write(_page(self, ctx))


class Group(TyperGroup):
    """A group of commands whose help page is drawn here."""

    def get_help_option(self, ctx: Any) -> Any:
        """Return the option --help."""
        option: Any = super().get_help_option(ctx)
        option.callback = _show
        return option

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help page, as stdout can show it, to the formatter."""
        formatter.write(_page(self, ctx))


class Row(NamedTuple):
    """What stands for one option or command on a page: its names, its value, what it does."""

    names: str
    value: str
    text: str

    @property
    def left(self) -> str:
        return f"{self.names} {self.value}".rstrip()


def _page(command: Any, ctx: Any) -> str:
    ctx.color = True  # what stdout cannot show is not in the page: nothing has to be taken out
    return draw(sys.stdout, lambda console: _draw_page(command, ctx, console))


def _draw_page(command: Any, ctx: Any, console: Console) -> None:
    from rich.text import Text

    width = min(console.width, WIDEST)
    console.print(Text.assemble(("Usage: ", "heading"), _usage(command, ctx)), width=width)
    for text, title in paragraphs(command.help or ""):
        console.print()
        if title:
            console.print(Text(f"{title}:", style="heading"))
            console.print(Text(textwrap.indent(text, "  "), style="name"), soft_wrap=True)
        else:
            console.print(textwrap.fill(text, width - 1))
    console.print()
    panels = options_by_panel(command, ctx)
    longest = max(len(row.left) for rows in panels.values() for row in rows)
    left = min(LEFT, longest + 2)
    for title, rows in panels.items():
        _draw_panel(title, rows, left, width, console)


def paragraphs(text: str) -> Iterator[tuple[str, str]]:
    """Yield each paragraph of a docstring, with its title where it is a section.

    The lines of a section stay as they are; those of other paragraphs are joined.
    """
    for paragraph in text.strip().split("\n\n"):
        first, *rest = paragraph.splitlines()
        if rest and set(rest[0]) == {"-"}:
            yield "\n".join(rest[1:]), first
        else:
            yield paragraph.replace("\n", " "), ""


def _usage(command: Any, ctx: Any) -> str:
    """Return the command with what it cannot do without."""
    words = [ctx.command_path]
    for param in command.get_params(ctx):
        if param.required:
            row = _row(param)
            words.append(f"{row.names.split(', ')[0]} {row.value}".rstrip())
    words.append("COMMAND ..." if isinstance(command, TyperGroup) else "[OPTIONS]")
    return " ".join(words)


def options_by_panel(command: Any, ctx: Any) -> dict[str, list[Row]]:
    """Return everything a command takes, by panel."""
    panels: defaultdict[str, list[Row]] = defaultdict(list)
    if isinstance(command, TyperGroup):
        for name in command.list_commands(ctx):
            known = command.get_command(ctx, name)
            if known is not None and not known.hidden:
                first = (known.help or "").strip().partition("\n\n")[0].replace("\n", " ")
                panels["Commands"].append(Row(name, "", first))
    for param in command.get_params(ctx):
        if not getattr(param, "hidden", False):
            title = getattr(param, "rich_help_panel", None) or "Other"
            panels[title].append(_row(param))
    return panels


def _row(param: Any) -> Row:
    value = param.metavar or param.name.upper()
    if param.param_type_name == "argument":
        return Row(value, "", param.help or "")
    names = ", ".join(sorted(param.opts, key=len))
    return Row(names, "" if param.is_flag else value, param.help or "")


def _draw_panel(title: str, rows: list[Row], left: int, width: int, console: Console) -> None:
    from rich import box
    from rich.panel import Panel
    from rich.text import Text

    body = Text()
    for row in rows:
        lines = textwrap.wrap(row.text, max(20, width - left - 4))
        if len(row.left) >= left:
            lines.insert(0, "")
        body.append(row.names, style="name").append(row.left.removeprefix(row.names))
        body.append(" " * (left - len(row.left)) + ("\n" + " " * left).join(lines) + "\n")
    body.rstrip()
    panel = Panel(
        body,
        title=Text(title, style="heading"),
        title_align="left",
        border_style="quiet",
        box=box.ASCII if plain_characters(console) else box.ROUNDED,
        width=width,
    )
    console.print(panel)
