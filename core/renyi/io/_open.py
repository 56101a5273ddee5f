"""One door to a table, wherever it is: names and types first, values when they are asked for."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from typing import Any, Final, cast

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl

from renyi.errors import DataError, UsageError, Way
from renyi.io._frames import NamedColumn, column_of, open_frame, type_name
from renyi.io._wording import named, plural
from renyi.io.columns._column import Column, Table
from renyi.io.files._formats import open_source, refuse_marks, refuse_part
from renyi.io.files._sources import locate_source
from renyi.options import DataOptions, MemoryBudget

__all__ = ["open_table", "read_frame"]

UNNAMED: Final = ("y", "target", "(target)")
"""What a target without a name is called."""


def open_table(
    data: object,
    y: object = None,
    *,
    options: DataOptions | None = None,
    weights: object = None,
    source_name: str | None = None,
    max_memory: MemoryBudget | None = None,
) -> Table:
    """Describe a table of a file or in memory, with what is given apart; see `renyi.io.load`."""
    if isinstance(data, (str, os.PathLike)):
        source = locate_source(cast("str | os.PathLike[str]", data), max_memory)
        if options is not None:
            source = replace(source, rows=options.rows, seed=options.seed)
        table = replace(open_source(source, options), noticed=source.noticed)
    else:
        table = open_frame(data)
        refuse_marks(options, table.source)
        refuse_part(options, table.source)
    if y is not None:
        table = _with_target(table, _one_column("y", y, data))
    if weights is not None and options is not None and options.weights is not None:
        own = _one_column("weights", weights, data)
        table = _with_column(table, options.weights, own, "weights")
    return table if source_name is None else replace(table, source=source_name)


def read_frame(source: str | os.PathLike[str]) -> pl.DataFrame:
    """Read all columns of a file as they are, with the types that `load` finds.

    Raises
    ------
    ReadError
        If it is not there, damaged, or not what its name says.
    DataError
        If two columns have one name.
    """
    table = open_table(source)
    return pl.DataFrame([column.values for column in table.read(table.names)])


def _one_column(argument: str, values: Any, data: object) -> Any:
    """Return what is given apart as one column: of a table or matrix of one that column.

    Raises
    ------
    UsageError
        If it is no column, or several.
    DataError
        If its rows have other labels than those of the data.
    """
    values, data = nw.to_native(values, pass_through=True), nw.to_native(data, pass_through=True)
    _check_labels(argument, values, data)
    if isinstance(values, NamedColumn):
        return values
    if isinstance(values, Mapping) or isinstance(
        nw.from_native(values, pass_through=True), (nw.DataFrame, nw.LazyFrame)
    ):
        table = open_frame(values)
        if len(table.names) != 1:
            raise _several(argument, len(table.names), f": {named(table.names, 5)}")
        return table.read(table.names)[0]
    if isinstance(values, str):
        raise UsageError(
            f"`{argument}` must be values, got the text {values!r}.",
            "To name a column, use ",
            Way("target", values),
            ".",
        )
    shape: tuple[int, ...] = getattr(values, "shape", ())
    if isinstance(values, np.ndarray) and len(shape) == 2 and shape[1] != 1:
        raise _several(argument, shape[1])
    known = any(hasattr(values, name) for name in ("__len__", "__arrow_c_stream__"))
    if isinstance(values, Set) or not known:
        raise UsageError(
            f"`{argument}` must be values, one a row, got {type_name(values)}.",
            "Give an array, a series or a list.",
        )
    return values


def _several(argument: str, count: int, names: str = "") -> UsageError:
    way: tuple[str | Way, ...] = ("Give one weight a row.",)
    if argument == "y":
        way = ("Add several targets to the data and name them: ", Way("target", rule="NAMES"), ".")
    return UsageError(
        f"`{argument}` must be one column, got {plural(count, 'column')}{names}.", *way
    )


def _check_labels(argument: str, values: Any, data: Any) -> None:
    """Refuse a series of pandas whose rows are not those of the frame, or in another order."""
    pandas = nw.dependencies.is_pandas_dataframe
    if not pandas(data) or not (nw.dependencies.is_pandas_series(values) or pandas(values)):
        return
    if len(values) == len(data) and not values.index.equals(data.index):
        raise DataError(
            f"`{argument}` must have the index of the data, whose rows are labelled otherwise or "
            "stand in another order.",
            "Bring it into their order by `.loc[data.index]`, or go by place: `.to_numpy()`.",
        )


def _with_target(table: Table, y: Any) -> Table:
    """Add a target that the caller gave apart, under its own name or a free one."""
    free = [name for name in UNNAMED if name not in table.names]
    name = str(getattr(y, "name", None) or (free or UNNAMED)[0])
    if name in table.names:
        raise UsageError(
            f"`y` must have a name of its own; `{name}` is a column of the data too.",
            "Rename it, or name the target instead.",
        )
    return replace(_with_column(table, name, y, "y"), given_target=name)


def _with_column(table: Table, name: str, values: object, argument: str) -> Table:
    """Add values that the caller gave apart as a column.

    Raises
    ------
    UsageError
        If there is a column of that name.
    DataError
        If they are not one a row.
    """
    if name in table.names:
        raise UsageError(
            f"`{argument}` gives values under the name `{name}`, which is a column of the data.",
            "Name that column, or rename it.",
        )
    own = replace(values, name=name) if isinstance(values, Column) else column_of(name, values)

    def read(names: Sequence[str]) -> list[Column]:
        columns = dict(
            zip(
                (others := [other for other in names if other != name]),
                table.read(others),
                strict=True,
            )
        )
        for column in columns.values():
            if len(column.values) != len(own.values):
                raise DataError(
                    f"`{argument}` must have one value a row: it has {len(own.values)} for "
                    f"{plural(len(column.values), 'row')}.",
                    "Take both from the same rows of the table.",
                )
        return [columns.get(other, own) for other in names]

    return replace(table, names=(*table.names, name), read=read)
