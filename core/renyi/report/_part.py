"""One result of a page: everything that its template writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Final

from renyi.report._commands import Chosen, chosen, python_call, said, terminal_call
from renyi.report._download import Download, download_of
from renyi.report._facts import facts, headline, in_plain_words
from renyi.report._fates import Fate, fates
from renyi.report._pictures import Pictures
from renyi.report._steps import Panel, panels
from renyi.report._table import StepsTable, steps_table
from renyi.selection import SelectionPath
from renyi.wording import counted, method_words, widens

__all__ = ["Drawn", "PathPart", "part_of"]


@dataclass(frozen=True, slots=True)
class Drawn:
    """The pictures of a result's columns, or why there are none; neither where none were asked.

    Attributes
    ----------
    pictures
        None where there are none.
    why_not
        In a sentence.
    content
        The bytes of the result as a file, for those who want it out of the page.
    """

    content: bytes
    pictures: Pictures | None = None
    why_not: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PathPart:
    """What the page shows of a selection; fields are what its template names."""

    template: str
    id: str
    level: int
    path: SelectionPath
    source: str
    rows: str
    headline: str
    reason: str
    facts: list[tuple[str, list[str]]]
    method: str
    panels: list[Panel]
    steps: StepsTable
    reading: str
    fates: list[Fate]
    fate_words: list[str]
    columns_words: str
    pictures: dict[str, Any] | None
    no_pictures: str
    repeats: None
    options: list[Chosen]
    terminal: str
    python: str
    repeat_note: str
    run: list[tuple[str, str]]
    download: Download
    download_note: str


def part_of(path: SelectionPath, drawn: Drawn, name: str, *, level: int) -> PathPart:
    """Return what a page shows of a selection."""
    data = path.data
    rows = f"{data.rows_used:,} rows"
    if data.rows_used != data.rows:
        rows += f" of {data.rows:,}"
    told = fates(path)
    options = said(path.data_options, path.options)
    in_file = _is_file(path)
    if path.sensitivity is not None:
        options["sensitivity"] = True
    if path.stability is not None:
        options["stability"] = path.stability.asked
    return PathPart(
        template="path.html.j2",
        id=name,
        level=level,
        path=path,
        source=data.source,
        rows=f"{rows}, {counted(data.features, 'candidate')}",
        headline=headline(path),
        reason=in_plain_words(path),
        facts=facts(path),
        method=method_words(path),
        panels=panels(path, name) if path.steps else [],
        steps=steps_table(path),
        reading=_reading(path),
        fates=told,
        fate_words=_filters(told),
        columns_words=COLUMNS_WORDS,
        pictures=None if drawn.pictures is None else _pictures(drawn.pictures),
        no_pictures=drawn.why_not,
        repeats=None,
        options=chosen(path.data_options, path.options),
        terminal=terminal_call(data.source, options) if in_file else "",
        python=python_call(data.source if in_file else None, options),
        repeat_note=_repeat_note(path),
        run=list(_run(path)),
        download=download_of(drawn.content, "result"),
        download_note=f"{len(drawn.content) / 1000:,.0f} kB; renyi plot and apply read it.",
    )


def _is_file(path: SelectionPath) -> bool:
    """Whether the source names a file, not the type of an object or standard input."""
    source = path.data.source
    return source != "standard input" and bool(PurePath(source).suffix or "/" in source)


READING: Final = {
    "MI": "MI is what the columns so far tell of the target together, bits",
    "by chance": "by chance, what they would tell of a shuffled target",
    "CMI": "CMI, what the columns left out could still add",
    "gain": "gain, what this column added",
    "chance": "chance, what it would add if it were shuffled",
    "z": "z, by how many standard deviations the gain is above that",
    "draws": "draws h/L: a shuffled column did as well in h of L draws (none: plain without)",
    "saturation": "saturation, the room left: near 0 MI says nothing",
    "gap": "gap, how far the runner-up was behind",
}


def _reading(path: SelectionPath) -> str:
    there = {head.title.partition(" (")[0] for head in steps_table(path).heads}
    words = "; ".join(line for name, line in READING.items() if name in there)
    if widens(path):
        words += "; MI may fall where kernels are widened, and gain compares at one width"
    return f"{words}."


def _filters(told: list[Fate]) -> list[str]:
    """Return the beginnings of words by which the list can be filtered."""
    first = {
        "selected": "selected",
        "alias": "the same as",
        "redundant": "redundant",
        "weak": "not enough to add",
        "not_reached": "not reached",
        "uninformative": "no better than chance",
        "dropped": "left out",
    }
    there = {fate.code for fate in told}
    return [words for code, words in first.items() if code in there]


COLUMNS_WORDS: Final = (
    "Alone: what a column that is not selected tells of the target by itself. Adds: what it "
    "would add to the selected ones; for those, what it added when it entered. Both in bits. "
    "p: of the test whether a column alone tells anything, adjusted for how many there are."
)


def _pictures(found: Pictures) -> dict[str, Any]:
    """Return the pictures with the words that explain them."""
    if found.of_numbers:
        words = (
            f"Each picture: {found.target} (upwards) along the column. The line is its median, the "
            "shade its middle half, within parts of the column of equally many rows, or within its "
            "levels."
        )
    else:
        words = (
            f"Each picture: numbers as the outline of a histogram in each class of {found.target}, "
            "all of one area; levels as bars as wide as they are frequent, cut by the shares of "
            "the classes."
        )
    words += " Behind a line at the right: rows where the column has no value."
    if found.every > 1:
        words += f" Pictures are of every {found.every}th row."
    lacking = found.missed
    if lacking:
        words += f" For {lacking:,} columns there is no room for a picture."
    return {"drawn": found.drawn, "legend": found.legend, "words": words}


def _repeat_note(path: SelectionPath) -> str:
    notes = []
    if path.data_options.start:
        notes.append(
            "It went on from another result: `start` stands for the columns that it had selected "
            f"({', '.join(path.data_options.start[:5])}); give that result's file in its place."
        )
    return " ".join(notes)


def _run(path: SelectionPath) -> Iterator[tuple[str, str]]:
    """Yield what was read and how the work was done, each with its name in words."""
    data = path.data
    yield "source", data.source
    yield "fingerprint", data.fingerprint
    yield "rows read, used", f"{data.rows:,}, {data.rows_used:,}"
    yield "seed", str(path.seed)
    run = {k: v for k, v in path.run.items() if k not in {"steps", "seconds_by_step"}}
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
