"""Arrow columns and tables, with what polars would drop: level order, ordered flags, metadata."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final, cast

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute

from renyi.errors import DataError, ReadError
from renyi.io.columns._column import Column, Family, Table, column_from_polars
from renyi.io.columns._levels import level_names

__all__ = [
    "TARGET_KEY",
    "arrow_table",
    "column_from_arrow",
    "given_column",
    "open_arrow",
    "validate_values",
    "without_runs",
]

TARGET_KEY: Final = b"renyi.target"
"""Key of the schema metadata that names a table's target."""
_POLARS_ENUM: Final = b"_PL_ENUM_VALUES"
"""How polars marks an Enum, which it also flags as ordered."""
_PARTS: Final = np.dtype([("months", "<i4"), ("days", "<i4"), ("nanoseconds", "<i8")])
"""How Arrow keeps an interval of calendar time."""
_DAYS_A_MONTH: Final = 30
"""As databases compare intervals."""
_NUMBERS: Final = (pa.float64(), pa.float32(), pa.int64(), pa.int32())
_MANY: Final = 100
"""Columns from which on it is worth it."""
_UNREADABLE: Final = frozenset({Family.NESTED, Family.BINARY})


@lru_cache(maxsize=64)
def arrow_family(kind: pa.DataType) -> Family:
    """Sort an Arrow type into its family."""
    kind = _storage(kind)
    types = pa.types
    if isinstance(kind, pa.DictionaryType):
        inner = arrow_family(kind.value_type)
        return inner if inner in _UNREADABLE | {Family.NULL} else Family.CATEGORY
    tests: tuple[tuple[Family, Callable[[pa.DataType], bool]], ...] = (
        (Family.TIME, types.is_interval),
        (Family.NESTED, types.is_nested),
        (Family.INTEGER, types.is_integer),
        (Family.FLOAT, types.is_floating),
        (Family.DECIMAL, types.is_decimal),
        (Family.BOOLEAN, types.is_boolean),
        (Family.NULL, types.is_null),
        (Family.TIME, types.is_temporal),
        (Family.TEXT, lambda t: "string" in str(t)),
    )
    return next((family for family, test in tests if test(kind)), Family.BINARY)


def arrow_word(field: pa.Field[Any]) -> str:
    """Return an Arrow type in words: a dictionary by its values and whether it is ordered."""
    kind = _storage(field.type)
    if not isinstance(kind, pa.DictionaryType):
        return str(kind)
    ordered = ", ordered" if _is_ordered(field) else ""
    return f"dictionary of {kind.value_type}{ordered}"


