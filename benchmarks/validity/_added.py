"""Public sets with a random nominal column more: what changes of the selection."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from renyi import datasets
from renyi.errors import RenyiError
from validity._tables import Column, Made

__all__ = ["LEVELS", "SETS", "added", "added_cell", "set_problem"]

SETS = ("heart", "sonar", "ionosphere", "parkinsons")
LEVELS = (5, 10, 20, 50)


def set_problem(name: str) -> str:
    """Return why a set cannot be looked at here, in words; empty where it can."""
    try:
        return "" if datasets.locate(name) else f"the data set {name} is not at hand"
    except RenyiError as problem:
        return str(problem)


def added_cell(name: str, levels: int) -> str:
    """Return the name of a cell; 0 levels for the set as it is."""
    return f"{name}-{levels or 'alone'}"


def added(name: str, levels: int) -> Callable[[np.random.Generator], Made]:
    """Return what makes a set with a random column of equally likely levels at its end.

    With 0 levels there is none, and every run is of the same table: only its seed differs.
    """

    def draw(rng: np.random.Generator) -> Made:
        columns, target = _set(name)
        if not levels:
            return Made(dict(columns), target)
        codes = rng.integers(0, levels, len(target.values))
        return Made({**columns, "random": Column(codes, nominal=True)}, target)

    return draw


@cache
def _set(name: str) -> tuple[dict[str, Column], Column]:
    """Return a set as the page of rivals prepares it."""
    from rivals._sets import load

    table = load(name)
    columns = {
        column: Column(_codes(table.frame[column].to_numpy()), nominal=True)
        if column in table.nominal
        else Column(table.frame[column].to_numpy().astype(float))
        for column in table.names
    }
    return columns, Column(_codes(table.y), nominal=True)


def _codes(values: np.ndarray) -> np.ndarray:
    return np.unique(values, return_inverse=True)[1].astype(np.int64)
