r"""The matrix-based Renyi entropy of a spectrum, in bits.

S_alpha(A) = log2(sum_i lambda_i^alpha) / (1 - alpha) for a positive semidefinite A of trace 1,
and -sum_i lambda_i log2 lambda_i at alpha = 1 (Sanchez Giraldo, Rao, Principe, IEEE Trans. Inf.
Theory 61, 2015).
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from renyi._typing import FloatArray

__all__ = ["Solution", "entropies_of_spectra", "entropy_from_trace", "entropy_of_spectrum"]

NEAR_ONE: Final = 0.2
"""|alpha - 1| up to which the sum is taken as 1 + (1 - alpha) Q, which stays exact in the limit."""

EPS: Final = float(np.finfo(np.float64).eps)
LN2: Final = math.log(2.0)


class Solution(NamedTuple):
    """An entropy with certain bounds.

    Attributes
    ----------
    value, lower, upper
        Bits; lower <= value <= upper.
    solver
        Name of the solver that found it.
    """

    value: float
    lower: float
    upper: float
    solver: str

    @property
    def error(self) -> float:
        """Largest distance of a bound from the value, bits."""
        return max(self.upper - self.value, self.value - self.lower)


def rounding_slack(n: float, alpha: float, power_sum: float, entry_error: float) -> float:
    """Return how far rounding can move an entropy of n rows, bits.

    Eigenvalues of a matrix of trace 1 are off by about eps; their sum by n eps. Errors e of the
    kernel values make up to n eigenvalues of e / sqrt(n), of which alpha 1 makes
    sqrt(n) e log2(n / e) bits. For alpha below 1 a zero that came out as x counts x^alpha.

    Parameters
    ----------
    n
        Size of the matrix.
    alpha
        Order.
    power_sum
        tr A^alpha.
    entry_error
        Error of a kernel value.
    """
    slack = 4 * EPS * n * (1 + math.log2(max(n, 2.0)))
    if entry_error > 0:
        slack += math.sqrt(n) * entry_error * math.log2(n / entry_error)
    if alpha < 1:
        zero = max(EPS, entry_error / math.sqrt(n))
        slack += n * zero**alpha / ((1 - alpha) * LN2 * power_sum)
    return slack


def entropy_of_spectrum(
    eigenvalues: FloatArray,
    alpha: float,
    solver: str,
    residual: float = 0.0,
    entry_error: float = 0.0,
) -> Solution:
    """Return the entropy of eigenvalues that sum to 1.

    Eigenvalues below 0, which only rounding makes, count as 0; there is no other cut, since one
    of n eps lambda_1 would move alpha = 0.6 by up to 3e-7 bits.

    Parameters
    ----------
    eigenvalues
        (m,), in any order.
    alpha
        Order, above 0.
    solver
        Name to report.
    residual
        Trace that the eigenvalues lack, spread over the matrix in an unknown way; alpha at least 1.
    entry_error
        Error of the kernel values behind them.

    Examples
    --------
    >>> import numpy as np
    >>> entropy_of_spectrum(np.full(8, 1 / 8), 2.0, "dense").value
    3.0
    """
    return entropies_of_spectra(eigenvalues[None, :], alpha, solver, residual, entry_error)[0]


def entropies_of_spectra(
    stack: FloatArray,
    alpha: float,
    solver: str,
    residual: float = 0.0,
    entry_error: float = 0.0,
) -> list[Solution]:
    """Return the entropies of spectra of the same size, (k, m); else as `entropy_of_spectrum`."""
    values = np.sort(np.maximum(stack, 0.0), axis=1)  # sorted: the sum ignores the order of rows
    n, largest = float(stack.shape[1]), values[:, -1]
    if abs(alpha - 1) <= NEAR_ONE:
        logs = np.log(np.where(values > 0, values, 1.0))
        # Q = sum lambda (1 - lambda^(alpha - 1)) / (alpha - 1), nats; at alpha = 1 its limit
        terms = logs if alpha == 1 else np.expm1((alpha - 1) * logs) / (alpha - 1)
        deficits = -np.sum(values * terms, axis=1)
        power_sums = 1 + (1 - alpha) * deficits
        nats = deficits if alpha == 1 else np.log1p((1 - alpha) * deficits) / (1 - alpha)
        entropies = nats / LN2
    else:
        # scaled: no underflow at alpha 1000
        scaled = np.log2(np.sum((values / largest[:, None]) ** alpha, axis=1))
        highest = np.log2(largest)
        power_sums = 2.0 ** np.maximum(scaled + alpha * highest, -1000.0)
        # alpha / (alpha - 1) rather than a sum over alpha - 1: no overflow at alpha 1e308 either
        entropies = -(alpha / (alpha - 1)) * highest - scaled / (alpha - 1)
    found = []
    for value, power_sum, most in zip(
        (entropies + 0.0).tolist(), power_sums.tolist(), largest.tolist(), strict=True
    ):
        slack = rounding_slack(n, alpha, power_sum, entry_error) + _residual_slack(residual, most)
        found.append(Solution(value, value - slack, value + slack, solver))
    return found


def _residual_slack(residual: float, largest: float) -> float:
    """Return how far a lacking trace r moves an entropy of order 1 or more, bits.

    At most r log2(1 / r) + 2 r where it is spread thin (alpha 1, larger orders less), and 2 r over
    the largest eigenvalue where it adds to that; four times both.
    """
    if residual <= 0:
        return 0.0
    return 4 * residual * (math.log2(1 / residual) + 64 + 2 / largest)


def entropy_from_trace(
    power_sum: float, n: float, alpha: float, solver: str, error: float = 0.0
) -> Solution:
    """Return the entropy for a known tr A^alpha, alpha an integer above 1.

    Parameters
    ----------
    power_sum
        tr A^alpha, above 0.
    n
        Size of the matrix.
    alpha
        Order.
    solver
        Name to report.
    error
        Certain relative error of `power_sum`, besides the rounding of its sums. Kernel values off
        by a share e, all of them positive, make it alpha e.
    """
    value = math.log2(power_sum) / (1 - alpha)
    slack = -math.log1p(-min(error, 0.5)) / ((alpha - 1) * LN2)  # the larger side
    slack += rounding_slack(n, alpha, power_sum, 0.0)
    return Solution(value + 0.0, value - slack, value + slack, solver)
