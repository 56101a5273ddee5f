"""Certified bounds on H(y | Z), only as close as a question asks."""

from renyi.bounds._approach import (
    EXACT_BITS,
    LONG_ROWS,
    LOOSEST,
    Approach,
    cut,
    flat,
    how,
)
from renyi.bounds._banded import BAND_ALPHA, BAND_SHARE, banded, bands_serve
from renyi.bounds._bounds import extended_upper
from renyi.bounds._bracket import bracket, certifies
from renyi.bounds._conditional import conditional_bound
from renyi.bounds._forecast import Opening
from renyi.bounds._mean_tangent import CommonTangent
from renyi.bounds._pair import Pair
from renyi.bounds._question import Question
from renyi.bounds._screen import pairs_of_stacks
from renyi.bounds._stacks import STACKS, StackSizes, stack_size

__all__ = [
    "BAND_ALPHA",
    "BAND_SHARE",
    "EXACT_BITS",
    "LONG_ROWS",
    "LOOSEST",
    "STACKS",
    "Approach",
    "CommonTangent",
    "Opening",
    "Pair",
    "Question",
    "StackSizes",
    "banded",
    "bands_serve",
    "bracket",
    "certifies",
    "conditional_bound",
    "cut",
    "extended_upper",
    "flat",
    "how",
    "pairs_of_stacks",
    "stack_size",
]
