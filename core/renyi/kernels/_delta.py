"""The delta kernel: 1 where two rows are equal, else 0; of levels, or of numbers on their scale."""

from __future__ import annotations

import numpy as np

from renyi._typing import IntArray
from renyi.kernels._given import Given
from renyi.kernels._part import KernelPart
from renyi.transforms import standardise
from renyi.variables import Kind, Variable

__all__ = ["build"]


def build(variable: Variable, given: Given) -> KernelPart:
    """Build the kernel of a variable; it has no bandwidth.

    Numbers are equal where they are on their scale: where that cuts into bins, in the same bin.
    """
    rows, distinct = variable.codes, variable.distinct
    bins = given.scale.partition(":")[2]
    present = distinct - (variable.missing is not None)
    if variable.kind is not Kind.NOMINAL and bins and present > int(bins):
        rows = _binned(variable, given)
        distinct = int(rows.max()) + 1
    empty = np.empty((variable.n, 0))
    return KernelPart(variable.name, "delta", empty, rows, (), rows, distinct)


def _binned(variable: Variable, given: Given) -> IntArray:
    """Return the number of each row's bins, (n,); rows without a value have one of their own."""
    weights = given.weights
    if weights is not None and variable.missing is not None:
        weights = weights[~variable.missing]
    cut = standardise(variable.present, given.scale, weights)
    of_present = np.unique(cut[:, 0] if cut.shape[1] == 1 else cut, axis=0, return_inverse=True)[1]
    if variable.missing is None:
        return of_present.reshape(-1).astype(np.int64, copy=False)
    rows = np.full(variable.n, of_present.max(initial=-1) + 1, dtype=np.int64)
    rows[~variable.missing] = of_present.reshape(-1)
    return rows
