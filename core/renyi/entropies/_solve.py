"""From kernel products to entropies, by the cheapest exact way.

==========  ==============================================  =========================
solver      applies to                                      cost for m distinct rows
==========  ==============================================  =========================
counts      hard codes only                                 n
frobenius   alpha 2                                         m^2
power       integer alpha 3 to 8                            a few matrix products
low-rank    alpha at least 1, up to 3 coordinates           m rank^2
eigen       any alpha                                       eigenvalues, block by block
dense       any alpha, asked for by name                    eigenvalues of the n x n Gram
==========  ==============================================  =========================

Before all but the first and the last, rows are split into the blocks of their hard codes and equal
rows are merged.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from renyi._typing import Array, FloatArray
from renyi.backend import Backend
from renyi.entropies._cholesky import RESIDUAL, pivoted_cholesky
from renyi.entropies._formula import Solution, entropy_from_trace, entropy_of_spectrum
from renyi.entropies._quadratic import squared_norm
from renyi.kernels import KernelProduct

__all__ = ["largest_block", "needs_eigenvalues", "solve", "solve_many"]

MOST_POWER: Final = 8
"""Integer alpha up to which matrix powers beat eigenvalues: at most three products."""

LOW_RANK_ROWS: Final = 128
"""Rows below which eigenvalues are as cheap as finding a factor."""

LOW_RANK_DIMENSIONS: Final = ((1, 0), (2, 0), (3, 2000))
"""(coordinates, rows) from which a Gaussian Gram may be of low rank: at sigma 1 three coordinates
need a rank of about 400 for a residual of 1e-6, more of them nearly all rows."""

LOW_RANK_SHARE: Final = 4
"""A factor of rank m / 4 costs m^3 / 16 operations at memory speed; a larger one does not pay."""

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
    return max((len(block) for block in product.reduced()[1]), default=1)


def solve(product: KernelProduct, alpha: float, backend: Backend, solver: str = "auto") -> Solution:
    """Return the entropy of one product, see `solve_many`."""
    return solve_many([product], alpha, backend, solver)[0]


def solve_many(
    products: Sequence[KernelProduct],
    alpha: float,
    backend: Backend,
    solver: str = "auto",
    *,
    residual: float = RESIDUAL,
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
    residual
        Largest residual of a diagonal entry that a factor of low rank may leave; the bounds of a
        solution tell what it comes to.
    """
    if solver == "dense":
        return [_solve_dense(product, alpha, backend) for product in products]
    solutions: list[Solution | None] = [None] * len(products)
    spectra: list[tuple[int, FloatArray, list[KernelProduct]]] = []
    for number, product in enumerate(products):
        if product.is_counts:
            shares = product.counts() / product.total
            solutions[number] = entropy_of_spectrum(shares, alpha, "counts")
            continue
        weights, blocks = product.reduced()
        lone = weights / product.total
        if needs_eigenvalues(alpha):
            spectra.append((number, lone, blocks))
            continue
        power_sum = float(np.sum(lone**alpha))
        error = 2 * alpha * product.entry_error
        if alpha == 2:
            power_sum += sum(squared_norm(block, backend) for block in blocks)
            solutions[number] = entropy_from_trace(
                power_sum, product.total, alpha, "frobenius", error
            )
        else:
            power_sum += sum(_trace_of_power(block, int(alpha), backend) for block in blocks)
            solutions[number] = entropy_from_trace(power_sum, product.total, alpha, "power", error)
    found = _spectra([blocks for _, _, blocks in spectra], alpha, backend, residual)
    for (number, lone, _), spectrum in zip(spectra, found, strict=True):
        solutions[number] = entropy_of_spectrum(
            np.concatenate((lone, *spectrum.parts)),
            alpha,
            spectrum.solver,
            spectrum.residual,
            products[number].entry_error,
        )
    return [solution for solution in solutions if solution is not None]


def _solve_dense(product: KernelProduct, alpha: float, backend: Backend) -> Solution:
    values = backend.to_host(backend.eigvalsh(product.gram(backend)))
    return entropy_of_spectrum(values, alpha, "dense", entry_error=product.entry_error)


def _trace_of_power(block: KernelProduct, alpha: int, backend: Backend) -> float:
    """Return tr A^alpha of one block: the inner product of two matrix powers."""
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


@dataclass
class _Spectrum:
    """Eigenvalues found so far, and the trace that low rank left out."""

    parts: list[FloatArray] = field(default_factory=list)
    residual: float = 0.0
    solver: str = "eigen"


def _spectra(
    products: Sequence[Sequence[KernelProduct]], alpha: float, backend: Backend, residual: float
) -> list[_Spectrum]:
    """Return the spectrum of every product, given as its blocks."""
    by_size: dict[int, list[tuple[int, KernelProduct]]] = {}
    spectra = [_Spectrum() for _ in products]
    for number, blocks in enumerate(products):
        for block in blocks:
            if not (alpha >= 1 and _add_low_rank(block, spectra[number], backend, residual)):
                by_size.setdefault(len(block), []).append((number, block))
    for size, members in by_size.items():
        most = max(1, STACK_BYTES // (8 * size * size))
        for start in range(0, len(members), most):
            some = members[start : start + most]
            grams = [block.gram(backend) for _, block in some]
            stack = grams[0][None, ...] if len(grams) == 1 else backend.xp.stack(grams)
            values = backend.to_host(backend.eigvalsh(stack))
            for (number, _), row in zip(some, values, strict=True):
                spectra[number].parts.append(row)
    return spectra


def _add_low_rank(
    block: KernelProduct, spectrum: _Spectrum, backend: Backend, residual: float
) -> bool:
    """Add the spectrum of a block from a factor of low rank, if it has one.

    With K = L L' but for rounding, the eigenvalues of W^1/2 L L' W^1/2 / n are those of the small
    matrix L' W L / n, and zeros. Below alpha 1 the residual would weigh too much.
    """
    m, d = block.coordinates.shape
    least = dict(LOW_RANK_DIMENSIONS).get(d, math.inf)
    if m < max(least, LOW_RANK_ROWS) or block.soft:
        return False
    factor = pivoted_cholesky(block.coordinates, m // LOW_RANK_SHARE, residual)
    if factor is None:
        return False
    left = factor.values / math.sqrt(block.total)
    if block.weights is not None:
        left *= np.sqrt(block.weights)[:, None]
    small = backend.eigvalsh(backend.to_device((left.T @ left)[None, ...]))
    spectrum.parts.append(backend.to_host(small)[0])
    mass = float(m if block.weights is None else block.weights.sum())
    spectrum.residual += factor.residual * mass / block.total
    spectrum.solver = "low-rank"
    return True
