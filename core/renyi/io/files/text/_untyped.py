"""Types for the columns of files that state none (CSV, TSV), from every value in them.

In this order: numbers, true and false, dates, date-times, times of day, text. Blank fields are
missing. The usual marks (NA, ?, ...) are missing too, but not in a text column, where they stay as
they are. A column of numbers with some other text among them is left as text and
marked as a mixture: whoever uses it has to say what it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import polars as pl

from renyi.io.columns._column import Column, Family, Mixture, column_from_polars
from renyi.io.files.text._marks import Marks, has_leading_zeros, other_marks

__all__ = ["MISSING_MARKS", "timed_column", "typed_column"]

MISSING_MARKS: Final = ("NA", "N/A", "n/a", "#N/A", "NULL", "null", "None", "?", "-", ".")
"""Missing in all but text columns; NaN is read as a number and is missing too."""

_SHAPES: Final[tuple[tuple[str, Callable[[pl.Series], pl.Series]], ...]] = (
    (r"^\d{4}-\d{2}-\d{2}$", lambda s: s.str.to_date("%Y-%m-%d", strict=False)),
    (
        r"^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(\.\d+)?$",
        lambda s: s.str.replace("T", " ", literal=True).str.to_datetime(
            "%Y-%m-%d %H:%M:%S%.f", time_unit="us", strict=False
        ),
    ),
    (
        r"^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:?\d{2})$",
        lambda s: (
            s.str.replace("T", " ", literal=True)
            .str.replace(r"Z$", "+00:00")
            .str.to_datetime(
                "%Y-%m-%d %H:%M:%S%.f%z", time_unit="us", time_zone="UTC", strict=False
            )
        ),
    ),
    (r"^\d{2}:\d{2}:\d{2}$", lambda s: s.str.to_time("%H:%M:%S", strict=False)),
)


_LOOK: Final = 200
"""Values that Python looks at before polars does at all: it is quicker with few."""
_LONG: Final = re.compile(r"^[+-]?[0-9]{1,38}$")
_USUAL: Final = Marks()


def typed_column(name: str, text: pl.Series, marks: Marks = _USUAL) -> Column:
    """Find the type of a column of text.

    Parameters
    ----------
    name
        The column.
    text
        Its fields as they stand in the file.
    marks
        How numbers are written.

    Returns
    -------
    Column
        With a `mixture` where some values are numbers and some are not, the `marks` found for
        missing values, and in `read_as` what should be said of how it was read.
    """
    plain = _numbers(text, Marks()) if marks.thousands is None and marks.decimal != "," else None
    if plain is not None and plain.mixture is None:  # by far the commonest, and no more to look at
        return _told(replace(plain, name=name, values=plain.values.rename(name)), text, marks)
    stripped = text.str.strip_chars()
    blank = stripped.str.len_bytes() == 0  # says nothing, whatever the quotes around it
    text, stripped = _without(text, blank), _without(stripped, blank)
    marked = stripped.is_in(MISSING_MARKS)
    values = _without(stripped, marked)
    column = (
        _nothing(values)
        or _percentages(values, marks)
        or _numbers(values, marks)
        or _truths(values)
        or _times(values)
        or Column(name, text, Family.TEXT, "String")
    )
    if column.family is Family.TEXT:
        column = replace(column, values=text, otherwise=other_marks(values, marks))
    column = replace(column, name=name, values=column.values.rename(name))
    column = replace(column, marks=tuple(sorted(set(stripped.filter(marked).to_list()))))
    return _told(column, values, marks)


def timed_column(column: Column) -> Column:
    """Return a text column as dates or times where all of it is, else as it is.

    For files that state the type of numbers and text, but have none for times (NDJSON).
    """
    times = None
    if column.family is Family.TEXT and column.values.null_count() < len(column.values):
        times = _times(column.values)
    return (
        column
        if times is None
        else replace(times, name=column.name, values=times.values.rename(column.name))
    )


def _without(values: pl.Series, where: pl.Series) -> pl.Series:
    frame = pl.DataFrame({"values": values, "where": where})
    kept = pl.when(pl.col("where")).then(None).otherwise(pl.col("values"))
    return frame.select(kept.alias("values"))["values"]


def _nothing(values: pl.Series) -> Column | None:
    if values.null_count() < len(values):
        return None
    return column_from_polars("", pl.Series([None] * len(values), dtype=pl.Null))


def _percentages(values: pl.Series, marks: Marks) -> Column | None:
    """Return numbers that all have a percent sign, without it: scales do not matter."""
    if not values.drop_nulls().head(1).str.ends_with("%").all():
        return None
    if not values.str.ends_with("%").all():
        return None
    numbers = _numbers(values.str.strip_suffix("%").str.strip_chars_end(), marks)
    if numbers is None or numbers.mixture is not None:
        return None
    return replace(numbers, read_as="percent_signs")


def _numbers(values: pl.Series, marks: Marks) -> Column | None:
    """Return a column of numbers, a mixture where other text is among them, or None."""
    plain = marks.plain(values)
    numbers = plain.cast(pl.Float64, strict=False)
    count = len(numbers) - numbers.null_count()
    if count == 0:
        return None
    if numbers.null_count() > values.null_count():
        texts = values.filter(numbers.is_null() & values.is_not_null())
        mixture = Mixture(numbers=count, texts=len(texts), example=str(texts[0]))
        return Column("", values, Family.TEXT, "String", mixture=mixture)
    whole = plain.cast(pl.Int64, strict=False)
    if whole.null_count() == values.null_count():
        return column_from_polars("", whole)
    first = plain.head(_LOOK).to_list()
    if not all(_LONG.fullmatch(v) for v in first if v is not None):
        return column_from_polars("", numbers)
    if plain.str.contains(_LONG.pattern).all():  # too long for 64 bits
        long = plain.str.strip_prefix("+").cast(pl.Decimal(38, 0), strict=False)
        if long.null_count() == values.null_count():
            return replace(column_from_polars("", long), family=Family.INTEGER)
    return column_from_polars("", numbers)


def _told(column: Column, text: pl.Series, marks: Marks = _USUAL) -> Column:
    """Return a column with what a reader should know of how its fields were read."""
    if column.family is Family.INTEGER and not column.read_as and has_leading_zeros(text):
        names = text.rename(column.name)
        return Column(
            column.name, names, Family.TEXT, "String", marks=column.marks, read_as="leading_zeros"
        )
    if column.family is Family.FLOAT and not column.read_as and marks.may_be_thousands(text):
        return replace(column, read_as="possible_thousands")
    return column


def _truths(values: pl.Series) -> Column | None:
    lower = values.str.to_lowercase()
    if not lower.drop_nulls().is_in(["true", "false"]).all():
        return None
    return column_from_polars("", lower == "true")


def _times(values: pl.Series) -> Column | None:
    present = values.drop_nulls()
    for shape, parse in _SHAPES:
        if present.head(1).str.contains(shape).all() and present.str.contains(shape).all():
            times = parse(values)
            if times.null_count() == values.null_count():
                return column_from_polars("", times)
    return None
