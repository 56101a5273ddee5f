"""How much a pass over a squared Gram holds and does at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from renyi.factors import TILE, TileSize

__all__ = ["PASS", "PassSizes"]


@dataclass(frozen=True, slots=True)
class PassSizes:
    """How much a pass does at once, and from where it looks for a factor.

    Attributes
    ----------
    tile
        A tile of the Gram.
    single_columns
        Columns of one in single precision.
    column_share
        Of the bytes that a factor may take, the part of stacked factors worked on at once: with
        what they are multiplied into they take two to three times as much.
    factor_rows
        Below which a pass takes no longer than looking for a factor of the Gram.
    kept_bytes
        Of a factor that does not serve, up to which it is kept for more columns.
    row_parts, tallest
        A piece of a pass is a strip of one tile's height with all columns before it; from twice so
        many strips on it is a power of two times as high, at most so many rows, and twice as wide
        as high. It tells sums over W of each of its rows and columns: with a million rows strips
        tell 16 GB, such pieces 1.5 GB.
    """

    tile: TileSize = TILE
    single_columns: int = 512
    column_share: int = 4
    factor_rows: int = 256
    kept_bytes: int = 2**26
    row_parts: int = 120
    tallest: int = 2**14

    def height(self, rows: int) -> int:
        """Return the height of the pieces of a block of so many rows."""
        found = self.tile.rows
        while 2 * found * self.row_parts <= rows and 2 * found <= self.tallest:
            found *= 2
        return found


PASS: Final = PassSizes()
