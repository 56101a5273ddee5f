"""Batches of rows into a table that fits into memory: all of them, or a random part."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np
import pyarrow as pa

from renyi._random import stream
from renyi.io._wording import plural
from renyi.io.files._contents import check_size
from renyi.io.files._sources import Source
from renyi.variables import Note

__all__ = ["column_bytes", "gathered"]

_COPIES: Final = 2
"""How often the values of a column are held while they become numbers or levels."""
_ENCODED: Final = 28
"""Bytes a value takes beside: a number or a level, whether it is missing, what is used of it."""
_PIECE_ROWS: Final = 1 << 16
ROWS_DRAWN: Final = 20
"""Rows drawn while reading for each that is asked for, which are then drawn by class."""


def column_bytes(rows: int, kind: pa.DataType, stored: int = 0) -> int:
    """Return the bytes that a column takes until it is in use.

    Parameters
    ----------
    rows, kind
        How many values of what type.
    stored
        Bytes of text and the like as far as they are known.
    """
    try:
        return rows * (_COPIES * -(-kind.bit_width // 8) + _ENCODED)
    except ValueError:  # of no fixed width
        return rows * (_COPIES * 8 + _ENCODED) + _COPIES * stored


def gathered(
    read: Callable[[], Iterator[pa.RecordBatch]], schema: pa.Schema, source: Source, needed: int
) -> pa.Table:
    """Return all rows as a table where they fit, else a random part of them if rows were asked for.

    Parameters
    ----------
    read
        Begins to read from the first batch on, each time it is called.
    schema
        Of the batches.
    source
        Says how much may be used, how many rows are asked for, and takes the note.
    needed
        Bytes of memory as far as they are known beforehand.

    Raises
    ------
    MemoryBudgetError
        If they do not fit and no rows were asked for, or those do not fit either.
    """
    known = needed <= source.limit
    if known:
        kept: list[pa.RecordBatch] = []
        needed = 0
        for batch in read():
            needed += _batch_bytes(batch)
            if needed > source.limit:
                break
            kept.append(batch)
        else:
            return pa.Table.from_batches(kept, schema)
        del kept
    if source.rows is None:
        check_size(source.name, needed, source.limit, at_least=known)
    return _drawn(read(), schema, source, source.rows or 0)


def _batch_bytes(batch: pa.RecordBatch) -> int:
    columns: list[Any] = batch.columns
    return sum(column_bytes(batch.num_rows, c.type, c.nbytes) for c in columns)


def _drawn(
    batches: Iterator[pa.RecordBatch], schema: pa.Schema, source: Source, rows: int
) -> pa.Table:
    """Return rows whose keys are the smallest, in the order of the file; each row has a key."""
    size = ROWS_DRAWN * rows
    draw = stream(source.seed, "rows_read")
    table, keys, total, highest = schema.empty_table(), np.empty(0), 0, 1.0
    for batch in _pieces(batches):
        total += batch.num_rows
        drawn = draw.random(batch.num_rows)
        low = np.flatnonzero(drawn < highest)
        part = pa.Table.from_batches([batch], schema).take(low)
        table = pa.concat_tables([table, part])
        keys = np.concatenate([keys, drawn[low]])
        if len(keys) > 2 * size:
            table, keys = _lowest(table, keys, size)
            highest = keys.max()
        check_size(source.name, _table_bytes(table), source.limit, at_least=True)
    table, keys = _lowest(table, keys, size)
    message = (
        f"{len(keys)} of {plural(total, 'row')} were drawn at random while reading, seed "
        f"{source.seed}: the whole table does not fit into the memory that may be used."
    )
    source.noticed.append(Note("rows_read", message))
    return table


def _pieces(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        for start in range(0, batch.num_rows, _PIECE_ROWS):
            yield batch.slice(start, _PIECE_ROWS)


def _table_bytes(table: pa.Table) -> int:
    return sum(column_bytes(table.num_rows, c.type, c.nbytes) for c in table.columns)


def _lowest(
    table: pa.Table, keys: np.ndarray[Any, Any], size: int
) -> tuple[pa.Table, np.ndarray[Any, Any]]:
    if len(keys) <= size:
        return table, keys
    places = np.sort(np.argpartition(keys, size - 1)[:size])
    return table.take(places).combine_chunks(), keys[places]
