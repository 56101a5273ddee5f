"""What has to be known of a conditional entropy."""

from __future__ import annotations

import math
from dataclasses import dataclass

from renyi.bounds._pair import Pair

__all__ = ["Question"]


@dataclass(frozen=True, slots=True)
class Question:
    """What has to be known of H(y | Z).

    Attributes
    ----------
    tolerance
        Bits; enough whatever else is asked. For all of H(Z), H(Z, y) and H(y | Z), unless `alone`.
    above
        Enough to know that H(y | Z) is above this; infinity where that is no answer.
    below
        Enough to know that it is below this; minus infinity where that is none.
    rough
        Whether the first estimate, whatever its bounds, is enough.
    neither
        Whether it is enough to know that H(y | Z) is neither `above` nor `below`.
    alone
        Whether the tolerance is for H(y | Z) alone, not for H(Z) and H(Z, y).
    """

    tolerance: float
    above: float = math.inf
    below: float = -math.inf
    rough: bool = False
    neither: bool = False
    alone: bool = False

    @property
    def open(self) -> bool:
        """Whether less than the value may be enough."""
        return self.rough or self.above < math.inf or self.below > -math.inf

    def answered(self, pair: Pair) -> bool:
        """Return whether a pair's bounds suffice."""
        if self.rough or pair.lower > self.above or pair.upper < self.below:
            return True
        if self.neither and pair.lower >= self.below and pair.upper <= self.above:
            return True
        errors = [pair.error]
        if not self.alone:
            errors += [pair.features.error, pair.joint.error]
        return max(errors) <= self.tolerance
