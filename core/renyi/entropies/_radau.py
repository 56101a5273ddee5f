r"""Certain bounds on a sum over a spectrum of which only a few moments are known.

The eigenvalues 1 + x of an m x m Gram with unit diagonal have mean 1 and are neither negative nor
further from 1 than the norm of E = K - I; the means of x^2, x^3 and x^4 are the traces of E^2, E^3
and E^4 over m. A Gauss-Radau rule, whose nodes have the same moments and one of which is an end of
the interval, misses the mean of a function by f^(k)(xi) / k! times an integral whose sign is that
of the end (Golub and Meurant, Matrices, Moments and Quadrature, 2010, chapter 6). No derivative of
x^alpha changes its sign on the positive axis, so that the rules of the two ends bound the mean
from below and from above, for every alpha above 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from renyi._typing import FloatArray

__all__ = ["excess", "excess_bounds"]


def excess(x: FloatArray, alpha: float) -> FloatArray:
    """Return ((1 + x)^alpha - 1 - alpha x) / (alpha - 1), at alpha 1 its limit.

    At x = -1 it is 1, whatever alpha.
    """
    p = alpha - 1
    inside = x > -1
    logs = np.log1p(np.where(inside, x, 0.0))
    grown = logs if p == 0 else np.expm1(p * logs) / p
    return np.asarray(np.where(inside, (1 + x) * grown - x, 1.0))


def excess_bounds(moments: Sequence[float], radius: float, alpha: float) -> tuple[float, float]:
    """Bound the mean of `excess` over a spectrum.

    Parameters
    ----------
    moments
        Means of x^2, or of x^2, x^3 and x^4.
    radius
        No |x| is larger.
    alpha
        Order, above 0.
    """
    if moments[0] <= 0 or radius <= 0:
        return 0.0, 0.0
    # the mean of squares leaves room for no smaller radius, whatever rounding says
    radius = max(radius, math.sqrt(moments[0]))
    found = [_rule(moments, end, alpha) for end in (-min(radius, 1.0), radius)]
    return min(found), max(found)


def _rule(moments: Sequence[float], end: float, alpha: float) -> float:
    """Return the mean of `excess` by the Gauss-Radau rule with a node at `end`."""
    second = moments[0]
    nodes = np.array([-second / end])
    if len(moments) == 3:
        nodes = _two_nodes(moments, end)
    # weights of (x - end) dmu on the free nodes, then those of dmu; what is left goes to the end
    means = (-end, second)  # of (x - end) and of x (x - end)
    if len(nodes) == 1:
        scaled = np.array([means[0]])
    else:
        y, z = nodes
        scaled = np.array([means[1] - z * means[0], means[0] * y - means[1]]) / (y - z)
    weights = scaled / (nodes - end)
    at_end = 1.0 - float(weights.sum())
    values = excess(nodes, alpha)
    return float(weights @ values) + at_end * float(excess(np.array([end]), alpha)[0])


def _two_nodes(moments: Sequence[float], end: float) -> FloatArray:
    """Return the two free nodes, one where the spectrum has no more than that."""
    second, third, fourth = moments
    # moments of the measure (x - end) dmu
    n0, n1, n2, n3 = -end, second, third - end * second, fourth - end * third
    determinant = n0 * n2 - n1 * n1
    if determinant * n0 * n2 <= 1e-12 * (n0 * n2) ** 2:
        return np.array([n1 / n0])
    # x^2 + b x + c is orthogonal to 1 and x
    b = (n1 * n2 - n0 * n3) / determinant
    c = (n1 * n3 - n2 * n2) / determinant
    root = math.sqrt(max(b * b / 4 - c, 0.0))
    far = -b / 2 - math.copysign(root, b)
    near = c / far if far else -b / 2 + root
    return np.array([far, near])
