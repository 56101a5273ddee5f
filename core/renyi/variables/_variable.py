"""Typed columns: what a table becomes before any kernel."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from renyi._typing import BoolArray, FloatArray, IntArray

__all__ = ["Dataset", "Kind", "RowStructure", "Shuffled", "Variable"]

Shuffled: TypeAlias = Literal["whole", "within"]


class Kind(StrEnum):
    """How a variable's values are compared."""

    CONTINUOUS = "continuous"
    ORDINAL = "ordinal"
    NOMINAL = "nominal"


@dataclass(frozen=True, eq=False)
class Variable:
    """One typed column, or a group of columns that is one thing.

    Build it with `continuous`, `ordinal` or `nominal`.

    Attributes
    ----------
    name
        Unique within a `Dataset`.
    kind
        `Kind`.
    values
        (n, d) float64, finite: a continuous variable's numbers, an ordinal one's level index.
        Empty, (n, 0), for a nominal one.
    codes
        (n,) int64 level numbers 0..L-1, every level occurring; for a continuous variable the
        number of each distinct row, so that equal rows have equal codes.
    levels
        Names of the levels, empty for a continuous variable.
    missing
        (n,) which rows have no value, where that counts as a value of its own: `values` are 0 there
        and mean nothing, `codes` are one more number; for a nominal variable a level like any
        other. None where all have a value.
    """

    name: str
    kind: Kind
    values: FloatArray
    codes: IntArray
    levels: tuple[str, ...] = ()
    missing: BoolArray | None = None

    @classmethod
    def continuous(cls, name: str, values: object) -> Variable:
        """Build a continuous variable from (n,) or (n, d) numbers, NaN where one is missing.

        A row of several numbers is missing where one of them is.
        """
        array = np.ascontiguousarray(np.asarray(values, dtype=np.float64))
        array = array.reshape(len(array), -1) + 0.0  # -0.0 becomes 0.0, so equal is equal
        missing = np.asarray(np.isnan(array).any(axis=1))
        if missing.any():
            array = np.where(missing[:, None], 0.0, array)
            return cls(name, Kind.CONTINUOUS, array, _codes_of(array, missing), (), missing)
        if array.shape[1] == 1:
            codes = np.unique(array[:, 0], return_inverse=True)[1]
        else:
            codes = np.unique(array, axis=0, return_inverse=True)[1]
        return cls(name, Kind.CONTINUOUS, array, codes.reshape(-1).astype(np.int64, copy=False))

    @classmethod
    def nominal(
        cls, name: str, codes: object, levels: tuple[str, ...], *, missing: int | None = None
    ) -> Variable:
        """Build a nominal variable; levels that do not occur are left out, their order kept.

        `missing` is the code that stands for no value, if one does.
        """
        array = np.asarray(codes, dtype=np.int64)
        present, packed = np.unique(array, return_inverse=True)
        packed = packed.reshape(-1).astype(np.int64, copy=False)
        names = tuple(levels[code] for code in present)
        lacks = None if missing is None or missing not in present else array == missing
        return cls(name, Kind.NOMINAL, np.empty((len(packed), 0)), packed, names, lacks)

    @classmethod
    def ordinal(cls, name: str, codes: object, levels: tuple[str, ...]) -> Variable:
        """Build an ordinal variable; its values are level numbers in the declared order.

        Levels that do not occur keep their place on the scale: the distance between two levels
        does not depend on which rows were drawn. The code -1 stands for a missing value.
        """
        array = np.asarray(codes, dtype=np.int64).reshape(-1)
        present, packed = np.unique(array, return_inverse=True)
        packed = packed.reshape(-1).astype(np.int64, copy=False)
        if len(present) and present[0] < 0:
            missing = array < 0
            values = np.where(missing, 0, array)[:, None].astype(np.float64)
            names = tuple(levels[code] for code in present[1:])
            packed = np.where(missing, len(names), packed - 1)
            return cls(name, Kind.ORDINAL, values, packed, names, missing)
        names = tuple(levels[code] for code in present)
        return cls(name, Kind.ORDINAL, array[:, None].astype(np.float64), packed, names)

    def take(self, rows: IntArray) -> Variable:
        """Return the variable on some rows; levels that do not occur among them are left out."""
        present, packed = np.unique(self.codes[rows], return_inverse=True)
        named = present[present < len(self.levels)]  # a missing value has a code and no name
        levels = tuple(self.levels[code] for code in named)
        codes = packed.reshape(-1).astype(np.int64, copy=False)
        missing = None if self.missing is None else self.missing[rows]
        if missing is not None and not missing.any():
            missing = None
        return Variable(self.name, self.kind, self.values[rows], codes, levels, missing)

    @property
    def lacks(self) -> Variable:
        """Whether a value is there, as a nominal variable of its own."""
        missing = np.zeros(self.n, np.bool_) if self.missing is None else self.missing
        return Variable.nominal(self.name, missing, ("value", "missing"))

    @property
    def present(self) -> FloatArray:
        """The values that there are, (rows with one, d)."""
        return self.values if self.missing is None else self.values[~self.missing]

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.codes)

    @cached_property
    def distinct(self) -> int:
        """Number of distinct rows."""
        return int(self.codes.max()) + 1 if len(self.codes) else 0


