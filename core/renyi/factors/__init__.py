"""Factors of low rank of Gram matrices, and the tiles that Grams are read by."""

from renyi.factors._cholesky import RESIDUAL, Factor, squared_factor
from renyi.factors._pivoted import PivotedCholesky
from renyi.factors._tiles import TILE, TILE_COLUMNS, lower_tiles, runs, spans

__all__ = [
    "RESIDUAL",
    "TILE",
    "TILE_COLUMNS",
    "Factor",
    "PivotedCholesky",
    "lower_tiles",
    "runs",
    "spans",
    "squared_factor",
]
