"""A report of results that are at hand."""

from __future__ import annotations

import glob
import html
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from renyi.api._session import located_file, read_again
from renyi.errors import ColumnError, RenyiError
from renyi.evaluation import ScoreComparison
from renyi.io import TABLE_SUFFIXES, check_output, result_bytes, written_whole
from renyi.options import DataOptions
from renyi.selection import SelectionPath
from renyi.variables import DataReport, Dataset, Note
from renyi.webpage import Answer, Drawn, page, pictures
from renyi.webpage import fate_order as order_of

__all__ = ["REPORT_SUFFIXES", "Report", "made_report"]

REPORT_SUFFIXES = (".html", ".htm")

NOWHERE = "standard input"
"""What the source is called of a table that cannot be read twice."""


@dataclass(frozen=True)
class Report:
    """A page that shows results, as text that needs nothing else.

    Attributes
    ----------
    html
        The whole file.
    notes
        What the reader should know beside the page, such as why it has no pictures.
    """

    html: str
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        """Write how large it is; a notebook shows the page itself."""
        return f"Report({len(self.html.encode()):,} bytes of HTML)"

    def save(self, file: str | os.PathLike[str], *, force: bool = False) -> Path:
        """Write the page.

        Raises
        ------
        OptionError
            If its suffix is not .html.
        OutputError
            If it cannot be written there; nothing is half-written.
        """
        place = check_output(file, force=force, suffixes=REPORT_SUFFIXES)
        with written_whole(place) as part:
            part.write_bytes(self.html.encode())
        return place

    def _repr_html_(self) -> str:
        """Show the page in a notebook, in a frame of its own: its styles stay inside."""
        page = html.escape(self.html)
        return f'<iframe srcdoc="{page}" title="Report" width="100%" height="700"></iframe>'


def made_report(
    answers: Sequence[Answer],
    names: Sequence[str],
    file: str | os.PathLike[str] | None = None,
    *,
    data: object = None,
    y: object = None,
    weights: object = None,
    no_data: bool = False,
    force: bool = False,
) -> Report:
    """Return the page of results, and write it if asked; see `renyi.report`."""
    if file is not None:  # before any work
        source = data if isinstance(data, str | os.PathLike) else None
        check_output(file, force=force, suffixes=REPORT_SUFFIXES, source=source)
    drawn, notes = [], []
    for answer, name in zip(answers, names, strict=True):
        content, of_file = _content(answer), _names_file(answer.data.source)
        if no_data:
            drawn.append(Drawn(content=content, of_file=of_file))
            continue
        found = _rows_of(answer.data, _asked(answer), data, y, weights)
        if isinstance(found, str):
            why_not = f"There are no pictures of the columns: {found}"
            drawn.append(Drawn(content=content, of_file=of_file, why_not=why_not))
            beside = f" of {name}" if len(answers) > 1 else ""
            notes.append(Note("no_pictures", f"The page{beside} has no pictures: {found}"))
        else:
            made_of = pictures(found, *order_of(answer))
            drawn.append(Drawn(content=content, of_file=of_file, pictures=made_of))
    made = Report(page(answers, drawn, names), tuple(notes))
    if file is not None:
        made.save(file, force=force)
    return made


def _content(answer: Answer) -> bytes:
    """Return a result as its file holds it."""
    if isinstance(answer, SelectionPath):
        return result_bytes(answer)
    return f"{answer.to_json()}\n".encode()


def _asked(answer: Answer) -> DataOptions:
    """Return what of the table was asked for."""
    one = answer.comparisons[0] if isinstance(answer, ScoreComparison) else answer
    return one.data_options


def _rows_of(
    report: DataReport, options: DataOptions, data: object, y: object, weights: object
) -> Dataset | str:
    """Return the rows that a result is of, or why they cannot be had, in a sentence.

    Raises
    ------
    RenyiError
        If data that were given cannot be read.
    """
    source = report.source if data is None else data
    if data is None and not _is_there(report.source):
        if report.source == NOWHERE:
            return "the table came from standard input; give it as a file."
        return f"the table `{report.source}` is not at hand."
    try:
        loaded = read_again(report, options, source, y, weights)
    except ColumnError as error:  # another table
        return f"the table is not that of the result. {error.message}"
    except RenyiError as error:
        if data is not None:
            raise
        return f"the table cannot be read as it was. {error.message}"
    if loaded.report.fingerprint != report.fingerprint:
        what = f"`{report.source}`" if data is None else "the data given"
        return f"the content of {what} is not that of the result (its fingerprint differs)."
    return loaded.dataset


def _is_there(source: str) -> bool:
    """Whether a table of that name can be opened: a file, several, or a known set.

    Nothing else is opened for a name that a result holds, neither an address nor a device.
    """
    if source == NOWHERE:
        return False
    try:
        found = located_file(source)
        text = os.path.expanduser(os.fspath(found))  # noqa: PTH111 - as everywhere
        there = [text] if os.path.exists(text) else glob.glob(text, recursive=True)  # noqa: PTH110, PTH207
        return any(os.path.isfile(one) or os.path.isdir(one) for one in there)  # noqa: PTH112, PTH113
    except (RenyiError, OSError, ValueError):
        return False


def _names_file(source: str) -> bool:
    """Whether a source reads as a file or a known set, not as the type of an object."""
    if "/" in source or "\\" in source or _is_there(source):
        return True
    name = source.lower()
    return any(name.endswith((suffix, *_packed(suffix))) for suffix in TABLE_SUFFIXES)


def _packed(suffix: str) -> tuple[str, str]:
    return f"{suffix}.gz", f"{suffix}.zst"
