"""Entropies of many sets of levels at once, by counting.

Where every kernel is equality of levels, the spectrum of a product is the shares of its levels. All
sets that extend one base are counted in a few passes over the rows, so many of them at a time as
stay in a cache.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.entropies._formula import Solution, entropies_of_spectra, rounding_slack
from renyi.kernels import KernelPart, KernelProduct, pack_codes

__all__ = ["counted_solutions", "counted_values"]

BLOCK: Final = 1 << 17
"""Rows of all sets that are counted at once: a megabyte of codes."""

MOST_CELLS: Final = 1 << 21
"""Cells of their tables together."""

NAME: Final = "counts"


def counted_values(
    base: KernelProduct,
    target: KernelPart,
    parts: Sequence[KernelPart],
    alpha: float,
    tick: Callable[[int], None],
    order: IntArray | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Return H(Z, x) and H(Z, x, y) of a base Z with each part x added, bits.

    Parameters
    ----------
    base
        Z; only hard codes take part.
    target
        y, of hard codes.
    parts
        Each x, of hard codes.
    alpha
        Order.
    tick
        Called with how many are done.
    order
        (n,) in which the rows of all parts are taken, None for as they are.

    Returns
    -------
    tuple of FloatArray
        (c,) each, for c parts.
    """
    n = len(base)
    given = np.zeros(n, dtype=np.int64) if base.codes is None else base.codes
    y, weights = _codes(target), base.weights
    if order is not None:  # what all parts share is moved instead of each of them
        back = np.empty(n, dtype=np.int64)
        back[order] = np.arange(n)
        given, y = given[back], y[back]
        weights = None if weights is None else weights[back]
    both, size = pack_codes(given, base.n_codes, y, target.n_codes)
    of = np.empty(size, dtype=np.int64)
    of[both] = given
    starts = np.flatnonzero(np.diff(of, prepend=-1))
    entropies = _Entropies(base.total, alpha, n if weights is None else None)
    features, joint = np.empty(len(parts)), np.empty(len(parts))
    levels = np.array([part.n_codes for part in parts], dtype=np.int64)
    most_cells, done = 4 * n + 1024, 0
    for some in _blocks(levels, n, size):
        most = int(levels[some[-1]])
        if most * size > most_cells:  # most would be empty: those that occur are counted
            place = int(some[0])
            x = _codes(parts[place])
            for out, codes, many in ((features, given, base.n_codes), (joint, both, size)):
                level, count = pack_codes(codes, many, x, most)
                out[place] = entropies.of(np.bincount(level, weights, count)[None, :])[0]
        else:
            cells = np.stack([_codes(parts[place]) for place in some.tolist()]) * size + both
            cells += (np.arange(len(some)) * (most * size))[:, None]
            weigh = None if weights is None else np.tile(weights, len(some))
            found = np.bincount(cells.ravel(), weigh, len(some) * most * size)
            tables = found.reshape(len(some), most, size)
            joint[some] = entropies.of(tables.reshape(len(some), -1))
            alone = np.add.reduceat(tables, starts, axis=2)
            features[some] = entropies.of(alone.reshape(len(some), -1))
        done += len(some)
        tick(done)
    return features, joint


def _blocks(levels: IntArray, n: int, size: int) -> Iterator[IntArray]:
    """Yield the places of parts that are counted at once, those of few levels first."""
    turns = np.argsort(levels, kind="stable")
    start = 0
    while start < len(turns):
        some = turns[start : start + max(1, BLOCK // n)]
        while len(some) > 1 and _cells(levels, some, size) > min(MOST_CELLS, len(some) * 4 * n):
            some = some[: len(some) // 2]
        yield some
        start += len(some)


def _cells(levels: IntArray, some: IntArray, size: int) -> int:
    return len(some) * int(levels[some[-1]]) * size


def _codes(part: KernelPart) -> IntArray:
    if part.codes is None:
        raise TypeError(part.kernel)
    return part.codes


class _Entropies:
    """Turns tables of counts into entropies.

    Parameters
    ----------
    total
        What the counts of a table sum to.
    alpha
        Order.
    rows
        Largest count, where counts are whole numbers; None where rows have weights.
    """

    def __init__(self, total: float, alpha: float, rows: int | None) -> None:
        self._total, self._alpha = total, alpha
        self._terms: FloatArray | None = None
        if alpha == 1 and rows is not None:
            whole = np.arange(rows + 1, dtype=np.float64)
            self._terms = whole * np.log2(np.maximum(whole, 1))

    def of(self, tables: IntArray | FloatArray) -> FloatArray:
        """Return the entropy of each table, (c, cells), in bits, (c,)."""
        if self._alpha != 1:
            found = entropies_of_spectra(tables / self._total, self._alpha, NAME)
            return np.array([one.value for one in found])
        if self._terms is not None:
            terms = self._terms[tables]
        else:
            terms = tables * np.log2(np.where(tables > 0, tables, 1.0))
        return np.asarray(np.log2(self._total) - terms.sum(axis=1) / self._total)


def counted_solutions(values: FloatArray, levels: int, alpha: float) -> list[Solution]:
    """Return entropies that were counted, with bounds: sums over levels are rounded.

    Parameters
    ----------
    values
        (c,) bits.
    levels
        The most that may occur.
    alpha
        Order.
    """
    found = []
    for value in values.tolist():
        slack = rounding_slack(levels, alpha, 2.0 ** max((1 - alpha) * value, -1000.0), 0.0)
        found.append(Solution(value, value - slack, value + slack, NAME))
    return found
