"""What memory and time allow, said before work starts."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from renyi.bounds import Pair, certifies, conditional_bound, extended_upper
from renyi.entropies import (
    FACTOR_COPIES,
    WITHOUT_MATRIX,
    bytes_in_words,
    largest_block,
    matrix_bytes,
    memory_problem,
    squared_conditional_bound,
)
from renyi.errors import MemoryBudgetError, Way
from renyi.information._computation import Computation
from renyi.kernels import KernelProduct

__all__ = ["check_memory", "check_product", "everything_problem", "highest_conditional", "workers"]

PROBE_ROWS: Final = 4000
"""Rows on which it is tried whether a set of features is of low rank: ranks hardly grow beyond."""

BLURRED: Final = 0.2
"""Error of a value, as a share of it, from which another bound may be closer than the value is."""

USEFUL_BITS: Final = 0.5
"""Bound at alpha 2 from which it decides nothing, and values are as cheap."""


def highest_conditional(
    computation: Computation, product: KernelProduct, solve: Callable[[], Pair]
) -> float:
    """Return an upper bound on H(y | product and any one more), bits, infinity for none.

    `solve` gives the product's own pair, within the tolerance.
    """
    target, alpha = computation.model.target, computation.alpha
    if alpha == 2:
        bound = squared_conditional_bound(product, target, computation.backend)
        return bound if bound < USEFUL_BITS else math.inf
    if not computation.fits or not target.is_hard or not 1 <= alpha <= 2:
        return math.inf
    own = solve()
    bound = extended_upper(own, computation.n, target.distinct, alpha)
    if own.error <= BLURRED * own.conditional:
        return bound
    return min(bound, conditional_bound(product, target, alpha, computation.backend))


def everything_problem(computation: Computation) -> str:
    """Return why H(y | S) of all features cannot be had, in a sentence; empty where it can."""
    product = _without_codes(computation, None)
    rows = _rows(computation, product)
    if computation.plan.without_matrix:
        most = computation.thresholds.row_pairs
        pairs = computation.share * rows**2 / 2
        if pairs <= most:
            return ""
        return (
            f"H(y | all features) at alpha 2 is a sum over {pairs:.1e} pairs of rows, "
            f"more than the {most:.0e} that are computed"
        )
    needed = matrix_bytes(rows, computation.alpha, computation.solver)
    if needed <= computation.max_memory or _certifies(computation, product):
        return ""
    # without the bytes that may be used: this is said in a result, which must not depend on them
    return (
        f"H(y | all features) at alpha {computation.alpha:g} needs a matrix of {rows} x {rows}, "
        f"about {bytes_in_words(needed)} with its workspace, more than may be used"
    )


def check_memory(computation: Computation, most_features: int | None) -> None:
    """Refuse work whose largest matrix does not fit, see `SetEntropies.check_memory`."""
    if computation.plan.without_matrix:
        return
    product = _without_codes(computation, most_features)
    rows = _rows(computation, product)
    needed = matrix_bytes(rows, computation.alpha, computation.solver)
    if needed <= computation.max_memory or _certifies(computation, product):
        return
    ways: list[str | Way] = [*WITHOUT_MATRIX]
    if computation.plan.factors:
        fitting = _most_certified(computation)
        if fitting:
            ways += [", or ", Way("max_features", fitting), ", which low rank can do"]
        ways += [", or a larger ", Way("bandwidth")]
    raise MemoryBudgetError(
        memory_problem(computation.alpha, rows, needed, computation.max_memory),
        *ways,
        ".",
    )


def check_product(computation: Computation, product: KernelProduct) -> None:
    """Refuse one set whose matrix does not fit and which low rank could not do.

    Raises
    ------
    MemoryBudgetError
        Naming the bytes and the ways out.
    """
    rows = _rows(computation, product)
    needed = matrix_bytes(rows, computation.alpha, computation.solver)
    if needed > computation.max_memory:
        raise MemoryBudgetError(
            f"A set of {product.dimensions} continuous features is not of low rank at "
            f"alpha {computation.alpha:g}; its matrix of {rows} x {rows} needs about "
            f"{bytes_in_words(needed)}, and {bytes_in_words(computation.max_memory)} may be used.",
            *("Use ", Way("alpha", 2), ", a smaller ", Way("max_features"), ", a larger "),
            *(Way("bandwidth"), ", or ", Way("rows", rule="N"), "."),
        )


def workers(computation: Computation, held: int) -> int:
    """Return how many workers the memory for their matrices, or their factors, allows.

    `held` are bytes that are taken already.

    Where a matrix fits, a factor that costs less than its eigenvalues takes less memory too.
    """
    each = matrix_bytes(computation.n, computation.alpha, computation.solver)
    if computation.plan.factors and each > computation.max_memory:
        each = FACTOR_COPIES * computation.factor_bytes
    left = computation.max_memory - held
    return max(1, min(computation.jobs, left // each)) if each else computation.jobs


def _without_codes(computation: Computation, most_features: int | None) -> KernelProduct:
    """Return the product with the largest matrix: hard codes only split a Gram into blocks."""
    model = computation.model
    uncoded = [j for j, part in enumerate(model.features) if not part.is_hard]
    found = model.product(uncoded[:most_features], target=not model.target.is_hard)
    # some sets are without the part of several kernels whose codes these are
    return replace(found, codes=None, n_codes=1)


def _rows(computation: Computation, product: KernelProduct) -> int:
    return len(product) if computation.solver == "dense" else largest_block(product)


def _certifies(computation: Computation, product: KernelProduct) -> bool:
    """Return whether a set is of low rank, tried on rows spread evenly over all."""
    if not computation.plan.factors or product.has_onehot:
        return False
    n = len(product)
    some = slice(None, None, max(1, n // PROBE_ROWS))
    return certifies(
        product.coordinates[some],
        n,
        computation.tolerance,
        computation.factor_bytes,
        product.tiled_at(some),
    )


def _most_certified(computation: Computation) -> int:
    count = 0
    for most in range(1, len(computation.model.features)):
        if not _certifies(computation, _without_codes(computation, most)):
            break
        count = most
    return count
