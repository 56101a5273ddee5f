"""The compression that bounds F(A) from below, see `_bounds`: class by class to a subspace."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final, NamedTuple

import numpy as np

from renyi._typing import Array, FloatArray
from renyi.backend import Backend
from renyi.bounds._banded import BAND_ALPHA, BAND_ROWS, band_deficit
from renyi.bounds._bounds import tsallis
from renyi.bounds._side import Side
from renyi.entropies import EPS, eigenvalues_of, matrix_in_words, squared_norm
from renyi.execution import pause
from renyi.factors import TILE, TileSize, spans

__all__ = ["Compressed", "compressed"]

SHIFT: Final = 1e-9
"""Of the trace of L L', what is added to it: its root is then well conditioned."""

LEAF: Final = 64
"""Rows of a triangular matrix up to which its inverse is that of any matrix."""

NOTHING: Final = 1e-200
"""Trace below which a class has no factor: it is far from all pivots."""

SHRINK: Final = 1 - 1e-9
"""Factor on the compressed matrix: more than rounding leaves unknown of how far V stretches."""

LOG_RANGE: Final = 40.0
"""Slope of x ln x and of (x^alpha - x) / (alpha - 1) between eps and 1, as far as it may range."""


class Compressed(NamedTuple):
    """What a compression tells.

    Attributes
    ----------
    gain
        Lower bound on F(A), nats.
    squares
        Upper bound on tr R^2, with R what P A_k lacks of P A; not at alpha 1, where none is needed.
    """

    gain: float
    squares: float


def compressed(
    side: Side,
    small: Mapping[tuple[int, int], FloatArray],
    alpha: float,
    backend: Backend,
    tile: TileSize = TILE,
) -> Compressed:
    """Return a lower bound on F(A), and what it takes for a closer one on S_alpha(P A).

    With V block diagonal by class and V' V <= I, V' A V has no larger F than A. V is the factor of
    A_k in each class, made orthonormal by the root of its small matrix.

    Parameters
    ----------
    side
        Blocks, their classes and their factors.
    small
        By number of the block and start of the class, of each class: its factor of A_k times the
        transpose, or the other way round where it has fewer rows than the rank, see `Side.small`.
        Of a block of one class, that of the block.
    alpha
        Order, from 1 to 2.
    backend
        Where products and eigenvalues run.
    tile
        Of A, at most.
    """
    gain = squares = 0.0
    for number, cuts in enumerate(side.classes):
        if len(cuts) == 1:  # the same in A and P A; tr A_k A is at least tr A_k^2
            squares += _squared_norm(side, cuts[0], backend) if alpha > 1 else 0.0
            squares -= float(np.sum(small[number, cuts[0].start] ** 2))
            continue
        bases = [_Basis.of(side, number, cut, small[number, cut.start]) for cut in cuts]
        columns = [basis.columns for basis in bases]
        pieces, norms = _pieces(side, number, columns, backend, tile, squares=alpha > 1)
        squares += norms
        gain += _gain(pieces, alpha, side.entry_error, backend)
        for cut, basis, row in zip(cuts, bases, pieces, strict=True):
            squares += float(np.sum(small[number, cut.start] ** 2)) - 2 * basis.inner(row[-1])
    rounding = EPS * len(side.weights) + side.entry_error
    return Compressed(gain - 64 * LOG_RANGE * rounding, max(squares, 0.0) + 64 * rounding)


def _squared_norm(side: Side, cut: slice, backend: Backend) -> float:
    """Return the sum of squares of a block of one class."""
    if cut.stop - cut.start == 1:
        return float(side.weights[cut.start]) ** 2
    rows = side.product.subset(np.arange(cut.start, cut.stop))
    return squared_norm(replace(rows, weights=side.weights[cut], total=1.0), backend, jobs=1)


class _Basis(NamedTuple):
    """V of a class.

    Attributes
    ----------
    columns
        (rows, m), each row times the root of its weight.
    left
        What V' is to be multiplied by to give the factor of A_k.
    """

    columns: FloatArray
    left: FloatArray

    @classmethod
    def of(cls, side: Side, number: int, cut: slice, small: FloatArray) -> _Basis:
        """Return that of one class."""
        root = np.sqrt(side.weights[cut])
        factor = side.scaled(number, cut)
        if len(root) <= len(factor):  # all of the class
            return cls(np.diag(root), factor)
        trace = float(np.trace(small))
        if trace < NOTHING:
            return cls(np.zeros((len(root), 1)), np.zeros((len(factor), 1)))
        unit = np.eye(len(small))
        left = np.asarray(np.linalg.cholesky(small + SHIFT * trace * unit), dtype=np.float64)
        inverse = _inverse(left)
        rows = _lower_product(inverse, factor)
        # V' V would be I less a multiple of the inverse's square; by how much rounding has it
        # larger, no more than the largest row sum of the difference, V is made shorter
        off = np.dot(rows, rows.T) - unit + SHIFT * trace * np.dot(inverse, inverse.T)
        stretch = math.sqrt(1 + float(np.abs(off).sum(axis=0).max()))
        columns = np.ascontiguousarray(rows.T)
        columns *= (root / stretch)[:, None]
        return cls(columns, left * stretch)

    def inner(self, piece: FloatArray) -> float:
        """Return tr A A_k of the class from its V' A V, or less."""
        return float(np.sum(np.dot(self.left.T, self.left) * piece))


