"""One door to a table, wherever it is: names and types first, values when they are asked for."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import cast

import polars as pl

from renyi.io._columns import Table
from renyi.io._frames import open_frame, with_column, with_target
from renyi.io.files._formats import open_source, refuse_marks, refuse_part
from renyi.io.files._sources import locate_source
from renyi.options import DataOptions, MemoryBudget

__all__ = ["open_table", "read_frame"]


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
        table = with_target(table, y)
    if weights is not None and options is not None and options.weights is not None:
        table = with_column(table, options.weights, weights, "weights")
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
