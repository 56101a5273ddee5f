"""Factors of low rank of Gram matrices, and the tiles that Grams are read by."""

from renyi.factors._cholesky import RESIDUAL, Factor, squared_factor
from renyi.factors._pivoted import PivotedCholesky
from renyi.factors._tiles import TILE, TileSize, lower_tiles, runs, spans

__all__ = [
    "RESIDUAL",
    "TILE",
    "Factor",
    "PivotedCholesky",
    "TileSize",
    "lower_tiles",
    "runs",
    "spans",
    "squared_factor",
]
