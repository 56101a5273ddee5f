"""The sentences about columns: one note a matter, however many columns it concerns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import polars as pl

from renyi._typing import FloatArray
from renyi.io._wording import named
from renyi.io.columns._column import Column, Family
from renyi.io.columns._encode import Encoded
from renyi.variables import Dataset, Kind, Note, Variable

__all__ = ["column_notes", "dataset_notes", "half_missing_notes", "target_note"]

_SENTENCES: Final = {
    "nested_column": "Left out for holding nested values: {names}.",
    "binary_column": "Left out for holding binary values: {names}.",
    "all_null_column": "Left out for having no value at all: {names}.",
    "constant_column": "Left out for having one value only in the rows used: {names}.",
    "id_like_column": "Left out for having more levels than half the rows that have a value, as an "
    "id has (make numbers or dates of text that holds them): {names}.",
    "index_column": "Left out as the index of the rows, as pandas and R write it (name it among "
    "the features if it is something else): {names}.",
    "leading_zeros": "Digits with leading zeros, taken as names (give the kind continuous to "
    "compare by size): {names}.",
    "percent_signs": "Percent signs are left out of the numbers in: {names}.",
    "possible_thousands": "Numbers with three digits behind every mark, taken for a decimal mark, "
    "may have one for thousands (the options decimal and thousands say which it is): {names}.",
    "integer_codes": "Whole numbers of 3 to 10 distinct values, taken as continuous (give the kind "
    "nominal if they are codes): {names}.",
    "numbers_as_text": "Text that is all numbers, taken as nominal (give the kind continuous to "
    "compare by size): {names}.",
    "mixed_column": "Text with some numbers in it, taken as nominal: {names}.",
    "alphabetical_order": "Text has no order of its own and was put in alphabetical order (declare "
    "another: an ordered dictionary or an Enum): {names}.",
    "missing_marks": "Marks such as NA or ? are read as missing values in: {names}.",
    "possible_missing_marks": "Marks such as NA or ? are levels like any other in the text "
    "columns: {names}.",
    "unused_levels": "Declared levels that do not occur are left out of: {names}.",
    "row_number_column": "Numbers the rows one by one (exclude it unless their order means "
    "something): {names}.",
}


_TARGETS: Final = {
    "integer_class_target": "taken as classes (give it the kind continuous if it is a quantity).",
    "integer_quantity_target": "taken as a quantity (if they are classes, give it the kind "
    "nominal: kind {name}=nominal).",
}
"""How a whole-numbered target is taken."""


def column_notes(
    codes: Mapping[str, str], columns: Sequence[Column], encoded: Mapping[str, Encoded]
) -> list[Note]:
    """Return the notes about columns one by one.

    Parameters
    ----------
    codes
        Column -> code of what was decided about it, for those left out and those to be noted.
    columns
        All columns read, in the table's order.
    encoded
        Those in use.
    """
    groups: dict[str, list[str]] = {}
    for name, code in codes.items():
        groups.setdefault(code, []).append(name)
    for column in columns:
        if column.marks:
            text = column.family is Family.TEXT
            code = "possible_missing_marks" if text else "missing_marks"
            groups.setdefault(code, []).append(column.name)
        if column.name not in encoded:
            continue
        if column.read_as:
            groups.setdefault(column.read_as, []).append(column.name)
        if column.levels is not None and _has_unused(column, column.levels):
            groups.setdefault("unused_levels", []).append(column.name)
        if column.family is Family.INTEGER and _numbers_rows(column.values):
            groups.setdefault("row_number_column", []).append(column.name)
    return [
        Note(
            code,
            sentence.format(names=named(groups[code])),
            tuple(groups[code]),
        )
        for code, sentence in _SENTENCES.items()
        if code in groups
    ]


def half_missing_notes(columns: Sequence[Column]) -> list[Note]:
    """Return the note about features that lack half of their values or more, if any do."""
    lacking = [one.name for one in columns if 2 * one.values.null_count() >= len(one.values)]
    if not lacking:
        return []
    message = (
        "Half of the values or more are missing, so that to have one may be what a column tells: "
        f"{named(lacking)}."
    )
    return [Note("half_missing", message, tuple(lacking))]


def target_note(code: str, target: Variable) -> Note:
    """Return the note about a target of whole numbers."""
    rest = _TARGETS[code].format(name=target.name)
    message = f"The target `{target.name}` holds {target.distinct} distinct whole numbers, {rest}"
    return Note(code, message, (target.name,))


def dataset_notes(dataset: Dataset) -> list[Note]:
    """Return the notes about columns that repeat the target."""
    found = []
    for target in dataset.targets:
        copies = [feature.name for feature in dataset.columns if _repeats(feature, target)]
        if copies:
            message = (
                f"Equal to the target `{target.name}`, or the same under other names or on another "
                f"scale, so they may give the answer away: {named(copies)}."
            )
            found.append(Note("target_copy", message, tuple(copies)))
    return found


def _repeats(feature: Variable, target: Variable) -> bool:
    """Whether a variable is the target relabelled or, for two quantities, on a linear scale.

    Where it has a value at all, in half of the rows or more.
    """
    if feature.missing is not None:
        there = np.flatnonzero(~feature.missing)
        half = 2 * len(there) >= feature.n
        return half and _repeats(feature.take(there), target.take(there))
    if feature.distinct != target.distinct or target.distinct < 2:
        return False
    if Kind.NOMINAL not in {feature.kind, target.kind}:
        return _is_linear(feature.values, target.values)
    if target.distinct > target.n / 2:  # names of mostly single rows: any two are a match
        return False
    pairs = feature.codes * np.int64(target.distinct) + target.codes
    return len(np.unique(pairs)) == target.distinct


def _is_linear(x: FloatArray, y: FloatArray) -> bool:
    """Whether y is a linear function of x but for rounding, row by row; both (n, 1)."""
    low, high = int(x.argmin()), int(x.argmax())
    slope = (y[high] - y[low]) / (x[high] - x[low])
    off = np.abs(y - (y[low] + slope * (x - x[low])))
    rounding = 16 * np.finfo(np.float64).eps
    return bool((off <= rounding * (np.abs(y).max() + np.abs(slope * x).max())).all())


def _has_unused(column: Column, levels: tuple[str, ...]) -> bool:
    return column.values.drop_nulls().n_unique() < len(levels)


def _numbers_rows(values: pl.Series) -> bool:
    if len(values) < 3 or values.null_count() or values[0] not in {0, 1}:
        return False
    if values[1] != values[0] + 1:  # most columns end here, without a pass over them
        return False
    return bool((values == pl.int_range(len(values), eager=True) + values[0]).all())
