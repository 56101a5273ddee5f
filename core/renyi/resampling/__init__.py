"""Orders of rows for permutation tests, and halves of them."""

from renyi.resampling._halves import complementary_halves
from renyi.resampling._neighbourhoods import LocalPermutations, neighbourhoods
from renyi.resampling._permutations import PermutationScheme, PlainPermutations

__all__ = [
    "LocalPermutations",
    "PermutationScheme",
    "PlainPermutations",
    "complementary_halves",
    "neighbourhoods",
]
