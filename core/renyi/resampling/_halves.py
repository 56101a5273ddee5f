"""Complementary halves of the rows."""

from __future__ import annotations

import numpy as np

from renyi._random import stream
from renyi._typing import IntArray

__all__ = ["complementary_halves"]


def complementary_halves(
    n: int, seed: int, pair: int, classes: IntArray | None = None
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

    Returns
    -------
    first, second : (n // 2,) int64 each
        Row numbers in rising order.

    Examples
    --------
    >>> first, second = complementary_halves(7, seed=0, pair=1)
    >>> len(first), len(second), len(set(first) & set(second))
    (3, 3, 0)
    """
    generator = stream(seed, "halves", pair)
    drawn = generator.permutation(n)
    groups = [drawn]
    if classes is not None:
        groups = [drawn[classes[drawn] == level] for level in np.unique(classes)]
    over = [group[-1:] for group in groups if len(group) % 2]
    groups.append(generator.permutation(np.concatenate([drawn[:0], *over])))
    halves = [(group[: len(group) // 2], group[len(group) // 2 :]) for group in groups]
    first = np.concatenate([one for one, _ in halves])
    second = np.concatenate([other[: len(one)] for one, other in halves])
    return np.sort(first).astype(np.int64), np.sort(second).astype(np.int64)
