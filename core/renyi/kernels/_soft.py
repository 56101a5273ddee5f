"""The soft kernel of levels: a Gaussian on levels that are equally far apart."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from renyi._typing import FloatArray
from renyi.kernels import _delta
from renyi.kernels._bandwidth import growth_of, level_sigma
from renyi.kernels._given import Given
from renyi.kernels._part import KernelPart
from renyi.variables import Variable

__all__ = ["MOST_SOFT_LEVELS", "build"]

MOST_SOFT_LEVELS: Final = 256
"""Levels up to which a soft kernel is made: as many coordinates as that, less one."""


def build(variable: Variable, given: Given) -> KernelPart:
    """Put the levels at the corners of a regular simplex, one coordinate fewer than levels.

    The mean squared distance of two rows is 2, as of z-scores: a column of two levels has the
    kernel of its z-score. Of more than 256 levels a delta kernel is built all the same.
    """
    rows, distinct = variable.codes, variable.distinct
    if distinct > MOST_SOFT_LEVELS:
        return _delta.build(variable, given)
    if distinct == 1:
        corners, sigma = np.zeros((1, 1)), 1.0
    else:
        counts = np.bincount(rows, given.weights, distinct)
        shares = counts / counts.sum()
        spread = math.sqrt(1 - float(shares @ shares))
        sigma = level_sigma(given.bandwidth, variable.n, math.sqrt(2.0) / spread)
        corners = _helmert(distinct) / (spread * sigma)
        corners = corners - shares @ corners
    return KernelPart(
        variable.name,
        "soft",
        np.ascontiguousarray(corners[rows]),
        None,
        (),
        rows,
        distinct,
        sigma,
        growth_of(given.bandwidth),
    )


def _helmert(levels: int) -> FloatArray:
    """Return corners of a regular simplex, sqrt 2 apart, shape (levels, levels - 1)."""
    found = np.zeros((levels, levels - 1))
    for k in range(1, levels):
        found[:k, k - 1] = 1 / math.sqrt(k * (k + 1))
        found[k, k - 1] = -math.sqrt(k / (k + 1))
    return found
