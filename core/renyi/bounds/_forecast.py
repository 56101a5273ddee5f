"""Which residual will answer a question, by where estimates at falling residuals are going."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from renyi.bounds._pair import Pair
from renyi.bounds._question import Question

__all__ = ["LEAST_LOSS", "MOST_STEP", "OPENING", "Forecast", "Opening", "eased", "missed"]

POWER: Final = 1.5
"""Of the residual, in what an estimate and a compression miss of H(y | Z): observed 1 to 2."""

HOPE: Final = 0.4
"""Bits by which a first estimate is too low for a residual of 1: observed 0 to 0.5."""

LOSS: Final = 0.6
"""Bits that a compression misses for a residual of 1: observed 0.1 to 0.9."""

LEAST_LOSS: Final = 0.2
"""The same where it is worth a try, for others will follow."""

FIRST_RESIDUAL: Final = 0.1
"""Share of the trace left out at first."""

MOST_RESIDUAL: Final = 0.5
"""The same, at the most."""

LEAST_STEP: Final = 1.6
MOST_STEP: Final = 8.0
"""By how much the residual falls from one try to the next: the rank then grows by half or so, and
more than doubles. What needs a larger fall is mostly left to other ways."""


SURE: Final = 0.6
"""Share of a gap to what was expected that a compression is to miss at most."""


EASED: Final = 0.7
"""Share of what a bound had to spare that others which are alike may do without."""


class Opening(NamedTuple):
    """How to begin.

    Attributes
    ----------
    residual
        Of the first try. A tenth moves H(y | Z) itself by .01 to .05 bits.
    loss
        Bits that a compression is taken to miss for a residual of 1: the less, the sooner it is
        tried.
    likely
        What H(y | Z) is expected to be, bits, by those of other products; NaN where nothing is.
    """

    residual: float = FIRST_RESIDUAL
    loss: float = LOSS
    likely: float = math.nan

    @property
    def to_compression(self) -> bool:
        """Whether its residual is the one at which a compression is expected to answer."""
        return math.isfinite(self.likely)

    @classmethod
    def toward(cls, question: Question, likely: float) -> Opening:
        """Return how to begin where a value is expected: at the residual that will answer."""
        if question.rough or question.above == math.inf or not math.isfinite(likely):
            return cls()
        gap = max(likely - question.above, 0.0)
        return cls(min(_residual_for(SURE * gap, LOSS), MOST_RESIDUAL), LOSS, likely)


OPENING: Final = Opening()
"""Where nothing is known."""


def missed(residual: float, loss: float) -> float:
    """Return how many bits a compression misses at a residual."""
    return float(loss * residual**POWER)


def eased(residual: float, slack: float) -> float:
    """Return the residual that will do where one left a lower bound so far above what was asked.

    A compression may miss more by as much: most of it is used.
    """
    more = EASED * max(slack, 0.0) / LOSS
    return min(float((residual**POWER + more) ** (1 / POWER)), max(residual, MOST_RESIDUAL))


def _residual_for(miss: float, loss: float) -> float:
    """Return the residual at which a compression misses so many bits."""
    return float((miss / loss) ** (1 / POWER))


class Forecast:
    """Estimates of one H(y | Z) so far.

    No answer rests on a forecast: it says what is worth trying.

    Parameters
    ----------
    question
        What must be known.
    classes
        Levels of the target.
    opening
        How it begins.
    """

    def __init__(self, question: Question, classes: int, opening: Opening) -> None:
        self._question = question
        self._loss = opening.loss
        self._expected = opening.to_compression
        self._upper_loss = max(math.log2(max(classes, 2)), 1.0)
        self._residual = 1.0
        self._value = math.nan
        self._tries = 0
        self.likely = opening.likely

    def take(self, residual: float, value: float, upper: float = math.inf) -> None:
        """Take an estimate at a residual, smaller than those before, and a certain bound.

        Where a value is expected the others tell more than an estimate that is still far off.
        """
        if self._expected:
            self.likely = min(self.likely, upper)
        elif self._tries:
            share = (self._residual / residual) ** POWER - 1
            self.likely = value + max(value - self._value, 0.0) / max(share, 0.5)
        else:
            self.likely = value + HOPE * residual
        self._residual, self._value = residual, value
        self._tries += 1

    def take_lower(self, value: float) -> None:
        """Take the lower bound of a compression at the present residual."""
        if self._expected:  # this one may be unlike others
            self.likely = value + missed(self._residual, self._loss)
        else:
            self.likely = max(self.likely, value)

    def lower_may_answer(self, pair: Pair) -> bool:
        """Return whether a compression at the present residual may bring the answer."""
        question = self._question
        low = self.likely - missed(self._residual, self._loss)
        if pair.upper > question.above:
            return low > question.above
        return question.neither and low > question.below

    def next(self) -> float | None:
        """Return the residual to try next, None where nothing near will answer."""
        question, likely, now = self._question, self.likely, self._residual
        if self._tries == 1 and not self._expected:
            return now / LEAST_STEP  # one estimate tells little
        if likely > question.above:
            wanted = _residual_for(likely - question.above, self._loss)
        elif likely < question.below:
            wanted = (question.below - likely) / self._upper_loss
        elif question.neither:
            upper = (question.above - likely) / self._upper_loss
            wanted = min(_residual_for(likely - question.below, self._loss), upper)
        else:
            return None
        if wanted < now / MOST_STEP:
            return None
        return min(wanted, now / LEAST_STEP)
