r"""One tangent for many small matrices: what F is at least, by a sum of products.

F is convex and homogeneous of degree alpha, see `_bounds`, so that for any A_0

    F(A) >= tr A X - p F(A_0),  X = (alpha / p) (A_0^p - (P A_0)^p)

(alpha 1: ln A_0 - ln P A_0). X is found once; for each A there is but its inner product with X. The
closer the matrices are to A_0, the closer is the bound: extensions of a set that leaves little of
H(y) open are all close to their mean.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from renyi._typing import FloatArray
from renyi.backend import Backend
from renyi.entropies import EPS

__all__ = ["CommonTangent"]


class CommonTangent:
    """The tangent at one matrix.

    Parameters
    ----------
    centre
        (n, n) A_0, positive definite.
    spans
        The runs of rows of one class.
    alpha
        Order, from 1 to 2.
    backend
        Where eigenvectors are found.

    Attributes
    ----------
    gradient
        (n, n) X.
    offset
        What is taken from tr A X, rounding of X included.
    """

    def __init__(
        self, centre: FloatArray, spans: Sequence[slice], alpha: float, backend: Backend
    ) -> None:
        self._p = alpha - 1
        self._backend = backend
        self.gradient, gain, slack = self._of(centre)
        for span in spans:
            part, part_gain, part_slack = self._of(centre[span, span])
            self.gradient[span, span] -= part
            gain -= part_gain
            slack += part_slack
        self.gradient *= alpha
        self.offset = self._p * gain + slack

    def _of(self, block: FloatArray) -> tuple[FloatArray, float, float]:
        """Return (B^p - 1) / p, tr B (B^p - 1) / p, and what rounding may do to the bound.

        The bound holds for any A_0, so for the one that the vectors found belong to; but that of
        the blocks is another, by the rounding of an eigenvalue.
        """
        values, vectors = self._backend.eigenvectors(self._backend.to_device(block))
        mu = np.maximum(self._backend.to_host(values), 1e-300)
        found = self._backend.to_host(vectors)
        logs = np.log(mu)
        slopes = logs if self._p == 0 else np.expm1(self._p * logs) / self._p
        matrix: FloatArray = (found * slopes) @ found.T
        steep = float(mu[-1] / mu[0] + np.abs(slopes).max())
        slack = 64 * EPS * (len(mu) + np.sqrt(len(mu))) * (1 + steep)
        return matrix, float(mu @ slopes), float(slack)
