"""A table of typed columns, its rows in two parts, and its columns as models take them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

__all__ = ["Encoder", "Table", "parts_of"]

TRAINING = 0.7
SEED = 20_190

Numbers = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of numbers and of names, and a target: classes or numbers.

    Attributes
    ----------
    frame
        Features and target.
    target, nominal
        The name of the target, and those of the features whose values are names.
    classes
        Whether the target's values are classes.
    """

    frame: pl.DataFrame
    target: str
    nominal: frozenset[str]
    classes: bool

    @cached_property
    def names(self) -> list[str]:
        """The features, in the order of the file."""
        return [name for name in self.frame.columns if name != self.target]

    @cached_property
    def y(self) -> NDArray[Any]:
        """The target: classes as text, or numbers."""
        column = self.frame[self.target]
        return (
            np.array(column.cast(pl.String).to_list())
            if self.classes
            else column.cast(pl.Float64).to_numpy()
        )

    def values(self, name: str) -> NDArray[Any]:
        """One feature: names as text, or numbers."""
        if name not in self._known:
            column = self.frame[name]
            self._known[name] = (
                np.array(column.cast(pl.String).to_list())
                if name in self.nominal
                else column.cast(pl.Float64).to_numpy()
            )
        return self._known[name]

    @cached_property
    def _known(self) -> dict[str, NDArray[Any]]:
        """The features that were asked for, converted once."""
        return {}

    def rows(self, which: Indices) -> Table:
        """The table of some rows."""
        return Table(self.frame[which.tolist()], self.target, self.nominal, self.classes)

    def digest(self) -> str:
        """Eight digits that change with any value."""
        text = self.frame.write_csv() + "|".join(sorted(self.nominal))
        return hashlib.sha256(text.encode()).hexdigest()[:8]


def parts_of(table: Table, split: int) -> tuple[Table, Table]:
    """Return the training and the test rows of a split; it depends on its number alone."""
    from sklearn.model_selection import train_test_split

    train, test = train_test_split(
        np.arange(table.frame.height),
        train_size=TRAINING,
        random_state=SEED + split,
        stratify=table.y if table.classes else None,
    )
    return table.rows(np.sort(train)), table.rows(np.sort(test))


class Encoder:
    """Numbers to standard scores, names to a column a level, both as seen in the training rows.

    Of two levels one is left out, which is the other's opposite. A level that the training rows
    lack is none of theirs: all zero.

    Parameters
    ----------
    train
        The rows that are looked at.
    names
        The features that are taken; all if None.

    Attributes
    ----------
    owners
        For each encoded column the feature that it is of.
    """

    def __init__(self, train: Table, names: Sequence[str] | None = None) -> None:
        self._names = train.names if names is None else list(names)
        self._levels: dict[str, NDArray[Any]] = {}
        self._scale: dict[str, tuple[float, float]] = {}
        self.owners: list[str] = []
        for name in self._names:
            values = train.values(name)
            if name in train.nominal:
                levels = np.unique(values)
                self._levels[name] = levels[1:] if len(levels) == 2 else levels
                self.owners += [name] * len(self._levels[name])
            else:
                self._scale[name] = (float(values.mean()), float(values.std()) or 1.0)
                self.owners.append(name)

    def columns(self, table: Table) -> Numbers:
        """Return the encoded columns of some rows (n, columns)."""
        parts = []
        for name in self._names:
            values = table.values(name)
            if name in self._levels:
                parts.append((values[:, None] == self._levels[name]).astype(np.float64))
            else:
                mean, deviation = self._scale[name]
                parts.append(((values - mean) / deviation)[:, None])
        return np.hstack(parts) if parts else np.empty((table.frame.height, 0))

    def features(self, kept: NDArray[np.bool_]) -> list[str]:
        """Return the features of which at least one encoded column is kept."""
        there = {owner for owner, keep in zip(self.owners, kept, strict=True) if keep}
        return [name for name in self._names if name in there]
