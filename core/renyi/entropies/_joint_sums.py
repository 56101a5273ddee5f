r"""What single variables have to do with a target, in many orders of its rows, for next to nothing.

With F = L L' the squared Gram of a variable and Y = M M' that of the target, the sum that the joint
entropy of order 2 needs is

    sum_ij F_ij Y_ij = ||L' M||_F^2,

and another order of the rows is another order of those of M. H(x) and H(y) do not depend on it. Of
few rows the sum is taken as it stands, over pairs: it is one matrix product for all variables and
orders.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.entropies._cholesky import Factor, squared_factor
from renyi.entropies._pivoted import PivotedCholesky
from renyi.kernels import KernelPart

__all__ = ["joint_sums"]

MEAN_RESIDUAL: Final = 1e-6
"""Mean of what the diagonal of a squared Gram may lack."""

MOST_RANK: Final = 256
"""Columns of a factor at most: a kernel that needs more is compared by its leading part."""

FEW_ROWS: Final = 200
"""Rows up to which sums over pairs are less work than factors: 28 times with 200 normal rows, twice
on lymph, and about as much with columns of five values."""

PAIR_BYTES: Final = 2**26
"""Bytes of half Grams at once."""

MOST_ENTRIES: Final = 2**23
"""Entries of the target's factor in all orders of a batch: 64 MB."""


def joint_sums(
    parts: Sequence[KernelPart],
    target: KernelPart,
    orders: Sequence[IntArray],
    factor_of: Callable[[int], Factor | None] | None = None,
) -> FloatArray:
    """Return the sum of F_ij Y_ij over all pairs of rows, shape (parts, orders).

    It is that of the kernels' leading parts where these are not of low rank, the same in every
    order; and for a soft target a linear function of it.

    Parameters
    ----------
    parts
        Variables.
    target
        The target's part.
    orders
        Orders (n,) in which the rows of the target are taken.
    factor_of
        Number of a part -> what `squared_factor` returns for it, where that is known already.
    """
    if len(target.rows) <= FEW_ROWS:
        return _by_pairs(parts, target, orders)
    known = factor_of or (lambda number: squared_factor(parts[number]))
    label = _target_factor(target)
    found = np.empty((len(parts), len(orders)))
    factors = [
        None if part.codes is not None else _leading(part, known(number))
        for number, part in enumerate(parts)
    ]
    for start, stop in _batches(len(orders), label.size):
        taken = np.hstack([label[order] for order in orders[start:stop]])
        for number, (part, factor) in enumerate(zip(parts, factors, strict=True)):
            products = _level_sums(part, taken) if factor is None else factor.T @ taken
            squares = np.einsum("ij,ij->j", products, products)
            found[number, start:stop] = squares.reshape(stop - start, -1).sum(axis=1)
    return found


def _by_pairs(
    parts: Sequence[KernelPart], target: KernelPart, orders: Sequence[IntArray]
) -> FloatArray:
    n = len(target.rows)
    lower = np.tril_indices(n, -1)
    label = _half(target, lower)
    place = np.empty((n, n), dtype=np.int64)
    place[lower] = place[lower[::-1]] = np.arange(len(label))
    taken = np.stack([label[place[order[lower[0]], order[lower[1]]]] for order in orders], axis=1)
    found = np.empty((len(parts), len(orders)))
    size = max(1, PAIR_BYTES // (8 * max(len(label), 1)))
    for start in range(0, len(parts), size):
        some = parts[start : start + size]
        found[start : start + size] = np.stack([_half(part, lower) for part in some]) @ taken
    return n + 2 * found  # the diagonal is 1


def _half(part: KernelPart, lower: tuple[IntArray, IntArray]) -> FloatArray:
    """Return the squared kernel at some pairs of rows; of a soft one that of its codes."""
    codes = part.codes if part.soft is None else part.soft.codes
    if codes is not None:
        return np.asarray(codes[lower[0]] == codes[lower[1]], dtype=np.float64)
    squares = np.zeros(len(lower[0]))
    for column in part.coordinates.T:
        difference = column[lower[0]] - column[lower[1]]
        difference *= difference
        squares += difference
    np.negative(squares, out=squares)
    return np.exp(squares, out=squares)


def _batches(count: int, size: int) -> Iterator[tuple[int, int]]:
    each = max(1, MOST_ENTRIES // max(size, 1))
    for start in range(0, count, each):
        yield start, min(start + each, count)


def _target_factor(target: KernelPart) -> FloatArray:
    codes = target.codes if target.soft is None else target.soft.codes
    if codes is None:
        return _leading(target, squared_factor(target))
    levels = np.arange(target.distinct)
    return np.asarray(codes[:, None] == levels[None, :], dtype=np.float64)


def _leading(part: KernelPart, factor: Factor | None) -> FloatArray:
    """Return L of a Gaussian part over all rows, (n, r)."""
    if factor is not None:
        return np.asarray(factor.loosened(MEAN_RESIDUAL).values[part.rows])
    pivoted = PivotedCholesky(part.coordinates[part.representatives()] * np.sqrt(2.0))
    pivoted.extend(MOST_RANK, largest=0.0)
    return np.asarray(pivoted.factor.T[part.rows])


def _level_sums(part: KernelPart, values: FloatArray) -> FloatArray:
    """Return the sums of rows that share a level: L' M for the indicators of the levels."""
    order = np.argsort(part.rows, kind="stable")
    starts = np.searchsorted(part.rows[order], np.arange(part.distinct))
    return np.asarray(np.add.reduceat(values[order], starts, axis=0))
