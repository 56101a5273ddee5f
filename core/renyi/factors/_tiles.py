"""Cutting the rows of a symmetric matrix: into tiles, and into runs of equal codes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from renyi._typing import IntArray

__all__ = ["TILE", "TileSize", "lower_tiles", "runs", "spans"]


@dataclass(frozen=True, slots=True)
class TileSize:
    """How large a tile is at most.

    Attributes
    ----------
    rows
        Of a tile.
    columns
        Of one: 16 MiB of doubles, which the allocator reuses without page faults.
    """

    rows: int = 512
    columns: int = 4096


TILE: Final = TileSize()


def spans(start: int, stop: int, width: int) -> Iterator[slice]:
    """Yield slices of at most `width` from `start` to `stop`."""
    for first in range(start, stop, width):
        yield slice(first, min(first + width, stop))


def lower_tiles(size: int, tile: TileSize = TILE) -> Iterator[tuple[slice, slice, float]]:
    """Yield (rows, columns, how often the tile counts) over the lower triangle."""
    for some in spans(0, size, tile.rows):
        yield some, some, 1.0
        for others in spans(0, some.start, tile.columns):
            yield some, others, 2.0


def runs(codes: IntArray, start: int = 0) -> Iterator[slice]:
    """Yield the runs of equal codes of sorted rows, counted from `start`."""
    edges = np.flatnonzero(np.diff(codes)) + 1
    for first, last in zip((0, *edges.tolist()), (*edges.tolist(), len(codes)), strict=True):
        yield slice(start + first, start + last)
