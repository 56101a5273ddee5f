"""Estimates at order 2, by which many candidates are ordered before any is looked at."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from renyi.entropies import Pair, Question, Solution
from renyi.execution import lone
from renyi.information._products import Passes, product_pairs

if TYPE_CHECKING:
    from renyi.information._engine import InformationEngine

__all__ = ["proxies"]

LEAST_VALUES: Final = 200_000
"""Rows times candidates from which one pass over the Gram is less than a rough factor for each."""

LEAST_ROWS: Final = 256
"""Distinct rows up to which eigenvalues themselves are cheap."""

MOST_ROWS: Final = 20_000
"""Rows up to which a pass over all pairs of them takes seconds at the most."""


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
        None where rough values at the order itself are the better way.
    """
    if not engine.expects or engine.alpha == 2:
        return None
    if engine.n > MOST_ROWS or engine.n * len(candidates) < LEAST_VALUES:
        return None
    selected = frozenset(given)
    size = len(selected) + 1
    model = engine.model
    base = model.product(selected, size=size)
    if base.distinct <= LEAST_ROWS:
        return None
    found = lone(
        lambda: product_pairs(
            lambda loose: Passes(base, model.target, engine.backend, loose, engine.factor_bytes),
            [model.part(candidate, size) for candidate in candidates],
            [(candidate, size) for candidate in candidates],
            engine.factors,
            Question(engine.tolerance, rough=True),
        ),
        engine.n,
    )
    if len(found) < len(candidates):  # some have no factor at order 2
        return None
    return [_boundless(found[number]) for number in range(len(candidates))]


def _boundless(pair: Pair) -> Pair:
    features, joint = (_unbounded(one) for one in (pair.features, pair.joint))
    return Pair(features, joint, None, rank=1)


def _unbounded(solution: Solution) -> Solution:
    return solution._replace(lower=-math.inf, upper=math.inf)
