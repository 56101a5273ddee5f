"""What goes to stdout, and in which form."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from renyi.errors import OptionError
from renyi_cli._console import is_terminal, printable, say, write_bytes
from renyi_cli._session import Session
from renyi_cli._values import one_of

if TYPE_CHECKING:
    from polars import DataFrame

    from renyi import Note

__all__ = [
    "chosen_format",
    "print_frame",
    "print_lines",
    "print_rows",
    "print_text",
    "tell_notes",
    "tell_written",
]


def chosen_format(text: str | None, json: bool, known: Sequence[str]) -> str:
    """Return the form asked for: ``--format``, ``--json`` for short, else a table.

    Raises
    ------
    OptionError
        If the two contradict each other or the form is not known.
    """
    if text is None:
        return "json" if json else "table"
    found = one_of("--format", text, known, f"Leave --format out for the default ({known[0]}).")
    if json and found != "json":
        raise OptionError(f"--json cannot be joined with --format {text}.", "Give one of them.")
    return found


def print_text(text: str) -> None:
    """Write machine-readable text and a line's end to stdout."""
    _write(f"{text}\n")


def print_lines(lines: Iterable[str]) -> None:
    """Write one text a line to stdout; nothing for none."""
    on_screen = is_terminal(sys.stdout)  # where a name is one line, whatever it holds
    _write("".join(f"{printable(line) if on_screen else line}\n" for line in lines))


def print_frame(frame: DataFrame) -> None:
    """Write a table as CSV with a header to stdout."""
    _write(frame.write_csv())


def print_rows(header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write rows as CSV with a header to stdout."""
    memory = io.StringIO()
    writer = csv.writer(memory, lineterminator="\n")
    writer.writerows([header, *rows])
    _write(memory.getvalue())


def _write(text: str) -> None:
    r"""Write text as it is; on a terminal what it might obey is written out, as ``\u001b``."""
    if is_terminal(sys.stdout) and not text.replace("\n", "").isprintable():
        text = "".join(c if c == "\n" or c.isprintable() else f"\\u{ord(c):04x}" for c in text)
    write_bytes(text.encode())


def tell_notes(notes: Iterable[Note], session: Session) -> None:
    """Write what the reader should know to stderr."""
    if not session.quiet:
        for note in notes:
            say("Warning:", note.message, "yellow")


def tell_written(file: object, session: Session) -> None:
    """Say on stderr which file was written."""
    if not session.quiet:
        say("Wrote", str(file), "bold")
