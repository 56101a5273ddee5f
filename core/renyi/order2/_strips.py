"""What one strip of tiles of a squared Gram adds to its sums with many factors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, NamedTuple

import numpy as np

from renyi._typing import Array, FloatArray
from renyi.backend import Backend, get_backend
from renyi.execution import pause
from renyi.factors import spans
from renyi.kernels import KernelProduct
from renyi.order2._columns import Columns
from renyi.order2._row_sums import RowSums, Sums
from renyi.order2._sizes import PassSizes
from renyi.order2._stack import SINGLE_ENTRY, SINGLE_LEAST, UNIT, Stack
from renyi.order2._wide import TILE_COST

__all__ = [
    "AT_ONCE",
    "KEPT_BYTES",
    "MANY_AT_ONCE",
    "MOST_KEPT_BYTES",
    "ROUNDED",
    "SINGLE_RESIDUAL",
    "Ground",
    "Strip",
    "grouped",
    "operations_of",
    "rounding_of",
    "strip_of",
    "strips_of",
    "strips_of_stack",
    "tiles_of",
]

SINGLE_RESIDUAL: Final = 1e-7
"""Residual that a factor may leave from which tiles are multiplied in single precision."""

DEPTH: Final = 64
"""Columns of a tile that are multiplied at once: sums of so many products are added up, and then
those of all tiles in double precision."""

SHORT_ROWS: Final = 8192
SHORT_DEPTH: Final = 128
"""The same for so many rows, of which chance moves a gain further; and all in single precision."""

ROUNDED: Final = 4 * UNIT
"""What it rounds off a product of two entries of a factor, as a share of it."""

KEPT_BYTES: Final = 2**27
"""Bytes of tiles that are kept for later sums; a quarter of what a factor may take, where less."""

MOST_KEPT_BYTES: Final = 2**29
"""The same in a pass over orders of rows, which more mostly follow; none in a stack's first."""

AT_ONCE: Final = 512
MANY_AT_ONCE: Final = 2048
"""Columns of several orders that are multiplied at once: more gain nothing where tiles are kept,
and little where they are made again each time."""


LEAST_OPERATIONS: Final = 1e9
MOST_OPERATIONS: Final = 5e10
"""Of a task that is done elsewhere: a twentieth of a second, beside which handing it out is little;
and some seconds."""

TASK_SHARE: Final = 16
"""The part of what is left that the next task has at most: the last ones are short, so that workers
end together, however many they are."""


class Strip(NamedTuple):
    """Column sums of some rows, within their class and across classes, and sums of W."""

    inside: FloatArray
    outside: FloatArray
    sums: Sums


@dataclass(frozen=True, eq=False)
class Ground:
    """What a worker has to know of W: that of rows which share a hard code.

    Attributes
    ----------
    product
        Their product.
    counts, squares
        (m,) how much each row counts, and the sum of the squared weights that make it up.
    at
        Where they are in a pass.
    rows
        Of the whole table.
    single
        Whether tiles may be in single precision.
    sizes
        Of tiles.
    """

    product: KernelProduct
    counts: FloatArray
    squares: FloatArray
    at: slice
    rows: int
    single: bool
    sizes: PassSizes


class Piece(NamedTuple):
    """A strip that is to be worked out.

    Attributes
    ----------
    own, some
        Rows of its class, and its own.
    tells
        Whether the sums over W are wanted, too.
    """

    own: slice
    some: slice
    tells: bool


def grouped(
    strips: Sequence[tuple[slice, slice]], columns: int, *, tells: bool
) -> tuple[list[list[Piece]], list[float]]:
    """Return strips that are one task each, and the operations of each.

    They depend on the rows and the columns, not on the workers.

    Parameters
    ----------
    strips
        (rows of the class, rows), in the order in which their sums are added up.
    columns
        Of the factors.
    tells
        Whether the sums over W are wanted.
    """
    of_each = [operations_of((some.stop - some.start) * some.stop, columns) for _, some in strips]
    left = sum(of_each)
    groups: list[list[Piece]] = []
    costs: list[float] = []
    room = 0.0
    for (own, some), cost in zip(strips, of_each, strict=True):
        if not groups or costs[-1] + cost > room:
            room = min(max(left / TASK_SHARE, LEAST_OPERATIONS), MOST_OPERATIONS)
            groups.append([])
            costs.append(0.0)
        groups[-1].append(Piece(own, some, tells))
        costs[-1] += cost
        left -= cost
    return groups, costs


def strips_of(
    ground: Ground, columns: Columns, pieces: Sequence[Piece], stack: Stack | None = None
) -> list[Strip]:
    """Return what some strips add, on a worker.

    Parameters
    ----------
    ground
        What W is.
    columns
        The factors.
    pieces
        Which strips.
    stack
        What the columns are of.
    """
    backend = get_backend("numpy")
    tall = ground.sizes.tile.rows
    cut = columns.cut(ground.at, tall, stack)
    single = ground.single and cut[0].dtype == np.float32
    found = []
    for piece in pieces:
        rows = RowSums(ground.counts, ground.squares, backend, single=single)
        sums = Sums.zeros(piece.some.stop if piece.tells else 0)
        tiles = tiles_of(
            ground.product,
            piece.own,
            piece.some,
            (rows, sums) if piece.tells else None,
            backend,
            ground.sizes,
            single=single,
        )
        found.append(strip_of(piece.own, tiles, cut, sums, ground.rows, backend))
    return found


