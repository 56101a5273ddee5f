"""Rows in file order as a series: how alike neighbours are, and how far that reaches."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.variables import Kind, RowStructure, Variable

__all__ = ["autocorrelation", "block_length", "coordinates_of", "memory_of"]

MOST_LEVELS: Final = 64
"""Levels of a nominal variable that are looked at, the commonest."""

LEAST_RUN: Final = 5
"""Lags in a row without autocorrelation that end it (Politis 2003, section 2: K_n)."""

FEWEST_ENDS: Final = 20
"""Ends of blocks from which an autocorrelation over them alone is told."""

FEWEST_BLOCKS: Final = 5
"""Blocks that the rows are cut into at least."""


def coordinates_of(variable: Variable) -> FloatArray:
    """Return what neighbours are compared by, (n, d): ranks, or indicators of levels."""
    if variable.kind is not Kind.NOMINAL:
        counts = np.bincount(variable.codes)  # codes follow the order of numbers
        ranks = np.cumsum(counts) - (counts - 1) / 2
        return np.asarray(ranks[variable.codes][:, None])
    counts = np.bincount(variable.codes)
    shown = np.argsort(-counts, kind="stable")[:MOST_LEVELS]
    return np.asarray((variable.codes[:, None] == shown[None, :]).astype(np.float64))


def autocorrelation(values: FloatArray, lag: int, parts: IntArray | None = None) -> float:
    """Return the autocorrelation at a lag, of several coordinates taken together.

    Parameters
    ----------
    values
        (n, d), each column with mean 0.
    lag
        Rows apart.
    parts
        (n,) pairs of different parts are left out; None for one.
    """
    total = float(np.einsum("ij,ij->", values, values))
    if total <= 0 or lag >= len(values):
        return 0.0
    products = np.einsum("ij,ij->i", values[lag:], values[:-lag])
    if parts is not None:
        products = products[parts[lag:] == parts[:-lag]]
    return float(products.sum()) / total


def memory_of(features: Sequence[Variable], target: Variable, structure: RowStructure) -> float:
    """Return the autocorrelation at lag 1 of the target times the largest of a feature.

    Of neighbours that some order takes apart: any of a series that is turned, else those at the
    ends of blocks, or any where the ends are few. What an autocorrelation is too small by in a
    short series, (1 + 3 r) / n in the mean (Kendall, Biometrika 41, 1954), is added.
    """
    n = target.n
    parts = structure.parts(n)
    rows = np.argsort(parts, kind="stable")
    own = parts[rows]
    kept = own[1:] == own[:-1]
    if not structure.rotates and structure.blocks is not None:
        sizes = np.bincount(parts)
        place = np.arange(n) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        ends = kept & (place[1:] % structure.blocks == 0)
        kept = ends if ends.sum() >= FEWEST_ENDS else kept
    if not kept.any():
        return 0.0

    def neighbours(variable: Variable) -> float:
        values = coordinates_of(variable)[rows]
        values = values - values.mean(axis=0)
        products = np.einsum("ij,ij->i", values[1:], values[:-1])[kept]
        mean = float(np.einsum("ij,ij->", values, values)) / n
        r = float(products.mean()) / mean if mean > 0 else 0.0
        return min(max(r + (1 + 3 * r) / n, 0.0), 1.0)

    of_target = neighbours(target)
    return of_target * max(map(neighbours, features), default=0.0) if of_target else 0.0


def block_length(target: Variable, parts: IntArray) -> int:
    """Return how many rows a block needs for blocks to be nearly independent.

    Twice the lag after which the target's autocorrelations are no larger than
    2 sqrt(log10(n) / n), five in a row (Politis, J. Nonparametric Statistics 15, 2003, the rule
    for the width of a lag window), at most a fifth of the rows.

    Parameters
    ----------
    target
        In file order.
    parts
        (n,) parts of the file, each a series of its own.
    """
    n = target.n
    order = np.argsort(parts, kind="stable")
    values = coordinates_of(target)[order]
    values = values - values.mean(axis=0)
    least = 2 * math.sqrt(math.log10(max(n, 2)) / n)
    most = max(1, n // (2 * FEWEST_BLOCKS))
    last, quiet = 0, 0
    for lag in range(1, most + LEAST_RUN + 1):
        if abs(autocorrelation(values, lag, parts[order])) < least:
            quiet += 1
            if quiet == LEAST_RUN:
                break
        else:
            last, quiet = lag, 0
    return max(1, 2 * min(last, most))
