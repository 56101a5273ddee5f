"""From a column's type and values to its kind; the rules are those of the guide's page on data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import polars as pl

from renyi.errors import ColumnError, DataError, Way
from renyi.io._wording import plural
from renyi.io.columns._column import Column, Family, Mixture
from renyi.io.columns._levels import distinct
from renyi.variables import Kind

__all__ = ["MOST_CLASSES", "Decision", "check_numbers", "decide_kind"]

MOST_CLASSES: Final = 20
"""A whole-numbered target with more distinct values is a quantity."""
ROWS_A_CLASS: Final = 5
"""A whole-numbered target with fewer rows a value is a quantity."""
MOST_CODES: Final = 50
"""Up to so many distinct values a whole-numbered target may well be one of classes."""
FEW_CODES: Final = range(3, 11)
"""Distinct whole numbers that may well be codes."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A column's kind.

    Attributes
    ----------
    kind, reason
        The kind, and why, in words.
    note
        Code of the note that the reader should get, empty for none.
    """

    kind: Kind
    reason: str
    note: str = ""


def decide_kind(column: Column, asked: str | None, *, target: bool) -> Decision:
    """Decide how a column's values are compared.

    Parameters
    ----------
    column
        All its rows; the kind does not depend on which of them are used.
    asked
        The kind the caller asks for.
    target
        Whether it is the target: whole numbers are classes there by a rule of their own.

    Raises
    ------
    ColumnError
        If the column cannot have the kind asked for.
    DataError
        If it mixes numbers and text and nothing was asked.
    """
    if asked is not None:
        kind = Kind(asked)
        if kind is Kind.CONTINUOUS:
            check_numbers(column)
        alphabetical = (
            kind is Kind.ORDINAL
            and column.family in {Family.TEXT, Family.CATEGORY}
            and not column.levels
        )
        note = "alphabetical_order" if alphabetical else ""
        return Decision(kind, f"{_words(column)}; {asked} as asked", note)
    if column.otherwise is not None:
        raise _marked(column.name, *column.otherwise)
    if column.mixture is not None and column.mixture.numbers >= column.mixture.texts:
        raise _mixed(column.name, column.mixture)
    match column.family:
        case Family.INTEGER:
            return _whole(column, target=target)
        case Family.FLOAT | Family.DECIMAL if target and _is_whole(column.values):
            return _whole(column, target=True)
        case Family.FLOAT | Family.DECIMAL | Family.TIME:
            return Decision(Kind.CONTINUOUS, _words(column))
        case Family.CATEGORY if column.ordered:
            return Decision(Kind.ORDINAL, "ordered categories")
    return _labels(column)


def check_numbers(column: Column) -> None:
    """Raise unless a column's values can be read as numbers."""
    if column.family not in {Family.TEXT, Family.CATEGORY}:
        return
    text = _as_text(column.values)
    strange = text.filter(text.cast(pl.Float64, strict=False).is_null() & text.is_not_null())
    if not len(strange):
        return
    raise ColumnError(
        f"`{column.name}` cannot be continuous: it has {plural(len(strange), 'value')} that cannot "
        f"be read as numbers, such as '{strange[0]}'.",
        "Use nominal or ordinal.",
    )


def _as_text(values: pl.Series) -> pl.Series:
    return values.cast(pl.String).str.strip_chars()


def _labels(column: Column) -> Decision:
    if column.mixture is not None:
        return Decision(Kind.NOMINAL, "text, some of it numbers", "mixed_column")
    if (
        column.family is Family.TEXT
        and not column.read_as
        and column.values.n_unique() > MOST_CLASSES
    ):
        numbers = column.values.str.strip_chars().cast(pl.Float64, strict=False)
        if numbers.null_count() == column.values.null_count():
            return Decision(Kind.NOMINAL, "text, all of it numbers", "numbers_as_text")
    zeros = column.read_as == "leading_zeros"
    return Decision(Kind.NOMINAL, "names of digits" if zeros else column.family.value)


def _whole(column: Column, *, target: bool) -> Decision:
    """Apply the rule for whole numbers: two values are labels; a target's few are classes."""
    values = column.values
    if values.null_count():
        values = values.drop_nulls()
    count = distinct(values)
    what = f"whole numbers, {count} distinct"
    if count == 2:
        return Decision(Kind.NOMINAL, what)
    if target:
        if count <= min(MOST_CLASSES, len(values) / ROWS_A_CLASS):
            return Decision(Kind.NOMINAL, f"{what}: taken as classes", "integer_class_target")
        few = count <= min(MOST_CODES, len(values) / 2)
        note = "integer_quantity_target" if few else ""
        return Decision(Kind.CONTINUOUS, f"{what}: taken as a quantity", note)
    return Decision(Kind.CONTINUOUS, what, "integer_codes" if count in FEW_CODES else "")


def _is_whole(values: pl.Series) -> bool:
    numbers = values.drop_nulls().cast(pl.Float64)
    return bool((numbers == numbers.floor()).all()) and bool(numbers.is_finite().all())


def _words(column: Column) -> str:
    if column.family is not Family.TIME:
        return str(column.family.value)
    return "dates, in days" if column.values.dtype == pl.Date else "times, in seconds"


def _marked(name: str, example: str, ways: tuple[str | Way, ...]) -> DataError:
    return DataError(
        f"Column `{name}` holds numbers with marks that are not read unasked, such as '{example}'.",
        "Use ",
        *ways,
        " if that is how they are meant, give the column the kind nominal, or exclude it.",
    )


def _mixed(name: str, mixture: Mixture) -> DataError:
    return DataError(
        f"Column `{name}` mixes types: {plural(mixture.numbers, 'number')} and "
        f"{plural(mixture.texts, 'other value')}, such as '{mixture.example}'.",
        "Leave those fields blank for missing, give the column the kind nominal, or exclude it.",
    )
