"""Pairs of single products: by bounds where these answer, else by whatever solver is cheapest."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from renyi.entropies import (
    BAND_SHARE,
    Pair,
    Question,
    banded,
    bands_serve,
    bracket,
    solve_many,
)
from renyi.information import _limits
from renyi.information._ways import EXACT_BITS, Way
from renyi.kernels import KernelProduct

if TYPE_CHECKING:
    from renyi.information._engine import InformationEngine

__all__ = ["solve_pairs"]


def solve_pairs(
    engine: InformationEngine,
    bases: Sequence[KernelProduct],
    question: Question,
    way: Way | None = None,
) -> list[Pair]:
    """Return the pairs of products with the target.

    In this order: bounds from a factor of low rank, bounds from a band, exact values, which are
    found together.

    Parameters
    ----------
    engine
        What there is to work with.
    bases
        The products.
    question
        What must be known of each.
    way
        How to go about it, where products like these were solved before.
    """
    target, alpha, backend = engine.model.target, engine.alpha, engine.backend
    way = way or Way()
    always = engine.solver == "low-rank" or not engine.fits
    by_factor = engine.refines and (way.bounds or always)
    by_band = (
        engine.solver == "auto"
        and engine.fits
        and question.tolerance > EXACT_BITS
        and bands_serve(alpha, backend, question)
    )
    otherwise = math.inf if always else BAND_SHARE if by_band else 1.0
    found: dict[int, Pair] = {}
    for number, base in enumerate(bases):
        pair = None
        if by_factor:
            pair = bracket(
                base,
                target,
                alpha,
                backend,
                question,
                opening=way.opening,
                otherwise=otherwise,
                most_bytes=engine.factor_bytes,
            )
        if pair is None and by_band:
            pair = banded(base, target, alpha, backend, question)
        if pair is not None:
            found[number] = pair
    rest = [number for number in range(len(bases)) if number not in found]
    if rest and not engine.fits:
        _limits.check_product(engine, bases[rest[0]])
    products = [bases[number] for number in rest]
    joint = [product.times(target) for product in products]
    solved = solve_many([*products, *joint], alpha, backend, engine.solver)
    for place, number in enumerate(rest):
        found[number] = Pair(solved[place], solved[place + len(rest)])
    return [found[number] for number in range(len(bases))]
