"""Entropies of sides that are taken together, each computed once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from renyi._typing import FloatArray
from renyi.backend import Backend
from renyi.entropies import Solution, check_memory, solve
from renyi.information import Computation, found_pairs
from renyi.kernels import KernelPart, KernelProduct

__all__ = ["CMI_SIDES", "MI_SIDES", "Entropy", "searched_entropies", "side_entropies"]

Entropy: TypeAlias = Callable[[str], Solution]
"""The entropy of a set of sides, written such as ``"xg"``."""

MI_SIDES = (("x", "y"), ("xy",))
"""I(x; y) = H(x) + H(y) - H(x, y)."""

CMI_SIDES = (("xg", "yg"), ("xyg", "g"))
"""I(x; y | g) = H(x, g) + H(y, g) - H(x, y, g) - H(g)."""

Sides: TypeAlias = "Mapping[str, tuple[KernelPart, ...]]"


def _product(sides: Sides, word: str, n: int, weights: FloatArray | None) -> KernelProduct:
    """Return the product of sides.

    A width that depends on the number of features counts those of all sides taken together but
    ``"y"``, and for that side its own: as in a selection, where the target is another thing.
    """
    size = sum(len(sides[side]) for side in word if side != "y")
    parts = [
        part.at(len(sides[side]) if side == "y" else size) for side in word for part in sides[side]
    ]
    return replace(KernelProduct.of(n, parts), weights=weights)


def side_entropies(
    sides: Sides,
    n: int,
    alpha: float,
    backend: Backend,
    solver: str = "auto",
    weights: FloatArray | None = None,
) -> Entropy:
    """Return the function from sides to entropies, each computed once.

    `weights` (n,) says how much each row counts, None for all alike.
    """
    known: dict[str, Solution] = {}

    def entropy_of(word: str) -> Solution:
        if word not in known:
            product = _product(sides, word, n, weights)
            check_memory(product, alpha, backend, solver)
            known[word] = solve(product, alpha, backend, solver)
        return known[word]

    return entropy_of


def searched_entropies(sides: Sides, by: Computation, words: Sequence[str]) -> Entropy:
    """Return the same, found as a search finds them: within its tolerance, by all its workers.

    ``"y"`` is the target of the computation's kernels.

    Parameters
    ----------
    sides
        The kernels of each.
    by
        How entropies are found.
    words
        All that will be asked for.
    """
    weights = by.model.weights
    bare = sorted({word.replace("y", "") for word in words})
    products = [_product(sides, word, by.n, weights) for word in bare]
    known: dict[str, Solution] = {}
    for word, pair in zip(bare, found_pairs(by, products), strict=True):
        known[word] = pair.features
        known[word + "y"] = pair.joint
    return lambda word: known[word.replace("y", "") + "y" * ("y" in word)]
