"""Entropies of sides that are taken together, each computed once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

from renyi._typing import FloatArray
from renyi.backend import Backend
from renyi.entropies import Solution, check_memory, solve
from renyi.kernels import KernelPart, KernelProduct

__all__ = ["Entropy", "side_entropies"]

Entropy: TypeAlias = Callable[[str], Solution]
"""The entropy of a set of sides, written such as ``"xg"``."""


def side_entropies(
    sides: Mapping[str, tuple[KernelPart, ...]],
    n: int,
    alpha: float,
    backend: Backend,
    solver: str = "auto",
    weights: FloatArray | None = None,
) -> Entropy:
    """Return the function from sides to entropies, each computed once.

    A width that depends on the number of features counts those of all sides taken together but
    ``"y"``, and for that side its own: as in a selection, where the target is another thing.
    `weights` (n,) says how much each row counts, None for all alike.
    """
    known: dict[str, Solution] = {}

    def entropy_of(word: str) -> Solution:
        if word not in known:
            size = sum(len(sides[side]) for side in word if side != "y")
            parts = [
                part.at(len(sides[side]) if side == "y" else size)
                for side in word
                for part in sides[side]
            ]
            product = replace(KernelProduct.of(n, parts), weights=weights)
            check_memory(product, alpha, backend, solver)
            known[word] = solve(product, alpha, backend, solver)
        return known[word]

    return entropy_of
