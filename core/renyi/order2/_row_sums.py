"""What the tiles of a squared Gram add up to: row sums, totals, and sums of squares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from renyi._typing import Array, FloatArray
from renyi.backend import Backend
from renyi.factors import spans

__all__ = ["RowSums", "Sums"]

SINGLE_SUM: Final = 1e-3
DOUBLE_SUM: Final = 1e-9
"""What single and double precision round off the sum of a row of W, as a share of it, and more."""

CACHED_ROWS: Final = 128
"""Rows of a tile that are read at once, in double precision what a cache holds."""


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums over W, the squared Gram of some rows, each as often as it counts.

    Attributes
    ----------
    rows, within
        (m,) row sums of W, and of W within a class.
    totals, squares
        (2,) sums of W, and of W^2: over all pairs, and over pairs of one class.
    """

    rows: FloatArray
    within: FloatArray
    totals: FloatArray
    squares: FloatArray

    @classmethod
    def zeros(cls, count: int) -> Sums:
        """Return those of no tile."""
        return cls(np.zeros(count), np.zeros(count), np.zeros(2), np.zeros(2))

    def take(self, added: Sums, places: Sequence[slice]) -> None:
        """Take what some tiles add to the rows at some places, which `added` has side by side."""
        start = 0
        for place in places:
            stop = start + place.stop - place.start
            self.rows[place] += added.rows[start:stop]
            self.within[place] += added.within[start:stop]
            start = stop
        self.totals[:] += added.totals
        self.squares[:] += added.squares


class RowSums:
    """Sums of W over the rows of a block, from tiles of its lower triangle.

    Row sums and squares are as exact as the precision of the tiles, totals as that of their
    entries: they are added up in double precision.

    Parameters
    ----------
    counts, squares
        (m,) how much each row counts, and the sum of the squared weights that make it up.
    backend
        Where tiles are.
    single
        Whether they are in single precision.
    """

    def __init__(
        self, counts: FloatArray, squares: FloatArray, backend: Backend, *, single: bool
    ) -> None:
        self._backend = backend
        precision = np.float32 if single else np.float64
        self._single = single
        self._exact = backend.to_device(counts)
        self._counts = backend.to_device(counts.astype(precision))
        self._squares = backend.to_device(squares.astype(precision))
        self._slack = SINGLE_SUM if single else DOUBLE_SUM
        self.sums = Sums.zeros(len(counts))

    def add(
        self,
        sums: Sums,
        tile: Array,
        some: slice,
        others: slice,
        places: tuple[slice, slice],
        *,
        within: bool,
    ) -> None:
        """Add what a tile adds, and its mirror image.

        Parameters
        ----------
        sums
            What takes it.
        tile
            Rows `some` and columns `others` of W.
        some, others
            Where it is: before the diagonal, or on it.
        places
            Where `sums` has these rows.
        within
            Whether its rows and columns are of one class.
        """
        xp, dot, to_host = self._backend.xp, self._backend.dot, self._backend.to_host
        own, theirs = self._exact[some], self._exact[others]
        squared, twice = self._squares[some], self._squares[others]
        total, squares = 0.0, 0.0
        forward = np.empty(tile.shape[0])
        for rows in spans(0, tile.shape[0], CACHED_ROWS):
            part = tile[rows, :]
            found = dot(xp.astype(part, xp.float64), theirs)
            forward[rows] = to_host(found)
            total += float(dot(own[rows], found))
            found = dot(part * part, twice)
            squares += float(dot(squared[rows], found))
        mirrored = others.start != some.start
        backward = to_host(dot(self._counts[some], tile)) if mirrored else None
        times = 2.0 if mirrored else 1.0
        for kind, sums_of in enumerate((sums.rows, sums.within) if within else (sums.rows,)):
            sums_of[places[0]] += forward
            if backward is not None:
                sums_of[places[1]] += backward
            sums.totals[kind] += times * total
            sums.squares[kind] += times * squares

    @property
    def largest(self) -> float:
        """Upper bound on the largest eigenvalue of W, each row as often as it occurs."""
        return float(self.sums.rows.max()) * (1 + self._slack)
