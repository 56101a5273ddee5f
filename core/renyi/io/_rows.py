"""Which rows are used: complete ones, and a stratified sample of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import numpy as np

from renyi._random import stream
from renyi._typing import BoolArray, FloatArray, IntArray
from renyi.errors import OptionError
from renyi.io._wording import named
from renyi.io.columns._encode import Encoded
from renyi.resampling import sampled_rows
from renyi.variables import Kind, RowStructure

__all__ = [
    "best_without",
    "complete_rows",
    "missing_patterns",
    "sample_of",
    "stratified_sample",
    "unfit",
]

WORTH: Final = 0.1
"""Share of the rows from which a column is named that costs them."""


def complete_rows(columns: Sequence[Encoded], n: int) -> IntArray:
    """Return the rows in which no column is missing."""
    complete = np.ones(n, dtype=np.bool_)
    for column in columns:
        if column.missing_count:
            complete &= ~column.missing
    return np.flatnonzero(complete).astype(np.int64, copy=False)


def unfit(encoded: Encoded, rows: IntArray, *, present_only: bool = False) -> str:
    """Return why a column is no use in some rows, as a code, or an empty word.

    With `present_only` a level count is held against the rows that have a value.
    """
    if encoded.is_constant(rows):
        return "constant_column"
    count = len(rows) - (encoded.missing_count if present_only else 0)
    if encoded.kind is Kind.NOMINAL and encoded.level_count(rows) > count / 2:
        return "id_like_column"
    return ""


def missing_patterns(
    names: Sequence[str], missing: Sequence[BoolArray]
) -> tuple[tuple[tuple[str, ...], int], ...]:
    """Return which columns lack a value together, and in how many rows, the most frequent first.

    Parameters
    ----------
    names
        Columns, in the table's order.
    missing
        Of each (n,), whether its value is missing.
    """
    some = [(name, mask) for name, mask in zip(names, missing, strict=True) if mask.any()]
    if not some:
        return ()
    table = np.stack([mask for _, mask in some], axis=1)
    packed = np.packbits(table, axis=1)
    _, first, counts = np.unique(packed, axis=0, return_index=True, return_counts=True)
    return tuple(
        (tuple(some[k][0] for k in np.flatnonzero(table[first[place]])), int(counts[place]))
        for place in np.lexsort((first, -counts))
    )


def sample_of(
    targets: Sequence[Encoded], rows: IntArray, size: int, structure: RowStructure | None, seed: int
) -> tuple[IntArray, str]:
    """Draw rows, whole groups or a stretch of the file where rows belong together.

    Parameters
    ----------
    targets
        Without missing values in `rows`.
    rows
        (n,) rows to draw from, increasing.
    size
        How many, at most where they belong together.
    structure
        Which of them belong together.
    seed
        Of the draw.

    Returns
    -------
    rows, how
        The rows, increasing, and how they were drawn, in words.
    """
    if structure is None or (structure.blocks is None and structure.groups is None):
        by = "quantiles" if any(one.kind is Kind.CONTINUOUS for one in targets) else "classes"
        drawn = stratified_sample(targets, rows, size, seed)
        return drawn, f"spread over the {by} of {named([one.name for one in targets])}"
    classes = _joint_classes(targets, rows)
    drawn = rows[sampled_rows(structure, len(rows), size, stream(seed, "rows"), classes)]
    return drawn, "one stretch" if structure.groups is None else "whole groups"


def best_without(
    columns: Sequence[Encoded], targets: Collection[str], n: int
) -> tuple[str, int] | None:
    """Return the one column to exclude for most complete rows, and how many those are.

    None where that does not bring back a tenth of all rows.
    """
    lacking = np.zeros(n, dtype=np.int64)
    for column in columns:
        if column.missing_count:
            lacking += column.missing
    one = lacking == 1
    gains = {
        column.name: int((one & column.missing).sum())
        for column in columns
        if column.missing_count and column.name not in targets
    }
    name = max(gains, key=gains.__getitem__, default="")
    if not name or gains[name] < max(1, WORTH * n):
        return None
    return name, int((lacking == 0).sum()) + gains[name]


def stratified_sample(targets: Sequence[Encoded], rows: IntArray, size: int, seed: int) -> IntArray:
    """Draw rows so that the target is spread as in all of them, in the table's order.

    Every row has a random key that depends on the seed only. Classes get places in proportion,
    largest remainders first and at least one each; a class's rows with the smallest keys are drawn.
    A numeric target is cut into as many equal quantiles as rows are drawn, one row from each. Of
    several targets with classes the joint classes count; where there are numbers too, rows are put
    in order by classes, then by numbers, and cut in the same way. The names of classes play no part
    but in that order.

    Parameters
    ----------
    targets
        Without missing values in `rows`.
    rows
        (n,) rows to draw from, increasing.
    size
        How many.
    seed
        Of the draw.

    Raises
    ------
    OptionError
        If there are fewer than two places a class.
    """
    if size >= len(rows):
        return rows
    keys = stream(seed, "rows").random(len(rows))
    numbers = [one.numbers[rows] for one in targets if one.kind is Kind.CONTINUOUS]
    classes = [one.codes[rows] for one in targets if one.kind is not Kind.CONTINUOUS]
    if numbers:
        order = np.lexsort((keys, *reversed(numbers), *reversed(classes)))
        blocks = np.array_split(order, size)
        chosen = np.array([block[np.argmin(keys[block])] for block in blocks], dtype=np.int64)
    else:
        chosen = _by_class(_joint(classes), keys, size)
    drawn: IntArray = rows[np.sort(chosen)]
    return drawn


def _joint_classes(targets: Sequence[Encoded], rows: IntArray) -> IntArray | None:
    """Return the joint class of each row, None where there is a number among the targets."""
    if any(one.kind is Kind.CONTINUOUS for one in targets):
        return None
    return _joint([one.codes[rows] for one in targets])


def _joint(classes: Sequence[IntArray]) -> IntArray:
    found: IntArray = np.unique(np.stack(classes, axis=1), axis=0, return_inverse=True)[1]
    return found.reshape(-1)


def _by_class(codes: IntArray, keys: FloatArray, size: int) -> IntArray:
    _, classes, counts = np.unique(codes, return_inverse=True, return_counts=True)
    if size < 2 * len(counts):
        raise OptionError(
            f"`rows` must be at least twice the number of classes, {len(counts)}; got {size}.",
            "Draw more rows.",
        )
    order = np.lexsort((keys, classes))
    starts = np.cumsum(counts) - counts
    # Ties between classes go by their smallest key, so that their names play no part.
    places = _places(counts, size, keys[order[starts]])
    rank = np.arange(len(order)) - np.repeat(starts, counts)
    chosen: IntArray = order[rank < np.repeat(places, counts)].astype(np.int64, copy=False)
    return chosen


def _places(counts: IntArray, size: int, ties: FloatArray) -> IntArray:
    """Share `size` places in proportion to `counts`, at least one each."""
    share = counts * (size / counts.sum())
    places: IntArray = np.maximum(np.floor(share), 1).astype(np.int64)
    by_remainder = np.lexsort((ties, places - share))  # the least served first
    short = size - int(places.sum())
    if short >= 0:
        places[by_remainder[:short]] += 1
        return places
    # The places that small classes were given are taken from those best served.
    for _ in range(-short):
        spare = np.where(places > 1, places - share, -np.inf)
        places[np.lexsort((ties, -spare))[0]] -= 1
    return places
