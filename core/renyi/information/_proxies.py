"""Estimates at order 2, by which many candidates are ordered before any is looked at."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache

from renyi.bounds import Pair, Question
from renyi.entropies import Solution, largest_block
from renyi.execution import lone
from renyi.information._entropies import SetEntropies
from renyi.order2 import Passes, product_pairs

__all__ = ["proxies"]


def proxies(
    entropies: SetEntropies, given: Iterable[int], candidates: Sequence[int]
) -> list[Pair] | None:
    """Return pairs of `given` with each candidate that tell their order, roughly, and no more.

    H(y | Z) of order 2, for all candidates by one matrix product, rises with that of orders near
    1: closer than the estimates of a factor that leaves out a tenth of the trace, for a small part
    of the time. It is no bound on these: the bounds of the pairs are infinite.

    Parameters
    ----------
    entropies
        What there is to work with.
    given
        Features already selected.
    candidates
        Features to add, one at a time.

    Returns
    -------
    list of Pair or None
        None where rough values at the order itself are the better way, or a candidate has no
        factor.
    """
    by = entropies.computation
    values, limits = by.n * len(candidates), by.thresholds
    pays = values >= limits.proxy_values and values * by.n <= limits.proxy_products
    if not by.plan.expectant or not pays:
        return None
    selected = frozenset(given)
    size = len(selected) + 1
    model = by.model
    base = model.product(selected, size=size)
    if largest_block(base) <= limits.proxy_rows:
        return None
    if any(entropies.factors.get(candidate, size) is None for candidate in candidates):
        return None

    @cache
    def passes(loose: float | None) -> Passes:
        return Passes(
            base,
            model.target,
            by.backend,
            loose,
            by.factor_bytes,
        )

    found = lone(
        lambda: product_pairs(
            passes,
            [model.part(candidate, size) for candidate in candidates],
            [(candidate, size) for candidate in candidates],
            entropies.factors,
            Question(by.tolerance, rough=True),
        ),
        by.n,
    )
    return [_boundless(found[number]) for number in range(len(candidates))]


def _boundless(pair: Pair) -> Pair:
    features, joint = (_unbounded(one) for one in (pair.features, pair.joint))
    return Pair(features, joint, None, rank=1, exact=False)


def _unbounded(solution: Solution) -> Solution:
    return solution._replace(lower=-math.inf, upper=math.inf)
