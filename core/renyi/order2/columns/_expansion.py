r"""Factors of the squared Gaussian Grams of many single columns at once, by their power series.

With u the scaled coordinates of a column its squared kernel is

    exp(-(u - v)^2) = sum_k f_k(u) f_k(v),    f_k(u) = exp(-u^2) (sqrt(2) u)^k / sqrt(k!),

and what the terms from r on leave out is positive semidefinite, on the diagonal the chance that a
Poisson variable of mean 2 u^2 is at least r. The terms are then turned so that the first columns
make up as much of the trace as any of their number can, as in `renyi.factors._cholesky`: the same
factors, at a hundredth of the calls where there are thousands of columns.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from renyi._typing import FloatArray, IntArray

__all__ = ["Expanded", "expanded", "powers_of", "terms_of"]

MOST_TERMS: Final = 72
"""Terms beyond which a pivoted factor is less work: a point 5 bandwidths from the middle."""

LEFT_OUT: Final = 1e-10
"""Largest diagonal entry that the terms may leave out."""


class Expanded(NamedTuple):
    """Factors of k columns, and the sums over their squared Grams, diagonals left out.

    Attributes
    ----------
    values
        (k, r, n) rows in the order of their share of the trace; the first `ranks` ones of each
        column count, the others are 0.
    ranks
        (k,) those that leave a mean residual as was asked.
    residuals, means
        (k,) largest and mean diagonal entry that these leave out, upper bounds.
    totals, squares
        (k,) sums of all entries, and of their squares.
    rows
        (k, n) row sums.
    """

    values: FloatArray
    ranks: IntArray
    residuals: FloatArray
    means: FloatArray
    totals: FloatArray
    squares: FloatArray
    rows: FloatArray


def terms_of(largest: float) -> int:
    """Return the terms that columns of such coordinates take, 0 for too many.

    Parameters
    ----------
    largest
        Largest distance of a scaled coordinate from the middle of its column.

    Examples
    --------
    >>> terms_of(0.0), terms_of(2.0), terms_of(9.0)
    (1, 33, 0)
    """
    mean = 2 * largest * largest
    # the chance of r itself, times what a geometric series of those beyond it adds
    mass, term = float(np.exp(-mean)), 0
    while term < MOST_TERMS:
        term += 1
        mass *= mean / term
        if term > mean and mass / (1 - mean / (term + 1)) <= LEFT_OUT:
            return term
    return 0


def powers_of(coordinates: FloatArray, terms: int) -> FloatArray:
    """Return the first terms f_k of scaled coordinates (..., n), (..., terms, n)."""
    *before, n = coordinates.shape
    powers = np.empty((*before, terms, n))
    np.exp(-(coordinates**2), out=powers[..., 0, :])
    for k in range(1, terms):
        np.multiply(powers[..., k - 1, :], coordinates * np.sqrt(2.0 / k), out=powers[..., k, :])
    return powers


def expanded(coordinates: FloatArray, terms: int, residual: float) -> Expanded:
    """Factor the squared Grams of many columns.

    Parameters
    ----------
    coordinates
        (k, n) scaled coordinates of k columns, each with its middle at 0.
    terms
        At least `terms_of` their largest.
    residual
        Mean diagonal entry that factors may leave out.
    """
    count, n = coordinates.shape
    powers = powers_of(coordinates, terms)
    grams = np.matmul(powers, powers.transpose(0, 2, 1))
    found, vectors = np.linalg.eigh(grams)
    # the mean of the diagonal that all but the last columns leave out
    left_out = np.cumsum(np.maximum(found, 0.0), axis=1) / n + LEFT_OUT
    ranks = np.maximum(terms - (left_out <= residual).sum(axis=1), 1)
    most = int(ranks.max())
    turn = np.ascontiguousarray(vectors[:, :, ::-1][:, :, :most].transpose(0, 2, 1))
    turn[np.arange(most) >= ranks[:, None]] = 0.0
    values = np.matmul(turn, powers)
    diagonal = 1.0 - np.einsum("krn,krn->kn", values, values)
    rest = np.minimum(terms - ranks, terms) - 1
    means = np.where(rest >= 0, left_out[np.arange(count), rest], LEFT_OUT)
    sums = np.matmul(powers.sum(axis=2)[:, None, :], powers)[:, 0] - 1.0
    rounding = terms * 8 * float(np.finfo(np.float64).eps)
    return Expanded(
        values,
        ranks.astype(np.int64),
        np.maximum(diagonal.max(axis=1), 0.0) + LEFT_OUT + rounding,
        means + rounding,
        sums.sum(axis=1),
        (found * found).sum(axis=1) - n,
        sums,
    )
