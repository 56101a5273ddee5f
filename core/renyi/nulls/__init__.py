"""What chance gives: moments of a gain over orders of rows, and their tails."""

from renyi.nulls._moments import Chance, GivenSums, KernelSums, chance_of
from renyi.nulls._tail import far_above, jump, out_of_reach, plain_tail

__all__ = [
    "Chance",
    "GivenSums",
    "KernelSums",
    "chance_of",
    "far_above",
    "jump",
    "out_of_reach",
    "plain_tail",
]