def column_from_arrow(field: pa.Field[Any], values: pa.ChunkedArray[Any]) -> Column:
    """Describe an Arrow column; a dictionary keeps its levels and its order."""
    try:
        return _column(field, values)
    except (pa.ArrowException, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        # A time zone that nobody knows, a type that has no cast. A panic is no `Exception`.
        reason = str(error).strip().splitlines()[0].rstrip(".")
        way = "Leave the column out, or make numbers or text of it."
        raise DataError(f"Column `{field.name}` cannot be taken over: {reason}.", way) from error


def _column(field: pa.Field[Any], values: pa.ChunkedArray[Any]) -> Column:
    name, word, family = field.name, arrow_word(field), arrow_family(field.type)
    values = _plain(values)
    if family in _UNREADABLE | {Family.NULL}:
        return Column(name, pl.Series(name, [None] * len(values), dtype=pl.Null), family, word)
    if not isinstance(values.type, pa.DictionaryType):
        return replace(column_from_polars(name, _series(name, values)), family=family, dtype=word)
    series = column_from_polars(name, _series(name, _decoded(values))).values
    return Column(name, series, family, word, _levels(values), _is_ordered(field))


def _plain_columns(table: pa.Table) -> dict[str, Column]:
    """Take over the columns of plain numbers all at once: one by one each costs as much as all."""
    places = [place for place, field in enumerate(table.schema) if field.type in _NUMBERS]
    if len(places) < _MANY:
        return {}
    frame = cast(pl.DataFrame, pl.from_arrow(table.select(places)))
    return {
        one.name: replace(column_from_polars(one.name, one), dtype=str(table.schema.field(k).type))
        for k, one in zip(places, frame.get_columns(), strict=True)
    }


def open_arrow(source: str, schema: pa.Schema, read: Callable[[Sequence[str]], pa.Table]) -> Table:
    """Describe a table by its Arrow schema; `read` brings the named columns."""
    categorical, index = _pandas_columns(schema.metadata)

    def columns(names: Sequence[str]) -> list[Column]:
        table = read(names)
        out, known = [], _plain_columns(table)
        for name in names:
            column = known.get(name) or column_from_arrow(schema.field(name), table.column(name))
            if name in categorical and column.family is not Family.CATEGORY:
                # Arrow files keep dictionaries of text only; pandas' own metadata knows the rest.
                column = replace(column, family=Family.CATEGORY, ordered=categorical[name])
            out.append(column)
        return out

    target = (schema.metadata or {}).get(TARGET_KEY)
    return Table(
        source=source,
        names=tuple(schema.names),
        read=columns,
        dtypes={field.name: arrow_word(field) for field in schema},
        families={field.name: arrow_family(field.type) for field in schema},
        declared_target=None if target is None else target.decode(errors="replace"),
        index=tuple(name for name in index if name in schema.names),
    )


def arrow_table(source: str, table: pa.Table) -> Table:
    """Describe an Arrow table in memory."""

    def read(names: Sequence[str]) -> pa.Table:
        found = table.select(list(names))
        for name in names:
            _validate_given(name, found.column(name))
        return found

    return open_arrow(source, table.schema, read)


def given_column(name: str, values: pa.ChunkedArray[Any]) -> Column:
    """Describe one Arrow column that somebody gave."""
    _validate_given(name, values)
    return column_from_arrow(pa.field(name, values.type), values)


def validate_values(values: pa.Array[Any] | pa.ChunkedArray[Any]) -> None:
    """Look at every offset, index and letter of Arrow data before other code trusts them.

    Raises
    ------
    pyarrow.ArrowInvalid
        If one of them cannot be.
    """
    # A date64 that is no whole number of days is harmless: it is cut to its day.
    values.validate(full=not pa.types.is_date64(values.type))


def _validate_given(name: str, values: pa.ChunkedArray[Any]) -> None:
    try:
        validate_values(values)
    except pa.ArrowException as error:
        reason = str(error).strip().splitlines()[0].rstrip(".")
        way = "Make the table again, by a library of another version."
        raise DataError(f"Column `{name}` is no valid Arrow data: {reason}.", way) from error


def _storage(kind: pa.DataType) -> pa.DataType:
    """Return the type of the values themselves: of an extension, of runs of equal values."""
    if isinstance(kind, pa.BaseExtensionType):
        return _storage(kind.storage_type)
    return _storage(kind.value_type) if isinstance(kind, pa.RunEndEncodedType) else kind


def _is_ordered(field: pa.Field[Any]) -> bool:
    """Whether a dictionary's order means something; polars flags every Enum, so not for those."""
    kind = _storage(field.type)
    is_enum = any(mark.startswith(_POLARS_ENUM) for mark in field.metadata or {})
    return isinstance(kind, pa.DictionaryType) and kind.ordered and not is_enum


def _levels(values: pa.ChunkedArray[Any]) -> tuple[str, ...]:
    """Return the names of a dictionary's entries in the dictionary's order."""
    if values.num_chunks == 0:
        return ()
    first: Any = values.unify_dictionaries().chunk(0)
    codes, names = level_names(_series("", _plain(pa.chunked_array([first.dictionary]))))
    return tuple(dict.fromkeys(names[code] for code in codes.tolist() if code >= 0))


def _plain(values: pa.ChunkedArray[Any]) -> pa.ChunkedArray[Any]:
    """Return the values in a type that polars takes over without loss of meaning."""
    kind = values.type
    if isinstance(kind, pa.BaseExtensionType):
        return _plain(values.cast(kind.storage_type))
    if isinstance(kind, pa.RunEndEncodedType):
        runs: list[Any] = values.chunks
        return _plain(pa.chunked_array([without_runs(c) for c in runs], kind.value_type))
    if pa.types.is_interval(kind):
        return pa.chunked_array([_seconds(chunk) for chunk in values.chunks], pa.float64())
    if pa.types.is_decimal256(kind):
        return values.cast(pa.string()).cast(pa.float64())  # by itself it is not the nearest
    readable: tuple[tuple[Callable[[pa.DataType], bool], pa.DataType], ...] = (
        (pa.types.is_date64, pa.date32()),
        (pa.types.is_float16, pa.float32()),
        (pa.types.is_string_view, pa.large_string()),
    )
    for test, plain in readable:
        if test(kind):
            return values.cast(plain)
    return values


def _seconds(intervals: Any) -> pa.Array[Any]:
    """Return intervals of months, days and nanoseconds in seconds."""
    _, buffer = intervals.buffers()
    if buffer is None:
        return pa.nulls(len(intervals), pa.float64())
    parts = np.frombuffer(buffer, _PARTS)[intervals.offset :][: len(intervals)]
    days = parts["months"] * np.int64(_DAYS_A_MONTH) + parts["days"]
    whole, broken = np.divmod(parts["nanoseconds"], 10**9)
    lacking = intervals.is_null().to_numpy(zero_copy_only=False)
    seconds: pa.Array[Any] = pa.array(days * 86_400 + whole + broken / 10**9, mask=lacking)
    return seconds


def without_runs(values: pa.RunEndEncodedArray[Any, Any]) -> pa.Array[Any]:
    """Return runs of equal values as one value a row, whatever the values are."""
    ends: Any = values.run_ends
    kept: Any = values.values
    runs: Any = pa.RunEndEncodedArray.from_arrays(ends, pa.array(range(len(ends)), pa.float64()))
    places = pa.compute.call_function(
        "run_end_decode", [runs.slice(values.offset, len(values))]
    ).cast(pa.int64())
    return cast("pa.Array[Any]", kept.take(places))


def _decoded(values: pa.ChunkedArray[Any]) -> pa.ChunkedArray[Any]:
    """Return the values that the codes of a dictionary stand for."""
    chunks: list[Any] = values.chunks
    kind = _plain(pa.chunked_array([], values.type.value_type)).type
    return pa.chunked_array(
        [_plain(pa.chunked_array([c.dictionary])).combine_chunks().take(c.indices) for c in chunks],
        kind,
    )


def _series(name: str, values: pa.ChunkedArray[Any]) -> pl.Series:
    return cast(pl.Series, pl.from_arrow(values)).rename(name)


def _pandas_columns(
    metadata: Mapping[bytes, bytes] | None,
) -> tuple[dict[str, bool], list[str]]:
    """Return what pandas' metadata says of columns.

    Returns
    -------
    categories, index
        The categorical columns and whether they are ordered, and the columns of the index; an
        index that only counts is no column.
    """
    try:
        found = json.loads((metadata or {}).get(b"pandas", b"{}"))
        categories = {
            column["field_name"]: bool((column.get("metadata") or {}).get("ordered"))
            for column in found.get("columns", [])
            if column.get("pandas_type") == "categorical"
        }
        index = [name for name in found.get("index_columns", []) if isinstance(name, str)]
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError) as error:
        way = "Write the file again, or as CSV."
        raise ReadError("The table's pandas metadata cannot be understood.", way) from error
    return categories, index
