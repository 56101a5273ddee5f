"""Sums over the squared Gram of what is given, and over that of one variable, for null moments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from renyi._typing import Array, FloatArray, IntArray
from renyi.backend import Backend
from renyi.entropies._cholesky import Factor
from renyi.entropies._tiles import TILE, TILE_COLUMNS, runs, spans
from renyi.entropies._wide import WideFactor
from renyi.execution import run
from renyi.kernels import KernelPart, KernelProduct, pack_codes

__all__ = ["SumsWithTarget", "factor_sums", "part_sums", "sums_with_target"]

RESIDUAL: Final = 1e-7
"""Mean residual of a factor of W: row sums are then as exact as those from tiles."""

COLUMNS: Final = 8
"""Columns of a product that a pass by tiles costs as much as: what tells whether a factor pays."""

MOST_COORDINATES: Final = 2
"""Coordinates up to which it is looked for: 20,000 rows of one take .02 s in place of 2.8, of two
1.4 in place of 2.4, of three more than by tiles."""

LEAST_ROWS: Final = 2000
"""Rows below which a pass by tiles takes no time."""

MOST_BYTES: Final = 2**29
"""Bytes that the factor may take."""

SINGLE_COLUMNS: Final = 2048
"""Columns of a tile in single precision: row sums of so many are added up before doubles are."""


class SumsWithTarget(NamedTuple):
    """Sums over W and W Y, diagonals left out.

    Attributes
    ----------
    rows, target_rows
        (n,) row sums of W and of W Y, each entry times the weights of its rows.
    squares, cross, target_squares
        Sums of W^2, of W times W Y and of (W Y)^2.
    """

    rows: FloatArray
    target_rows: FloatArray
    squares: float
    cross: float
    target_squares: float


def sums_with_target(
    base: KernelProduct, target: KernelPart, backend: Backend, jobs: int | None = None
) -> SumsWithTarget:
    """Return the sums over W, the squared Gram of `base`, and over W Y, by one pass over its pairs.

    Row sums are exact to some 1e-6 of themselves: tiles are in single precision on a CPU.

    Parameters
    ----------
    base
        What is given.
    target
        The target's part.
    backend
        Where tiles are computed.
    jobs
        Worker threads; None for one per core.
    """
    codes = target.codes if target.soft is None else target.soft.codes
    levels = target.distinct if codes is not None else 1
    rows = _Rows.of(base, codes, levels)
    label = None if codes is not None else KernelProduct.of(len(base), [target])
    found = None if label is not None else _by_factor(base, rows)
    if found is None:
        found = _pass(base.pick(rows.first, None), rows, label, backend, jobs)
    if target.soft is not None:
        found = _mixed(found, target.soft.off**2)
    return found


def _by_factor(base: KernelProduct, rows: _Rows) -> SumsWithTarget | None:
    """Return the sums where W is of low rank, in time linear in the rows; None where it is not."""
    split = base.codes is not None or base.soft
    if split or base.coordinates.shape[1] > MOST_COORDINATES or len(rows.first) < LEAST_ROWS:
        return None
    coordinates = base.coordinates[rows.first]
    wide = WideFactor(coordinates, rows.counts, RESIDUAL, MOST_BYTES)
    if not wide.serves(COLUMNS):
        return None
    left = wide.factor
    sums, target_sums = left.T @ (left @ rows.counts), np.empty(len(rows.counts))
    gram, within = np.zeros((len(left), len(left))), 0.0
    for own in runs(rows.label):
        part = left[:, own]
        target_sums[own] = part.T @ (part @ rows.counts[own])
        of_class = (part * rows.squares[own]) @ part.T
        within += float((of_class * of_class).sum())
        gram += of_class
    everything = float((gram * gram).sum())
    return rows.finished(sums, target_sums, np.array([everything, within, within]))


def factor_sums(factor: Factor, rows: IntArray) -> tuple[float, float, FloatArray]:
    """Return the total, the sum of squares and the (n,) row sums of F = L L', diagonal left out.

    Parameters
    ----------
    factor
        L on distinct rows.
    rows
        (n,) number of each row's distinct one.
    """
    counts = np.bincount(rows, minlength=len(factor.values)).astype(np.float64)
    sums = factor.values @ (factor.values.T @ counts) - 1.0
    gram = (factor.values * counts[:, None]).T @ factor.values
    squares = float((gram * gram).sum() - counts.sum())
    return float(counts @ sums), squares, sums[rows]


def part_sums(part: KernelPart, backend: Backend) -> tuple[float, float, FloatArray]:
    """Return the same of a part without a factor, by tiles."""
    found = _pass(
        KernelProduct.of(part.n, [part]).pick(np.arange(part.n), None),
        _Rows.of(KernelProduct.of(part.n, [part]), None, 1, merge=False),
        None,
        backend,
        None,
    )
    return float(found.rows.sum()), found.squares, found.rows


@dataclass(frozen=True, eq=False)
class _Rows:
    """Rows that are equal in what is given and in class, as one with a count, sorted by class.

    Attributes
    ----------
    first
        (m,) one row of each.
    counts, squares
        (m,) how much they weigh together, and the sum of their squared weights.
    label
        (m,) class of each.
    places
        (n,) which of the m each row is.
    weights
        (n,) how much each row counts.
    """

    first: IntArray
    counts: FloatArray
    squares: FloatArray
    label: IntArray
    places: IntArray
    weights: FloatArray

    @classmethod
    def of(
        cls, base: KernelProduct, codes: IntArray | None, levels: int, *, merge: bool = True
    ) -> _Rows:
        n = len(base)
        label = np.zeros(n, dtype=np.int64) if codes is None else codes
        groups, count = np.arange(n), n
        if merge and codes is not None and base.distinct < n:
            groups, count = pack_codes(base.rows, base.distinct, label, levels)
        first = np.empty(count, dtype=np.int64)
        first[groups[::-1]] = np.arange(n - 1, -1, -1)
        order = np.argsort(label[first], kind="stable")
        place = np.empty(count, dtype=np.int64)
        place[order] = np.arange(count)
        weights = np.ones(n) if base.weights is None else base.weights
        counts, squares = (
            np.bincount(groups, w, count).astype(np.float64) for w in (weights, weights**2)
        )
        sums = (counts[order], squares[order])
        return cls(first[order], *sums, label[first[order]], place[groups], weights)

    def finished(
        self, sums: FloatArray, target_sums: FloatArray, squares: FloatArray
    ) -> SumsWithTarget:
        """Return the sums over the table from row sums (m,) and sums of squares (3,)."""
        own = self.weights  # each row is its own neighbour, at 1
        return SumsWithTarget(
            own * (sums[self.places] - own),
            own * (target_sums[self.places] - own),
            *map(float, squares - float((own**4).sum())),
        )


class _Strip(NamedTuple):
    """What the tiles of some rows add: row sums up to the last of them, sums of squares."""

    rows: FloatArray
    target_rows: FloatArray
    squares: FloatArray


def _pass(
    product: KernelProduct,
    rows: _Rows,
    label: KernelProduct | None,
    backend: Backend,
    jobs: int | None,
) -> SumsWithTarget:
    single = backend.device == "cpu"
    precision = np.float32 if single else np.float64
    weights = tuple(backend.to_device(w.astype(precision)) for w in (rows.counts, rows.squares))
    own_label = None if label is None else label.pick(rows.first, None)
    strips = [(own, some) for own in runs(rows.label) for some in spans(own.start, own.stop, TILE)]

    def task(strip: tuple[slice, slice]) -> _Strip:
        return _strip(product, own_label, weights, strip, backend, single=single)

    count = len(rows.counts)
    sums, target_sums, squares = np.zeros(count), np.zeros(count), np.zeros(3)
    # the last strips are the longest; one worker where all share a device
    for found in run(task, strips[::-1], rows=count, jobs=jobs if single else 1):
        sums[: len(found.rows)] += found.rows
        target_sums[: len(found.rows)] += found.target_rows
        squares += found.squares
    return rows.finished(sums, target_sums, squares)


def _strip(
    product: KernelProduct,
    label: KernelProduct | None,
    weights: tuple[Array, Array],
    strip: tuple[slice, slice],
    backend: Backend,
    *,
    single: bool,
) -> _Strip:
    own, some = strip
    rows, target_rows, squares = np.zeros(some.stop), np.zeros(some.stop), np.zeros(3)
    counts, twice = weights
    mine, mine_twice = counts[some], twice[some]
    for others in _columns(own, some, SINGLE_COLUMNS if single else TILE_COLUMNS):
        times = 1.0 if others is some else 2.0
        tile = product.tile(backend, some, others, exponent=2.0, single=single)
        theirs, theirs_twice = counts[others], twice[others]
        _add(rows, tile, some, others, mine, theirs, backend)
        if label is not None:
            both = tile * label.tile(backend, some, others, exponent=2.0, single=single)
            _add(target_rows, both, some, others, mine, theirs, backend)
            squares[1] += times * _weighted(tile * both, mine_twice, theirs_twice, backend)
            squares[2] += times * _weighted(both * both, mine_twice, theirs_twice, backend)
        elif others.start >= own.start:
            _add(target_rows, tile, some, others, mine, theirs, backend)
        squared = times * _weighted(tile * tile, mine_twice, theirs_twice, backend)
        squares[0] += squared
        if label is None and others.start >= own.start:  # of one class: W Y is W there
            squares[1:] += squared
    return _Strip(rows, target_rows, squares)


def _columns(own: slice, some: slice, width: int) -> Iterator[slice]:
    """Yield the columns of the tiles of some rows: themselves, their class, the other classes."""
    yield some
    yield from spans(own.start, some.start, width)
    yield from spans(0, own.start, width)


def _add(
    sums: FloatArray,
    tile: Array,
    some: slice,
    others: slice,
    mine: Array,
    theirs: Array,
    backend: Backend,
) -> None:
    # NumPy's `tensordot` lets other threads work, unlike its `@`
    dot = backend.xp.tensordot
    sums[some] += backend.to_host(dot(tile, theirs, axes=1))
    if others is not some:
        sums[others] += backend.to_host(dot(mine, tile, axes=1))


def _weighted(tile: Array, mine: Array, theirs: Array, backend: Backend) -> float:
    rows = backend.to_host(backend.xp.tensordot(tile, theirs, axes=1)).astype(np.float64)
    return float(rows @ backend.to_host(mine).astype(np.float64))


def _mixed(found: SumsWithTarget, across: float) -> SumsWithTarget:
    """Return the sums for a label that is `across`, squared, between classes, and 1 within."""
    within = 1.0 - across
    return SumsWithTarget(
        found.rows,
        across * found.rows + within * found.target_rows,
        found.squares,
        across * found.squares + within * found.cross,
        across**2 * found.squares + (1.0 - across**2) * found.cross,
    )
