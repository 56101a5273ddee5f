"""Rules for the width of the Gaussian kernel."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from renyi._typing import FloatArray

__all__ = ["MEDIAN_ROWS", "resolve_sigma"]

MEDIAN_ROWS: Final = 2000
"""Rows up to which the median distance is exact: 2 million pairs, 16 MB."""


def resolve_sigma(rule: float | str, values: FloatArray) -> float:
    """Return the sigma of exp(-d^2 / (2 sigma^2)) that a bandwidth rule means.

    Parameters
    ----------
    rule
        A positive number
            Itself.
        ``"scott"``
            n^(-1/(d+4)) times the standard deviation (Scott, Multivariate Density Estimation,
            1992).
        ``"silverman"``
            (n (d+2) / 4)^(-1/(d+4)) times the standard deviation (Silverman, Density Estimation,
            1986, section 4.3).
        ``"median"``
            The median Euclidean distance over all pairs of rows; where half of the pairs or more
            are equal, over the pairs that differ. Above 2000 rows, of 2000 evenly spaced ones
            among the rows in sorted order, so that the order of the rows does not matter.
        ``"range:s"``
            s times the largest range of a column.
    values
        Standardised values, shape (n, d). The standard deviation is the root of the columns'
        mean population variance.

    Returns
    -------
    float
        Positive and finite; 1.0 where all rows are equal.
    """
    if not isinstance(rule, str):
        return float(rule)
    if values.size == 0 or (values.min(axis=0) == values.max(axis=0)).all():
        return 1.0
    # Powers of two scale exactly: first down so that differences stay finite, then the
    # differences up so that their squares neither overflow nor vanish.
    down = _exponent(values)
    scaled = np.ldexp(values, -down)
    above = scaled - scaled.min(axis=0)
    up = _exponent(above)
    sigma = _sigma(rule, np.ldexp(above, -up))
    limits = np.finfo(np.float64)
    with np.errstate(over="ignore", under="ignore"):
        return float(np.clip(np.ldexp(sigma, down + up), limits.tiny, limits.max))


def _exponent(values: FloatArray) -> int:
    return int(np.frexp(np.abs(values).max())[1])


def _sigma(rule: str, values: FloatArray) -> float:
    n, d = values.shape
    name, _, share = rule.partition(":")
    if name == "scott":
        return _pooled_sd(values) * math.pow(n, -1 / (d + 4))
    if name == "silverman":
        return _pooled_sd(values) * math.pow(n * (d + 2) / 4, -1 / (d + 4))
    if name == "median":
        return _median_distance(values)
    return float(share) * float(np.ptp(values, axis=0).max())


def _pooled_sd(values: FloatArray) -> float:
    centred = values - values.mean(axis=0)
    centred -= centred.mean(axis=0)
    return float(np.sqrt(np.mean(centred * centred)))


def _median_distance(values: FloatArray) -> float:
    from scipy.spatial.distance import pdist

    distances = pdist(_evenly_spaced(values))
    middle = float(np.median(distances))
    if middle == 0:
        middle = float(np.median(distances[distances > 0]))
    return middle


def _evenly_spaced(values: FloatArray) -> FloatArray:
    n = len(values)
    if n <= MEDIAN_ROWS:
        return values
    in_order = values[np.lexsort(values.T[::-1])]
    # The lowest and the highest row are always among them, so they are never all equal.
    places = np.linspace(0, n - 1, MEDIAN_ROWS).round().astype(np.int64)
    return np.asarray(in_order[places])
