"""Orders of rows for permutation tests, and halves of them."""

from renyi.resampling._counted import count_orders, moved_rows
from renyi.resampling._halves import complementary_halves
from renyi.resampling._neighbourhoods import LocalPermutations, neighbourhoods
from renyi.resampling._permutations import PermutationScheme, PlainPermutations
from renyi.resampling._series import autocorrelation, block_length, coordinates_of, memory_of
from renyi.resampling._together import (
    Rotations,
    UnitPermutations,
    joint_orders,
    lowered,
    sampled_rows,
    scheme_of,
    seams_of,
)

__all__ = [
    "LocalPermutations",
    "PermutationScheme",
    "PlainPermutations",
    "Rotations",
    "UnitPermutations",
    "autocorrelation",
    "block_length",
    "complementary_halves",
    "coordinates_of",
    "count_orders",
    "joint_orders",
    "lowered",
    "memory_of",
    "moved_rows",
    "neighbourhoods",
    "sampled_rows",
    "scheme_of",
    "seams_of",
]
