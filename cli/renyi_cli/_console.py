"""Text on its way to stdout and stderr.

Pages are drawn into memory first and written in one go: so nothing of a result is written when
drawing it fails, and a closed pipe or a full disk shows up in one place.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from renyi.errors import OutputError

if TYPE_CHECKING:
    from rich.console import Console

__all__ = [
    "ClosedPipe",
    "draw",
    "forget_stdout",
    "is_terminal",
    "plain_characters",
    "printable",
    "say",
    "write_bytes",
    "write_page",
    "write_text",
]

PROSE_WIDTH = 88
"""Sentences are not set wider than this: longer lines are hard to read."""

UNLIMITED = 10_000
"""Width of a page that is not drawn on a terminal, so that tables lose no column."""


class ClosedPipe(Exception):  # noqa: N818 - an event, not an error
    """Whoever read stdout has seen enough."""


class _Page(io.StringIO):
    """Memory that is drawn on as if it were `stream`."""

    def __init__(self, stream: TextIO | None) -> None:
        super().__init__()
        self._stream = stream

    @property
    def encoding(self) -> str:  # type: ignore[override]  # typeshed has it as a variable
        return getattr(self._stream, "encoding", None) or "utf-8"

    def isatty(self) -> bool:
        return is_terminal(self._stream)


def is_terminal(stream: TextIO | None) -> bool:
    """Whether `stream` is a terminal; a closed or missing one is not."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False


def plain_characters(console: Console) -> bool:
    """Whether lines and dots should be drawn in ASCII."""
    return console.options.ascii_only or os.environ.get("TERM", "") == "dumb"


def printable(text: str) -> str:
    r"""Return `text` on one line with everything a terminal might obey written out.

    Examples
    --------
    >>> printable("a\tb\x1b[31m")
    'a\\tb\\x1b[31m'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def draw(stream: TextIO | None, page: Callable[[Console], None]) -> str:
    """Return what `page` draws, in the width, colours and characters that `stream` can show."""
    from rich.console import Console
    from rich.theme import Theme

    wide = not is_terminal(stream) and not os.environ.get("COLUMNS", "").isdigit()
    memory = _Page(stream)
    drawn_on = partial(
        Console,
        file=memory,
        width=UNLIMITED if wide else None,
        theme=Theme({"quiet": "dim", "heading": "bold", "name": "cyan"}),
        highlight=False,
        markup=False,
        emoji=False,
    )
    console = drawn_on()
    if console.legacy_windows:  # colours there are no part of the text: what is drawn has none
        console = drawn_on(color_system=None)
    page(console)
    return "".join(f"{line.rstrip()}\n" for line in memory.getvalue().splitlines())


def write_page(page: Callable[[Console], None]) -> None:
    """Draw a page for a reader and write it to stdout."""
    write_text(draw(sys.stdout, page))


def write_text(text: str) -> None:
    """Write drawn text to stdout; letters its encoding lacks are written out."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    write_bytes(text.encode(encoding, errors="backslashreplace"))


def write_bytes(content: bytes) -> None:
    """Write a result to stdout, as it is: what a machine reads is UTF-8 whatever the locale.

    Raises
    ------
    ClosedPipe
        If nobody reads stdout any more.
    OutputError
        If stdout cannot be written.
    """
    if sys.stdout is None:  # closed by the caller: nobody wants the result here
        return
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    except OSError as error:
        forget_stdout()
        if isinstance(error, BrokenPipeError) or _is_closed_pipe_of_windows(error):
            raise ClosedPipe from None
        raise OutputError(
            f"The result cannot be written to stdout: {error.strerror}.",
            "Free some space, or send it elsewhere.",
        ) from error


def _is_closed_pipe_of_windows(error: OSError) -> bool:
    """Whether nobody reads a pipe any more: Windows calls that an invalid argument."""
    return sys.platform == "win32" and error.errno == errno.EINVAL


def forget_stdout() -> None:
    """Point stdout at nothing, so that the interpreter does not fail again when it flushes."""
    with Path(os.devnull).open("wb") as nothing:
        try:
            os.dup2(nothing.fileno(), sys.stdout.fileno())
        except (OSError, ValueError):  # stdout is not a file
            return


def say(word: str, text: str, style: str = "", hint: str = "") -> None:
    """Write one line to stderr, and a second one for the hint.

    Lines are not wrapped: they can be searched and copied.
    """
    from rich.text import Text

    def lines(console: Console) -> None:
        line = Text.assemble((word, style), " " if word and text else "", printable(text))
        console.print(line, soft_wrap=True)
        if hint:
            console.print(Text("Hint: ", style="quiet").append(printable(hint)), soft_wrap=True)

    drawn = draw(sys.stderr, lines)
    try:
        sys.stderr.write(drawn)
        sys.stderr.flush()
    except (AttributeError, OSError, ValueError):  # stderr is closed: there is nobody to tell
        return
