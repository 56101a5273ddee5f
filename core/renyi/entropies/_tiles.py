"""Cutting a symmetric matrix into tiles of its lower triangle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

__all__ = ["TILE", "TILE_COLUMNS", "lower_tiles", "spans"]

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
