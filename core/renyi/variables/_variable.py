"""Typed columns: what a table becomes before any kernel."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np

from renyi._typing import FloatArray, IntArray

__all__ = ["Dataset", "Kind", "Variable"]


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
    """

    name: str
    kind: Kind
    values: FloatArray
    codes: IntArray
    levels: tuple[str, ...] = ()

    @classmethod
    def continuous(cls, name: str, values: object) -> Variable:
        """Build a continuous variable from (n,) or (n, d) finite numbers."""
        array = np.ascontiguousarray(np.asarray(values, dtype=np.float64))
        array = array.reshape(len(array), -1) + 0.0  # -0.0 becomes 0.0, so equal is equal
        if array.shape[1] == 1:
            codes = np.unique(array[:, 0], return_inverse=True)[1]
        else:
            codes = np.unique(array, axis=0, return_inverse=True)[1]
        return cls(name, Kind.CONTINUOUS, array, codes.reshape(-1).astype(np.int64, copy=False))

    @classmethod
    def nominal(cls, name: str, codes: object, levels: tuple[str, ...]) -> Variable:
        """Build a nominal variable; levels that do not occur are left out, their order kept."""
        present, packed = np.unique(np.asarray(codes, dtype=np.int64), return_inverse=True)
        packed = packed.reshape(-1).astype(np.int64, copy=False)
        names = tuple(levels[code] for code in present)
        return cls(name, Kind.NOMINAL, np.empty((len(packed), 0)), packed, names)

    @classmethod
    def ordinal(cls, name: str, codes: object, levels: tuple[str, ...]) -> Variable:
        """Build an ordinal variable; its values are level numbers in the declared order.

        Levels that do not occur keep their place on the scale: the distance between two levels
        does not depend on which rows were drawn.
        """
        array = np.asarray(codes, dtype=np.int64).reshape(-1)
        present, packed = np.unique(array, return_inverse=True)
        packed = packed.reshape(-1).astype(np.int64, copy=False)
        names = tuple(levels[code] for code in present)
        return cls(name, Kind.ORDINAL, array[:, None].astype(np.float64), packed, names)

    def take(self, rows: IntArray) -> Variable:
        """Return the variable on some rows; levels that do not occur among them are left out."""
        present, packed = np.unique(self.codes[rows], return_inverse=True)
        levels = tuple(self.levels[code] for code in present) if self.levels else ()
        codes = packed.reshape(-1).astype(np.int64, copy=False)
        return Variable(self.name, self.kind, self.values[rows], codes, levels)

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.codes)

    @cached_property
    def distinct(self) -> int:
        """Number of distinct rows."""
        return int(self.codes.max()) + 1 if len(self.codes) else 0


@dataclass(frozen=True, eq=False)
class Dataset:
    """Features and targets over the same rows.

    Attributes
    ----------
    features
        In the table's column order; ties between candidates go to the lowest.
    targets
        One target today.
    """

    features: tuple[Variable, ...]
    targets: tuple[Variable, ...]

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
        return Dataset(features, tuple(variable.take(rows) for variable in self.targets))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the features."""
        return tuple(variable.name for variable in self.features)
