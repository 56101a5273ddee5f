"""The best of several candidates, ties to the lowest column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

__all__ = ["TIE_BITS", "best_few", "best_two"]

TIE_BITS: Final = 1e-9
"""Values this close are tied: rounding must not decide, neither here nor in a test."""


def best_two(values: Sequence[float]) -> tuple[int, int | None]:
    """Return the positions of the best value and of the runner-up.

    Among values within `TIE_BITS` of the largest the lowest position is best; the runner-up is
    chosen the same way among the rest.

    Examples
    --------
    >>> best_two([1.0, 3.0, 3.0 + 1e-12])
    (1, 2)
    """
    first = _best(values, range(len(values)))
    rest = [position for position in range(len(values)) if position != first]
    return first, _best(values, rest) if rest else None


def best_few(values: Sequence[float], count: int) -> list[int]:
    """Return the positions of so many best values, each found as by `best_two` among the rest.

    Examples
    --------
    >>> best_few([1.0, 3.0, 2.0, 3.0 + 1e-12], 3)
    [1, 3, 2]
    """
    found: list[int] = []
    rest = list(range(len(values)))
    while rest and len(found) < count:
        found.append(_best(values, rest))
        rest.remove(found[-1])
    return found


def _best(values: Sequence[float], positions: Sequence[int]) -> int:
    largest = max(values[position] for position in positions)
    return next(p for p in positions if values[p] >= largest - TIE_BITS)
