"""Linear support vector machines, many of equal shape at once, by an interior-point method.

Bootstrap runs ask for thousands of small problems of a kind. Solved as stacks of matrices they
cost a fraction of one call of a library each, and since no iteration depends on how far classes
overlap, a hard problem costs what an easy one does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from renyi._typing import BoolArray, FloatArray

__all__ = ["hinge_weights"]

GAP: Final = 1e-6
"""Mean complementarity, in margins times costs, at which a problem is solved: far more are right
in their predictions at 1e-4 already."""

MOST_STEPS: Final = 60
"""Steps before a problem is taken as it is; 9 to 20 are usual."""

TO_BOUNDARY: Final = 0.995
"""Share of the way to the boundary that a step may go."""


@dataclass
class _State:
    """Where a stack of B problems stands, m rows and p = width + 1 weights each.

    Attributes
    ----------
    alpha, free
        (B, m) multipliers, and what they lack to their rows' costs.
    beta
        (B, p) weights, the intercept last.
    above, below
        (B, m) margins above 1 and hinge losses, positive both.
    """

    alpha: FloatArray
    free: FloatArray
    beta: FloatArray
    above: FloatArray
    below: FloatArray

    def move(self, step: _State, length: FloatArray) -> None:
        """Go along a step, (B, 1) of it."""
        for name in ("alpha", "free", "beta", "above", "below"):
            getattr(self, name).__iadd__(length * getattr(step, name))


def hinge_weights(signed: FloatArray, cost: FloatArray) -> FloatArray:
    """Return the weights of linear support vector machines.

    Each minimises ``|w|^2 / 2 + sum_i cost_i max(0, 1 - y_i (w . x_i + b))`` over w and b, by the
    primal-dual method of Mehrotra (1992) on the normal equations of Ferris and Munson (2002).

    Parameters
    ----------
    signed
        (B, m, p): row i is ``y_i (x_i, 1)`` with y_i of -1 or 1.
    cost
        (B, m): weight of each row's loss, 0 for a row that is not there. Both classes occur.

    Returns
    -------
    numpy.ndarray
        (B, p): w with b at the end.
    """
    there = cost > 0
    state = _start(signed, cost, there)
    count = there.sum(axis=1, keepdims=True)
    for _ in range(MOST_STEPS):
        gap = _gap(state, there) / count
        off = (signed[:, :, -1] * state.alpha * there).sum(axis=1, keepdims=True)
        going = (gap > GAP) | (np.abs(off) > GAP * count)
        if not going.any():
            break
        step, length = _newton(signed, state, there, gap, off)
        state.move(step, np.where(going, length, 0.0))
    return state.beta


def _start(signed: FloatArray, cost: FloatArray, there: BoolArray) -> _State:
    """Start in the middle of the box; rows that are not there stay where they are."""
    alpha = np.where(there, cost / 2, 0.0)
    beta = _transposed(signed, alpha)
    beta[:, -1] = 0.0
    margin = _times(signed, beta) - 1.0
    alpha = np.where(there, alpha, 1.0)
    above, below = np.maximum(margin, 0.0) + 1.0, np.maximum(-margin, 0.0) + 1.0
    return _State(alpha, alpha.copy(), beta, above, below)


def _newton(
    signed: FloatArray, state: _State, there: BoolArray, gap: FloatArray, off: FloatArray
) -> tuple[_State, FloatArray]:
    """Return the step, and how far each problem may go along it, (B, 1)."""
    inverse = there / (state.above / state.alpha + state.below / state.free)
    matrix = np.matmul((signed * inverse[:, :, None]).transpose(0, 2, 1), signed)
    width = signed.shape[2] - 1
    matrix[:, range(width), range(width)] += 1.0
    solver = np.linalg.inv(matrix)
    aim = state.alpha * state.above
    other = state.free * state.below
    plain = _direction(signed, state, inverse, solver, off, aim, other)
    length = _length(plain, state, there)
    reached = _State(*(value.copy() for value in vars(state).values()))
    reached.move(plain, length)
    left = _gap(reached, there) / there.sum(axis=1, keepdims=True)
    centre = gap * (left / gap) ** 3
    aim = aim - centre + plain.alpha * plain.above
    other = other - centre + plain.free * plain.below
    step = _direction(signed, state, inverse, solver, off, aim, other)
    return step, np.minimum(1.0, TO_BOUNDARY * _length(step, state, there, most=2.0))


def _direction(
    signed: FloatArray,
    state: _State,
    inverse: FloatArray,
    solver: FloatArray,
    off: FloatArray,
    aim: FloatArray,
    other: FloatArray,
) -> _State:
    """Return Newton's step that takes both products of complementary terms down by so much.

    Margins and weights agree with each other from the start and under every step; only the
    multipliers' balance of the classes, `off`, has to be brought to 0.
    """
    wanted = other / state.free - aim / state.alpha
    right = _transposed(signed, inverse * wanted)
    right[:, -1] += off[:, 0]
    beta = np.matmul(solver, right[:, :, None])[:, :, 0]
    alpha = inverse * (wanted - _times(signed, beta))
    above = (-aim - state.above * alpha) / state.alpha
    below = (-other + state.below * alpha) / state.free
    return _State(alpha, -alpha, beta, above, below)


def _length(step: _State, state: _State, there: BoolArray, most: float = 1.0) -> FloatArray:
    """Return how far a step may go until a term is 0, (B, 1), at most `most`."""
    shrinks = np.full((len(step.alpha), 1), 1.0 / most)
    for name in ("alpha", "free", "above", "below"):
        ratio = np.where(there, -getattr(step, name) / getattr(state, name), 0.0)
        np.maximum(shrinks, ratio.max(axis=1, keepdims=True), out=shrinks)
    return 1.0 / shrinks


def _gap(state: _State, there: BoolArray) -> FloatArray:
    """Return the sum of the products of complementary terms, (B, 1)."""
    terms = there * (state.alpha * state.above + state.free * state.below)
    found: FloatArray = terms.sum(axis=1, keepdims=True) / 2
    return found


def _times(signed: FloatArray, beta: FloatArray) -> FloatArray:
    found: FloatArray = np.matmul(signed, beta[:, :, None])[:, :, 0]
    return found


def _transposed(signed: FloatArray, values: FloatArray) -> FloatArray:
    found: FloatArray = np.matmul(values[:, None, :], signed)[:, 0, :]
    return found
