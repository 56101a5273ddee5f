"""Pairs of single products: by bounds where these answer, else by whatever solver is cheapest."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from renyi.bounds import (
    BAND_SHARE,
    EXACT_BITS,
    Approach,
    Pair,
    Question,
    banded,
    bands_serve,
    bracket,
)
from renyi.entropies import solve_many
from renyi.execution import in_turn, run
from renyi.information import _limits
from renyi.information._computation import Computation
from renyi.kernels import KernelPart, KernelProduct

__all__ = ["Solving", "found_pairs", "pairs_of_chunks", "solve_pairs"]

PAIR_OPERATIONS: Final = 4.0
MOST_SIDE: Final = 500
"""A pair of n rows is taken to cost so many times n^2 operations a row, of so many rows at most:
with more, factors of low rank mostly do."""

Chunk: TypeAlias = Sequence[tuple[KernelPart, Approach]]
"""What is added to a base, and how to go about each."""


def solve_pairs(
    computation: Computation,
    asked: Sequence[tuple[KernelProduct, Approach]],
    question: Question,
) -> list[Pair]:
    """Return the pairs of products with the target.

    In this order: bounds from a factor of low rank, bounds from a band, exact values, which are
    found together.

    Parameters
    ----------
    computation
        What there is to work with.
    asked
        The products, and how to go about each.
    question
        What must be known of each.
    """
    plan = computation.plan
    target, alpha, backend = computation.model.target, computation.alpha, computation.backend
    always = plan.only_factors
    by_band = (
        plan.bands and question.tolerance > EXACT_BITS and bands_serve(alpha, backend, question)
    )
    otherwise = math.inf if always else BAND_SHARE if by_band else 1.0
    found: dict[int, Pair] = {}
    for number, (base, way) in enumerate(asked):
        pair = None
        if plan.factors and (way.bounds or always):
            with in_turn(len(base)):
                pair = bracket(
                    base,
                    target,
                    alpha,
                    backend,
                    question,
                    opening=way.opening,
                    otherwise=otherwise,
                    most_bytes=computation.factor_bytes,
                )
        if pair is None and by_band:
            pair = banded(base, target, alpha, backend, question)
        if pair is not None:
            found[number] = pair
    rest = [number for number in range(len(asked)) if number not in found]
    products = [asked[number][0] for number in rest]
    if rest and not computation.fits:
        _limits.check_product(computation, products[0])
    joint = [product.times(target) for product in products]
    solved = solve_many([*products, *joint], alpha, backend, computation.solver)
    for place, number in enumerate(rest):
        found[number] = Pair(solved[place], solved[place + len(rest)])
    return [found[number] for number in range(len(asked))]


@dataclass(eq=False)
class Solving:
    """What a worker has to know to find pairs: no feature but those of the base.

    Attributes
    ----------
    base
        What all have in common.
    question
        What must be known of each.
    computation
        How.
    """

    base: KernelProduct
    question: Question
    computation: Computation

    def __getstate__(self) -> dict[str, Any]:
        """Leave the features out."""
        model = replace(self.computation.model, features=())
        return {**self.__dict__, "computation": replace(self.computation, model=model)}

    def operations(self, chunk: Chunk) -> float:
        """Return about what a chunk takes."""
        n = len(self.base)
        return PAIR_OPERATIONS * len(chunk) * n * n * min(n, MOST_SIDE)

    def pairs(self, chunk: Chunk) -> list[Pair]:
        """Return the pairs of a chunk."""
        asked = [(self.base.times(part), way) for part, way in chunk]
        return solve_pairs(self.computation, asked, self.question)


def pairs_of_chunks(solving: Solving, chunks: Sequence[Chunk]) -> list[list[Pair]]:
    """Return the pairs of some chunks, on a worker."""
    return [solving.pairs(chunk) for chunk in chunks]


def found_pairs(computation: Computation, products: Sequence[KernelProduct]) -> list[Pair]:
    """Return the pairs of products with the target within the tolerance, each a task of its own.

    Raises
    ------
    MemoryBudgetError
        If the matrix of one does not fit, and low rank does not do.
    """

    def task(product: KernelProduct) -> Pair:
        return solve_pairs(computation, [(product, Approach())], computation.known)[0]

    jobs = _limits.workers(computation, 0)
    return [*run(task, products, rows=computation.n, jobs=jobs)]
