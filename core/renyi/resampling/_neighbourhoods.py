"""Groups of rows that are alike in some variables, and orders within them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from renyi._random import stream
from renyi._typing import FloatArray, IntArray

__all__ = ["LocalPermutations", "neighbourhoods", "packed"]

FEWEST_ROWS: Final = 5
"""Rows that a group keeps at least where it is cut: the number of nearest neighbours that local
permutation is recommended to draw from (Runge, AISTATS 2018). Fewer leave little to shuffle, more
lie further apart."""


def neighbourhoods(
    coordinates: FloatArray, codes: IntArray | None, fewest: int = FEWEST_ROWS
) -> IntArray:
    """Return the number of each row's group, shape (n,).

    Rows of different codes are never together. Within a code, groups are halved again and again
    at the middle of their widest coordinate, between two values and not within one, as long as
    both halves keep `fewest` rows. Rows that are all equal stay together, however many they are.

    Parameters
    ----------
    coordinates
        (n, d) coordinates, in units of the kernel's bandwidth; d = 0 for none.
    codes
        (n,) numbers of strata, None for a single one.
    fewest
        Rows that a group keeps at least where it is cut.
    """
    n = len(coordinates)
    strata = np.zeros(n, dtype=np.int64) if codes is None else codes
    order = np.argsort(strata, kind="stable")
    cuts = np.flatnonzero(np.diff(strata[order])) + 1
    groups = np.empty(n, dtype=np.int64)
    waiting, number = np.split(order, cuts), 0
    while waiting:
        rows = waiting.pop()
        halves = _halves(rows, coordinates, fewest)
        if halves is None:
            groups[rows] = number
            number += 1
        else:
            waiting += halves
    return groups


def _halves(rows: IntArray, coordinates: FloatArray, fewest: int) -> list[IntArray] | None:
    """Cut a group at the middle of its widest coordinate, None where that leaves too few rows."""
    if len(rows) < 2 * fewest:
        return None
    points = coordinates[rows]
    widths = np.ptp(points, axis=0) if points.shape[1] else np.empty(0)
    for axis in np.argsort(-widths, kind="stable"):
        if widths[axis] == 0:
            return None
        by_value = rows[np.argsort(points[:, axis], kind="stable")]
        steps = np.flatnonzero(np.diff(coordinates[by_value, axis])) + 1
        allowed = steps[(steps >= fewest) & (steps <= len(rows) - fewest)]
        if len(allowed):
            cut = allowed[np.argmin(np.abs(2 * allowed - len(rows)))]
            return [by_value[:cut], by_value[cut:]]
    return None


def packed(*codes: IntArray) -> IntArray:
    """Return one number, from 0, for each combination of codes, shape (n,)."""
    joined = np.unique(np.stack(codes), axis=1, return_inverse=True)[1]
    return joined.reshape(-1).astype(np.int64, copy=False)


@dataclass(frozen=True, slots=True)
class LocalPermutations:
    """Every order that leaves each row within its group, equally likely.

    Attributes
    ----------
    groups
        (n,) numbers of groups.
    seed
        The user's seed.
    step
        The step of the search, so that steps draw independently.
    purpose
        Of the stream of randomness.
    free
        Whether rows move freely enough that the tails of what chance gives are known.
    words
        How rows are permuted.
    """

    groups: IntArray
    seed: int
    step: int
    purpose: str = "local permutation"
    free: bool = True
    words: str = ""

    @property
    def strata(self) -> IntArray:
        """(n,) what no row leaves."""
        return self.groups

    @property
    def units(self) -> None:
        """Each row by itself."""
        return None

    def level(self, level: float) -> float:
        """Return the level: orders take nothing apart."""
        return level

    def within(self, groups: IntArray) -> LocalPermutations:
        """Return those of its orders that keep rows within further groups (n,)."""
        return replace(self, groups=packed(self.groups, groups))

    def pilot(self) -> LocalPermutations:
        """Return other orders of the same kind, independent of these."""
        named = self.purpose == "local permutation"
        return replace(self, purpose="local pilot" if named else f"{self.purpose} pilot")

    def order(self, replicate: int) -> IntArray:
        """Return the order of rows of one replicate, counted from 0, shape (n,)."""
        draw = stream(self.seed, self.purpose, self.step, replicate)
        places = np.argsort(self.groups, kind="stable")
        mixed = np.lexsort((draw.random(len(places)), self.groups))
        order = np.empty_like(places)
        order[places] = mixed  # the rows of a group, in random order, at the places of the group
        return order
