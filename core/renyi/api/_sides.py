"""Entropies of sides that are taken together, each computed once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from renyi.backend import get_backend
from renyi.entropies import Solution, check_memory, solve
from renyi.kernels import KernelPart, KernelProduct

__all__ = ["Entropy", "side_entropies"]

Entropy: TypeAlias = Callable[[str], Solution]
"""The entropy of a set of sides, written such as ``"xg"``."""


def side_entropies(
    sides: Mapping[str, tuple[KernelPart, ...]], n: int, alpha: float, backend: str
) -> Entropy:
    """Return the function from sides to entropies, each computed once."""
    device = get_backend(backend)
    known: dict[str, Solution] = {}

    def entropy_of(word: str) -> Solution:
        if word not in known:
            parts = [part for side in word for part in sides[side]]
            product = KernelProduct.of(n, parts)
            check_memory(product, alpha, device)
            known[word] = solve(product, alpha, device)
        return known[word]

    return entropy_of
