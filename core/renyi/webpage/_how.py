"""How a result came to be: options, the command to have it again, versions, the result itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from markupsafe import Markup

from renyi.evaluation import Comparison
from renyi.options import FIELDS
from renyi.selection import SelectionPath
from renyi.webpage._commands import Chosen, chosen, python_call, said, terminal_call
from renyi.webpage._download import Download, download_of
from renyi.webpage.drawing._pictures import Pictures
from renyi.webpage.drawing._svg import lines_of

__all__ = ["Drawn", "How", "how_of", "run_of"]

UNSHOWN: Final = frozenset({"steps", "seconds_by_step", "digest"})
"""Of a run: what is of single steps, and of the file."""

One: TypeAlias = "SelectionPath | Comparison"


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """What goes with a result: its file, and the pictures of its columns or why there are none.

    Attributes
    ----------
    content
        The bytes of the result as a file.
    of_file
        Whether its source names a file, which a command can open.
    pictures
        None where there are none.
    why_not
        Why, in a sentence; empty where none were asked for.
    """

    content: bytes
    of_file: bool
    pictures: Pictures | None = None
    why_not: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class How:
    """Fields are what the template names."""

    level: int
    options: list[Chosen]
    terminal: Markup
    python: Markup
    note: str
    run: list[tuple[str, str]]
    download: Download
    size: str


def how_of(found: One, drawn: Drawn, level: int, more: Mapping[str, Any] | None = None) -> How:
    """Return how a result came to be; `more` are options that only some results have."""
    verb = "compare" if isinstance(found, Comparison) else "select"
    options = said(found.data_options, found.options, verb) | dict(more or {})
    source = found.data.source
    return How(
        level=level,
        options=[*chosen(found.data_options, found.options, verb), *_more(more or {})],
        terminal=lines_of(terminal_call(source, options, verb) if drawn.of_file else ""),
        python=lines_of(python_call(source if drawn.of_file else None, options, verb)),
        note=_note(found),
        run=list(run_of(found)),
        download=download_of(drawn.content, "result"),
        size=f"{max(1, round(len(drawn.content) / 1000)):,} kB",
    )


def _more(more: Mapping[str, Any]) -> Iterator[Chosen]:
    for name, value in more.items():
        yield Chosen(name, str(value), "off" if value is True else _default(name), changed=True)


def _default(name: str) -> str:
    known = FIELDS.get(name)
    if known is None:
        return ""
    return known.unsaid if known.default is None else str(known.default)


def _note(found: One) -> str:
    start = found.data_options.start
    if not start:
        return ""
    named = ", ".join(start[:5]) + (" ..." if len(start) > 5 else "")
    return (
        f"It went on from another result, which had selected {named}: give that result's file "
        "where `start` stands."
    )


def run_of(found: One) -> Iterator[tuple[str, str]]:
    """Yield what was read and how the work was done, each with its name in words."""
    data = found.data
    yield "source", data.source
    yield "fingerprint", data.fingerprint
    yield "rows read", f"{data.rows:,}"
    yield "rows used", f"{data.rows_used:,}"
    yield "seed", str(found.options.seed)
    run = {k: v for k, v in found.run.items() if k not in UNSHOWN}
    yield from _flat(run)


def _flat(record: Mapping[str, Any], within: str = "") -> Iterator[tuple[str, str]]:
    for key, value in record.items():
        name = f"{within} {key.replace('_', ' ')}".strip()
        if isinstance(value, Mapping):
            yield from _flat(value, name)
        elif isinstance(value, list | tuple):
            yield name, ", ".join(map(str, value))
        else:
            yield name, "-" if value is None else str(value)
