"""Values given one by one, rather than as a table with a target."""

from __future__ import annotations

import narwhals.stable.v2 as nw
import numpy as np

from renyi._typing import IntArray
from renyi.errors import DataError, UsageError
from renyi.io._frames import column_of, open_frame
from renyi.io._pool import check_pool
from renyi.io._wording import plural
from renyi.io.columns._column import Column
from renyi.io.columns._encode import encode
from renyi.io.columns._kinds import decide_kind
from renyi.variables import Variable

__all__ = ["typed_variables"]


def typed_variables(
    name: str, values: object, *, kind: str | None = None, target: bool = False
) -> tuple[Variable, ...]:
    """Turn values into variables by the same rules as the columns of a table.

    Parameters
    ----------
    name
        What to call them in messages; several are numbered.
    values
        n values, an array of shape (n, d), or a table of several columns.
    kind
        `continuous`, `ordinal` or `nominal` for all of them, None to infer it.
    target
        Whether whole numbers are read by the rule for targets: few distinct ones are classes.

    Raises
    ------
    DataError
        If there is no value, one is missing, or one is infinite.
    UsageError
        If `values` are no values.
    """
    check_pool()
    columns = _columns(name, values)
    if not columns:
        raise UsageError(
            f"`{name}` must hold at least one column, got none.", "Give values, one a row."
        )
    return tuple(_typed(column, kind, target) for column in columns)


def _columns(name: str, values: object) -> list[Column]:
    if isinstance(values, np.ndarray) and values.ndim == 2:
        return [column_of(f"{name}{j + 1}", values[:, j]) for j in range(values.shape[1])]
    if isinstance(values, dict) or _is_table(values):
        table = open_frame(values)
        return table.read(list(table.names))
    if isinstance(values, (str, bytes)) or not hasattr(values, "__len__"):
        raise UsageError(
            f"`{name}` must be values, an array or a table, got {type(values).__name__}.",
            "To measure columns of a file, use renyi.measure.",
        )
    return [column_of(name, values)]


def _is_table(values: object) -> bool:
    frame = nw.from_native(values, pass_through=True)
    return isinstance(frame, (nw.DataFrame, nw.LazyFrame))


def _typed(column: Column, kind: str | None, target: bool) -> Variable:
    n = len(column.values)
    if n == 0:
        raise DataError(
            f"`{column.name}` must have at least one value, got none.", "Give values, one a row."
        )
    if column.values.null_count() == n:
        raise DataError(f"`{column.name}` has no value at all.", "Leave it out.")
    encoded = encode(column, decide_kind(column, kind, target=target).kind)
    if encoded.missing_count:
        raise DataError(
            f"`{column.name}` must have no missing values, got {encoded.missing_count} of "
            f"{plural(n, 'value')}.",
            "Drop those rows first.",
        )
    if encoded.infinite_count:
        count = plural(encoded.infinite_count, "infinite value")
        raise DataError(f"`{column.name}` must be finite, got {count}.", "Drop those rows first.")
    rows: IntArray = np.arange(n, dtype=np.int64)
    return encoded.variable(rows)
