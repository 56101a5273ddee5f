"""Rules for the width of the Gaussian kernel."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from renyi._typing import FloatArray

__all__ = ["MEDIAN_ROWS", "growth_factor", "growth_of", "level_sigma", "resolve_sigma"]

GROWING_SIGMA: Final = 1.0
"""Sigma of one feature under the rule `growing` without a number: the kernel of one z-score."""

STEADY_SIGMA: Final = 2.0
"""Sigma that the rule `steady` begins with where none is given."""

ALIKE_ROWS: Final = 30.0
"""Rows that `steady` keeps alike to each row: as many as a mean is taken over by habit. Chosen on
half of the public sets among 10, 20, 30, 40 and 80 (docs/decisions/0027)."""

MOST_ALIKE: Final = 0.5
"""Share of all rows that they are at most: with few rows a width that kept more apart from none
would be no measure of anything."""

STEADY_STEP: Final = 2.0**0.25
"""Ratio of one width of `steady` to the next: few widths, so that most steps share one."""

MEDIAN_ROWS: Final = 2000
"""Rows up to which the median distance is exact: 2 million pairs, 16 MB."""


def resolve_sigma(
    rule: float | str, values: FloatArray, weights: FloatArray | None = None
) -> float:
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
        ``"nearest"``
            The median, over rows, of the Euclidean distance to the nearest row that differs.
        ``"range:s"``
            s times the largest range of a column.
        ``"steady"``, ``"steady:s"``
            What a product of one feature has: 2, or s. `growth_factor` says when it widens.
        ``"growing"``, ``"growing:s"``, ``"scott:joint"``, ``"silverman:joint"``
            What a product of one feature has: 1, s, or the one-dimensional rule. `growth_factor`
            says what becomes of it in a larger product.
    values
        Standardised values, shape (n, d). The standard deviation is the root of the columns'
        mean population variance.
    weights
        (n,) how much each row counts for that deviation, None where all count alike. The other
        rules, and the number of rows, are of rows that count alike.

    Returns
    -------
    float
        Positive and finite; 1.0 where all rows are equal.
    """
    if not isinstance(rule, str):
        return float(rule)
    name, _, share = rule.partition(":")
    if name == "growing":
        return float(share) if share else GROWING_SIGMA
    if name == "steady":
        return float(share) if share else STEADY_SIGMA
    if values.size == 0 or (values.min(axis=0) == values.max(axis=0)).all():
        return 1.0
    # Powers of two scale exactly: first down so that differences stay finite, then the
    # differences up so that their squares neither overflow nor vanish.
    down = _exponent(values)
    scaled = np.ldexp(values, -down)
    above = scaled - scaled.min(axis=0)
    up = _exponent(above)
    sigma = _sigma(rule, np.ldexp(above, -up), weights)
    limits = np.finfo(np.float64)
    with np.errstate(over="ignore", under="ignore"):
        return float(np.clip(np.ldexp(sigma, down + up), limits.tiny, limits.max))


def _exponent(values: FloatArray) -> int:
    return int(np.frexp(np.abs(values).max())[1])


def _sigma(rule: str, values: FloatArray, weights: FloatArray | None) -> float:
    n, d = values.shape
    name, _, share = rule.partition(":")
    if name in PLUG_IN:
        return _pooled_sd(values, weights) * PLUG_IN[name](n, 1 if share else d)
    if name == "median":
        return _median_distance(values)
    if name == "nearest":
        return _nearest_distance(values)
    return float(share) * float(np.ptp(values, axis=0).max())


def _scott(n: int, d: int) -> float:
    return math.pow(n, -1 / (d + 4))


def _silverman(n: int, d: int) -> float:
    return math.pow(n * (d + 2) / 4, -1 / (d + 4))


PLUG_IN: Final = {"scott": _scott, "silverman": _silverman}
"""Rules from density estimation: sigma for standard deviation 1, by rows and dimensions."""


