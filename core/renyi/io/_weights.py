"""How much each row counts, from the column that says it."""

from __future__ import annotations

from typing import Final

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.errors import ColumnError, DataError, MissingValuesError, Way
from renyi.io._wording import plural
from renyi.io.columns._column import Column, Family
from renyi.io.columns._encode import encode
from renyi.options import WeightKind
from renyi.variables import Kind, Note

__all__ = ["counted_rows", "row_weights", "weights_of"]

MOST_ROWS: Final = 50_000_000
"""Rows that frequencies may make of a table: beyond, no work on pairs of rows ends."""


def row_weights(column: Column, kind: WeightKind, *, dropping: bool) -> FloatArray:
    """Return the weight of each row (n,), NaN where there is none and rows are to be dropped.

    Raises
    ------
    ColumnError
        If the column holds no numbers.
    MissingValuesError
        If some are missing, and rows are not to be dropped for it.
    DataError
        If a weight is negative or infinite, all are 0, or a frequency is no whole number.
    """
    name = column.name
    if column.family not in {Family.INTEGER, Family.FLOAT}:
        raise ColumnError(
            f"`weights` must be a column of numbers, got `{name}`, which holds "
            f"{column.family.value}.",
            "Name another column.",
        )
    found = encode(column, Kind.CONTINUOUS).numbers
    missing = int(np.isnan(found).sum())
    if missing and not dropping:
        raise MissingValuesError(
            f"`weights` must say of every row how much it counts, and `{name}` has no value in "
            f"{plural(missing, 'row')}.",
            "Use ",
            Way("missing", "drop"),
            ", or fill them in: 0 leaves a row out.",
        )
    there = found[~np.isnan(found)]
    wrong = there[(there < 0) | np.isinf(there)]
    if len(wrong):
        raise DataError(
            f"`weights` must be finite and not negative; `{name}` holds {wrong[0]:g}.",
            "Give a row that is not to count the weight 0.",
        )
    if not (there > 0).any():
        raise DataError(
            f"`weights` must be above 0 somewhere; `{name}` is 0 in every row.",
            "Name another column, or leave ",
            Way("weights"),
            " out for rows that count alike.",
        )
    broken = there[there != np.round(there)]
    if kind == "frequency" and len(broken):
        raise DataError(
            f"`weights` that are frequencies must be whole numbers; `{name}` holds {broken[0]:g}.",
            "Use ",
            Way("weight_kind", "importance"),
            ".",
        )
    return found


def counted_rows(
    name: str, rows: IntArray, weights: FloatArray, kind: WeightKind
) -> tuple[IntArray, Note | None]:
    """Return the rows that have a weight, as often as frequencies say.

    Parameters
    ----------
    name
        The column of weights.
    rows
        Numbers of rows.
    weights
        (n,) weight of each row of the table, NaN for none.
    kind
        What weights are.

    Returns
    -------
    rows, note
        What is left, and a note where some are not.

    Raises
    ------
    DataError
        If fewer than two are left, or frequencies come to more rows than can be worked on.
    """
    counted = rows[weights[rows] > 0]
    if len(counted) < 2:
        raise DataError(
            f"At least 2 rows must have a weight above 0, got {len(counted)} of {len(rows)}.",
            "Name another column of weights.",
        )
    note, lost = None, len(rows) - len(counted)
    if lost:
        of = plural(len(rows), "row")
        message = f"{lost} of {of} left out for a weight of 0, or none, in `{name}`."
        note = Note("rows_dropped", message, (name,))
    if kind == "importance":
        return counted, note
    counts = weights[counted]
    total = float(counts.sum())
    if total > MOST_ROWS:
        raise DataError(
            f"`weights` as frequencies make {total:,.0f} rows of `{name}`, more than "
            f"{MOST_ROWS:,}.",
            "Use ",
            Way("weight_kind", "importance"),
            ", which looks at each row once.",
        )
    return np.repeat(counted, counts.astype(np.int64)), note


def weights_of(found: FloatArray, kind: WeightKind) -> FloatArray | None:
    """Return how much rows with such weights count, 1 in the mean; None where all count alike."""
    if kind == "frequency" or (found == found[0]).all():
        return None
    return np.asarray(found * (len(found) / found.sum()))
