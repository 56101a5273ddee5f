"""Decisions between values: the best candidate, the tail of a null distribution."""

from renyi.racing._argmax import TIE_BITS, best_few, best_two
from renyi.racing._race import Winners, race
from renyi.racing._sequential import TestOutcome, permutation_test
from renyi.racing._tail import TailCount, allowed_exceedances, count_tail

__all__ = [
    "TIE_BITS",
    "TailCount",
    "TestOutcome",
    "Winners",
    "allowed_exceedances",
    "best_few",
    "best_two",
    "count_tail",
    "permutation_test",
    "race",
]
