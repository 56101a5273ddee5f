"""Sums over the squared Gram of one variable, for null moments."""

from __future__ import annotations

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.backend import Backend
from renyi.factors import Factor
from renyi.kernels import KernelPart, KernelProduct
from renyi.order2._moments import KernelSums
from renyi.order2._quadratic import SINGLE_RESIDUAL, SquaredSums

__all__ = ["factor_sums", "kernel_sums", "part_sums"]


def factor_sums(factor: Factor, rows: IntArray) -> tuple[float, float, FloatArray]:
    """Return the total, the sum of squares and the (n,) row sums of F = L L', diagonal left out.

    Parameters
    ----------
    factor
        L on distinct rows.
    rows
        (n,) number of each row's distinct one.
    """
    counts = np.bincount(rows, minlength=len(factor.values)).astype(np.float64)
    sums = factor.values @ (factor.values.T @ counts) - 1.0
    gram = (factor.values * counts[:, None]).T @ factor.values
    squares = float((gram * gram).sum() - counts.sum())
    return float(counts @ sums), squares, sums[rows]


def part_sums(part: KernelPart, backend: Backend) -> tuple[float, float, FloatArray]:
    """Return the same of a part without a factor, by tiles."""
    product = KernelProduct.of(part.n, [part])
    found = SquaredSums(product, None, 1, backend, residual=SINGLE_RESIDUAL).given()
    return float(found.rows.sum()), found.squares, found.rows


def kernel_sums(part: KernelPart, factor: Factor | None, backend: Backend) -> KernelSums:
    """Return the sums over the squared Gram of a part, by its factor if it has one."""
    found = part_sums(part, backend) if factor is None else factor_sums(factor, part.rows)
    return KernelSums.of(*found)
