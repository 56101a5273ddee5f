"""The Gaussian kernel of numbers, exp(-(a - b)^2 / (2 sigma^2)), as scaled coordinates."""

from __future__ import annotations

from renyi.kernels._given import Given, scaled_numbers
from renyi.kernels._part import KernelPart
from renyi.variables import Variable

__all__ = ["build"]


def build(variable: Variable, given: Given) -> KernelPart:
    """Build the kernel of a variable of numbers."""
    numbers = scaled_numbers(variable, given)
    return KernelPart(
        variable.name,
        "gaussian",
        numbers.values,
        None,
        (),
        numbers.rows,
        numbers.distinct,
        numbers.sigma,
        numbers.growth,
    )
