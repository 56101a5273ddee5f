"""One door to all file formats: names first, then only the columns asked for."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from typing import IO, Final

import pyarrow as pa
import pyarrow.json

from renyi.errors import OptionError, ReadError, Way
from renyi.io.columns._column import Table
from renyi.io.files._arrow import arrow_table, open_arrow
from renyi.io.files._arrow_files import ArrowFiles, reading
from renyi.io.files._contents import check_size, encoding_notes, text_encoding, whole
from renyi.io.files._database import open_database
from renyi.io.files._sources import Source
from renyi.io.files._workbook import open_workbook
from renyi.io.files.text._delimited import DelimitedText
from renyi.io.files.text._untyped import timed_column
from renyi.options import DataOptions

__all__ = ["open_source", "read_ndjson", "refuse_marks", "refuse_part"]

MOST_DEPTH: Final = 100
"""Levels of lists and objects in NDJSON: what reads them calls itself once a level."""
_TOKEN: Final = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)
_JSON_COPIES: Final = 3
"""Bytes that text of objects takes while it becomes columns, in bytes of the text."""
_BLOCK: Final = 1 << 26
"""Bytes parsed at a time; a line must fit in."""


def open_source(source: Source, options: DataOptions | None = None) -> Table:
    """Describe the table in a source; its values are read when asked for.

    Raises
    ------
    OptionError
        If it has no place for one of the options.
    ReadError
        If it is damaged.
    DataError
        If two columns have one name.
    """
    part = None if options is None else options.table
    if source.format != "csv":
        refuse_marks(options, source.name)
    if source.format not in {"workbook", "database"}:
        refuse_part(options, source.name)
    match source.format:
        case "workbook":
            return open_workbook(source, part)
        case "database":
            return open_database(source, part)
        case "csv":
            return DelimitedText(source, options).table()
        case "ndjson":
            return _open_ndjson(source)
        case _:
            files = ArrowFiles(source)
            return open_arrow(source.name, files.schema, files.read)


def refuse_marks(options: DataOptions | None, name: str) -> None:
    """Raise where marks of numbers are given for a table that is no text.

    Raises
    ------
    OptionError
        If one is.
    """
    for option in ("decimal", "thousands"):
        if getattr(options, option, None) is not None:
            raise OptionError(
                f"`{option}` must be left out but for text such as CSV: {name} states its types.",
                "Leave ",
                Way(option),
                " out.",
            )


def refuse_part(options: DataOptions | None, name: str) -> None:
    """Raise where a table is named within what holds only one.

    Raises
    ------
    OptionError
        If one is.
    """
    if options is not None and options.table is not None:
        raise OptionError(
            f"`table` must be left out but for workbooks and databases: {name} is one table.",
            "Leave ",
            Way("table"),
            " out.",
        )


def _open_ndjson(source: Source) -> Table:
    with source.open() as stream:
        notes = encoding_notes(text_encoding(stream, source.name))
    table = arrow_table(source.name, read_ndjson(source))
    return replace(
        table, notes=notes, read=lambda names: [timed_column(c) for c in table.read(names)]
    )


def read_ndjson(source: Source) -> pa.Table:
    """Read a file of one JSON object a line, whole: a line has to be parsed to its end anyway.

    Text stays text: Arrow would read some forms of dates as times, and not others.
    """
    with source.open() as stream:
        encoding = text_encoding(stream, source.name)
        if encoding != "utf-8-sig":
            stream.seek(0)
            text = whole(stream, source.name, source.limit).decode(encoding)
            source = replace(source, content=text.encode(), paths=())
    with source.open() as stream:
        _refuse_deep(stream, source.name)
    table = _parsed(source, None)
    times = [field.name for field in table.schema if pa.types.is_timestamp(field.type)]
    if not times:
        return table
    return _parsed(source, pa.schema([pa.field(name, pa.string()) for name in times])).select(
        table.schema.names
    )


def _refuse_deep(stream: IO[bytes], name: str) -> None:
    """Raise where values are nested so deeply that reading them could end the process."""
    deep = most = 0
    for line in stream:
        deep += line.count(b"[") + line.count(b"{") - line.count(b"]") - line.count(b"}")
        most = max(most, deep, line.count(b"[") + line.count(b"{"))
    if most <= MOST_DEPTH:
        return
    stream.seek(0)  # perhaps brackets in texts
    deep = most = 0
    for token in _TOKEN.finditer(stream.read()):
        mark = token[0]
        deep += (mark in {b"[", b"{"}) - (mark in {b"]", b"}"})
        most = max(most, deep)
    if most > MOST_DEPTH:
        raise ReadError(
            f"`{name}` nests its values {most} deep; more than {MOST_DEPTH} are not read.",
            "Write one flat object a line.",
        )


def _parsed(source: Source, known: pa.Schema | None) -> pa.Table:
    content = source.content
    size = len(content) if content is not None else source.paths[0].stat().st_size
    check_size(source.name, _JSON_COPIES * size, source.limit, pieces=False)
    with reading(source.name):
        try:
            return pa.json.read_json(
                str(source.paths[0]) if content is None else io.BytesIO(content),
                read_options=pa.json.ReadOptions(block_size=_BLOCK),
                parse_options=pa.json.ParseOptions(explicit_schema=known),
            )
        except pa.ArrowInvalid as error:
            if "changed from" in str(error):
                what = _cause(error, source)
                raise ReadError(
                    f"`{source.name}` mixes types in one column: {what}.",
                    "Write one type a column, missing values as null.",
                ) from error
            if str(error).startswith("JSON parse error"):
                what = _cause(error, source)
                raise ReadError(
                    f"`{source.name}` has a line that is no whole JSON object: {what}.",
                    "Mend or remove that line, or write the file again.",
                ) from error
            raise


def _cause(error: Exception, source: Source) -> str:
    """Return Arrow's words, with the row counted from 1 where it counts the whole file's."""
    words = str(error).removeprefix("JSON parse error: ").strip()
    found = re.fullmatch(r"(.*?)\.? in row (\d+)\.?", words, re.DOTALL)
    if found is None:
        return words.rstrip(".")
    what, row = found.groups()
    size = len(source.content) if source.content is not None else source.paths[0].stat().st_size
    return f"{what}, in row {int(row) + 1}" if size < _BLOCK else what
