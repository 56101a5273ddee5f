"""Some columns of a file into another file, some rows at a time, types untouched."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from io import BufferedWriter
from pathlib import Path
from typing import Any, Final, TypeAlias, cast

import polars as pl
import pyarrow as pa
import pyarrow.parquet

from renyi.errors import ColumnError, OutputError, Way
from renyi.io._frames import NamedTable
from renyi.io._pool import check_pool
from renyi.io._roles import unknown_column
from renyi.io.files._arrow import TARGET_KEY, arrow_table, open_arrow, without_runs
from renyi.io.files._arrow_files import ArrowFiles
from renyi.io.files._formats import open_source, read_ndjson
from renyi.io.files._output import check_output, written_whole
from renyi.io.files._sniff import SUFFIXES
from renyi.io.files._sources import locate_source
from renyi.io.files.text._delimited import DelimitedText
from renyi.options import DataOptions

__all__ = ["APPLY_SUFFIXES", "apply_selection", "read_selection", "write_batches"]

APPLY_SUFFIXES: Final = tuple(
    suffix
    for suffix, form in SUFFIXES.items()
    if form not in {"ipc-stream", "workbook", "database"}
)
"""Suffixes that `apply_selection` writes."""
Batches: TypeAlias = "Iterable[pa.RecordBatch]"


def apply_selection(
    columns: Sequence[str],
    source: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    force: bool = False,
    targets: Sequence[str] = (),
    options: DataOptions | None = None,
) -> Path:
    """Write the named columns of a file, in that order, to another.

    Parquet and Arrow types go through untouched, dictionaries and their order included, as do the
    fields of CSV into CSV. CSV into a typed format gets the types that `load` finds.

    Parameters
    ----------
    columns
        What to keep, in order.
    source
        A file, glob or directory, as in `load`.
    output
        Its suffix says the format: Parquet, Arrow IPC, CSV, TSV or NDJSON.
    force
        Whether a file that is there may be replaced.
    targets
        Columns to keep after those.
    options
        How numbers are written in text that goes into a typed format.

    Returns
    -------
    Path
        Where it is.

    Raises
    ------
    ColumnError
        If a column is not in the source.
    ReadError
        If the source cannot be read.
    OptionError
        If the output has an unknown suffix, or is a file of the source.
    OutputError
        If the output cannot be written; nothing is left half-written.
    """
    place = check_output(output, force=force, suffixes=APPLY_SUFFIXES, source=source)
    names = list(dict.fromkeys([*columns, *targets]))
    to = SUFFIXES[place.suffix.lower()]
    schema, batches = _selected(source, names, to, targets, options)
    if not targets and schema.metadata:
        kept = {key: value for key, value in schema.metadata.items() if key != TARGET_KEY}
        schema = schema.with_metadata(kept)
    write_batches(schema, batches, place)
    return place


def read_selection(
    columns: Sequence[str],
    source: str | os.PathLike[str] | NamedTable,
    options: DataOptions | None = None,
) -> pa.Table:
    """Return the named columns of a file or a table, in that order, with their types untouched.

    Parameters
    ----------
    columns
        What to read, in order.
    source
        A file, glob or directory, as in `load`, or an Arrow table.
    options
        How numbers are written in text.

    Raises
    ------
    ColumnError
        If a column is not in the source.
    ReadError
        If the source cannot be read.
    """
    names = list(columns)
    if isinstance(source, NamedTable):
        _check(names, arrow_table(source.source, source.table).names)
        found: pa.Table = source.table.select(names)
        return found
    schema, batches = _selected(source, names, to="ipc", options=options)
    return pa.Table.from_batches(batches, schema)


def write_batches(schema: pa.Schema, batches: Batches, place: Path) -> None:
    """Write batches to a place that `check_output` returned, in the format of its suffix."""
    check_pool()
    suffix = place.suffix.lower()
    if SUFFIXES[suffix] != "ipc":
        schema, batches = _spelt_out(schema, batches)
    with written_whole(place) as part, part.open("wb") as file:
        match SUFFIXES[suffix]:
            case "parquet":
                _write_parquet(schema, batches, file)
            case "csv":
                _write_text(schema, batches, file, "\t" if suffix == ".tsv" else ",")
            case "ndjson":
                _write_text(schema, batches, file, None)
            case _:
                _write_ipc(schema, batches, file)


def _selected(
    source: str | os.PathLike[str],
    names: list[str],
    to: str,
    targets: Sequence[str] = (),
    options: DataOptions | None = None,
) -> tuple[pa.Schema, Iterator[pa.RecordBatch]]:
    """Return the schema and the batches of the columns."""
    found = locate_source(source)
    if found.format == "ndjson":
        table = read_ndjson(found)
        _check(names, arrow_table(found.name, table).names, targets)
        table = table.select(names)
        return table.schema, iter(table.to_batches())
    if found.format == "csv":
        text = DelimitedText(found, options)
        _check(names, text.table().names, targets)
        if to == "csv":
            return pa.schema([pa.field(name, pa.string()) for name in names]), text.batches(names)
        typed = pl.DataFrame([column.values for column in text.columns(names)]).to_arrow()
        return typed.schema, iter(typed.to_batches())
    if found.format in {"workbook", "database"}:
        opened = open_source(found, options)
        _check(names, opened.names, targets)
        typed = pl.DataFrame([column.values for column in opened.read(names)]).to_arrow()
        return typed.schema, iter(typed.to_batches())
    files = ArrowFiles(found)
    _check(names, open_arrow(found.name, files.schema, files.read).names, targets)
    return files.schema_of(names), files.batches(names)


def _check(names: Sequence[str], known: Sequence[str], targets: Sequence[str] = ()) -> None:
    for name in names:
        if name not in known:
            hint = unknown_column("columns", name, known).hint
            if name in targets:
                raise ColumnError(
                    f"The data must have the target `{name}`, which goes along.",
                    "New rows without it: ",
                    Way("target", False),
                    f". {hint}",
                )
            raise ColumnError(f"The data must have every selected column, not so `{name}`.", hint)


def _spelt_out(schema: pa.Schema, batches: Batches) -> tuple[pa.Schema, Batches]:
    """Return runs of equal values one by one, for formats that know no runs."""
    runs = [place for place, f in enumerate(schema) if isinstance(f.type, pa.RunEndEncodedType)]
    if not runs:
        return schema, batches
    plain = schema
    for place in runs:
        field: Any = schema.field(place)
        plain = plain.set(place, field.with_type(field.type.value_type))

    def columns(batch: pa.RecordBatch) -> list[Any]:
        found: list[Any] = batch.columns
        return [without_runs(c) if place in runs else c for place, c in enumerate(found)]

    return plain, (pa.RecordBatch.from_arrays(columns(b), schema=plain) for b in batches)


def _write_parquet(schema: pa.Schema, batches: Batches, file: BufferedWriter) -> None:
    with pa.parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        for batch in batches:
            writer.write_batch(batch.replace_schema_metadata(schema.metadata))


def _write_ipc(schema: pa.Schema, batches: Batches, file: BufferedWriter) -> None:
    if any(isinstance(field.type, pa.DictionaryType) for field in schema):
        # The file format has room for one dictionary a column.
        table = pa.Table.from_batches(batches).unify_dictionaries()
        batches = table.replace_schema_metadata(schema.metadata).to_batches()
    with pa.ipc.new_file(pa.PythonFile(file, "w"), schema) as writer:
        for batch in batches:
            writer.write_batch(batch.replace_schema_metadata(schema.metadata))


def _write_text(
    schema: pa.Schema,
    batches: Batches,
    file: BufferedWriter,
    separator: str | None,
) -> None:
    """Write CSV with a header, or NDJSON where there is no separator."""
    empty = cast(pl.DataFrame, pl.from_arrow(schema.empty_table()))
    try:
        if separator is not None:
            empty.write_csv(file, separator=separator)
        for batch in batches:
            frame = cast(pl.DataFrame, pl.from_arrow(batch))
            if separator is None:
                frame.write_ndjson(file)
            else:
                frame.write_csv(file, separator=separator, include_header=False)
    except pl.exceptions.ComputeError as error:
        reason = str(error).strip().splitlines()[0].rstrip(".")
        raise OutputError(
            f"The columns cannot be written as text: {reason}.", "Write Parquet."
        ) from error
