"""A factor of the squared Gram that many extensions share, found where it is worth it."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from renyi._typing import FloatArray
from renyi.factors import PivotedCholesky
from renyi.order2._sizes import PASS, PassSizes

__all__ = ["TILE_COST", "WideFactor"]

TILE_COST: Final = 80
"""What making the tiles costs, in columns of the product with them."""

FINDING: Final = 2.0
"""Operations of the search for a factor over those of a product at full speed."""

MOST_RANK: Final = 2048

FIRST: Final = 72
"""Columns of the first round; each later one has `STEP` times as many in all."""

STEP: Final = 1.5

JUDGED: Final = 0.1
"""Mean residual from which on its fall foretells the rank to within a tenth: measured on two to
five coordinates at two bandwidths."""

HOPE: Final = 0.85
"""Share of a predicted rank that the limit must allow."""

FASTER: Final = 3.0
"""By how much faster than in proportion to the rank the logarithm of a residual may yet fall."""

EPS: Final = float(np.finfo(np.float64).eps)


class WideFactor:
    """L L' for W, the squared Gram of a product, refined as long as that pays.

    Parameters
    ----------
    coordinates
        (m, d) scaled coordinates of the product.
    counts
        (m,) how many rows each stands for.
    residual
        Largest mean residual of the diagonal at which L L' counts as W.
    most_bytes
        Bytes beyond which it is given up.
    sizes
        From how many rows it is looked for, and how large it may be where it does not serve.
    """

    def __init__(
        self,
        coordinates: FloatArray,
        counts: FloatArray,
        residual: float,
        most_bytes: int,
        sizes: PassSizes = PASS,
    ) -> None:
        self._sizes = sizes
        self._m, self._d = coordinates.shape
        self._counts = counts
        self._residual = residual
        self._most_bytes = most_bytes
        self._coordinates = coordinates
        self._found = self._begin()
        self._tried = 0  # columns for which it has been given up
        self._done = self._found is None

    def _begin(self) -> PivotedCholesky | None:
        return PivotedCholesky(self._coordinates * math.sqrt(2.0)) if self._d else None

    @property
    def factor(self) -> FloatArray:
        """L', shape (rank, m)."""
        return np.ones((1, self._m)) if self._found is None else self._found.factor

    @property
    def largest(self) -> float:
        """Largest entry that is missing, 0 where the factor does not serve."""
        if not self._done or self._found is None:
            return 0.0
        return self._found.largest + EPS * self._found.rank

    @property
    def trace(self) -> float:
        """Trace of what is missing over the original rows, 0 where the factor does not serve."""
        if not self._done or self._found is None:
            return 0.0
        missing = self._found.diagonal + EPS * self._found.rank
        return float(missing @ self._counts)

    def largest_row_sum(self, counts: FloatArray) -> float:
        """Return an upper bound on the row sums of W, each column as often as it occurs."""
        sums = (self.factor @ counts) @ self.factor
        return float(sums.max() + self.trace + self.largest * counts.sum())

    def serves(self, columns: int) -> bool:
        """Return whether the factor is to be used for a product with so many columns.

        It is looked for at the first call, and further at one with many more columns.
        """
        if self._done:
            return True
        if self._m < self._sizes.factor_rows or columns < 1.5 * self._tried or self._found is None:
            return False
        self._tried = columns
        self._done = self._extend(self._found, self._most_rank(columns))
        if not self._done and self._found.factor.nbytes > self._sizes.kept_bytes:
            self._found = self._begin()  # to find it again takes less than to multiply by tiles
        return self._done

    def _most_rank(self, columns: int) -> int:
        """Return the rank r at which finding and using a factor costs as much as tiles.

        m^2 (c + TILE_COST) operations against FINDING m r^2 + 2 m r c.
        """
        c = float(columns)
        rank = (math.sqrt(c * c + FINDING * self._m * (c + TILE_COST)) - c) / FINDING
        return int(min(rank, MOST_RANK, self._m // 2, self._most_bytes // (8 * self._m)))

    def _extend(self, found: PivotedCholesky, most: int) -> bool:
        trace = self._residual * self._m
        rank, before = FIRST, math.nan
        while not found.extend(min(rank, most), trace=trace):
            if found.rank < min(rank, most) or rank >= most:
                return False  # only rounding is left, or it is too large
            if found.out_of_sight(trace, most, faster=FASTER):
                return False
            fall, wanted = -math.log(found.residual / self._m), -math.log(self._residual)
            judged = found.residual <= JUDGED * self._m or found.rank > most // 4
            if judged and found.rank * _growth(fall, before, wanted) * HOPE > most:
                return False
            rank, before = int(rank * STEP), fall
        return True


def _growth(fall: float, before: float, wanted: float) -> float:
    """Return how many times the rank must grow, from -log residual now and a round before.

    It grows like a power of the rank, 1 / d for d coordinates at the end.
    """
    if not 0 < before < fall:
        return 1.0  # no telling yet
    power = math.log(fall / before) / math.log(STEP)
    return float(max(wanted / fall, 1.0) ** (1 / power))
