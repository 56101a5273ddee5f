"""What one strip of tiles of a squared Gram adds to its sums with many factors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from renyi._typing import Array, FloatArray
from renyi.backend import Backend
from renyi.execution import pause
from renyi.factors import spans
from renyi.order2._row_sums import Sums
from renyi.order2._wide import TILE_COST

__all__ = [
    "AT_ONCE",
    "CACHED_ENTRIES",
    "KEPT_BYTES",
    "MANY_AT_ONCE",
    "MOST_KEPT_BYTES",
    "ROUNDED",
    "SINGLE_ENTRY",
    "SINGLE_RESIDUAL",
    "Strip",
    "operations_of",
    "rounding_of",
    "strip_of",
]

SINGLE_RESIDUAL: Final = 1e-7
"""Residual that a factor may leave from which tiles are multiplied in single precision."""

DEPTH: Final = 64
"""Columns of a tile that are multiplied at once: sums of so many products are added up, and then
those of all tiles in double precision."""

SHORT_ROWS: Final = 8192
SHORT_DEPTH: Final = 128
"""The same for so many rows, of which chance moves a gain further; and all in single precision."""

UNIT: Final = 2.0**-24
"""What single precision rounds off a number, as a share of it."""

SINGLE_ENTRY: Final = 7 * UNIT
"""What it rounds off an entry of W: its exponential, and what is put in for its exponent."""

ROUNDED: Final = 4 * UNIT
"""What it rounds off a product of two entries of a factor, as a share of it."""

KEPT_BYTES: Final = 2**27
"""Bytes of tiles that are kept for later sums; a quarter of what a factor may take, where less."""

MOST_KEPT_BYTES: Final = 2**29
"""The same in a pass over orders of rows, which more mostly follow; none in a stack's first."""

CACHED_ENTRIES: Final = 2**17
"""Products of a tile and factors that are made at once: what a cache holds."""

AT_ONCE: Final = 512
MANY_AT_ONCE: Final = 2048
"""Columns of several orders that are multiplied at once: more gain nothing where tiles are kept,
and little where they are made again each time."""


class Strip(NamedTuple):
    """Column sums of some rows, within their class and across classes, and sums of W."""

    inside: FloatArray
    outside: FloatArray
    sums: Sums


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
