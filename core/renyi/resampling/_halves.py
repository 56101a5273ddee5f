"""Complementary halves of the rows."""

from __future__ import annotations

import numpy as np

from renyi._random import stream
from renyi._typing import IntArray
from renyi.resampling._together import units_of
from renyi.variables import RowStructure

__all__ = ["complementary_halves"]


def complementary_halves(
    n: int,
    seed: int,
    pair: int,
    classes: IntArray | None = None,
    structure: RowStructure | None = None,
) -> tuple[IntArray, IntArray]:
    """Draw two disjoint halves of the rows (Shah and Samworth, JRSS B 75, 2013, section 2).

    Parameters
    ----------
    n
        Number of rows.
    seed, pair
        The user's seed, and which of the draws.
    classes
        (n,) class of each row, to be halved each by itself; rows left over, one of each class of
        an odd number, are halved together. None for no classes.
    structure
        Which rows belong together: whole groups are then halved, each class of those of one class
        by itself; or blocks of rows; or a series is cut in two, at a random row of the circle.

    Returns
    -------
    first, second : int64
        Row numbers in rising order, n // 2 of them unless groups of rows differ in size.

    Examples
    --------
    >>> first, second = complementary_halves(7, seed=0, pair=1)
    >>> len(first), len(second), len(set(first) & set(second))
    (3, 3, 0)
    """
    generator = stream(seed, "halves", pair)
    if structure is not None:
        return _together(structure, n, classes, generator)
    first, second = _halved(n, classes, generator)
    return np.sort(first), np.sort(second)


def _halved(
    n: int, classes: IntArray | None, generator: np.random.Generator
) -> tuple[IntArray, IntArray]:
    """Return two disjoint halves of n things, each class halved by itself."""
    drawn = generator.permutation(n)
    groups = [drawn]
    if classes is not None:
        groups = [drawn[classes[drawn] == level] for level in np.unique(classes)]
    over = [group[-1:] for group in groups if len(group) % 2]
    groups.append(generator.permutation(np.concatenate([drawn[:0], *over])))
    halves = [(group[: len(group) // 2], group[len(group) // 2 :]) for group in groups]
    first = np.concatenate([one for one, _ in halves])
    second = np.concatenate([other[: len(one)] for one, other in halves])
    return first.astype(np.int64), second.astype(np.int64)


def _together(
    structure: RowStructure, n: int, classes: IntArray | None, generator: np.random.Generator
) -> tuple[IntArray, IntArray]:
    """Return two disjoint halves of the rows that leave together what belongs together."""
    if structure.groups is None and structure.rotates:
        turned = (np.arange(n) + generator.integers(n)) % n
        return np.sort(turned[: n // 2]), np.sort(turned[n // 2 : n - n % 2])
    units = structure.groups.codes if structure.groups is not None else units_of(structure, n)[0]
    first = np.unique(units, return_index=True)[1]
    constant = None
    if classes is not None and structure.groups is not None:
        pairs = np.unique(np.stack([units, classes]), axis=1)
        constant = classes[first] if pairs.shape[1] == len(first) else None
    one, other = _halved(len(first), constant, generator)
    return np.flatnonzero(np.isin(units, one)), np.flatnonzero(np.isin(units, other))
