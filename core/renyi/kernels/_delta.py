"""The delta kernel of levels: 1 where two rows are equal, else 0."""

from __future__ import annotations

import numpy as np

from renyi.kernels._given import Given
from renyi.kernels._part import KernelPart
from renyi.variables import Variable

__all__ = ["build"]


def build(variable: Variable, given: Given) -> KernelPart:  # noqa: ARG001 - it has no bandwidth
    """Build the kernel of a nominal variable."""
    rows, distinct = variable.codes, variable.distinct
    empty = np.empty((variable.n, 0))
    return KernelPart(variable.name, "delta", empty, rows, (), rows, distinct)
