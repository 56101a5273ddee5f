"""Sheets of workbooks, Excel's and OpenDocument's: the extra `sheets` reads them."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import polars as pl
import pyarrow as pa

from renyi.errors import MissingExtraError, ReadError
from renyi.io.columns._column import Column, Family, Table
from renyi.io.files._arrow import column_from_arrow
from renyi.io.files._contents import check_size, chosen_part, whole
from renyi.io.files._sources import Source
from renyi.io.files.text._untyped import typed_column

__all__ = ["open_workbook"]

_COPIES = 3
"""Bytes that a sheet takes while it is read, in bytes of its text."""
_UNNAMED = "__UNNAMED__0"
"""What the reader calls a first column without a name."""


def open_workbook(source: Source, part: str | None) -> Table:
    """Describe a sheet; its first row is the header.

    Parameters
    ----------
    source
        Of format `workbook`.
    part
        The name of the sheet, None for the only one.

    Raises
    ------
    ReadError
        If the workbook is damaged.
    OptionError
        If there are several sheets and none is named, or it has no such sheet.
    MissingExtraError
        If the extra `sheets` is not installed.
    """
    try:
        import fastexcel
    except ImportError as error:
        raise MissingExtraError.for_extra("sheets", "Reading a workbook") from error
    with source.open() as stream:
        content = whole(stream, source.name, source.limit)
    _check_archive(source, content)
    with _reading(source.name):
        book = fastexcel.read_excel(content)
        names = list(book.sheet_names)
    sheet = chosen_part(source.name, part, names, "sheet")
    with _reading(source.name):
        found = book.load_sheet(sheet, schema_sample_rows=None).to_arrow()
    table = pa.Table.from_batches([found])
    table = table.rename_columns(["" if name == _UNNAMED else name for name in table.column_names])

    def read(wanted: Sequence[str]) -> list[Column]:
        return [_column(table.schema.field(name), table.column(name)) for name in wanted]

    return Table(source=source.name, names=tuple(table.column_names), read=read)


def _column(field: pa.Field[Any], values: pa.ChunkedArray[Any]) -> Column:
    """Return a column: of a workbook whole numbers are not told apart, and text may be anything."""
    column = column_from_arrow(field, values)
    if column.family is Family.TEXT:
        return typed_column(field.name, column.values.cast(pl.String))
    if column.family is Family.FLOAT:
        numbers = column.values.drop_nulls()
        if len(numbers) and (numbers == numbers.floor()).all() and (numbers.abs() < 2**53).all():
            whole_numbers = pa.chunked_array([column.values.cast(pl.Int64).to_arrow()])
            return column_from_arrow(pa.field(field.name, pa.int64()), whole_numbers)
    return column


def _check_archive(source: Source, content: bytes) -> None:
    """Unpack a workbook once, within the memory it may take, before native code does."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
            check_size(source.name, _COPIES * size, source.limit, pieces=False)
            damaged = archive.testzip()
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, OSError) as error:
        raise ReadError(f"`{source.name}` is not a whole workbook.", "Save it again.") from error
    if damaged is not None:
        raise ReadError(f"`{source.name}` is not a whole workbook.", "Save it again.")


@contextmanager
def _reading(name: str) -> Iterator[None]:
    try:
        yield
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:  # a panic of the reader is no `Exception`
        reason = str(error).strip().splitlines()[0].rstrip(".") if str(error).strip() else "damaged"
        raise ReadError(
            f"`{name}` cannot be read: {reason}.", "Save it again, or as CSV."
        ) from error
