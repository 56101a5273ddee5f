"""Parquet files and Arrow IPC files: a schema first, then only the columns asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final
from urllib.parse import unquote

import pyarrow as pa
import pyarrow.parquet

from renyi.errors import ReadError
from renyi.io._wording import named
from renyi.io.columns._column import duplicated
from renyi.io.files._arrow import validate_values
from renyi.io.files._gather import column_bytes, gathered
from renyi.io.files._messages import ipc_rows
from renyi.io.files._sources import Source

__all__ = ["ArrowFiles", "reading"]

_BATCH_ROWS: Final = 1 << 17
_NO_VALUE: Final = ("__HIVE_DEFAULT_PARTITION__", "")
"""Names of folders whose rows have no value there."""
_WHOLE: Final = re.compile(r"-?(0|[1-9][0-9]{0,17})")
"""A whole number; with leading zeros it is a name."""


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Turn what a damaged file makes Arrow raise into one sentence."""
    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        words = "" if isinstance(error, UnicodeDecodeError) else str(error).strip()
        reason = words.splitlines()[0].rstrip(".") if words else "damaged"
        raise ReadError(
            f"`{name}` cannot be read: {reason}.", "It may be damaged: copy or write it again."
        ) from error


class ArrowFiles:
    """A schema, and batches of some of the columns.

    Several files are one table, in the order of their paths. Folders named ``key=value`` below the
    root of a directory or glob become columns.

    Parameters
    ----------
    source
        Of format `parquet`, `ipc` or `ipc-stream`.

    Raises
    ------
    ReadError
        If a file is damaged, or the files do not have the same columns.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._folders = _folders(source)
        schemas = [self._part_schema(part) for part in self._parts]
        self._folders = [  # a column in the files themselves wins over a folder
            {key: value for key, value in folders.items() if key not in schemas[0].names}
            for folders in self._folders
        ]
        for part, schema in enumerate(schemas):
            other = sorted(set(schema.names) ^ set(schemas[0].names))
            if other:
                raise ReadError(
                    f"The files of `{source.name}` must have the same columns; {named(other)} is "
                    f"in only one of `{self._label(0)}` and `{self._label(part)}`.",
                    "Read them apart.",
                )
        self.schema = self._united(schemas)

    def schema_of(self, names: Sequence[str]) -> pa.Schema:
        """Return the schema of the named columns, in that order."""
        return pa.schema([self.schema.field(name) for name in names]).with_metadata(
            self.schema.metadata or {}
        )

    def read(self, names: Sequence[str]) -> pa.Table:
        """Return the named columns, in that order; some of the rows where all do not fit."""
        needed = sum(self._part_bytes(part, names) for part in self._parts)
        return gathered(lambda: self.batches(names), self.schema_of(names), self._source, needed)

    def batches(self, names: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield the named columns, in that order, some rows at a time."""
        schema = self.schema_of(names)
        for part in self._parts:
            folders = self._folders[part]
            for batch in self._part_batches(part, [name for name in names if name not in folders]):
                columns = [
                    pa.repeat(pa.scalar(folders[field.name], field.type), batch.num_rows)
                    if field.name in folders
                    else _as_type(batch.column(field.name), field.type)
                    for field in schema
                ]
                yield pa.RecordBatch.from_arrays(columns, schema=schema)

    @property
    def _parts(self) -> range:
        return range(len(self._folders))

    def _label(self, part: int) -> str:
        return str(self._source.paths[part]) if self._source.paths else self._source.name

    def _open(self, part: int) -> pa.NativeFile:
        if self._source.content is not None:
            return pa.BufferReader(self._source.content)
        return pa.OSFile(str(self._source.paths[part]), "r")

    def _part_schema(self, part: int) -> pa.Schema:
        with reading(self._label(part)), self._open(part) as file:
            match self._source.format:
                case "parquet":
                    schema = pa.parquet.read_schema(file)
                case "ipc":
                    schema = pa.ipc.open_file(file).schema
                case _:
                    schema = pa.ipc.open_stream(file).schema
            _ = schema.names, str(schema)  # names that are no UTF-8 raise here, and nowhere else
            return schema

    def _united(self, schemas: list[pa.Schema]) -> pa.Schema:
        schema = schemas[0]
        if duplicated(schema.names):
            return schema  # refused, by name, where the table is described
        if any(other != schema for other in schemas):
            try:
                schema = pa.unify_schemas(schemas, promote_options="permissive")
            except pa.ArrowException as error:
                raise self._types_differ(schemas) from error
        for key in self._folders[0]:
            values = [folders[key] for folders in self._folders]
            schema = schema.append(pa.field(key, pa.array(values).type))
        return schema

    def _types_differ(self, schemas: list[pa.Schema]) -> ReadError:
        """Build the error for files with the same columns of types that cannot be one."""
        for part, schema in enumerate(schemas):
            for field in schemas[0]:
                other = schema.field(field.name)
                try:
                    pa.unify_schemas(
                        [pa.schema([field]), pa.schema([other])], promote_options="permissive"
                    )
                except pa.ArrowException:
                    return ReadError(
                        f"The files of `{self._source.name}` must have the same types; "
                        f"`{field.name}` is {field.type} in `{self._label(0)}` and {other.type} in "
                        f"`{self._label(part)}`.",
                        "Write the column with one type, or read the files apart.",
                    )
        return ReadError(
            f"The files of `{self._source.name}` must have the same types.", "Read them apart."
        )

    def _part_batches(self, part: int, names: list[str]) -> Iterator[pa.RecordBatch]:
        with reading(self._label(part)), self._open(part) as file:
            if self._source.format == "parquet":
                parquet = pa.parquet.ParquetFile(file, page_checksum_verification=True)
                found = parquet.iter_batches(_BATCH_ROWS, columns=names or None)
            else:
                found = _ipc_batches(file, names, stream=self._source.format == "ipc-stream")
            for batch in found:
                # Nothing else may touch what a file holds before this: offsets and indices that
                # point outside of their buffers, and text that is no UTF-8, end the process.
                for values in batch.columns:
                    validate_values(values)
                yield batch

    def _part_bytes(self, part: int, names: Sequence[str]) -> int:
        """Return the bytes that columns of one file will take, by what it says of itself."""
        wanted = set(names)
        types = {field.name: field.type for field in self.schema if field.name in wanted}
        with reading(self._label(part)), self._open(part) as file:
            if self._source.format != "parquet":
                rows = ipc_rows(file, stream=self._source.format == "ipc-stream")
                return sum(column_bytes(rows, kind) for kind in types.values())
            found = pa.parquet.ParquetFile(file).metadata
            stored = _stored(found, [name for name, kind in types.items() if not _is_fixed(kind)])
            return sum(
                column_bytes(found.num_rows, kind, stored.get(name, 0))
                for name, kind in types.items()
            )


