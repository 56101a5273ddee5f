"""Cutting the rows of a symmetric matrix: into tiles, and into runs of equal codes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from renyi._typing import IntArray

__all__ = ["TILE", "TILE_COLUMNS", "lower_tiles", "runs", "spans"]

TILE: Final = 512
"""Rows of a tile."""

TILE_COLUMNS: Final = 4096
"""Columns of a tile: 16 MiB of doubles, which the allocator reuses without page faults."""


def spans(start: int, stop: int, width: int) -> Iterator[slice]:
    """Yield slices of at most `width` from `start` to `stop`."""
    for first in range(start, stop, width):
        yield slice(first, min(first + width, stop))


def lower_tiles(size: int) -> Iterator[tuple[slice, slice, float]]:
    """Yield (rows, columns, how often the tile counts) over the lower triangle."""
    for some in spans(0, size, TILE):
        yield some, some, 1.0
        for others in spans(0, some.start, TILE_COLUMNS):
            yield some, others, 2.0


def runs(codes: IntArray, start: int = 0) -> Iterator[slice]:
    """Yield the runs of equal codes of sorted rows, counted from `start`."""
    edges = np.flatnonzero(np.diff(codes)) + 1
    for first, last in zip((0, *edges.tolist()), (*edges.tolist(), len(codes)), strict=True):
        yield slice(start + first, start + last)