def _codes_of(values: FloatArray, missing: BoolArray) -> IntArray:
    """Return the number of each distinct row; those without a value share the number after."""
    codes = np.zeros(len(values), dtype=np.int64)
    found = np.unique(values[~missing], axis=0, return_inverse=True)[1].reshape(-1)
    codes[~missing] = found
    codes[missing] = int(found.max(initial=-1)) + 1
    return codes


@dataclass(frozen=True, eq=False)
class RowStructure:
    """Groups of rows, or rows in time, and what of them a permutation keeps together.

    Attributes
    ----------
    groups
        Names the group of each row; None for no groups.
    shuffle
        `whole`: groups change places with groups of as many rows. `within`: rows move within their
        group.
    blocks
        Rows in file order (of a group, within groups) are moved in blocks of so many; None where
        their order says nothing.
    rotates
        Whether permutations rotate the rows in place of moving blocks; draws of rows still go by
        blocks.
    memory
        How alike neighbours are that some order takes apart: the autocorrelation of the target
        times the largest of a column, at lag 1.
    """

    groups: Variable | None = None
    shuffle: Shuffled = "whole"
    blocks: int | None = None
    rotates: bool = False
    memory: float = 0.0

    def take(self, rows: IntArray) -> RowStructure:
        """Return the structure of some rows; blocks are cut anew among them."""
        return self if self.groups is None else replace(self, groups=self.groups.take(rows))

    def parts(self, n: int) -> IntArray:
        """Return the group of each of n rows, numbers from 0; all 0 without groups."""
        return np.zeros(n, dtype=np.int64) if self.groups is None else self.groups.codes

    @property
    def moves_groups(self) -> bool:
        """Whether groups are moved as a whole."""
        return self.groups is not None and self.blocks is None and self.shuffle == "whole"

    @property
    def words(self) -> str:
        """How rows are permuted, to be said of what is shuffled."""
        of = "" if self.groups is None else f" `{self.groups.name}`"
        if self.moves_groups:
            return f" as whole groups of{of}"
        within = f" within groups of{of}" if of else ""
        if self.blocks is None:
            return within
        return f" by rotation{within}" if self.rotates else f" in blocks of {self.blocks}{within}"


@dataclass(frozen=True, eq=False)
class Dataset:
    """Features and targets over the same rows.

    Attributes
    ----------
    features
        In the table's column order; ties between candidates go to the lowest.
    targets
        One target today.
    weights
        (n,) how much each row counts, 1 in the mean; None where all count alike.
    structure
        Which rows belong together; None where all are exchangeable.
    """

    features: tuple[Variable, ...]
    targets: tuple[Variable, ...]
    weights: FloatArray | None = None
    structure: RowStructure | None = None

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.targets[0].n

    @property
    def target(self) -> Variable:
        """The one target."""
        return self.targets[0]

    def take(self, rows: IntArray) -> Dataset:
        """Return the data set on some rows, given by their numbers."""
        features = tuple(variable.take(rows) for variable in self.features)
        targets = tuple(variable.take(rows) for variable in self.targets)
        weights = None if self.weights is None else self.weights[rows]
        if weights is not None:
            weights = weights * (len(rows) / weights.sum())
        structure = self.structure and self.structure.take(rows)
        return Dataset(features, targets, weights, structure)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the features."""
        return tuple(variable.name for variable in self.features)
