r"""Tails of the largest standardised gain that need no draws, where they are plain.

With nothing selected a gain over all orders is, with many rows, a weighted sum of independent
chi-square variables of one degree of freedom. Of all such sums with weights of one sign the
heaviest tail beyond its middle is that of a single one (Szekely and Bakirov, Probability Theory
and Related Fields 126, 2003), so that in standard deviations

    P(z > t) <= P(chi2_1 > 1 + sqrt(2) t);

with columns selected the weights have both signs and the tail is lighter (measured: skewness 1.4
with none and below .3 with some, where chi2_1 has 2.8). Candidates add up (Bonferroni). It is an
approximation for few rows, and none where one row alone moves the gain far: there draws decide.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from renyi.order2 import Chance

__all__ = ["far_above", "jump", "out_of_reach", "plain_tail"]

PLAIN: Final = 0.02
"""Share of the level that the bound on the tail may reach for a decision without draws."""

FEWEST_ROWS: Final = 20
"""Rows below which orders of them are few and lumpy."""

MOST_REACH: Final = 0.25
"""Share of the observed value that one row alone may move."""

PILOT: Final = 4
"""Replicates from which it is told that the observed value is out of their reach."""

PILOT_DEVIATIONS: Final = (3.0, 30.0)
"""How far it has to be, in their standard deviations: so many and, since few draws tell little of
these, so many more over their number: 6 with 10 draws, 4 with 30. The tail of the largest of many
values falls like exp(-1.28 t): 1 in 300 orders gets beyond 4. A single chi-square variable, the
heaviest there is, gets beyond 4 once in 100."""

ALIKE: Final = 1e-4
DISTINCT: Final = 0.75
"""Standard deviations within which two of them are one lump, and how many must be apart."""

PILOT_SPREAD: Final = 0.6
"""Least standard deviation that is believed of so few replicates."""


def plain_tail(largest: float, count: int) -> float:
    """Return a bound on the chance that the largest of `count` standardised gains reaches a value.

    Parameters
    ----------
    largest
        The value, standard deviations.
    count
        Candidates.

    Examples
    --------
    >>> plain_tail(30.0, 20) < 1e-9 < plain_tail(3.0, 20)
    True
    """
    if largest <= 0:
        return 1.0
    # P(chi2_1 > x) is erfc(sqrt(x / 2))
    return min(1.0, count * math.erfc(math.sqrt((1 + math.sqrt(2) * largest) / 2)))


def jump(chance: Chance) -> float:
    """Return how far one row alone may move the gain of any candidate, standard deviations."""
    return float(chance.reach.max(initial=0.0))


def far_above(largest: float, count: int, chance: Chance, rows: int, level: float) -> bool | None:
    """Return whether the best candidate is beyond chance, None where draws have to say.

    Parameters
    ----------
    largest
        Its standardised gain.
    count
        Candidates, all of them.
    chance
        What chance gives each.
    rows
        How many rows there are.
    level
        Of the test.
    """
    if rows < FEWEST_ROWS:
        return None
    if largest <= 0:
        return False  # below the mean of chance: a third of all orders do better, and more
    if jump(chance) > MOST_REACH * largest:
        return None
    return True if plain_tail(largest, count) <= PLAIN * level else None


def out_of_reach(largest: float, replicates: Sequence[float], level: float = 0.05) -> bool:
    """Return whether replicates say that the observed value is far beyond them.

    They stand for a Gumbel distribution, which the largest of many values tends to. Those of a few
    columns of few values come in lumps, of which the highest may not be among them: where they
    repeat each other, they say nothing. Below a level
    of 0.05 it has to be further away, by what the heaviest tail, a single chi-square variable's
    exp(-t / sqrt 2), takes to fall as far.
    """
    if len(replicates) < PILOT:
        return False
    found = np.asarray(replicates)
    if 1 + np.count_nonzero(np.diff(np.sort(found)) > ALIKE) < DISTINCT * len(found):
        return False
    spread = max(float(found.std(ddof=1)), PILOT_SPREAD)
    at_least, for_few = PILOT_DEVIATIONS
    smaller = math.sqrt(2.0) * max(math.log(0.05 / level), 0.0)
    away = at_least + smaller + for_few / len(found)
    return bool(largest >= float(found.mean()) + away * spread)
