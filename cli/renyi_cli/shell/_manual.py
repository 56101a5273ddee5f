"""Manual pages of all commands, in roff, from the docstrings and the table of options."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, Final

from renyi_cli._help import options_by_panel, paragraphs
from renyi_cli.shell._owned import Owned, data_folder, owner

__all__ = ["manual_folder", "manual_pages"]

_STATUS: Final = (
    ("0", "Done, also with no column selected."),
    ("1", "The work failed: the data, a file, a missing extra."),
    ("2", "Wrong use: an option, a column."),
    ("130", "Interrupted."),
)


def manual_folder() -> Path:
    """Return the user's folder of manual pages, which `man` searches too."""
    return data_folder() / "man" / "man1"


def manual_pages(ctx: Any, version: str) -> list[Owned]:
    """Return the pages of the program whose context this is, one a command."""
    folder = manual_folder()
    known = list(_commands(ctx.command, "renyi", ctx))
    names = [name.replace(" ", "-") for name, _, _ in known]
    return [
        Owned(folder / f"{own}.1", _page(name, command, of, version, names))
        for own, (name, command, of) in zip(names, known, strict=True)
    ]


def _commands(command: Any, name: str, ctx: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yield each command with its name and a context to ask for its options."""
    yield name, command, ctx
    for word, member in getattr(command, "commands", {}).items():
        if not member.hidden:
            inner = type(ctx)(member, info_name=word, parent=ctx)
            yield from _commands(member, f"{name} {word}", inner)


def _page(name: str, command: Any, ctx: Any, version: str, names: list[str]) -> str:
    own = name.replace(" ", "-")
    (first, _), *rest = paragraphs(command.help or "")
    lines = [
        f'.\\" {owner(version)}',
        f'.TH {_plain(own.upper())} 1 "{date.today()}" "renyi {_plain(version)}" "renyi"',
        ".SH NAME",
        f"{_plain(own)} \\- {_plain(first[0].lower() + first[1:].rstrip('.'))}",
        ".SH SYNOPSIS",
        *_synopsis(name, command, ctx),
        ".SH DESCRIPTION",
        _text(first),
    ]
    for text, examples in rest:
        heading = f".SH {_plain(examples.upper())}" if examples else ".PP"
        body = [".nf", *map(_text, text.splitlines()), ".fi"] if examples else [_text(text)]
        lines += [heading, *body]
    for title, rows in options_by_panel(command, ctx).items():
        lines += [f".SH {_plain(title.upper())}"]
        for row in rows:
            shown = ", ".join(f"\\fB{_plain(each)}\\fR" for each in row.names.split(", "))
            value = f" \\fI{_plain(row.value)}\\fR" if row.value else ""
            lines += [".TP", shown + value, _text(row.text)]
    lines += [".SH EXIT STATUS"]
    for status, text in _STATUS:
        lines += [".TP", status, _text(text)]
    others = [f".BR {_plain(other)} (1)" for other in names if other != own]
    return "\n".join([*lines, ".SH SEE ALSO", ",\n".join(others)]) + "\n"


def _synopsis(name: str, command: Any, ctx: Any) -> list[str]:
    words = [f"\\fB{_plain(name)}\\fR"]
    for param in command.get_params(ctx):
        if param.required:
            value = f"\\fI{_plain(param.metavar or param.name.upper())}\\fR"
            option = param.param_type_name == "option"
            words.append(f"\\fB{_plain(param.opts[0])}\\fR {value}" if option else value)
    group = hasattr(command, "commands")
    words.append("\\fICOMMAND\\fR ..." if group else "[\\fIOPTIONS\\fR]")
    return [" ".join(words)]


def _plain(text: str) -> str:
    """Return text in which roff finds nothing to obey."""
    return text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")


def _text(text: str) -> str:
    """Return a line of running text; a first character that would begin a request is covered."""
    line = _plain(" ".join(text.split()) if not text.startswith(" ") else text)
    return f"\\&{line}" if line[:1] in {".", " "} or not line else line
