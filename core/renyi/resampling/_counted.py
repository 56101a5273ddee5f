"""How many orders there are that change anything."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np

from renyi._typing import IntArray
from renyi.resampling._together import units_of
from renyi.variables import Kind, RowStructure, Variable

__all__ = ["count_orders", "moved_rows"]


def count_orders(structure: RowStructure, target: Variable) -> float:
    """Return in how many ways the orders put the target beside the other columns.

    A p-value is no smaller than one over it. Orders that change places of equal targets count once,
    and so do those that only change the names of classes: what is measured is the same.

    Parameters
    ----------
    structure
        Which rows belong together.
    target
        Over the same rows.
    """
    n = target.n
    parts = structure.parts(n)
    if structure.rotates:
        ways = [_rotations(target.codes[parts == part]) for part in range(int(parts.max()) + 1)]
        return float(np.exp(min(sum(map(math.log, ways)), 700.0)))
    if structure.blocks is None and not structure.moves_groups:
        logs = [_arrangements(target.codes[parts == part]) for part in range(int(parts.max()) + 1)]
        return math.exp(min(sum(logs), 700.0))
    units, kinds = units_of(structure, n)
    rows = np.split(np.argsort(units, kind="stable"), np.cumsum(np.bincount(units))[:-1])
    held: dict[bytes, int] = {}
    contents = np.array([held.setdefault(target.codes[some].tobytes(), len(held)) for some in rows])
    log = sum(_arrangements(contents[kinds == kind]) for kind in np.unique(kinds))
    if target.kind is Kind.NOMINAL and all(
        len(np.unique(target.codes[some])) == 1 for some in rows
    ):
        labels = target.codes[[some[0] for some in rows]]
        spread = Counter(
            tuple(np.bincount(kinds[labels == label], minlength=int(kinds.max()) + 1))
            for label in range(target.distinct)
        )
        log -= sum(math.lgamma(alike + 1) for alike in spread.values())
    return math.exp(min(max(log, 0.0), 700.0))


def moved_rows(structure: RowStructure, n: int) -> int:
    """Return how many rows some order moves."""
    parts = structure.parts(n)
    if structure.rotates or (structure.blocks is None and not structure.moves_groups):
        sizes = np.bincount(parts)
        return int(sizes[sizes > 1].sum())
    units, kinds = units_of(structure, n)
    _, kind, counts = np.unique(kinds, return_inverse=True, return_counts=True)
    return int((counts[kind] > 1)[units].sum())


def _arrangements(codes: IntArray) -> float:
    """Return the logarithm of the number of different orders of some codes."""
    counts = np.unique(codes, return_counts=True)[1]
    return math.lgamma(len(codes) + 1) - sum(math.lgamma(count + 1) for count in counts.tolist())


def _rotations(codes: IntArray) -> int:
    """Return how many rotations of some codes differ."""
    n = len(codes)
    for turn in range(1, n):
        if n % turn == 0 and (codes == np.roll(codes, turn)).all():
            return turn
    return n
