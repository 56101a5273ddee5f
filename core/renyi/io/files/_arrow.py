"""Arrow columns and tables, with what polars would drop: level order, ordered flags, metadata."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast

import polars as pl
import pyarrow as pa

from renyi.errors import DataError, ReadError
from renyi.io._columns import Column, Family, Table, column_from_polars
from renyi.io._levels import level_names

__all__ = ["TARGET_KEY", "arrow_table", "column_from_arrow", "open_arrow"]

TARGET_KEY: Final = b"renyi.target"
"""Key of the schema metadata that names a table's target."""
_POLARS_ENUM: Final = b"_PL_ENUM_VALUES"
"""How polars marks an Enum, which it also flags as ordered."""
_UNREADABLE: Final = frozenset({Family.NESTED, Family.BINARY})


def arrow_family(kind: pa.DataType) -> Family:
    """Sort an Arrow type into its family."""
    kind = _storage(kind)
    types = pa.types
    if isinstance(kind, pa.DictionaryType):
        inner = arrow_family(kind.value_type)
        return inner if inner in _UNREADABLE | {Family.NULL} else Family.CATEGORY
    tests: tuple[tuple[Family, Callable[[pa.DataType], bool]], ...] = (
        (Family.NESTED, lambda t: types.is_nested(t) or types.is_interval(t)),
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
    name, word, family = field.name, arrow_word(field), arrow_family(field.type)
    values = _plain(values)
    if family in _UNREADABLE:
        nothing = pl.Series(name, [None] * len(values), dtype=pl.Null)
        return Column(name, nothing, family, word)
    if not isinstance(values.type, pa.DictionaryType):
        return replace(column_from_polars(name, _series(name, values)), family=family, dtype=word)
    decoded = _plain(values.cast(values.type.value_type))
    series = column_from_polars(name, _series(name, decoded)).values
    return Column(name, series, family, word, _levels(values), _is_ordered(field))


def open_arrow(source: str, schema: pa.Schema, read: Callable[[Sequence[str]], pa.Table]) -> Table:
    """Describe a table by its Arrow schema; `read` brings the named columns."""
    categorical = _pandas_categories(schema.metadata)

    def columns(names: Sequence[str]) -> list[Column]:
        table = read(names)
        out = []
        for name in names:
            column = column_from_arrow(schema.field(name), table.column(name))
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
    )


def arrow_table(source: str, table: pa.Table) -> Table:
    """Describe an Arrow table in memory."""
    return open_arrow(source, table.schema, lambda names: table.select(list(names)))


def _storage(kind: pa.DataType) -> pa.DataType:
    return kind.storage_type if isinstance(kind, pa.BaseExtensionType) else kind


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
    if isinstance(values.type, pa.BaseExtensionType):
        values = values.cast(values.type.storage_type)
    if pa.types.is_decimal256(values.type):
        return values.cast(pa.float64())
    if pa.types.is_date64(values.type):
        return values.cast(pa.date32())
    if pa.types.is_float16(values.type):
        return values.cast(pa.float32())
    return values


def _series(name: str, values: pa.ChunkedArray[Any]) -> pl.Series:
    try:
        return cast(pl.Series, pl.from_arrow(values)).rename(name)
    except pl.exceptions.ComputeError as error:  # a time zone that nobody knows, for one
        reason = str(error).strip().splitlines()[0].rstrip(".")
        raise DataError(f"Column `{name}` cannot be taken over: {reason}.") from error


def _pandas_categories(metadata: Mapping[bytes, bytes] | None) -> dict[str, bool]:
    """Return the columns that pandas' metadata calls categorical, and whether they are ordered."""
    try:
        columns = json.loads((metadata or {}).get(b"pandas", b"{}")).get("columns", [])
        return {
            column["field_name"]: bool((column.get("metadata") or {}).get("ordered"))
            for column in columns
            if column.get("pandas_type") == "categorical"
        }
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise ReadError("The table's pandas metadata cannot be understood.") from error
