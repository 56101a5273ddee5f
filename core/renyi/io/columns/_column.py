"""One column as it was read, and the table it was read from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache

import numpy as np
import polars as pl

from renyi.errors import DataError, Way
from renyi.io._wording import named
from renyi.variables import Note

__all__ = ["Column", "Family", "Mixture", "Table", "column_from_polars", "duplicated"]


class Family(Enum):
    """What a column's type is good for, whatever its width."""

    FLOAT = "floating-point numbers"
    INTEGER = "whole numbers"
    DECIMAL = "decimal numbers"
    BOOLEAN = "true and false"
    TEXT = "text"
    CATEGORY = "categories"
    TIME = "times"
    NULL = "nothing"
    NESTED = "nested values"
    BINARY = "binary values"


@dataclass(frozen=True, slots=True)
class Mixture:
    """Numbers and text in one column of an untyped file.

    Attributes
    ----------
    numbers, texts
        How many values are numbers, and how many are not.
    example
        The first value that is no number.
    """

    numbers: int
    texts: int
    example: str


@dataclass(frozen=True, eq=False)
class Column:
    """One column in memory.

    Attributes
    ----------
    name, values
        Its name and values; missing ones, NaN included, are null.
    family
        What its type is good for.
    dtype
        The type in words.
    levels
        Declared levels of a categorical column in their order, None where there are none.
    ordered
        Whether that order means something.
    mixture
        Set for a text column that also holds numbers, where the file does not state types.
    marks
        Marks for missing (NA, ?, ...) found in an untyped file; missing unless the column is text.
    read_as
        Code of the note on how the fields of an untyped file were read, empty for none.
    otherwise
        For text of which all would be numbers under other marks: a field, and the options to set.
    """

    name: str
    values: pl.Series
    family: Family
    dtype: str
    levels: tuple[str, ...] | None = None
    ordered: bool = False
    mixture: Mixture | None = None
    marks: tuple[str, ...] = ()
    read_as: str = ""
    otherwise: tuple[str, tuple[str | Way, ...]] | None = None

    @property
    def readable(self) -> bool:
        """Whether its values were taken over, being of a kind that can be compared."""
        return self.family not in {Family.NESTED, Family.BINARY}


@dataclass(frozen=True)
class Table:
    """A table of which nothing but the names has been read.

    Attributes
    ----------
    source
        A file's path, or the type of the object given.
    names
        Names of the columns, in order, all different.
    read
        Reads the named columns, in the order asked.
    dtypes
        Types in words, of those columns whose type is known before reading.
    families
        Likewise what the types are good for.
    declared_target
        The target that the table's own metadata names.
    given_target
        The target that the caller gave as a column of its own.
    index
        Columns that its metadata calls the index of its rows.
    notes
        What was noticed so far.
    noticed
        Takes what is noticed when values are read.
    """

    source: str
    names: tuple[str, ...]
    read: Callable[[Sequence[str]], list[Column]]
    dtypes: Mapping[str, str] = field(default_factory=dict)
    families: Mapping[str, Family] = field(default_factory=dict)
    declared_target: str | None = None
    given_target: str | None = None
    index: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    noticed: list[Note] = field(default_factory=list, compare=False)

    def __post_init__(self) -> None:
        twice = duplicated(self.names)
        if twice:
            raise DataError(
                f"Column names must be different; {self.source} has {named(twice)} more than once.",
                "Rename one of them.",
            )


def duplicated(names: Iterable[str]) -> list[str]:
    """Return the names that occur more than once."""
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return [name for name, count in counts.items() if count > 1]


def column_from_polars(name: str, values: pl.Series) -> Column:
    """Describe a polars column."""
    dtype = values.dtype
    family = polars_family(dtype)
    levels = tuple(dtype.categories.to_list()) if isinstance(dtype, pl.Enum) else None
    if family is Family.FLOAT and _has_nan(values):
        values = values.fill_nan(None)
    word = "Enum" if levels is not None else str(dtype)
    return Column(name, values, family, word, levels)


def _has_nan(values: pl.Series) -> bool:
    """Whether a value is NaN: asked of NumPy, which takes a hundredth of a query's time."""
    if values.null_count():
        return True  # perhaps; the query will tell
    return bool(np.isnan(values.to_numpy()).any())


@lru_cache(maxsize=64)
def polars_family(dtype: pl.DataType) -> Family:
    """Sort a polars type into its family."""
    tests = (
        (Family.NESTED, dtype.is_nested() or isinstance(dtype, pl.Object)),
        (Family.CATEGORY, isinstance(dtype, (pl.Categorical, pl.Enum))),
        (Family.INTEGER, dtype.is_integer()),
        (Family.FLOAT, dtype.is_float()),
        (Family.DECIMAL, dtype.is_decimal()),
        (Family.TIME, dtype.is_temporal()),
        (Family.BOOLEAN, isinstance(dtype, pl.Boolean)),
        (Family.TEXT, isinstance(dtype, pl.String)),
        (Family.NULL, isinstance(dtype, pl.Null)),
    )
    return next((family for family, holds in tests if holds), Family.BINARY)
