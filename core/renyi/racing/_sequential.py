"""Permutation tests that draw where the decision is open: the number of draws is not fixed.

A draw *exceeds* where a shuffled copy did at least as well as the observed feature.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Final, Protocol

from renyi._draws import MIXTURE_SHARE, DrawRule
from renyi._typing import PRule
from renyi.racing._tail import FIRST_ROUND, FIRST_SINGLE, allowed_exceedances, count_tail

__all__ = ["TestOutcome", "permutation_test"]

ENDING_EXCEEDANCES: Final = 10
"""Exceedances at which a Besag-Clifford test ends: the p-value h / L then has a relative standard
error of about a third, and a useless feature is found out in some 20 draws."""


@dataclass(frozen=True, slots=True)
class TestOutcome:
    """A decided permutation test.

    Attributes
    ----------
    drawn, exceedances
        Replicates counted, up to the first that decided, and those that exceeded.
    passed
        Whether the feature is better than its shuffled copies.
    values
        The replicates' statistics.
    p_value
        None where a test of fixed size ended early in favour of the feature.
    p_upper
        The largest p-value that the draws not made could have led to.
    ended
        Why the drawing ended, in words; empty for a test of fixed size.
    """

    __test__ = False  # no test case, whatever its name begins with

    drawn: int
    exceedances: int
    passed: bool
    values: tuple[float, ...]
    p_value: float | None
    p_upper: float | None
    ended: str = ""


class _Rule(Protocol):
    """When to stop drawing, and what was found then."""

    @property
    def most(self) -> int:
        """Draws at which it ends in any case."""
        ...

    def passed(self, drawn: int, count: int) -> bool | None:
        """Return whether the feature passes after so many draws, None where to draw on."""
        ...

    def soonest(self, drawn: int, count: int) -> int:
        """Return after how many draws it would be decided if no further one exceeded."""
        ...

    def p_value(self, exceeded: Sequence[bool]) -> float:
        """Return the p-value of the draws made."""
        ...

    def ended(self, drawn: int, count: int) -> str:
        """Say why the drawing ended."""
        ...


def permutation_test(
    replicates: Callable[[int, int], Sequence[float]],
    exceeds: Callable[[float], bool],
    rule: DrawRule,
    level: float,
    p_rule: PRule,
    first: int = FIRST_ROUND,
    *,
    single: bool = False,
    plain: Callable[[Sequence[float]], bool] = lambda _: False,
) -> TestOutcome:
    """Draw replicates until the rule says enough.

    Replicates are counted in index order up to the first decisive one: neither rounds nor workers
    matter.

    Parameters
    ----------
    replicates
        Gives the statistics of replicates start..stop-1.
    exceeds
        Whether a replicate did at least as well as the observed value.
    rule
        When to stop drawing.
    level
        Of the test.
    p_rule
        The p-value of a test of fixed size.
    first
        Replicates of the first round; each further one is twice as long, or by the rule `fixed`
        all that are left while none has exceeded.
    single
        Whether each replicate is work of its own: then the first round has `FIRST_SINGLE`, and by
        the rule `fixed` further ones are as in `count_tail`.
    plain
        Whether the statistics drawn so far, none of which exceeded, say that none will: asked by
        the rule `auto` only.
    """
    if rule.name == "fixed":
        most = rule.most
        tail = count_tail(
            replicates,
            exceeds,
            most,
            allowed_exceedances(most, level, p_rule),
            first,
            single=single,
        )
        p_value = tail.p_value(most, p_rule)
        p_upper = tail.p_upper(most, p_rule) if tail.passed else p_value
        return TestOutcome(tail.drawn, tail.exceedances, tail.passed, tail.values, p_value, p_upper)
    plan = (_Betting if rule.name == "auto" else _BesagClifford)(rule.most, level)
    stops = plain if rule.name == "auto" else lambda _: False
    values, passed = _draw(replicates, exceeds, plan, FIRST_SINGLE if single else first, stops)
    if passed is None:
        ended = "the observed value is far beyond them"
        return TestOutcome(len(values), 0, True, tuple(values), None, level, ended)
    exceeded = [bool(exceeds(value)) for value in values]
    count, p_value = sum(exceeded), plan.p_value(exceeded)
    ended = plan.ended(len(values), count)
    return TestOutcome(len(values), count, passed, tuple(values), p_value, p_value, ended)


def _draw(
    replicates: Callable[[int, int], Sequence[float]],
    exceeds: Callable[[float], bool],
    rule: _Rule,
    first: int,
    plain: Callable[[Sequence[float]], bool],
) -> tuple[list[float], bool | None]:
    """Return the statistics up to the first decisive one, and the decision; None for plainly so."""
    values: list[float] = []
    count, size = 0, first
    while True:
        decisive = max(rule.soonest(len(values), count), len(values) + 1)
        stop = min(len(values) + size, decisive, rule.most)
        for value in replicates(len(values), stop):
            values.append(value)
            count += exceeds(value)
            passed = rule.passed(len(values), count)
            if passed is not None:
                return values, passed
            if not count and plain(values):
                return values, None
        size *= 2


@dataclass(frozen=True, slots=True)
class _BesagClifford:
    """Stop at h exceedances, p = h / L of L draws, or at the cap, p = (count + 1) / (cap + 1).

    Besag and Clifford, "Sequential Monte Carlo p-values", Biometrika 78, 1991.
    """

    most: int
    level: float

    def passed(self, drawn: int, count: int) -> bool | None:
        if count < ENDING_EXCEEDANCES and drawn < self.most:
            return None
        return self._p(drawn, count) <= self.level * (1 + 1e-12)

    def soonest(self, drawn: int, count: int) -> int:  # noqa: ARG002 - as other rules
        return self.most  # a p-value is wanted, not the decision alone

    def p_value(self, exceeded: Sequence[bool]) -> float:
        return self._p(len(exceeded), sum(exceeded))

    def ended(self, drawn: int, count: int) -> str:  # noqa: ARG002 - as other rules
        if count >= ENDING_EXCEEDANCES:
            return f"drawing ended at {ENDING_EXCEEDANCES} such draws"
        return f"all {self.most} draws were made"

    def _p(self, drawn: int, count: int) -> float:
        if count >= ENDING_EXCEEDANCES:
            return count / drawn
        return (count + 1) / (self.most + 1)


@dataclass(frozen=True, slots=True)
class _Betting:
    """Bet against exceedances; wealth of 1 / level rejects, p = 1 / the largest wealth so far.

    Fischer and Ramdas, "Sequential Monte Carlo testing by betting", J. R. Stat. Soc. B, 2025, the
    binomial mixture. The wealth is a test martingale where the observed value and its replicates
    are exchangeable, so p is valid whenever the drawing ends. It ends in favour of the feature at
    1 / level, and against it once no more than the level is left of the stake of 1, or the draws
    left could not win enough.
    """

    most: int
    level: float

    def passed(self, drawn: int, count: int) -> bool | None:
        now = self._won(drawn, count)
        if now >= 1 / self.level:
            return True
        return False if self._lost(now) or self._out_of_reach(count) else None

    def soonest(self, drawn: int, count: int) -> int:
        left = range(drawn, self.most)
        return drawn + bisect_left(left, True, key=lambda t: self._won(t, count) >= 1 / self.level)

    def p_value(self, exceeded: Sequence[bool]) -> float:
        counts = accumulate(exceeded)
        most = max(self._won(drawn, count) for drawn, count in enumerate(counts, start=1))
        return min(1.0, 1 / most) if most > 0 else 1.0

    def ended(self, drawn: int, count: int) -> str:
        now = self._won(drawn, count)
        if now >= 1 / self.level:
            return f"a bet of 1 against such draws has grown to {now:.3g}, and p is below 1 in that"
        if self._lost(now):
            return f"of a bet of 1 against such draws {now:.3g} is left"
        return (
            f"a bet of 1 against such draws stands at {now:.3g}, and cannot win within {self.most}"
        )

    def _won(self, drawn: int, count: int) -> float:
        return _wealth(drawn, count, MIXTURE_SHARE * self.level)

    def _lost(self, now: float) -> bool:
        return now < self.level

    def _out_of_reach(self, count: int) -> bool:
        return self._won(self.most, count) < 1 / self.level


@lru_cache(maxsize=4096)
def _wealth(drawn: int, count: int, most: float) -> float:
    r"""Return the wealth of the binomial mixture: P(Bin(drawn + 1, most) > count) / most.

    A bet on one exceedance probability q multiplies the stake of 1 into the likelihood ratio of
    the draws, (t + 1) C(t, S) q^S (1 - q)^(t - S) after S exceedances in t draws, since under
    exchangeability every S is equally likely. Laid uniformly on q from 0 to `most`, the bets
    amount to the probability above.

    Examples
    --------
    >>> round(_wealth(0, 0, 0.045), 12)
    1.0
    """
    trials = drawn + 1
    log_most, log_rest = math.log(most), math.log1p(-most)

    def mass(k: int) -> float:
        ways = math.lgamma(trials + 1) - math.lgamma(k + 1) - math.lgamma(trials - k + 1)
        return math.exp(ways + k * log_most + (trials - k) * log_rest)

    if count + 1 > trials * most:  # the upper tail is the small one: summed by itself
        upper = math.fsum(mass(k) for k in range(count + 1, trials + 1))
    else:
        upper = 1 - math.fsum(mass(k) for k in range(count + 1))
    return upper / most