def _inverse(lower: FloatArray) -> FloatArray:
    """Return the inverse of a lower triangular matrix, by halves: a third of a general one's work.

    Its rounding is no matter here: how far V stretches is measured.
    """
    size = len(lower)
    if size <= LEAF:
        return np.tril(np.linalg.inv(lower))
    half = size // 2
    first, last = _inverse(lower[:half, :half]), _inverse(lower[half:, half:])
    inverse = np.zeros((size, size))
    inverse[:half, :half], inverse[half:, half:] = first, last
    inverse[half:, :half] = -np.dot(last, np.dot(lower[half:, :half], first))
    return inverse


def _lower_product(lower: FloatArray, right: FloatArray) -> FloatArray:
    """Return a lower triangular matrix times another, mostly without the zeros."""
    product = np.empty((len(lower), right.shape[1]))
    for some in spans(0, len(lower), max(len(lower) // 4, LEAF)):
        product[some] = np.dot(lower[some, : some.stop], right[: some.stop])
    return product


def _pieces(
    side: Side,
    number: int,
    bases: Sequence[FloatArray],
    backend: Backend,
    size: TileSize,
    *,
    squares: bool,
) -> tuple[list[list[FloatArray]], float]:
    """Return V' A V of a block, and the sum of squares of P A, 0 where they are not wanted.

    The former as its pieces by class: those of classes up to the row's own.
    """
    xp = backend.xp
    span = side.blocks[number]
    block = side.product.subset(np.arange(span.start, span.stop))
    cuts = [slice(c.start - span.start, c.stop - span.start) for c in side.classes[number]]
    there = [backend.to_device(basis) for basis in bases]
    weights = backend.to_device(side.weights[span])

    def part(own: int, some: slice, other: int, columns: Iterable[slice]) -> tuple[Array, float]:
        """Return V' A V as far as some rows of A and some columns make it up, and squares of A.

        Of a class half of either.
        """
        right: Array | None = None
        norms = 0.0
        for others in columns:
            pause()
            tile = block.tile(backend, some, others)
            if own == other and squares:
                sums = xp.tensordot(tile * tile, weights[others], axes=1)
                norm = float(xp.sum(weights[some] * sums))
                norms += norm if some != others else norm / 2
            if some == others:
                tile *= 0.5
            rows = slice(others.start - cuts[other].start, others.stop - cuts[other].start)
            product = xp.tensordot(tile, there[other][rows, :], axes=1)
            right = product if right is None else right + product
        rows = slice(some.start - cuts[own].start, some.stop - cuts[own].start)
        return xp.tensordot(xp.matrix_transpose(there[own][rows, :]), right, axes=1), norms

    def piece(own: int, other: int) -> tuple[FloatArray, float]:
        total: Array | None = None
        norms = 0.0
        start, stop = cuts[own].start, cuts[own].stop
        for some in spans(start, stop, size.rows if own != other else size.rows // 2):
            if own != other:
                columns = spans(cuts[other].start, cuts[other].stop, size.columns)
            else:  # symmetric: half of it, and of the tiles on the diagonal
                columns = chain(spans(start, some.start, size.columns), [some])
            product, norm = part(own, some, other, columns)
            total = product if total is None else total + product
            norms += norm
        found = SHRINK * backend.to_host(total)
        return (found, 0.0) if own != other else (found + found.T, 2 * norms)

    pairs = [(own, other) for own in range(len(cuts)) for other in range(own + 1)]
    found = backend.guarded(
        lambda some: [piece(*pair) for pair in some],
        pairs,
        what=matrix_in_words(max(map(len, bases))),
    )
    pieces = iter(one for one, _ in found)
    made = [[next(pieces) for _ in range(own + 1)] for own in range(len(cuts))]
    return made, math.fsum(norm for _, norm in found)


def _gain(
    pieces: Sequence[Sequence[FloatArray]], alpha: float, entry_error: float, backend: Backend
) -> float:
    """Return F of a matrix given by its pieces, nats, or what it is at least."""
    edges = np.cumsum([0, *(len(row[-1]) for row in pieces)])
    whole = np.zeros((edges[-1], edges[-1]))
    for own, row in enumerate(pieces):
        for other, one in enumerate(row):
            place = slice(*edges[own : own + 2]), slice(*edges[other : other + 2])
            whole[place] = one
            whole[place[::-1]] = one.T
    parts = [row[-1] for row in pieces]
    bands = backend.bands()
    if bands is not None and alpha <= BAND_ALPHA and len(whole) >= BAND_ROWS:
        left_out = max(1.0 - float(np.trace(whole)), 0.0)  # the same in both
        above, below = (
            band_deficit(blocks, left_out, alpha, entry_error, backend, bands)
            for blocks in (parts, [whole])
        )
        return above[0] - below[1]
    values = (eigenvalues_of(one, backend) for one in (whole, *parts))
    return tsallis(next(values), alpha) - sum(tsallis(some, alpha) for some in values)
