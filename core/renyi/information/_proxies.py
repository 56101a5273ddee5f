"""Estimates at order 2, by which many candidates are ordered before any is looked at."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

from renyi.entropies import Pair, Question, Solution, largest_block
from renyi.execution import lone
from renyi.information._products import Passes, product_pairs

if TYPE_CHECKING:
    from renyi.information._engine import InformationEngine

__all__ = ["proxies"]

LEAST_VALUES: Final = 200_000
"""Rows times candidates from which one pass over the Gram is less than a rough factor for each."""

LEAST_ROWS: Final = 256
"""Rows of the largest block up to which eigenvalues themselves are cheap."""

MOST_PRODUCTS: Final = 5e10
"""Pairs of rows times candidates beyond which the pass itself would be long."""


def proxies(
    engine: InformationEngine, given: Iterable[int], candidates: Sequence[int]
) -> list[Pair] | None:
    """Return pairs of `given` with each candidate that tell their order, roughly, and no more.

    H(y | Z) of order 2, for all candidates by one matrix product, rises with that of orders near
    1: closer than the estimates of a factor that leaves out a tenth of the trace, for a small part
    of the time. It is no bound on these: the bounds of the pairs are infinite.

    Parameters
    ----------
    engine
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
    values = engine.n * len(candidates)
    if not engine.expects or values < LEAST_VALUES or values * engine.n > MOST_PRODUCTS:
        return None
    selected = frozenset(given)
    size = len(selected) + 1
    model = engine.model
    base = model.product(selected, size=size)
    if largest_block(base) <= LEAST_ROWS:
        return None
    if any(engine.factors.get(candidate, size) is None for candidate in candidates):
        return None

    @cache
    def passes(loose: float | None) -> Passes:
        return Passes(base, model.target, engine.backend, loose, engine.factor_bytes)

    found = lone(
        lambda: product_pairs(
            passes,
            [model.part(candidate, size) for candidate in candidates],
            [(candidate, size) for candidate in candidates],
            engine.factors,
            Question(engine.tolerance, rough=True),
        ),
        engine.n,
    )
    return [_boundless(found[number]) for number in range(len(candidates))]


def _boundless(pair: Pair) -> Pair:
    features, joint = (_unbounded(one) for one in (pair.features, pair.joint))
    return Pair(features, joint, None, rank=1)


def _unbounded(solution: Solution) -> Solution:
    return solution._replace(lower=-math.inf, upper=math.inf)
