"""A table that was made: columns with kinds, a target, and ways into the program under test."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renyi.variables import Dataset, Kind, Variable

__all__ = ["Column", "Made", "generator"]


@dataclass(frozen=True)
class Column:
    """One column: numbers, or the level numbers of a nominal variable."""

    values: NDArray[Any]
    nominal: bool = False


@dataclass(frozen=True)
class Made:
    """A table with its target.

    Attributes
    ----------
    columns
        By name, in table order.
    target
        The column `y`.
    """

    columns: dict[str, Column]
    target: Column

    @property
    def names(self) -> list[str]:
        return list(self.columns)

    def dataset(self) -> Dataset:
        """Return typed variables, as the reader of tables would."""
        features = tuple(_variable(name, column) for name, column in self.columns.items())
        return Dataset(features, (_variable("y", self.target),))

    def frame(self) -> dict[str, Any]:
        """Return the columns as `renyi.select` takes them, the target as `y`."""
        columns = {**self.columns, "y": self.target}
        return {
            name: [f"level{code}" for code in column.values] if column.nominal else column.values
            for name, column in columns.items()
        }

    def kinds(self) -> dict[str, str]:
        """Return every column's kind, so that nothing is inferred."""
        columns = {**self.columns, "y": self.target}
        return {
            name: "nominal" if column.nominal else "continuous" for name, column in columns.items()
        }

    def numbers(self) -> NDArray[np.float64]:
        """Return the columns as numbers (n, F), level numbers for nominal ones."""
        return np.column_stack([column.values for column in self.columns.values()]).astype(float)


def generator(cell: str, run: int) -> np.random.Generator:
    """Return the randomness of one run of one cell, which depends on nothing else."""
    return np.random.default_rng([zlib.crc32(cell.encode()), run])


def _variable(name: str, column: Column) -> Variable:
    if not column.nominal:
        return Variable.continuous(name, column.values)
    levels = tuple(f"level{code}" for code in range(int(column.values.max()) + 1))
    variable = Variable.nominal(name, column.values, levels)
    assert variable.kind is Kind.NOMINAL
    return variable
