"""Counting how often a shuffled copy does as well, and stopping once that is decided."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from renyi._typing import PRule

__all__ = ["TailCount", "allowed_exceedances", "count_tail"]

FIRST_ROUND: Final = 16
"""Replicates of the first round: a feature that is noise is mostly decided within it."""

FIRST_SINGLE: Final = 6
"""The same where each is work of its own: one more than decide at P = 100 and level .05."""


@dataclass(frozen=True, slots=True)
class TailCount:
    """A decided permutation test.

    Attributes
    ----------
    drawn
        Replicates counted, up to the first that decided.
    exceedances
        Those that did at least as well as the observed value.
    passed
        Whether the feature is better than its shuffled copies.
    values
        The replicates' statistics.
    plain
        Whether it ended since these said that none would exceed.
    """

    drawn: int
    exceedances: int
    passed: bool
    values: tuple[float, ...]
    plain: bool = False

    def p_value(self, permutations: int, rule: PRule) -> float | None:
        """Return the p-value, None where the test ended early in favour of the feature.

        All drawn: (count + 1) / (P + 1), or the paper's count / P. Ended by h exceedances in L
        draws: h / L (Besag and Clifford, Biometrika 78, 1991), and by the rule `valid` no less than
        (h + 1) / (P + 1), which is what these exceedances alone come to: never below the level
        that the test failed at.
        """
        if self.drawn == permutations:
            return self.p_upper(permutations, rule)
        if self.passed:
            return None
        sequential = self.exceedances / self.drawn
        if rule == "paper":
            return sequential
        return max(sequential, (self.exceedances + 1) / (permutations + 1))

    def p_upper(self, permutations: int, rule: PRule) -> float:
        """Return the largest p-value that the draws not made could have led to."""
        worst = self.exceedances + permutations - self.drawn
        return (worst + 1) / (permutations + 1) if rule == "valid" else worst / permutations


def allowed_exceedances(permutations: int, significance: float, rule: PRule) -> int:
    """Return the largest count with which a feature passes; -1 if none does.

    Examples
    --------
    >>> allowed_exceedances(100, 0.05, "paper"), allowed_exceedances(100, 0.05, "valid")
    (5, 4)
    """
    nudge = 1e-9  # 0.05 * 100 must be 5 whatever its rounding
    if rule == "valid":
        return int(significance * (permutations + 1) + nudge) - 1
    return int(significance * permutations + nudge)


def count_tail(
    replicates: Callable[[int, int], Sequence[float]],
    exceeds: Callable[[float], bool],
    permutations: int,
    allowed: int,
    first: int = FIRST_ROUND,
    *,
    single: bool = False,
    plain: Callable[[Sequence[float]], bool] | None = None,
) -> TailCount:
    """Draw replicates until the count can no longer change the decision.

    Replicates are counted in index order up to the first decisive one, so that rounds and
    workers do not matter; the decision is that of drawing all of them.

    Parameters
    ----------
    replicates
        Gives the statistics of replicates start..stop-1.
    exceeds
        Whether a replicate did at least as well as the observed value.
    permutations
        P, the most replicates.
    allowed
        Largest count with which the feature passes.
    first
        Replicates of the first round; each further one is twice as long, or all that are left
        while none has exceeded.
    single
        Whether each replicate is work of its own, and none should be drawn for nothing: then the
        first round has `FIRST_SINGLE`, and each further one doubles what was drawn; all that are
        left follow once `FIRST_ROUND` are known and none has exceeded.
    plain
        Whether the statistics drawn so far, none of which exceeded, say that none will: further
        rounds are then short, too.
    """
    values: list[float] = []
    count, size = 0, FIRST_SINGLE if single else first
    while True:
        # no more than would decide for the feature if none of them exceeded
        decisive = permutations - allowed + count
        stop = min(len(values) + size, max(decisive, len(values) + 1), permutations)
        for value in replicates(len(values), stop):
            values.append(value)
            count += exceeds(value)
            if count > allowed:
                return TailCount(len(values), count, False, tuple(values))
            if count + permutations - len(values) <= allowed:
                return TailCount(len(values), count, True, tuple(values))
            if plain is not None and not count and plain(values):
                return TailCount(len(values), 0, True, tuple(values), plain=True)
        if count or plain is not None:
            size = len(values) if single else 2 * size
        elif single and len(values) < FIRST_ROUND:
            size = FIRST_ROUND - len(values)
        else:
            size = permutations
