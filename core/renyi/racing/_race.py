"""The best two of many candidates, each looked at only as closely as the decision needs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from statistics import linear_regression, median
from typing import Final, NamedTuple

from renyi.bounds import Pair, Question
from renyi.racing._argmax import TIE_BITS, best_two

__all__ = ["Winners", "race"]

FIRST_ROUND: Final = 2
"""Candidates known to the tolerance first: the two that seem best are mostly the best two."""

ENOUGH: Final = 8
"""Values that tell how they rise with their estimates."""

STEEPEST: Final = 2.0
"""How much faster they may rise: estimates may be those of another order."""


class Winners(NamedTuple):
    """The decided race.

    Attributes
    ----------
    best, second
        Positions; `second` is None for a lone candidate.
    pairs
        What was found of each candidate; those of the winners are within the tolerance.
    """

    best: int
    second: int | None
    pairs: list[Pair]


def race(
    rough: Sequence[Pair],
    tolerance: float,
    settle: Callable[[Sequence[int], float, Sequence[float]], Sequence[Pair]],
    exact: Callable[[Sequence[int]], Sequence[Pair]],
) -> Winners:
    """Find the two candidates of the smallest H(y | S', x): the largest MI.

    The decision is the one of exact values. Candidates are taken in the order of their estimates,
    in rounds that do not depend on workers; each is refined until it is certainly above the second
    best so far, or known. Candidates whose intervals still meet are computed exactly, and the tie
    rule decides.

    Parameters
    ----------
    rough
        First estimates with certain bounds.
    tolerance
        Error at which a value counts as known, bits.
    settle
        Gives the pairs of some positions, each known or certainly above the value given. It is
        told what each is expected to be, NaN where nothing is: an estimate and how far estimates
        were off so far.
    exact
        Gives the pairs of some positions as exactly as they can be had.
    """
    pairs = list(rough)
    known = {k for k, pair in enumerate(pairs) if _is_known(pair, tolerance)}
    order = sorted(range(len(pairs)), key=lambda k: (pairs[k].conditional, k))
    size = FIRST_ROUND
    looked_at: list[int] = []
    while True:
        bar = _second([pairs[k].upper for k in known])
        behind = [k for k in order if k not in known and pairs[k].lower <= bar + TIE_BITS]
        if not behind:
            break
        taken = behind[:size]
        expected = _expected([(rough[k].conditional, pairs[k].conditional) for k in looked_at])
        likely = [expected(rough[k].conditional) for k in taken]
        for k, pair in zip(taken, settle(taken, bar + TIE_BITS, likely), strict=True):
            pairs[k] = pair
            if _is_known(pair, tolerance) or pair.lower <= bar + TIE_BITS:
                known.add(k)
        looked_at += taken
        size *= 2
    return _decide(pairs, sorted(known), exact)


def _is_known(pair: Pair, tolerance: float) -> bool:
    # nothing is closer than an exact one, whatever its rounding
    return pair.exact or Question(tolerance).answered(pair)


def _expected(found: Sequence[tuple[float, float]]) -> Callable[[float], float]:
    """Return what value goes with an estimate, by the (estimate, value) found so far.

    Values mostly rise less than their estimates: those taken first have the luckiest.
    """
    if not found:
        return lambda _: math.nan
    estimates, values = zip(*found, strict=True)
    estimate, value, slope = median(estimates), median(values), 1.0
    if len(found) >= ENOUGH and max(estimates) > min(estimates):
        slope = min(max(linear_regression(estimates, values).slope, 0.0), STEEPEST)
    return lambda other: value + slope * (other - estimate)


def _second(values: Sequence[float]) -> float:
    ordered = sorted(values)
    return ordered[1] if len(ordered) > 1 else float("inf")


def _decide(
    pairs: list[Pair], known: Sequence[int], exact: Callable[[Sequence[int]], Sequence[Pair]]
) -> Winners:
    """Choose among the known ones; those that intervals cannot tell apart are made exact."""
    bar = _second([pairs[k].upper for k in known])
    contenders = [k for k in known if pairs[k].lower <= bar + TIE_BITS]
    blurred = [
        k
        for k in contenders
        if not pairs[k].exact
        and any(
            other != k
            and pairs[other].lower - TIE_BITS <= pairs[k].upper
            and pairs[k].lower - TIE_BITS <= pairs[other].upper
            for other in contenders
        )
    ]
    if blurred:
        for k, pair in zip(blurred, exact(blurred), strict=True):
            pairs[k] = pair
    best, second = best_two([-pairs[k].conditional for k in contenders])
    return Winners(contenders[best], None if second is None else contenders[second], pairs)
