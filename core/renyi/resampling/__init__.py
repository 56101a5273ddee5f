"""Orders of rows for permutation tests."""

from renyi.resampling._neighbourhoods import LocalPermutations, neighbourhoods
from renyi.resampling._permutations import PermutationScheme, PlainPermutations

__all__ = ["LocalPermutations", "PermutationScheme", "PlainPermutations", "neighbourhoods"]
