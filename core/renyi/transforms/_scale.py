"""Standardise columns, so that one bandwidth suits them all."""

from __future__ import annotations

from typing import Final, Literal

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.transforms._bins import bin_codes

__all__ = ["standardise"]

UNIFORM_SD: Final = 12.0**-0.5
"""Standard deviation of the uniform distribution on (0, 1)."""


def standardise(values: FloatArray, rule: str, weights: FloatArray | None = None) -> FloatArray:
    """Return the columns on a common scale.

    Equal values of a column stay equal. Columns are first scaled by a power of two, which is
    exact, so that values near the limits of float64 neither overflow nor vanish, and differences
    are taken from the smallest value before any mean, so that a large offset costs no digits.

    Parameters
    ----------
    values
        Finite numbers, shape (n, d).
    rule
        Applied to each column by itself.

        ``"zscore"``
            Mean 0 and population standard deviation 1.
        ``"minmax"``
            From 0 to 1.
        ``"rank"``
            Average ranks r, ties sharing one, as ((r - 1/2) / n - 1/2) / 12**-0.5: uniform with
            the mean and standard deviation of a z-score (less where there are ties), so that a
            bandwidth means the same.
        ``"none"``
            As they are.
        ``"bins:B"``
            A column of more than B distinct values is cut into B bins of equal width and its bin
            numbers 0..B-1 are the values; others are as they are.
        ``"quantiles:B"``
            The same with bins of equal frequency, see `bin_codes`.
    weights
        (n,) positive, how many rows each stands for in mean, deviation and rank; None for one.

    Returns
    -------
    FloatArray
        Shape (n, d). A constant column is all zeros, except under ``"none"`` and bins.

    Examples
    --------
    >>> standardise(np.array([[1.0], [3.0]]), "zscore").ravel().tolist()
    [-1.0, 1.0]
    """
    columns = [_column(column, rule, weights) for column in np.asarray(values, dtype=np.float64).T]
    out = np.stack(columns, axis=1) if columns else np.zeros_like(values)
    return np.ascontiguousarray(out)


def _column(column: FloatArray, rule: str, weights: FloatArray | None) -> FloatArray:
    if rule == "none":
        return column
    name, _, bins = rule.partition(":")
    if bins:
        return _binned(column, int(bins), "width" if name == "bins" else "frequency", weights)
    if len(column) == 0 or column.min() == column.max():
        return np.zeros_like(column)
    if name == "minmax":
        return _minmax(column)
    return {"zscore": _zscore, "rank": _rank}[name](column, weights)


def _from_lowest(column: FloatArray) -> FloatArray:
    """Return the differences from the smallest value, scaled by a power of two to at most 2."""
    scaled = np.ldexp(column, -int(np.frexp(np.abs(column).max())[1]))
    # Near the smallest float64 numbers a scaled value may vanish beside the largest one; its
    # z-score would differ by less than rounding.
    return np.asarray(scaled - scaled.min())


def _zscore(column: FloatArray, weights: FloatArray | None) -> FloatArray:
    above = _from_lowest(column)
    if weights is not None:
        centred = above - np.average(above, weights=weights)
        return np.asarray(centred / np.sqrt(np.average(centred * centred, weights=weights)))
    centred = above - above.mean()
    centred -= centred.mean()
    return np.asarray(centred / np.sqrt(np.mean(centred * centred)))


def _minmax(column: FloatArray) -> FloatArray:
    above = _from_lowest(column)
    return np.asarray(above / above.max())


def _rank(column: FloatArray, weights: FloatArray | None) -> FloatArray:
    _, inverse, counts = np.unique(column, return_inverse=True, return_counts=True)
    if weights is not None:
        stands_for = np.bincount(inverse.reshape(-1), weights)
        below = (np.cumsum(stands_for) - stands_for / 2) / stands_for.sum() - 0.5
        return np.asarray((below / UNIFORM_SD)[inverse.reshape(-1)])
    twice_below: IntArray = 2 * np.cumsum(counts) - counts  # 2 (r - 1/2), whole numbers
    share = twice_below / (2 * len(column)) - 0.5
    return np.asarray((share / UNIFORM_SD)[inverse.reshape(-1)])


def _binned(
    column: FloatArray,
    bins: int,
    binning: Literal["width", "frequency"],
    weights: FloatArray | None,
) -> FloatArray:
    if len(np.unique(column)) <= bins:
        return column
    return bin_codes(column, bins, binning, weights).astype(np.float64)
