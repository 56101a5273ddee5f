"""CSV and TSV: the header and separator are looked at here, the fields are read by Arrow."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final, cast

import polars as pl
import pyarrow as pa
import pyarrow.csv

from renyi.errors import ReadError
from renyi.io._wording import named, plural
from renyi.io.columns._column import Column, Table
from renyi.io.files._arrow_files import reading
from renyi.io.files._contents import encoding_notes, text_encoding
from renyi.io.files._gather import gathered
from renyi.io.files._sources import Source
from renyi.io.files.text._marks import Marks
from renyi.io.files.text._untyped import typed_column
from renyi.options import DataOptions
from renyi.variables import Note

__all__ = ["DelimitedText"]

_SEPARATORS: Final = ",;\t|"
_BLOCK: Final = 1 << 26
"""Bytes parsed at a time; a header or a line must fit in."""
_CHARACTERS: Final = 1 << 20
"""Characters looked at at a time for quotation marks."""


class DelimitedText:
    """A header, and the fields of some of the columns as text.

    Parameters
    ----------
    source
        Of format `csv`.
    options
        How numbers are written, where that is known.

    Raises
    ------
    ReadError
        If it is text of no known encoding, or damaged.
    """

    def __init__(self, source: Source, options: DataOptions | None = None) -> None:
        self._source = source
        with reading(source.name), source.open() as stream:
            self._encoding = text_encoding(stream, source.name)
        self._blank = 0  # lines above the header
        line = self._head()
        self.separator = _separator(line)
        self._marks = Marks.asked(options, self.separator)
        with _decoding(source.name):
            self.names = tuple(self._header())

    def table(self) -> Table:
        """Describe the table; types are found when columns are read."""
        return Table(
            source=self._source.name,
            names=self.names,
            read=self.columns,
            notes=self._notes(),
        )

    def columns(self, names: Sequence[str]) -> list[Column]:
        """Return the named columns with the types that all their values allow."""
        table = self.read(names)
        return [
            typed_column(name, cast(pl.Series, pl.from_arrow(table.column(name))), self._marks)
            for name in names
        ]

    def read(self, names: Sequence[str]) -> pa.Table:
        """Return the fields of the named columns as text, in that order; blank ones are null."""
        return gathered(lambda: self.batches(names), _text_schema(names), self._source, 0)

    def batches(self, names: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield the fields of the named columns as text, some rows at a time."""
        content, several = self._source.content, len(self.names) > 1
        with reading(self._source.name), self._fields():
            try:
                reader = pa.csv.open_csv(
                    str(self._source.paths[0]) if content is None else io.BytesIO(content),
                    read_options=pa.csv.ReadOptions(
                        block_size=_BLOCK,
                        encoding=self._encoding.removesuffix("-sig"),
                        skip_rows=0 if several else self._blank,
                    ),
                    parse_options=pa.csv.ParseOptions(
                        delimiter=self.separator,
                        newlines_in_values=True,
                        ignore_empty_lines=several,  # of one column they are values that lack
                    ),
                    convert_options=pa.csv.ConvertOptions(
                        column_types=dict.fromkeys(names, pa.string()),
                        include_columns=list(names),
                        null_values=[""],
                        strings_can_be_null=True,
                    ),
                )
            except pa.ArrowInvalid as error:
                if "Empty CSV" in str(error):
                    return  # a header and nothing else
                raise
            yield from reader
        self._refuse_open_quote()

    @contextmanager
    def _fields(self) -> Iterator[None]:
        """Say what is wrong with a line without showing its data."""
        name = self._source.name
        try:
            yield
        except pa.ArrowInvalid as error:
            ragged = re.search(r"Expected (\d+) columns, got (\d+)", str(error))
            if ragged:
                expected, got = ragged.groups()
                raise ReadError(
                    f"`{name}` has a line of {plural(int(got), 'field')} below a header of "
                    f"{expected}{self._ragged_line()}.",
                    "Check its separators and quotes.",
                ) from error
            raise

    def _ragged_line(self) -> str:
        """Return where the first record ends that has not as many fields as the header."""
        with self._text() as text:
            records = csv.reader(text, delimiter=self.separator)
            try:
                for record in records:
                    if record and len(record) != len(self.names):
                        return f": line {records.line_num}"
            except (csv.Error, UnicodeDecodeError):
                pass  # the place is a courtesy; the fault is said without it
        return ""

    def _refuse_open_quote(self) -> None:
        """Refuse a quotation mark that is never closed: all rows below it would be one value."""
        with self._text() as text:
            marks = sum(block.count('"') for block in iter(lambda: text.read(_CHARACTERS), ""))
        if marks % 2 == 0:
            return  # the records are gone through only where one may be open
        with self._text() as text:
            records, line = csv.reader(text, delimiter=self.separator, strict=True), 1
            try:
                for _ in records:
                    line = records.line_num + 1
            except csv.Error as error:
                if not re.search("unexpected end|larger than field limit", str(error)):
                    return  # a mark within a field, which Arrow reads as it stands
                raise ReadError(
                    f"`{self._source.name}` has a quotation mark that is not closed, in the "
                    f"record that begins in line {line}.",
                    "Close it there, or write the mark twice within quotes.",
                ) from error

    def _text(self) -> io.TextIOWrapper:
        return io.TextIOWrapper(self._source.open(), encoding=self._encoding, newline="")

    def _head(self) -> str:
        with _decoding(self._source.name), self._text() as text:
            for line in text:
                if line.strip():
                    return line
                self._blank += 1
        return ""

    def _header(self) -> list[str]:
        with self._text() as text:
            records = csv.reader(text, delimiter=self.separator)
            return next((record for record in records if record), [])

    def _notes(self) -> tuple[Note, ...]:
        return (*encoding_notes(self._encoding), *self._header_notes())

    def _header_notes(self) -> tuple[Note, ...]:
        if self.names == tuple(str(number) for number in range(len(self.names))):
            return ()
        numbers = tuple(name for name in self.names if _is_number(name))
        if not numbers or 2 * len(numbers) < len(self.names):
            return ()
        message = (
            f"{len(numbers)} of {plural(len(self.names), 'name')} of columns are numbers "
            f"({named(numbers, 3)}): the first line is taken as the header, and may be data."
        )
        return (Note("header_of_numbers", message, numbers),)


def _text_schema(names: Sequence[str]) -> pa.Schema:
    return pa.schema([pa.field(name, pa.string()) for name in names])


def _separator(line: str) -> str:
    """Return the commonest separator of a header outside quotes; a comma where there is none."""
    bare = "".join(line.split('"')[::2])
    return max(_SEPARATORS, key=bare.count)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


@contextmanager
def _decoding(name: str) -> Iterator[None]:
    try:
        yield
    except UnicodeDecodeError as error:
        raise ReadError(f"`{name}` is not UTF-8 text.", "Save it as UTF-8.") from error
    except csv.Error as error:
        raise ReadError(
            f"The header of `{name}` cannot be read: {error}.",
            "The first line names the columns: look for a quotation mark that is not closed.",
        ) from error
