"""A column in its kind over all rows of the table; a `Variable` once the rows in use are known."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
import polars as pl

from renyi._typing import BoolArray, FloatArray, IntArray
from renyi.io.columns._column import Column, Family
from renyi.io.columns._levels import level_names, numbers_above
from renyi.variables import Kind, Variable

__all__ = ["MISSING_LEVEL", "Encoded", "encode"]

MISSING_LEVEL: Final = "(missing)"
"""Name of the level that stands for missing values of a nominal column."""


@dataclass(frozen=True, eq=False)
class Encoded:
    """One column over all rows.

    Attributes
    ----------
    name, kind
        As in `Variable`.
    numbers
        (n,) values of a continuous column, NaN where missing; empty for the other kinds.
    codes
        (n,) level numbers, -1 where missing; empty for a continuous column.
    levels
        Names of all levels, in order.
    offset
        What the numbers are counted from where they are too long for float64, else empty.
    level
        Whether a missing value counts as one of its own; in a nominal column it is the last level.
    """

    name: str
    kind: Kind
    numbers: FloatArray
    codes: IntArray
    levels: tuple[str, ...]
    offset: str = ""
    level: bool = False

    @cached_property
    def missing(self) -> BoolArray:
        """(n,) whether the value is missing and does not count as a value."""
        return np.zeros(len(self.lacking), np.bool_) if self.level else self.lacking

    @cached_property
    def lacking(self) -> BoolArray:
        """(n,) whether the value is missing, whatever that counts as; not of a nominal column."""
        if self.kind is Kind.CONTINUOUS:
            return np.isnan(self.numbers)
        return self.codes < 0

    @cached_property
    def missing_count(self) -> int:
        """Number of missing values."""
        return int(self.missing.sum())

    @cached_property
    def infinite_count(self) -> int:
        """Number of infinite values."""
        return int(np.isinf(self.numbers).sum())

    def with_missing_level(self) -> Encoded:
        """Return a column whose missing values are a value of their own.

        In a nominal column they are one more level, the last.
        """
        if not self.missing_count:
            return self
        if self.kind is not Kind.NOMINAL:
            return replace(self, level=True)
        name = MISSING_LEVEL
        while name in self.levels:
            name += "'"
        codes = np.where(self.missing, len(self.levels), self.codes)
        levels = (*self.levels, name)
        return Encoded(self.name, self.kind, self.numbers, codes, levels, level=True)

    def is_constant(self, rows: IntArray) -> bool:
        """Whether the values present in some rows are all the same."""
        values = self._present(rows)
        if self.level:
            lacking = self.lacking[rows]
            return bool(lacking.all()) or (not lacking.any() and bool((values == values[0]).all()))
        return bool(len(values) == 0 or (values == values[0]).all())

    def level_count(self, rows: IntArray) -> int:
        """Return how many levels occur in some rows; 0 for a continuous column."""
        if self.kind is Kind.CONTINUOUS:
            return 0
        return len(np.unique(self._present(rows)))

    def variable(self, rows: IntArray) -> Variable:
        """Return the variable over some rows; missing ones among them count as a value."""
        if self.kind is Kind.CONTINUOUS:
            return Variable.continuous(self.name, self.numbers[rows])
        if self.kind is Kind.ORDINAL:
            return Variable.ordinal(self.name, self.codes[rows], self.levels)
        last = len(self.levels) - 1 if self.level else None
        return Variable.nominal(self.name, self.codes[rows], self.levels, missing=last)

    def _present(self, rows: IntArray) -> FloatArray | IntArray:
        values = self.numbers if self.kind is Kind.CONTINUOUS else self.codes
        return values[rows][~self.missing[rows]]


def encode(column: Column, kind: Kind) -> Encoded:
    """Return a column in its kind.

    Levels are sorted, numbers by value and text by code point; the levels of an ordinal column
    keep the order that its type declares.
    """
    if kind is Kind.CONTINUOUS:
        values = column.values
        if column.family in {Family.TEXT, Family.CATEGORY}:
            values = values.cast(pl.String).str.strip_chars().cast(pl.Float64)
        numbers, offset = numbers_above(values)
        return Encoded(column.name, kind, numbers, np.empty(0, np.int64), (), offset)
    codes, names = level_names(column.values)
    declared = column.levels
    if kind is Kind.ORDINAL and declared:
        place = {name: number for number, name in enumerate(declared)}
        moved = np.array([*(place[name] for name in names), -1], dtype=np.int64)
        codes, names = moved[codes], declared
    return Encoded(column.name, kind, np.empty(0), codes, names)
