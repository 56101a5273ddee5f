"""What pieces of a squared Gram, tile by tile, add to its sums with many factors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from renyi._typing import Array, FloatArray
from renyi.backend import Backend
from renyi.execution import pause
from renyi.factors import spans
from renyi.kernels import KernelProduct
from renyi.order2._row_sums import RowSums, Sums
from renyi.order2._sizes import PassSizes
from renyi.order2._wide import TILE_COST
from renyi.order2.columns._columns import Columns
from renyi.order2.columns._stack import SINGLE_ENTRY, SINGLE_LEAST, UNIT, Stack

__all__ = [
    "AT_ONCE",
    "ENTRIES_AT_ONCE",
    "KEPT_BYTES",
    "MANY_AT_ONCE",
    "MOST_KEPT_BYTES",
    "ROUNDED",
    "SHARED_OPERATIONS",
    "SINGLE_RESIDUAL",
    "Ground",
    "Piece",
    "Strip",
    "Tile",
    "grouped",
    "operations_of",
    "pieces_of",
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
ENTRIES_AT_ONCE: Final = 2**20
"""Columns of several orders that are multiplied at once, more to so many entries: more gain nothing
where tiles are kept, and little where they are made again each time."""

SHARED_OPERATIONS: Final = 2e7
"""From which several workers do a pass: some milliseconds, beside which starting them is little."""

LEAST_OPERATIONS: Final = 1e9
MOST_OPERATIONS: Final = 5e10
"""Of a task that is done elsewhere: a twentieth of a second, beside which handing it out is little;
and some seconds."""

TASK_SHARE: Final = 16
"""The part of what is left that the next task has at most: the last ones are short, so that workers
end together, however many they are."""


Tile: TypeAlias = tuple[slice, slice, Array]
"""Rows, columns, and W there."""


class Strip(NamedTuple):
    """Column sums of a piece, within its class and across classes, and sums of W."""

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
    backend
        Where they are made.
    """

    product: KernelProduct
    counts: FloatArray
    squares: FloatArray
    at: slice
    rows: int
    single: bool
    sizes: PassSizes
    backend: Backend


class Piece(NamedTuple):
    """A part of the lower triangle of W that is worked out at once.

    Attributes
    ----------
    own, some
        Rows of its class, and its own.
    others
        Its columns: all before its rows and as far as they go, or some before them.
    tells
        Whether the sums over W are wanted, too.
    """

    own: slice
    some: slice
    others: slice
    tells: bool

    @property
    def places(self) -> tuple[slice, ...]:
        """Rows that it tells sums of, none twice."""
        if not self.tells:
            return ()
        return (self.others,) if self.ends else (self.others, self.some)

    @property
    def ends(self) -> bool:
        """Whether it goes as far as the diagonal."""
        return bool(self.others.stop == self.some.stop)

    def place(self, rows: slice) -> slice:
        """Return where its sums have some rows."""
        start = self.others.start
        if rows.start >= self.others.stop:
            start += self.some.start - self.others.stop
        return slice(rows.start - start, rows.stop - start)

    def strips(self, tall: int) -> Iterator[tuple[slice, slice]]:
        """Yield the rows of one tile after another, and the columns of each."""
        for some in spans(self.some.start, self.some.stop, tall):
            yield some, slice(self.others.start, min(self.others.stop, some.stop))

    def operations(self, tall: int, columns: int) -> float:
        """Return what it takes with so many columns of factors."""
        entries = sum(
            (some.stop - some.start) * (others.stop - others.start)
            for some, others in self.strips(tall)
        )
        return operations_of(entries, columns)


def pieces_of(classes: Sequence[slice], sizes: PassSizes, *, tells: bool) -> list[Piece]:
    """Return the pieces of a pass, the last ones first: they are the longest.

    Parameters
    ----------
    classes
        Rows of each, one after another.
    sizes
        Of the pass.
    tells
        Whether the sums over W are wanted.
    """
    pieces = []
    tall = sizes.height(classes[-1].stop)
    for own in classes:
        for some in spans(own.start, own.stop, tall):
            cut = [*spans(0, some.start, 2 * tall), some]
            each = cut if tall > sizes.tile.rows else [slice(0, some.stop)]
            pieces += [Piece(own, some, others, tells) for others in each]
    return pieces[::-1]


