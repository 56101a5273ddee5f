"""Tables in memory: polars, pandas, Arrow, anything narwhals knows, mappings and arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pyarrow as pa

from renyi.errors import DataError, ReadError, UsageError
from renyi.io._pool import check_pool
from renyi.io._wording import plural
from renyi.io.columns._column import Column, Family, Table, column_from_polars, polars_family
from renyi.io.files._arrow import arrow_table, given_column

__all__ = ["NamedColumn", "NamedTable", "column_of", "open_frame", "type_name"]

_KNOWN: Final = "Give a file's path, a data frame, a mapping of columns, or an array and `y`."


@dataclass(frozen=True, eq=False)
class NamedTable:
    """An Arrow table, or for `load` a mapping of columns, that is another thing to who gave it.

    Attributes
    ----------
    source
        What to call it.
    table
        Its columns.
    """

    source: str
    table: Any


@dataclass(frozen=True, eq=False)
class NamedColumn:
    """An Arrow array with the name of its column.

    Attributes
    ----------
    name, values
        The name and the values.
    """

    name: str
    values: pa.Array[Any]


def open_frame(data: object) -> Table:
    """Describe a table in memory.

    Raises
    ------
    UsageError
        If it is no table.
    DataError
        If it cannot be taken over: names that are not different, columns of mixed types or of
        different lengths.
    """
    check_pool()
    source = type_name(data)
    if isinstance(data, NamedTable):
        source, data = data.source, data.table
    data = nw.to_native(data, pass_through=True)
    if isinstance(data, (pl.DataFrame, pl.LazyFrame)):
        return _polars(source, data.lazy())
    if nw.dependencies.is_pandas_dataframe(data):
        return _pandas(source, data)
    if isinstance(data, Mapping):
        return _mapping(source, data)
    if isinstance(data, np.ndarray):
        fields = data.dtype.names
        return _matrix(source, data) if fields is None else _structured(source, data, fields)
    return _foreign(source, data)


def type_name(data: object) -> str:
    """Return a type as its package and name, such as `polars.DataFrame`."""
    kind = type(data)
    package = kind.__module__.partition(".")[0].lstrip("_")
    return kind.__qualname__ if package == "builtins" else f"{package}.{kind.__qualname__}"


def column_of(name: str, values: object) -> Column:
    """Take over one column of any kind."""
    if isinstance(values, NamedColumn):
        return column_of(name, values.values)
    values = nw.to_native(values, pass_through=True)
    if isinstance(values, pl.Series):
        return column_from_polars(name, values.rename(name))
    if isinstance(values, np.ma.MaskedArray):
        return _unmasked(name, values)
    if isinstance(values, np.ndarray) and values.dtype.kind in "biufM" and values.ndim == 1:
        return column_from_polars(name, pl.Series(name, np.ascontiguousarray(values)))
    if getattr(getattr(values, "dtype", None), "kind", "") == "c":
        raise DataError(
            f"Column `{name}` holds complex numbers, which are not supported.",
            "Give the real and the imaginary part as two columns.",
        )
    try:
        array = _one_dimension(name, values)
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(
            f"Column `{name}` mixes types or holds what is no value: "
            f"{str(error).strip().splitlines()[0].rstrip('.')}.",
            "Give it one type, missing values as null.",
        ) from error
    chunked = array if isinstance(array, pa.ChunkedArray) else pa.chunked_array([array])
    return given_column(name, chunked)


def _one_dimension(name: str, values: Any) -> Any:
    """Return an Arrow array, in chunks or not."""
    if isinstance(values, (pa.Array, pa.ChunkedArray)):
        return values
    values = _worded_categories(_without_pandas_types(values))
    if nw.dependencies.is_pandas_series(values) or hasattr(values, "categories"):
        return pa.array(values, from_pandas=True)
    if hasattr(values, "__arrow_c_stream__"):
        return pa.chunked_array(values)
    if not isinstance(values, (list, tuple)):
        values = np.asarray(values)
        if values.ndim == 2 and values.shape[1] == 1:
            values = values[:, 0]
        if values.ndim != 1:
            raise DataError(
                f"Column `{name}` must have one dimension, got {plural(values.ndim, 'dimension')}.",
                "Make a column of each part of it.",
            )
        values = values.tolist() if values.dtype.kind in "OUS" else values
    return pa.array(values, from_pandas=True)


def _unmasked(name: str, values: np.ma.MaskedArray[Any, Any]) -> Column:
    """Take over an array of which the masked values are missing."""
    column = column_of(name, np.asarray(values.data))
    mask = pl.Series(np.ma.getmaskarray(values).reshape(-1))
    frame = pl.DataFrame({"values": column.values, "mask": mask})
    kept = pl.when(~pl.col("mask")).then(pl.col("values")).alias(name)
    return replace(column, values=frame.select(kept)[name])


def _without_pandas_types(values: Any) -> Any:
    """Return a pandas series whose type Arrow has no word for in one that it has."""
    if not nw.dependencies.is_pandas_series(values):
        return values
    kind = str(values.dtype)
    if kind.startswith("Sparse"):
        return values.sparse.to_dense()
    return values.astype("category").cat.as_ordered() if kind.startswith("interval") else values


def _worded_categories(values: Any) -> Any:
    """Return pandas' categories of intervals, as its `cut` makes them, with text as categories."""
    categorical = getattr(values, "cat", values)
    categories: Any = getattr(categorical, "categories", None)
    if str(getattr(categories, "dtype", "")).startswith("interval"):
        return categorical.rename_categories([str(category) for category in categories])
    return values


