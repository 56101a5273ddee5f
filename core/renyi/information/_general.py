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
from renyi.execution import in_turn
from renyi.information import _limits
from renyi.information._ways import EXACT_BITS, Way
from renyi.kernels import KernelProduct

if TYPE_CHECKING:
    from renyi.information._engine import InformationEngine

__all__ = ["solve_pairs"]


def solve_pairs(
    engine: InformationEngine,
    asked: Sequence[tuple[KernelProduct, Way]],
    question: Question,
) -> list[Pair]:
    """Return the pairs of products with the target.

    In this order: bounds from a factor of low rank, bounds from a band, exact values, which are
    found together.

    Parameters
    ----------
    engine
        What there is to work with.
    asked
        The products, and how to go about each.
    question
        What must be known of each.
    """
    target, alpha, backend = engine.model.target, engine.alpha, engine.backend
    always = engine.solver == "low-rank" or not engine.fits
    by_band = (
        engine.solver == "auto"
        and engine.fits
        and question.tolerance > EXACT_BITS
        and bands_serve(alpha, backend, question)
    )
    otherwise = math.inf if always else BAND_SHARE if by_band else 1.0
    found: dict[int, Pair] = {}
    for number, (base, way) in enumerate(asked):
        pair = None
        if engine.refines and (way.bounds or always):
            with in_turn(len(base)):
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
    rest = [number for number in range(len(asked)) if number not in found]
    products = [asked[number][0] for number in rest]
    if rest and not engine.fits:
        _limits.check_product(engine, products[0])
    joint = [product.times(target) for product in products]
    solved = solve_many([*products, *joint], alpha, backend, engine.solver)
    for place, number in enumerate(rest):
        found[number] = Pair(solved[place], solved[place + len(rest)])
    return [found[number] for number in range(len(asked))]
