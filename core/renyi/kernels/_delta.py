"""The delta kernel: 1 where two rows are equal, else 0; of levels, or of numbers on their scale."""

from __future__ import annotations

import numpy as np

from renyi.kernels._given import Given, scaled_numbers
from renyi.kernels._part import KernelPart
from renyi.variables import Kind, Variable

__all__ = ["build"]


def build(variable: Variable, given: Given) -> KernelPart:
    """Build the kernel of a variable; it has no bandwidth.

    Numbers are equal where they are on their scale: with `bins:B` where they share a bin.
    """
    rows, distinct = variable.codes, variable.distinct
    if variable.kind is not Kind.NOMINAL and given.scale.startswith("bins:"):
        rows, distinct = scaled_numbers(variable, given._replace(bandwidth=1.0))[1:3]
    empty = np.empty((variable.n, 0))
    return KernelPart(variable.name, "delta", empty, rows, (), rows, distinct)
