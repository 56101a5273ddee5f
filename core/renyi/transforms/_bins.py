"""Cut continuous values into levels."""

from __future__ import annotations

from typing import Literal

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.variables import Kind, Variable

__all__ = ["bin_codes", "discretise"]


def bin_codes(
    values: FloatArray,
    bins: int,
    binning: Literal["width", "frequency"],
    weights: FloatArray | None = None,
) -> IntArray:
    """Return the bin number of each value.

    Parameters
    ----------
    values
        Finite numbers, shape (n,).
    bins
        Number of bins B, at least 1.
    binning
        ``"width"``: B intervals of equal width between the smallest and the largest value, each
        closed below, the last closed above too. ``"frequency"``: a value of average rank r falls
        into bin floor(B (r - 1/2) / n), so that equal values share a bin and without ties the
        bins' sizes differ by at most one; it depends on the values' order alone.
    weights
        (n,) how many rows each stands for in a rank and in n; None for one.

    Returns
    -------
    IntArray
        Bin numbers 0..B-1, shape (n,). Bins may be empty; one distinct value is bin 0.

    Examples
    --------
    >>> bin_codes(np.array([0.0, 1.0, 2.0, 10.0]), 5, "width").tolist()
    [0, 0, 1, 4]
    >>> bin_codes(np.array([0.0, 1.0, 2.0, 10.0]), 2, "frequency").tolist()
    [0, 0, 1, 1]
    """
    if len(values) == 0 or values.min() == values.max():
        return np.zeros(len(values), dtype=np.int64)
    if binning == "width":
        return _equal_width(values, bins)
    return _equal_frequency(values, bins, weights)


def _equal_width(values: FloatArray, bins: int) -> IntArray:
    # A power of two scales without rounding, and keeps the range of +-1e308 finite.
    scaled = np.ldexp(values, -int(np.frexp(np.abs(values).max())[1]))
    low = scaled.min()
    # Multiplying first makes integer columns exact: a value on an edge is never below it.
    share = (scaled - low) * bins / (scaled.max() - low)
    return np.asarray(np.minimum(share.astype(np.int64), bins - 1))


def _equal_frequency(values: FloatArray, bins: int, weights: FloatArray | None = None) -> IntArray:
    _, inverse = np.unique(values, return_inverse=True)
    counts = np.bincount(inverse.reshape(-1), weights)
    upto = np.cumsum(counts)
    # r - 1/2 is half the sum of the rows below a value and those up to it: whole numbers only.
    level = bins * (2 * upto - counts) // (2 * upto[-1])
    return np.asarray(level[inverse.reshape(-1)], dtype=np.int64)


def discretise(
    variable: Variable, bins: int, binning: Literal["width", "frequency"] = "width"
) -> IntArray:
    """Return a variable's levels for a criterion that counts.

    Parameters
    ----------
    variable
        Nominal and ordinal ones keep their levels. A continuous column is binned where it has
        more than `bins` distinct values, else its distinct values are its levels; several
        columns are treated one by one and combined, and so are those of a group. Missing values
        are one level more.
    bins, binning
        As for `bin_codes`.

    Returns
    -------
    IntArray
        Levels 0..L-1, each occurring, shape (n,).

    Examples
    --------
    >>> discretise(Variable.continuous("x", [0.0, 1.0, 2.0, 10.0]), 3).tolist()
    [0, 0, 0, 1]
    """
    if variable.members:
        each = [discretise(member, bins, binning) for member in variable.members]
        joint: IntArray = np.unique(np.stack(each, axis=1), axis=0, return_inverse=True)[1]
        return joint.reshape(-1)
    values = variable.distinct - (variable.missing is not None)
    if variable.kind is not Kind.CONTINUOUS or values <= bins:
        return variable.codes
    columns = [_column_levels(column, bins, binning) for column in variable.present.T]
    packed = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)[1]
    levels = packed.reshape(-1).astype(np.int64, copy=False)
    if variable.missing is None:
        return levels
    found = np.full(variable.n, int(levels.max()) + 1)
    found[~variable.missing] = levels
    return found


def _column_levels(
    column: FloatArray, bins: int, binning: Literal["width", "frequency"]
) -> IntArray:
    distinct, codes = np.unique(column, return_inverse=True)
    if len(distinct) > bins:
        return bin_codes(column, bins, binning)
    return codes.reshape(-1).astype(np.int64, copy=False)