def grouped(
    pieces: Sequence[Piece], operations: Sequence[float]
) -> tuple[list[list[Piece]], list[float]]:
    """Return pieces that are one task each, and the operations of each.

    They depend on the rows and the columns, not on the workers.

    Parameters
    ----------
    pieces
        In the order in which their sums are added up.
    operations
        Of each.
    """
    left = sum(operations)
    groups: list[list[Piece]] = []
    costs: list[float] = []
    room = 0.0
    for piece, cost in zip(pieces, operations, strict=True):
        if not groups or costs[-1] + cost > room:
            room = min(max(left / TASK_SHARE, LEAST_OPERATIONS), MOST_OPERATIONS)
            groups.append([])
            costs.append(0.0)
        groups[-1].append(piece)
        costs[-1] += cost
        left -= cost
    return groups, costs


def strips_of(
    ground: Ground, columns: Columns, pieces: Sequence[Piece], stack: Stack | None = None
) -> list[Strip]:
    """Return what some pieces add, on a worker.

    Parameters
    ----------
    ground
        What W is.
    columns
        The factors.
    pieces
        Which pieces.
    stack
        What the columns are of.
    """
    backend, tall = ground.backend, ground.sizes.tile.rows
    cut = columns.cut(ground.at, tall, backend, stack)
    single = ground.single and columns.single
    rows = RowSums(ground.counts, ground.squares, backend, single=single)

    def tiles(piece: Piece, some: slice, others: slice, sums: Sums) -> Iterator[Tile]:
        telling = (rows, sums) if piece.tells else None
        where = piece, some, others
        return tiles_of(ground.product, *where, telling, backend, ground.sizes, single=single)

    return [strip_of(piece, tiles, cut, ground.rows, tall, backend) for piece in pieces]


def strips_of_stack(
    ground: Ground, columns: Columns, stack: Stack, pieces: Sequence[Piece]
) -> list[Strip]:
    """Return what some pieces add of columns that are of a stack, on a worker."""
    return strips_of(ground, columns, pieces, stack)


def tiles_of(
    product: KernelProduct,
    piece: Piece,
    some: slice,
    others: slice,
    telling: tuple[RowSums, Sums] | None,
    backend: Backend,
    sizes: PassSizes,
    *,
    single: bool,
) -> Iterator[Tile]:
    """Yield the tiles of a strip: first the one on the diagonal, if the piece goes so far.

    Parameters
    ----------
    product
        Of the rows that share a hard code.
    piece
        Of which the strip is.
    some, others
        Its rows and columns.
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
    start, stop = others.start, min(others.stop, some.start)
    middle = min(max(piece.own.start, start), stop)
    before = spans(middle, stop, width), spans(start, middle, width)
    for those in chain((some,) if piece.ends else (), *before):
        tile = product.tile(backend, some, those, exponent=2.0, single=single)
        if single:
            tile[tile < SINGLE_LEAST] = 0.0
        if telling is not None:
            rows, sums = telling
            places = piece.place(some), piece.place(those)
            rows.add(sums, tile, some, those, places, within=those.start >= piece.own.start)
        yield some, those, tile


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
    piece: Piece,
    tiles: Callable[[Piece, slice, slice, Sums], Iterator[Tile]],
    columns: Sequence[Array],
    rows: int,
    tall: int,
    backend: Backend,
) -> Strip:
    """Return what a piece adds.

    Parameters
    ----------
    piece
        The piece.
    tiles
        Gives those of some of its rows and columns; what they add to sums over W it adds to these.
    columns
        Columns of factors, in pieces.
    rows
        Of the whole table.
    tall
        Rows of a tile.
    backend
        Where the tiles are.
    """
    xp = backend.xp
    width = sum(block.shape[1] for block in columns)
    sums = Sums.zeros(sum(place.stop - place.start for place in piece.places))
    totals = np.zeros((2, width))
    for some, before in piece.strips(tall):
        found: tuple[list[Array], list[Array]] = ([], [])  # across classes, and within
        for _, others, tile in tiles(piece, some, before, sums):
            within = others.start >= piece.own.start
            products = found[within]
            short = rows <= SHORT_ROWS and tile.dtype == xp.float32
            for number, block in enumerate(columns):
                product = _product(tile, block[others, :], rows, backend)
                if others.start == some.start:
                    product *= 0.5  # the others count twice
                if number < len(products):
                    products[number] += product
                else:
                    products.append(product if short else xp.astype(product, xp.float64))
            pause(operations_of(tile.shape[0] * tile.shape[1], width))
        for kind, products in enumerate(found):
            each = [
                backend.to_host(xp.sum(block[some, :] * one, axis=0, dtype=xp.float64))
                for one, block in zip(products, columns, strict=False)
            ]
            if each:
                totals[kind] += 2.0 * np.concatenate(each)
    return Strip(totals[1], totals[0], sums)


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
