r"""An entropy from determinants: a quadrature whose error has a certain bound.

For a spectrum of sum 1, p = alpha - 1 and 0 < alpha < 2,

    Q = (1 - tr A^alpha) / p = w \int_0^oo t^p (ln det(I + A / t) - ln(1 + 1 / t)) dt,
    w = alpha sin(pi p) / (pi p),

at alpha 1 both sides in the limit, Q = -tr A ln A: the Mellin transform of ln(1 + x / t) less its
linear part is pi (x^z - x) / (z sin pi z) at z = alpha. With t = e^s it is an integral over all s,
and the trapezoid rule of step h on it converges exponentially: by Poisson's formula its error is
the sum of that transform over z = alpha + 2 pi i m / h, m != 0, where |x - x^z| <= x + x^alpha sums
to at most 2 from alpha 1 upwards.

The rule's ends are bounded. Above the last t, with m2 = tr A^2,

    ln det(I + A / t) = 1 / t - m2 / (2 t^2) + theta,  0 <= theta <= m2^1.5 / (3 t^3).

Below the first, -d ln det(I + A / t) / ds is a sum of x / (x + t): it grows as s falls, from at
least the last secant to at most the number of eigenvalues.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from renyi._typing import FloatArray
from renyi.entropies import EPS

__all__ = ["Deficit", "Plan", "deficit", "plan_for"]

COARSE_STEP: Final = 1.6
"""Step of the rule at first: an error below 3e-5 nats; half of it leaves less than 1e-10."""

SERIES_FROM: Final = 30.0
"""t from which ln(1 + 1 / t) less its first two terms is taken from its further ones."""

FURTHER_TERMS: Final = 12

ROUNDING: Final = 8 * EPS
"""Error of ln det(I + A / t) by row, at large t: each pivot is a number not below 1. At small t it
is some eps tr A / t in all, which times t^alpha is within the rounding of eigenvalues."""


class Plan(NamedTuple):
    """Nodes t = exp(j step), j from `first` to `last`, for a rule's error of about `error` nats."""

    step: float
    first: int
    last: int

    @property
    def nodes(self) -> FloatArray:
        """The shifts t, ascending, shape (last - first + 1,)."""
        nodes: FloatArray = np.exp(self.step * np.arange(self.first, self.last + 1))
        return nodes


class Deficit(NamedTuple):
    """Q between certain bounds, nats."""

    lower: float
    value: float
    upper: float


def plan_for(error: float, alpha: float, count: int, squares: float) -> Plan:
    """Return the nodes that leave each end of the rule an error of about `error` nats.

    More where rounding takes more than it.

    Parameters
    ----------
    error
        Above 0.
    alpha
        Order, from 1 to below 2.
    count
        How many eigenvalues there are.
    squares
        Their sum of squares.
    """
    step = COARSE_STEP
    while _rule_error(alpha, step) > error:
        step /= 2
    low = math.log(error / count) / alpha
    third = _weight(alpha) * squares**1.5 / (3 * (3 - alpha))
    high = math.log(max(third / error, 1e-300)) / (3 - alpha)
    # further up rounding takes more than the end gives
    high = min(high, math.log(max(third / (ROUNDING * count), 1e-300)) / 3)
    first = math.floor(low / step)
    return Plan(step, first, max(math.ceil(high / step), first + 2))


def deficit(
    log_dets: Callable[[FloatArray], FloatArray],
    plan: Plan,
    alpha: float,
    count: int,
    squares: float,
) -> Deficit:
    """Return Q of a spectrum of sum 1.

    Parameters
    ----------
    log_dets
        Gives ln det(I + A / t) for each shift t.
    plan
        The nodes.
    alpha, count, squares
        As in `plan_for`.
    """
    h, nodes, weight = plan.step, plan.nodes, _weight(alpha)
    heights = log_dets(nodes)
    powers = nodes**alpha
    inner = float(np.sum(powers * (heights - np.log1p(1 / nodes))))
    # below: t = t_0 e^(-k h), k = 1, 2, ...: sums of q^k and k q^k
    q = math.exp(-alpha * h)
    start = float(powers[0])
    flat, sloped = start * q / (1 - q), start * q / (1 - q) ** 2
    least = float(heights[0] - heights[1])
    most = max(count * h, least)
    below = float(heights[0]) * flat - _reference_below(alpha, plan)
    # above: t = t_last e^(k h)
    above = _reference_above(alpha, plan) + (1 - squares) / 2 * _tail(plan, alpha - 2)
    third = squares**1.5 / 3 * _tail(plan, alpha - 3)
    rounding = ROUNDING * count * float(np.sum(powers)) * h * weight
    error = _rule_error(alpha, h) + rounding
    lower = weight * h * (inner + below + least * sloped + above)
    upper = weight * h * (inner + below + most * sloped + above + third)
    return Deficit(lower - error, (lower + upper) / 2, upper + error)


def _weight(alpha: float) -> float:
    p = alpha - 1
    return alpha * float(np.sinc(p))  # sinc: sin(pi p) / (pi p)


@lru_cache(maxsize=256)
def _rule_error(alpha: float, step: float) -> float:
    """Return a bound on the error of the endless trapezoid rule, nats."""
    total = 0.0
    for m in range(1, 9):
        omega = 2 * math.pi * m / step
        total += 4 * math.pi / (math.hypot(alpha, omega) * math.sinh(min(math.pi * omega, 700.0)))
    return 1.001 * _weight(alpha) * total  # the terms beyond are less than e^-70 of the first


def _tail(plan: Plan, power: float) -> float:
    """Return the sum of t^power over the nodes beyond the last, power below 0."""
    return math.exp(power * plan.step * (plan.last + 1)) / -math.expm1(power * plan.step)


@lru_cache(maxsize=1024)
def _reference_below(alpha: float, plan: Plan) -> float:
    """Return the sum of t^alpha ln(1 + 1 / t) over the nodes before the first."""
    count = math.ceil(45 / (alpha * plan.step))
    nodes = np.exp(plan.step * (plan.first - np.arange(1, count + 1)))
    return float(np.sum(nodes**alpha * np.log1p(1 / nodes)))


@lru_cache(maxsize=1024)
def _reference_above(alpha: float, plan: Plan) -> float:
    """Return the sum of t^alpha (1 / t - 1 / (2 t^2) - ln(1 + 1 / t)) over the nodes beyond."""
    far = max(math.ceil(math.log(SERIES_FROM) / plan.step), plan.last + 1)
    near = np.exp(plan.step * np.arange(plan.last + 1, far))
    total = float(np.sum(near**alpha * (1 / near - 0.5 / near**2 - np.log1p(1 / near))))
    beyond = plan._replace(last=far - 1)
    for k in range(3, 3 + FURTHER_TERMS):
        total += (-1) ** k / k * _tail(beyond, alpha - k)
    return total