def _is_fixed(kind: pa.DataType) -> bool:
    try:
        return kind.bit_width > 0
    except ValueError:
        return False


def _stored(found: pa.parquet.FileMetaData, names: Sequence[str]) -> dict[str, int]:
    """Return the uncompressed bytes of some columns of a Parquet file."""
    places = {found.schema.column(j).path: j for j in range(found.num_columns)} if names else {}
    groups = range(found.num_row_groups)
    return {
        name: sum(found.row_group(i).column(places[name]).total_uncompressed_size for i in groups)
        for name in names
        if name in places
    }


def _ipc_batches(
    file: pa.NativeFile, names: list[str], *, stream: bool
) -> Iterator[pa.RecordBatch]:
    if stream:
        yield from pa.ipc.open_stream(file)
        return
    with pa.ipc.open_file(file) as whole:
        wanted = sorted(whole.schema.get_field_index(name) for name in names)
    file.seek(0)
    with pa.ipc.open_file(file, options=pa.ipc.IpcReadOptions(included_fields=wanted)) as reader:
        for number in range(reader.num_record_batches):
            yield reader.get_batch(number)


def _as_type(values: pa.Array[Any], kind: pa.DataType) -> pa.Array[Any]:
    return values if values.type == kind else values.cast(kind)


def _folders(source: Source) -> list[Mapping[str, Any]]:
    """Return one mapping a file: its `key=value` folders, whole numbers as such."""
    if source.root is None:
        return [{}] * max(1, len(source.paths))
    found: list[dict[str, Any]] = []
    for path in source.paths:
        parts = path.relative_to(source.root).parts[:-1]
        pairs = (part.partition("=") for part in parts)
        found.append({key: _of_folder(value) for key, equals, value in pairs if key and equals})
    if any(set(folders) != set(found[0]) for folders in found):
        raise ReadError(
            f"The files of `{source.name}` must lie below the same `key=value` folders.",
            "Read them apart.",
        )
    for key in found[0]:
        values = [folders[key] for folders in found if folders[key] is not None]
        if values and all(_WHOLE.fullmatch(value) for value in values):
            for folders in found:
                folders[key] = None if folders[key] is None else int(folders[key])
    return list(found)


def _of_folder(text: str) -> str | None:
    """Return the value that a folder's name stands for; what it cannot hold is written as %2F."""
    return None if text in _NO_VALUE else unquote(text)
