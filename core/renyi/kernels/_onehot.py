"""The kernel of one-hot codes: 1 where two rows are equal, else 1 / e."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from renyi.kernels._given import Given
from renyi.kernels._part import KernelPart, SoftCodes
from renyi.variables import Variable

__all__ = ["ONEHOT_OFF_LEVEL", "build"]

ONEHOT_OFF_LEVEL: Final = math.exp(-1.0)
"""exp(-|e_a - e_b|^2 / 2): a Gaussian with sigma 1 on one-hot codes, across levels."""


def build(variable: Variable, given: Given) -> KernelPart:  # noqa: ARG001 - its bandwidth is 1
    """Build the kernel of a nominal variable."""
    rows, distinct = variable.codes, variable.distinct
    empty, soft = np.empty((variable.n, 0)), (SoftCodes(rows, ONEHOT_OFF_LEVEL),)
    return KernelPart(variable.name, "onehot", empty, None, soft, rows, distinct)
