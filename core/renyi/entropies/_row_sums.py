"""Row sums of a squared Gram, from its tiles."""

from __future__ import annotations

from typing import Final

import numpy as np

from renyi._typing import Array, FloatArray
from renyi.backend import Backend

__all__ = ["RowSums"]

SINGLE_SUM: Final = 1e-3
DOUBLE_SUM: Final = 1e-9
"""What single and double precision round off the sum of a row of W, as a share of it, and more."""


class RowSums:
    """Sums of W over the original rows behind each column, from tiles of the lower triangle."""

    def __init__(self, counts: FloatArray, backend: Backend, *, single: bool) -> None:
        self._backend = backend
        precision = backend.xp.float32 if single else backend.xp.float64
        self._counts = backend.xp.asarray(backend.to_device(counts), dtype=precision)
        self._sums = np.zeros(len(counts))
        self._slack = SINGLE_SUM if single else DOUBLE_SUM

    def add(self, sums: FloatArray, tile: Array, some: slice, others: slice | None) -> None:
        """Add what a tile adds, and its mirror image; on the diagonal `others` is None."""
        to_host = self._backend.to_host
        sums[some] += to_host(tile @ self._counts[some if others is None else others])
        if others is not None:
            turned = self._backend.xp.matrix_transpose(tile)
            sums[others] += to_host(turned @ self._counts[some])

    def take(self, added: FloatArray) -> None:
        """Take what the tiles of some rows, and of those before them, add."""
        self._sums[: len(added)] += added

    @property
    def largest(self) -> float:
        """Upper bound on the largest eigenvalue of W, each row as often as it occurs."""
        return float(self._sums.max()) * (1 + self._slack)

    @property
    def total(self) -> float:
        """Upper bound on the sum of W over the rows of the columns."""
        return float(self._sums.sum()) * (1 + self._slack)
