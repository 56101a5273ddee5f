r"""A certain upper bound on H(y | S) for a fraction of the work of its value.

With A the Gram of S over its trace and B its diagonal blocks by class of y (a delta kernel),
H(y | S) = S_alpha(B) - S_alpha(A). Let D = A - B and p = alpha - 1 in [0, 1]. The function x^p is
operator concave, so A^p <= B^p + Dg(B)[D] with g(x) = x^p; multiplying by A and taking the trace,

    tr A^alpha - tr B^alpha <= sum_ij |D_ij|^2 (b_i^p - b_j^p) / (b_i - b_j)

in the eigenbasis of B. The divided difference is p times a Stolarsky mean to the power p - 1, and
that mean is at least the geometric one, so with b_i the eigenvalues of B it is at most
p (b_i b_j)^((p-1)/2) <= p b_max^p (1 / b_i + 1 / b_j) / 2. As tr B^alpha >= n^-p,

    H(y | S) <= (n b_max)^p tr(D B^-1 D) / ln 2 bits,

at alpha = 1 by the limit p -> 0 (there it is the chi-square bound on a relative entropy). Near
saturation it is about twice the truth. B^-1 needs one linear system per class, no eigenvalues.

The bound holds for S with *any* further variables too: their Gram K multiplies A and B entry by
entry, which is a trace-preserving completely positive map; tr(D B^-1 D) does not grow under one
(it is a quasi-entropy of the operator convex x^2: Petz 1986; Lesniewski and Ruskai 1999), nor
does b_max, K having a unit diagonal. So one bound on all features but x serves every shuffled
copy of x.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from renyi._typing import FloatArray
from renyi.backend import Backend
from renyi.factors import runs
from renyi.kernels import KernelPart, KernelProduct

__all__ = ["conditional_bound"]

SHIFT: Final = 64 * float(np.finfo(np.float64).eps)
"""Times size and norm: B less this multiple of the identity is below B whatever the rounding."""

SLACK: Final = 1e-6
"""Relative widening that covers the rounding of sums and solves."""


def conditional_bound(
    features: KernelProduct, label: KernelPart, alpha: float, backend: Backend
) -> float:
    """Return an upper bound on H(y | S, ...), bits; infinity where this way gives none.

    It holds for S and for S with any more variables.

    Parameters
    ----------
    features
        The product of S, without soft codes.
    label
        The target's part; the bound needs a delta kernel.
    alpha
        Order, from 1 to 2.
    backend
        Where the Gram is made.
    """
    if not label.is_hard or features.has_onehot or not 1 <= alpha <= 2:
        return math.inf
    joint = features.times(label)
    first, weights = joint.merged_rows()
    classes = label.rows[first]
    order = np.argsort(classes, kind="stable")
    gram = features.pick(first[order], weights[order]).gram(backend)
    return _bound(backend.to_host(gram), list(runs(classes[order])), alpha, features.total)


def _bound(gram: FloatArray, classes: list[slice], alpha: float, total: float) -> float:
    divergence, largest = 0.0, 0.0
    for rows in classes:
        block = gram[rows, rows]
        size = len(block)
        norm = float(np.abs(block).sum(axis=0).max())  # at least the largest eigenvalue
        shifted = block - SHIFT * size * norm * np.eye(size)
        across = np.delete(gram[rows], np.s_[rows], axis=1)
        try:
            root = np.linalg.cholesky(shifted)  # positive definite, whatever the rounding
            half = np.linalg.solve(root, across)
        except np.linalg.LinAlgError:
            return math.inf
        divergence += float(np.sum(half * half))  # a sum of squares: no rounding makes it negative
        largest = max(largest, norm)
    bound = (total * largest) ** (alpha - 1) * divergence / math.log(2)
    return bound * (1 + SLACK) if math.isfinite(bound) else math.inf
