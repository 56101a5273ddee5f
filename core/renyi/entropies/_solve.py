"""From kernel products to entropies, by the cheapest exact way.

==========  ==============================================  =========================
solver      applies to                                      cost for m distinct rows
==========  ==============================================  =========================
counts      hard codes only                                 n
frobenius   alpha 2                                         m^2
power       integer alpha 3 to 8                            a few matrix products
eigen       any alpha                                       eigenvalues, block by block
dense       any alpha, asked for by name                    eigenvalues of the n x n Gram
==========  ==============================================  =========================

Before `frobenius`, `power` and `eigen`, rows are split into the blocks of their hard codes and
equal rows are merged.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from renyi._typing import Array, FloatArray
from renyi.backend import Backend
from renyi.entropies._formula import Solution, entropy_from_trace, entropy_of_spectrum
from renyi.entropies._quadratic import squared_norm
from renyi.kernels import KernelProduct

__all__ = ["largest_block", "needs_eigenvalues", "solve", "solve_many"]

MOST_POWER: Final = 8
"""Integer alpha up to which matrix powers beat eigenvalues: at most three products."""

STACK_BYTES: Final = 2**26
"""Bytes of small Grams that are stacked for one call."""


def _is_power(alpha: float) -> bool:
    return alpha == int(alpha) and 3 <= alpha <= MOST_POWER


def needs_eigenvalues(alpha: float) -> bool:
    """Return whether an order has no way around eigenvalues."""
    return not (alpha == 2 or _is_power(alpha))


def largest_block(product: KernelProduct) -> int:
    """Return the rows of the largest matrix that `auto` would make for a product."""
    if product.is_counts:
        return 0
    return max(len(block.merge()) for block in product.blocks())


def solve(product: KernelProduct, alpha: float, backend: Backend, solver: str = "auto") -> Solution:
    """Return the entropy of one product, see `solve_many`."""
    return solve_many([product], alpha, backend, solver)[0]


def solve_many(
    products: Sequence[KernelProduct], alpha: float, backend: Backend, solver: str = "auto"
) -> list[Solution]:
    """Return the entropy of every product, bits.

    Small eigenproblems of equal size are stacked across products: one call, which also lets
    other threads work.

    Parameters
    ----------
    products
        Kernel products.
    alpha
        Order, above 0.
    backend
        Where matrices live.
    solver
        `auto`, or `dense` for the eigenvalues of the whole Gram without any shortcut.
    """
    if solver == "dense":
        return [_solve_dense(product, alpha, backend) for product in products]
    solutions: list[Solution | None] = [None] * len(products)
    spectra: list[tuple[int, list[KernelProduct]]] = []
    for number, product in enumerate(products):
        if product.is_counts:
            shares = product.counts() / product.total
            solutions[number] = entropy_of_spectrum(shares, alpha, "counts")
            continue
        blocks = [block.merge() for block in product.blocks()]
        if needs_eigenvalues(alpha):
            spectra.append((number, blocks))
        elif alpha == 2:
            power_sum = sum(squared_norm(block, backend) for block in blocks)
            solutions[number] = entropy_from_trace(power_sum, product.total, alpha, "frobenius")
        else:
            power_sum = sum(_trace_of_power(block, int(alpha), backend) for block in blocks)
            solutions[number] = entropy_from_trace(power_sum, product.total, alpha, "power")
    eigenvalues = _stacked_eigenvalues([blocks for _, blocks in spectra], backend)
    for (number, _), values in zip(spectra, eigenvalues, strict=True):
        solutions[number] = entropy_of_spectrum(values, alpha, "eigen")
    return [solution for solution in solutions if solution is not None]


def _solve_dense(product: KernelProduct, alpha: float, backend: Backend) -> Solution:
    values = backend.to_host(backend.eigvalsh(product.gram(backend)))
    return entropy_of_spectrum(values, alpha, "dense")


def _trace_of_power(block: KernelProduct, alpha: int, backend: Backend) -> float:
    """Return tr A^alpha of one block: the inner product of two matrix powers."""
    if len(block) == 1:
        return _own_weight(block) ** alpha
    gram = block.gram(backend)
    half = _power(gram, alpha // 2)
    other = half if alpha % 2 == 0 else half @ gram
    return float(backend.xp.sum(half * other))


def _power(gram: Array, exponent: int) -> Array:
    if exponent == 1:
        return gram
    half = _power(gram, exponent // 2)
    square = half @ half
    return square if exponent % 2 == 0 else square @ gram


def _own_weight(block: KernelProduct) -> float:
    return (1.0 if block.weights is None else float(block.weights[0])) / block.total


def _stacked_eigenvalues(
    products: Sequence[Sequence[KernelProduct]], backend: Backend
) -> list[FloatArray]:
    """Return the eigenvalues of every product, given as its blocks."""
    by_size: dict[int, list[tuple[int, KernelProduct]]] = {}
    parts: list[list[FloatArray]] = [[] for _ in products]
    for number, blocks in enumerate(products):
        for block in blocks:
            if len(block) == 1:
                parts[number].append(np.array([_own_weight(block)]))
            else:
                by_size.setdefault(len(block), []).append((number, block))
    for size, members in by_size.items():
        most = max(1, STACK_BYTES // (8 * size * size))
        for start in range(0, len(members), most):
            some = members[start : start + most]
            grams = [block.gram(backend) for _, block in some]
            stack = grams[0][None, ...] if len(grams) == 1 else backend.xp.stack(grams)
            values = backend.to_host(backend.eigvalsh(stack))
            for (number, _), row in zip(some, values, strict=True):
                parts[number].append(row)
    return [np.concatenate(part) for part in parts]
