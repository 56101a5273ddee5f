"""What a kernel is built from: the options of one variable, and its numbers on their scale."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.errors import DataError
from renyi.kernels._bandwidth import growth_of, resolve_sigma
from renyi.options import Bandwidth
from renyi.transforms import standardise
from renyi.variables import Variable

__all__ = ["Given", "ScaledNumbers", "scaled_numbers"]


class Given(NamedTuple):
    """The options by which a variable's kernel is built.

    Attributes
    ----------
    scale
        A standardisation rule.
    bandwidth
        Sigma on the standardised values, or a rule.
    weights
        (n,) how much each row counts for a scale, None where all count alike.
    """

    scale: str
    bandwidth: Bandwidth
    weights: FloatArray | None = None


class ScaledNumbers(NamedTuple):
    """Numbers divided by their bandwidth.

    Attributes
    ----------
    values
        (n, d), each column with mean 0.
    rows, distinct
        (n,) number of each distinct row, and how many there are.
    sigma, growth
        The bandwidth, and how it depends on the size of a product.
    """

    values: FloatArray
    rows: IntArray
    distinct: int
    sigma: float
    growth: str


def scaled_numbers(variable: Variable, given: Given) -> ScaledNumbers:
    """Standardise the values of a variable and divide them by sigma.

    Rows without a value lie at the mean of the others, 0; a code for missing or not, which
    multiplies into the kernel, tells them apart from those.

    Raises
    ------
    DataError
        If values divided by sigma overflow.
    """
    rows, distinct = variable.codes, variable.distinct
    weights = given.weights
    if weights is not None and variable.missing is not None:
        weights = weights[~variable.missing]
    values = standardise(variable.present, given.scale, weights)
    sigma = resolve_sigma(given.bandwidth, values, weights)
    middle = values.mean(axis=0)
    if weights is not None:
        middle = np.average(values, axis=0, weights=weights)
    with np.errstate(over="ignore"):
        scaled = (values - middle) / sigma
    largest = np.abs(scaled).max(initial=0.0)
    if not largest < 1e150:  # squares stay finite below
        raise DataError(
            f"`bandwidth` {sigma:g} is too small for the values of `{variable.name}`.",
            "Use a larger one: 1 to 3 suits standardised values.",
        )
    if variable.missing is not None:
        everywhere = np.zeros(variable.values.shape)
        everywhere[~variable.missing] = scaled
        scaled = everywhere
    if given.scale.startswith(("bins:", "quantiles:")):
        # cutting into bins merges values: equal kernel rows are fewer than equal values
        rows = np.unique(scaled, axis=0, return_inverse=True)[1].reshape(-1)
        distinct = int(rows.max()) + 1
    return ScaledNumbers(scaled, rows, distinct, sigma, growth_of(given.bandwidth))