def strips_of_stack(
    ground: Ground, columns: Columns, stack: Stack, pieces: Sequence[Piece]
) -> list[Strip]:
    """Return what some strips add of columns that are of a stack, on a worker."""
    return strips_of(ground, columns, pieces, stack)


def tiles_of(
    product: KernelProduct,
    own: slice,
    some: slice,
    telling: tuple[RowSums, Sums] | None,
    backend: Backend,
    sizes: PassSizes,
    *,
    single: bool,
) -> Iterator[tuple[slice, slice, Array]]:
    """Yield the tiles (rows, columns, W there) of the rows `some` and all before them.

    First the one on the diagonal; `own` is the class of the rows.

    Parameters
    ----------
    product
        Of the rows that share a hard code.
    own, some
        The class, and the rows.
    telling
        What takes what the tiles add to the sums over W; None where these are known.
    backend
        Where tiles are made.
    sizes
        Of tiles.
    single
        Whether in single precision.
    """
    width = sizes.single_columns if single else sizes.tile.columns
    before = spans(own.start, some.start, width), spans(0, own.start, width)
    for others in chain((some,), *before):
        tile = product.tile(backend, some, others, exponent=2.0, single=single)
        if single:
            tile[tile < SINGLE_LEAST] = 0.0
        if telling is not None:
            rows, sums = telling
            rows.add(sums, tile, some, others, within=others.start >= own.start)
        yield some, others, tile


def operations_of(entries: int, columns: int) -> float:
    """Return what so many entries of W take with so many columns of factors, multiplications."""
    return float(entries) * (TILE_COST + columns)


def rounding_of(rows: int, longest: int) -> float:
    """Return what single precision rounds off each sum over W_ij |L_ik| |L_jk|, as a share of it.

    One rounding for each product that is added, for each sum of them, and for each of the three
    factors.

    Parameters
    ----------
    rows
        Of the whole table.
    longest
        Columns of a tile; all `rows` where sums of several tiles are in single precision.
    """
    longest = rows if rows <= SHORT_ROWS else longest
    depth = _depth(rows)
    return (depth + longest // depth + 10) * UNIT + SINGLE_ENTRY


def strip_of(
    own: slice,
    tiles: Iterator[tuple[slice, slice, Array]],
    columns: Sequence[Array],
    sums: Sums,
    rows: int,
    backend: Backend,
) -> Strip:
    """Return what the tiles of some rows add.

    Parameters
    ----------
    own
        The class of these rows.
    tiles
        (rows, columns, W there): first the one on the diagonal, then those before it.
    columns
        Columns of factors, in pieces.
    sums
        Those over W, which are there once the tiles have been read.
    rows
        Of the whole table.
    backend
        Where the tiles are.
    """
    xp = backend.xp
    width = sum(block.shape[1] for block in columns)
    some, _, tile = next(tiles)
    short = rows <= SHORT_ROWS and tile.dtype == xp.float32
    inside: list[Array] = []
    for block in columns:
        product = _product(tile, block[some, :], rows, backend)
        inside.append(product if short else xp.astype(product, xp.float64))
        inside[-1] *= 0.5  # the others count twice
    pause(operations_of(tile.shape[0] * tile.shape[1], width))
    outside: list[Array] = []
    for _, others, tile in tiles:
        within = others.start >= own.start
        if not within and not outside:
            outside = [xp.zeros_like(found) for found in inside]
        products = inside if within else outside
        for number, block in enumerate(columns):
            products[number] += _product(tile, block[others, :], rows, backend)
        pause(operations_of(tile.shape[0] * tile.shape[1], width))

    def total(sums_of: Sequence[Array]) -> FloatArray:
        found = [
            backend.to_host(xp.sum(block[some, :] * one, axis=0, dtype=xp.float64))
            for one, block in zip(sums_of, columns, strict=True)
        ]
        return 2.0 * np.concatenate(found)

    across = total(outside) if outside else np.zeros(width)
    return Strip(total(inside), across, sums)


def _depth(rows: int) -> int:
    return SHORT_DEPTH if rows <= SHORT_ROWS else DEPTH


def _product(tile: Array, columns: Array, rows: int, backend: Backend) -> Array:
    """Return a tile times columns, in the precision of the tile."""
    if tile.dtype != backend.xp.float32:
        return backend.dot(tile, columns)
    first, *rest = spans(0, columns.shape[0], _depth(rows))
    found = backend.dot(tile[:, first], columns[first, :])
    for some in rest:
        found += backend.dot(tile[:, some], columns[some, :])
    return found
