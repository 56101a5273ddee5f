"""More draws where the usual ones leave a test close to its level.

Of 59 draws at a level of .05 two may do as well: a feature whose p-value is .03 then passes with
three of four seeds. Here draws go on until their count is far from what decides, or up to
`CLOSE_DRAWS` over the level. What that changes of the level is made up for by fewer exceedances
that are allowed in the end, see `closing_rule`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from scipy.special import bdtr

from renyi._typing import FloatArray, IntArray
from renyi.racing._tail import FIRST_ROUND, TailCount, allowed_exceedances

__all__ = ["ClosingRule", "closing_rule", "count_close", "most_draws"]

CLOSE_DRAWS: Final = 50
"""Draws in the end, times the level: 999 at .05, where a p-value has a standard error of .007."""

MOST_DRAWS: Final = 9999
"""At levels far below that: to work out the rule takes half a second then."""

PASS_CHANCE: Final = 0.001
FAIL_CHANCE: Final = 0.01
"""Chance of so few, and of so many, exceedances at the level itself with which drawing ends."""


@dataclass(frozen=True, slots=True)
class ClosingRule:
    """When drawing ends.

    Attributes
    ----------
    passes, fails
        By number of draws, from none on: the most exceedances with which the feature passes then,
        -1 for none, and the fewest with which it does not.
    allowed
        The most with which it passes after all draws.
    """

    passes: tuple[int, ...]
    fails: tuple[int, ...]
    allowed: int

    @property
    def most(self) -> int:
        """Draws in the end."""
        return len(self.passes) - 1

    def decisive(self, drawn: int, count: int) -> int:
        """Return after how many draws the feature passes if no further one exceeds."""
        return next((k for k in range(drawn + 1, self.most) if self.passes[k] >= count), self.most)


def most_draws(level: float) -> int:
    """Return how many draws are made in the end.

    Examples
    --------
    >>> most_draws(0.05), most_draws(0.01), most_draws(0.0)
    (999, 4999, 9999)
    """
    return round(CLOSE_DRAWS / max(level, CLOSE_DRAWS / (MOST_DRAWS + 1))) - 1


@lru_cache(maxsize=64)
def closing_rule(level: float, usual: int, most: int) -> ClosingRule | None:
    """Return the rule that keeps a level, None where no number of exceedances does.

    It passes a feature with no exceedance where the usual test does, and ends where a binomial
    count at the level itself is as low or as high only with a small chance. Where there is
    nothing to find the p-value is uniform: after k draws each count from 0 to k is as likely, and
    the next draw exceeds with chance (count + 1) / (k + 2). What passes in all is added up from
    that, and the exceedances that are allowed in the end are the most that keep the level.

    Parameters
    ----------
    level
        Of the test.
    usual
        Draws of the usual test.
    most
        Draws in the end.

    Examples
    --------
    >>> closing_rule(0.05, 59, 999).allowed
    48
    """
    without = usual - allowed_exceedances(usual, level, "valid")
    # no count beyond these is reached: drawing ends before
    mean = level * most
    counts = np.arange(min(int(mean + 6 * np.sqrt(mean)) + 10, most + 2))
    passes, fails = np.full((2, most + 1), -1)
    for drawn in range(1, most):
        below = bdtr(np.minimum(counts, drawn).astype(float), drawn, level)
        passes[drawn] = np.searchsorted(below, PASS_CHANCE, side="right") - 1
        if drawn >= without:
            passes[drawn] = max(passes[drawn], 0)
        fails[drawn] = np.searchsorted(below, 1.0 - FAIL_CHANCE) + 1
    before, at_end = _chances(passes, fails, counts)
    within = np.flatnonzero(before + np.cumsum(at_end) <= level)
    if not len(within):
        return None
    return ClosingRule(tuple(passes.tolist()), tuple(fails.tolist()), int(within[-1]))


def _chances(passes: IntArray, fails: IntArray, counts: IntArray) -> tuple[float, FloatArray]:
    """Return the chance to pass before all draws, and of each count after them, under the null."""
    most = len(passes) - 1
    chances = np.zeros(len(counts))
    chances[0], before = 1.0, 0.0
    for drawn in range(1, most + 1):
        exceeding = chances * np.minimum((counts + 1) / (drawn + 1), 1.0)
        chances = chances - exceeding
        chances[1:] += exceeding[:-1]
        if drawn < most:
            before += float(chances[: passes[drawn] + 1].sum())
            chances[: passes[drawn] + 1] = 0.0
            chances[fails[drawn] :] = 0.0
    return before, chances


def count_close(
    replicates: Callable[[int, int], Sequence[float]],
    exceeds: Callable[[float], bool],
    rule: ClosingRule,
    first: int = FIRST_ROUND,
    plain: Callable[[Sequence[float]], bool] | None = None,
) -> TailCount:
    """Draw replicates until a rule ends it.

    They are counted in index order up to the first decisive one, as by `count_tail`.

    Parameters
    ----------
    replicates, exceeds, first, plain
        As there.
    rule
        When drawing ends.
    """
    values: list[float] = []
    count, size, most = 0, first, rule.most
    while True:
        stop = min(len(values) + size, rule.decisive(len(values), count))
        for value in replicates(len(values), stop):
            values.append(value)
            count += exceeds(value)
            drawn = len(values)
            if drawn == most or count <= rule.passes[drawn] or count >= rule.fails[drawn]:
                passed = count <= (rule.allowed if drawn == most else rule.passes[drawn])
                return TailCount(drawn, count, passed, tuple(values))
            if plain is not None and not count and plain(values):
                return TailCount(drawn, 0, True, tuple(values), plain=True)
        size *= 2
