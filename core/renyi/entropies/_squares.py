r"""Sums of squared kernel values of one product, by tiles of its lower triangle: O(m) memory."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby
from typing import Final

import numpy as np

from renyi.backend import Backend
from renyi.execution import expect, pause, run
from renyi.factors import TILE, TileSize, lower_tiles
from renyi.kernels import KernelPart, KernelProduct

__all__ = ["squared_conditional_bound", "squared_norm"]

EPS: Final = float(np.finfo(np.float64).eps)


SQUARED: Final = 80.0
"""Operations that an entry takes, its exponential most of them."""

PARALLEL_ROWS: Final = 4096
"""Rows from which strips of tiles are worth threads."""


def squared_norm(
    product: KernelProduct, backend: Backend, jobs: int | None = None, tile: TileSize = TILE
) -> float:
    """Return ||K / n||_F^2 of a product without hard codes, by `jobs` threads where it is long."""
    weights = np.ones(len(product)) if product.weights is None else product.weights
    weights = weights / product.total

    def sums(tiles: Sequence[tuple[slice, slice, float]]) -> list[float]:
        found = []
        for some, others, times in tiles:
            values = product.tile(backend, some, others, exponent=2.0)
            right = backend.to_device(weights[others])
            pause(SQUARED * values.shape[0] * values.shape[1])
            found.append(times * float(backend.to_device(weights[some]) @ (values @ right)))
        return found

    def strip(tiles: Sequence[tuple[slice, slice, float]]) -> float:
        return math.fsum(backend.guarded(sums, tiles, what="a tile of a Gram matrix"))

    each = groupby(lower_tiles(len(product), tile), lambda one: one[0].start)
    strips = [list(tiles) for _, tiles in each]
    expect(SQUARED * len(product) ** 2 / 2)
    if len(product) < PARALLEL_ROWS:
        return math.fsum(map(strip, strips))
    # the long strips first: the short ones fill up the ends
    return math.fsum(run(strip, strips[::-1], rows=len(product), jobs=jobs))


def squared_conditional_bound(
    features: KernelProduct, label: KernelPart, backend: Backend
) -> float:
    r"""Return an upper bound on H(y | S, ...) at order 2, bits.

    It holds for S and for S with any more variables: these multiply the squares W_ij of the Gram
    of S by numbers F_ij from 0 to 1, with F_ii = 1, and

        H(y | S, ...) = log2 (sum_ij W_ij F_ij / sum_{y_i = y_j} W_ij F_ij)
                     <= log2 (1 + sum_{y_i != y_j} W_ij / n).

    Parameters
    ----------
    features
        The product of S, without weights.
    label
        The target's part; infinity for any but a delta kernel.
    backend
        Where the tiles are made.
    """
    if not label.is_hard:
        return math.inf
    everything = _squared_sum(features, backend)
    across = everything - _squared_sum(features.times(label), backend)
    rounding = (4 * features.entry_error + 64 * EPS) * everything
    return math.log1p((max(across, 0.0) + rounding) / features.total) / math.log(2)


def _squared_sum(product: KernelProduct, backend: Backend) -> float:
    """Return sum_ij K_ij^2 over all n rows."""
    weights, blocks = product.reduced()
    of_blocks = sum(squared_norm(block, backend) for block in blocks)
    return float(np.sum(weights * weights)) + product.total**2 * of_blocks