def growth_of(rule: float | str) -> str:
    """Return the part of a rule by which sigma depends on the size of the product, else nothing.

    Examples
    --------
    >>> growth_of("growing:2.0"), growth_of("scott:joint"), growth_of("scott"), growth_of(2.0)
    ('growing', 'scott', '', '')
    >>> growth_of("steady")
    'steady:2.0'
    """
    name, _, rest = str(rule).partition(":")
    if name == "steady":
        return f"steady:{float(rest) if rest else STEADY_SIGMA!r}"
    return name if name == "growing" or rest == "joint" else ""


def growth_factor(growth: str, n: int, size: int) -> float:
    """Return sigma in a product of `size` features over sigma in a product of one.

    ``"growing"`` is sqrt(size): the product of Gaussian kernels is that of fixed sigma to the power
    1 / size, their geometric mean. ``"scott"`` and ``"silverman"`` are the rules with `size` in
    place of the dimension. ``"steady:s"`` widens sigma s, in steps of a fourth root of 2, only as
    far as `size` independent normal columns need to keep 30 rows alike to each row in the mean, or
    half of all rows where that is less: the mean of exp(-d^2 / sigma^2) over pairs of rows is
    (1 + 4 / sigma^2)^(-size / 2).

    Parameters
    ----------
    growth
        As `growth_of` says; nothing for 1.
    n
        Number of rows.
    size
        Number of features in the product.

    Examples
    --------
    >>> growth_factor("growing", 100, 4)
    2.0
    """
    if not growth or size <= 1:
        return 1.0
    if growth == "growing":
        return math.sqrt(size)
    name, _, sigma = growth.partition(":")
    if name == "steady":
        return _steady(float(sigma), n, size)
    return PLUG_IN[growth](n, size) / PLUG_IN[growth](n, 1)


def _steady(sigma: float, n: int, size: int) -> float:
    """Return the least power of the step at which as many rows are alike as shall be, 1 or more."""
    alike = min(ALIKE_ROWS, MOST_ALIKE * n)
    shrunk = (n / alike) ** (2 / size) - 1
    wanted = 2 / math.sqrt(shrunk)
    steps = math.ceil(math.log(max(wanted / sigma, 1.0), STEADY_STEP) - 1e-9)
    return float(STEADY_STEP**steps)


def level_sigma(rule: float | str, n: int, distance: float) -> float:
    """Return the sigma that a rule means for levels that are all `distance` apart.

    As for numbers whose standard deviation is 1: the spread of the levels is 1 as a whole.
    """
    if not isinstance(rule, str):
        return float(rule)
    name, _, share = rule.partition(":")
    if name in PLUG_IN:
        return PLUG_IN[name](n, 1)
    if name in {"median", "nearest"}:
        return distance
    if name == "range":
        return float(share) * distance
    return resolve_sigma(rule, np.empty((0, 1)))


def _pooled_sd(values: FloatArray, weights: FloatArray | None) -> float:
    if weights is not None:
        centred = values - np.average(values, axis=0, weights=weights)
        variances = np.average(centred * centred, axis=0, weights=weights)
        return float(np.sqrt(np.mean(variances)))
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


def _nearest_distance(values: FloatArray) -> float:
    distinct, counts = np.unique(values, axis=0, return_counts=True)
    if values.shape[1] == 1:
        gaps = np.diff(distinct[:, 0], prepend=-math.inf, append=math.inf)
        nearest = np.minimum(gaps[:-1], gaps[1:])
    else:
        from scipy.spatial import cKDTree

        nearest = np.asarray(cKDTree(distinct).query(distinct, k=2)[0])[:, 1]
    return float(np.median(np.repeat(nearest, counts)))


def _evenly_spaced(values: FloatArray) -> FloatArray:
    n = len(values)
    if n <= MEDIAN_ROWS:
        return values
    in_order = values[np.lexsort(values.T[::-1])]
    # The lowest and the highest row are always among them, so they are never all equal.
    places = np.linspace(0, n - 1, MEDIAN_ROWS).round().astype(np.int64)
    return np.asarray(in_order[places])