def _polars(source: str, frame: pl.LazyFrame) -> Table:
    with _collecting(source):
        schema = frame.collect_schema()

    def read(names: Sequence[str]) -> list[Column]:
        with _collecting(source):
            found = frame.select(list(names)).collect()
        return [column_from_polars(name, found[name]) for name in names]

    return Table(
        source=source,
        names=tuple(schema.names()),
        read=read,
        dtypes={
            name: "Enum" if isinstance(dtype, pl.Enum) else str(dtype)
            for name, dtype in schema.items()
        },
        families={name: polars_family(dtype) for name, dtype in schema.items()},
    )


@contextmanager
def _collecting(source: str, besides: tuple[type[Exception], ...] = ()) -> Iterator[None]:
    """Turn what a query raises, of whatever library, into one sentence, besides some errors."""
    try:
        yield
    except besides:
        raise
    except Exception as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")
        way = "Collect it yourself, and give the table that comes out."
        raise ReadError(f"The {source} cannot be collected: {reason}.", way) from error


def _foreign(source: str, data: Any) -> Table:
    """Take over what another library made: a query by narwhals, so that it is one still."""
    if isinstance(data, pa.Table):
        return arrow_table(source, data)
    with _collecting(source):
        frame: Any = nw.from_native(data, pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        return _narwhals(source, frame)
    if hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__"):
        return _arrow(source, data)
    if isinstance(frame, nw.DataFrame):
        return _narwhals(source, frame)
    return _array_like(source, data)


def _arrow(source: str, data: Any) -> Table:
    """Take over what has the Arrow PyCapsule interface."""
    try:
        with _collecting(source, besides=(pa.ArrowException, TypeError, ValueError)):
            table = pa.table(data)
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise UsageError(f"`data` must be a table, got a {source}.", _KNOWN) from error
    return arrow_table(source, table)


def _pandas(source: str, frame: Any) -> Table:
    names = tuple(str(label) for label in frame.columns)
    place = {name: number for number, name in enumerate(names)}
    return Table(
        source=source,
        names=names,
        read=lambda asked: [column_of(name, frame.iloc[:, place[name]]) for name in asked],
        dtypes={name: str(dtype) for name, dtype in zip(names, frame.dtypes, strict=True)},
    )


def _mapping(source: str, data: Mapping[Any, Any]) -> Table:
    columns = {str(name): values for name, values in data.items()}
    return Table(
        source=source,
        names=tuple(str(name) for name in data),
        read=lambda asked: _same_length([column_of(name, columns[name]) for name in asked]),
    )


def _structured(source: str, data: np.ndarray[Any, Any], fields: Sequence[str]) -> Table:
    """Take over an array whose type names its fields: a table of one row an element."""
    return _mapping(source, {name: data.reshape(-1)[name] for name in fields})


def _records(source: str, data: Sequence[Mapping[Any, Any]]) -> Table:
    """Take over one mapping a row; what a row does not have is missing."""
    names = dict.fromkeys(name for row in data for name in row)
    return _mapping(source, {name: [row.get(name) for row in data] for name in names})


def _same_length(columns: list[Column]) -> list[Column]:
    lengths = {column.name: len(column.values) for column in columns}
    if len(set(lengths.values())) > 1:
        (first, most), *rest = lengths.items()
        other, count = next((name, length) for name, length in rest if length != most)
        raise DataError(
            f"Columns must have the same length: `{first}` has {plural(most, 'row')}, "
            f"`{other}` has {count}.",
            "Value k of each column belongs to row k.",
        )
    return columns


def _matrix(source: str, data: np.ndarray[Any, Any]) -> Table:
    if data.ndim != 2:
        raise DataError(
            f"An array of features must have two dimensions (rows, columns), got {data.ndim}.",
            "Use x.reshape(-1, 1) for one column.",
        )
    names = tuple(f"x{number}" for number in range(1, data.shape[1] + 1))
    place = {name: number for number, name in enumerate(names)}
    return Table(
        source=source,
        names=names,
        read=lambda asked: [column_of(name, data[:, place[name]]) for name in asked],
        dtypes=dict.fromkeys(names, str(data.dtype)),
    )


def _narwhals(source: str, frame: Any) -> Table:
    """Take over a frame of another library; of a query only the columns asked for are computed."""

    def read(asked: Sequence[str]) -> list[Column]:
        with _collecting(source):
            part = frame.select(list(asked))
            found = (part.collect() if isinstance(part, nw.LazyFrame) else part).to_arrow()
        return arrow_table(source, found).read(asked)

    with _collecting(source):
        schema = frame.collect_schema()
    nested = {name: Family.NESTED for name, dtype in schema.items() if dtype.is_nested()}
    return Table(source=source, names=tuple(schema.names()), read=read, families=nested)


def _array_like(source: str, data: Any) -> Table:
    rows = isinstance(data, (list, tuple))
    if rows and data and all(isinstance(row, Mapping) for row in data):
        return _records(source, data)
    if not (hasattr(data, "__array__") or rows):
        raise UsageError(f"`data` must be a table, got a {source}.", _KNOWN)
    try:
        array = np.asarray(data)
    except (TypeError, ValueError) as error:
        raise UsageError(f"`data` must be a table, got a {source}.", _KNOWN) from error
    return _matrix(source, array)
