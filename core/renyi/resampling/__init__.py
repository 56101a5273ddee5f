"""Orders of rows for permutation tests."""

from renyi.resampling._permutations import PermutationScheme, PlainPermutations

__all__ = ["PermutationScheme", "PlainPermutations"]
