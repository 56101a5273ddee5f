"""The Laplacian kernel of numbers, exp(-|a - b| / sigma): a sharper peak and heavier tails.

Its products are exp(-|u - v|_1) of scaled values side by side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from renyi._typing import Array, FloatArray
from renyi.kernels._given import Given, scaled_numbers
from renyi.kernels._part import KernelPart
from renyi.kernels._tiled import TiledKernel
from renyi.variables import Variable

__all__ = ["Laplacian", "build"]

EPS: Final = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class Laplacian(TiledKernel):
    """exp(-|u - v|_1) of scaled values u, v."""

    joins: ClassVar[bool] = True
    mirrored: ClassVar[bool] = True

    def values(self, left: Array, right: Array, xp: Array) -> Array:
        """Return the kernel of points (a, d) and (b, d), shape (a, b)."""
        total = xp.abs(left[:, 0][:, None] - right[:, 0][None, :])
        for k in range(1, left.shape[1]):
            total += xp.abs(left[:, k][:, None] - right[:, k][None, :])
        return xp.exp(-total)

    def dense(self) -> FloatArray:
        """Return every value, shape (m, m): a product of one kernel a column."""
        found = np.ones((len(self.points), len(self.points)))
        for column in self.points.T:
            found *= np.exp(-np.abs(np.subtract.outer(column, column)))
        return np.asarray(found**self.exponent)

    @property
    def entry_error(self) -> float:
        """Rounding: x exp(-x) is at most 1 / e, and x is a sum of d differences."""
        return 4 * EPS * (1 + int(self.points.shape[1]))


def build(variable: Variable, given: Given) -> KernelPart:
    """Build the kernel of a variable of numbers."""
    numbers = scaled_numbers(variable, given)
    n = variable.n
    return KernelPart(
        variable.name,
        "laplacian",
        np.empty((n, 0)),
        None,
        (),
        numbers.rows,
        numbers.distinct,
        numbers.sigma,
        numbers.growth,
        (Laplacian(numbers.values),),
    )
