r"""From part of a spectrum to certain bounds on an entropy, and on a conditional one.

A = A_k + R with A_k of rank k, R positive semidefinite of trace r, tr A = 1, p = alpha - 1 >= 0.

*One entropy.* The eigenvalues of A are at least those of A_k, and sum to 1. Poured over the
smallest ones up to a common level, r makes S_alpha as large as it can be; put on the largest one,
as small.

*H(y | Z) with a delta kernel for y*, 0 <= p <= 1. With P A the diagonal blocks of A by class,

    F(A) = (tr A^alpha - tr (P A)^alpha) / p >= 0      (alpha 1: tr A ln A - tr P A ln P A)

is convex in A: P A is the mean of U A U' over sign changes U of whole classes, so F is a matrix
Phi-entropy, convex for the powers 1 to 2 (Chen and Tropp, Electron. J. Probab. 19, 2014). It is
homogeneous of degree alpha. Hence, with C classes,

    F(A) <= (1 - r)^-p F(A_k) + r (1 - C^-p) / p,

by convexity on A_k / (1 - r) and R / r, and since R <= C P R gives
F(R) <= (1 - C^-p) tr R^alpha / p (x^p is operator monotone); and, tr A^alpha being superadditive,

    F(A) >= F(A_k) - ((1 - r) - (1 - r)^alpha + r - r^alpha) / p,

at alpha 1 less the binary entropy of r. Much closer from below is a compression: for V block
diagonal by class with V' V <= I,

    F(A) >= F(V' A V).

A projection Q commutes with classes and F is convex, so F(A) is at least F of the mean of A and
S A S, S = 2 Q - I, which is Q A Q + (I - Q) A (I - Q); a contraction is a projection of a larger
space. With V from A_k it mostly misses F(A) by
r / 20 to r / 5, with few columns by up to 2 r, see `_compressed`. At last

    H(y | Z) = ln(1 + p F / tr (P A)^alpha) / (p ln 2) bits.

*More variables* never raise F. The kernel of each, Gaussian, delta or one-hot, is a mean of phases,
k(x, x') = E w(x) w(x')* with |w| = 1, so that its Gram times A, entry by entry, is a mean of U A U*
with U diagonal; F is the same for each of these, and convex. tr (P A)^alpha is at least n^-p.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from renyi._typing import FloatArray
from renyi.bounds._pair import Pair
from renyi.entropies import LN2, Solution, entropy_of_spectrum

__all__ = [
    "Bound",
    "conditional_from_gain",
    "entropy_bounds",
    "extended_upper",
    "gain_bounds",
    "gain_of",
    "joint_lower",
    "tsallis",
]

TINY: Final = 1e-300


class Bound(NamedTuple):
    """A certain interval."""

    lower: float
    upper: float


def tsallis(values: FloatArray, alpha: float) -> float:
    """Return (sum x^alpha - sum x) / (alpha - 1), at alpha 1 its limit sum x ln x."""
    positive = values[values > TINY]
    logs = np.log(positive)
    p = alpha - 1
    terms = logs if p == 0 else np.expm1(p * logs) / p
    return float(np.sum(positive * terms))


def entropy_bounds(
    values: FloatArray, size: int, residual: float, alpha: float, entry_error: float
) -> Solution:
    """Bound an entropy whose spectrum is known but for a trace `residual`; alpha at least 1.

    Parameters
    ----------
    values
        (k,) eigenvalues of A_k, at most `size` of them.
    size
        Rows of the matrix.
    residual
        r; an upper bound on it suffices.
    alpha
        Order, at least 1.
    entry_error
        Error of the kernel values.
    """
    spectrum = np.zeros(max(size, len(values)))
    spectrum[len(spectrum) - len(values) :] = np.sort(np.maximum(values, 0.0))
    spectrum.sort()
    if residual <= 0:
        return entropy_of_spectrum(spectrum, alpha, "low-rank", 0.0, entry_error)
    largest = spectrum.copy()
    largest[-1] += residual
    low = entropy_of_spectrum(largest, alpha, "low-rank", 0.0, entry_error)
    high = entropy_of_spectrum(_poured(spectrum, residual), alpha, "low-rank", 0.0, entry_error)
    # between the two, nearer the upper: a residual is spread thin
    value = 0.25 * low.value + 0.75 * high.value
    lower, upper = min(low.lower, high.lower), max(low.upper, high.upper)
    return Solution(min(max(value, lower), upper), lower, upper, "low-rank")


def _poured(ascending: FloatArray, residual: float) -> FloatArray:
    """Raise the smallest values to a common level that takes up `residual` in all."""
    counts = np.arange(1, len(ascending) + 1)
    levels = (residual + np.cumsum(ascending)) / counts
    # the level of the smallest j, for the first j whose next value is not below it
    above = np.append(ascending[1:], np.inf)
    first = int(np.argmax(levels <= above))
    poured = ascending.copy()
    poured[: first + 1] = levels[first]
    return poured


def gain_of(values: FloatArray, by_class: FloatArray, alpha: float) -> float:
    """Return F of a matrix from its spectrum and that of its class blocks."""
    return tsallis(values, alpha) - tsallis(by_class, alpha)


def gain_bounds(known: float, residual: float, classes: int, alpha: float) -> Bound:
    """Bound F(A) by F(A_k) and the trace of the rest; alpha from 1 to 2."""
    r, p = min(residual, 1.0), alpha - 1
    if r <= 0:
        return Bound(max(known, 0.0), known)
    if r >= 1:
        return Bound(0.0, math.log(classes) if p == 0 else -math.expm1(-p * math.log(classes)) / p)
    if p == 0:
        loss = -r * math.log(r) - (1 - r) * math.log1p(-r)
        return Bound(max(known - loss, 0.0), known + r * math.log(classes))
    loss = -(1 - r) * math.expm1(p * math.log1p(-r)) / p - r * math.expm1(p * math.log(r)) / p
    upper = math.exp(-p * math.log1p(-r)) * known - r * math.expm1(-p * math.log(classes)) / p
    return Bound(max(known - loss, 0.0), upper)


def joint_lower(values: FloatArray, residual: float, squares: float, alpha: float) -> float:
    """Return a lower bound on S_alpha(P A), bits, for alpha from 1 to 2.

    It is closer than that of `entropy_bounds`, which has all of the residual on one eigenvalue.

    Parameters
    ----------
    values
        Eigenvalues of (P A)_k.
    residual
        r, an upper bound.
    squares
        tr R^2 of what (P A)_k lacks of P A, an upper bound.
    alpha
        Order.
    """
    p, r = alpha - 1, min(residual, 1.0)
    known = values[values > TINY]
    if r <= 0 or r >= 1 or p == 0:
        return 0.0  # no closer
    # tr (B + R)^alpha by convexity on B / (1 - r) and R / r; tr R^alpha by that of its logarithm
    total = (1 - r) ** -p * float(np.sum(known**alpha)) + r ** (1 - 2 * p) * squares**p
    return -math.log2(total) / p


def extended_upper(pair: Pair, rows: int, classes: int, alpha: float) -> float:
    """Return what H(y | Z, ...) is at most with any more variables, bits; a delta label.

    Parameters
    ----------
    pair
        H(Z) and H(Z, y).
    rows
        n.
    classes
        Levels of the label: it is never above their logarithm.
    alpha
        Order, from 1 to 2.
    """
    p, most = alpha - 1, math.log2(max(classes, 1))
    highest = min(max(pair.upper, 0.0), most)
    if p == 0:
        return highest
    # from H(y | Z) to F, and back with the least tr (P A)^alpha
    gain = math.expm1(p * highest * LN2) * math.exp(-p * max(pair.joint.lower, 0.0) * LN2) / p
    return min(conditional_from_gain(gain, math.log2(rows), alpha), most)


def conditional_from_gain(gain: float, joint: float, alpha: float) -> float:
    """Return H(y | Z) in bits from F and S_alpha(P A) in bits."""
    p = alpha - 1
    if p == 0:
        return gain / LN2
    # tr (P A)^alpha = 2^(-p S)
    return math.log1p(p * gain * math.exp(p * joint * LN2)) / (p * LN2)
