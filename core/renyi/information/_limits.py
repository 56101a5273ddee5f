"""What memory and time allow, said before work starts."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from renyi.entropies import (
    FACTOR_COPIES,
    Pair,
    bytes_in_words,
    certifies,
    conditional_bound,
    extended_upper,
    largest_block,
    matrix_bytes,
    memory_problem,
    squared_conditional_bound,
)
from renyi.errors import MemoryBudgetError
from renyi.kernels import KernelProduct

if TYPE_CHECKING:
    from renyi.information._engine import InformationEngine

__all__ = ["check_memory", "check_product", "everything_problem", "highest_conditional", "workers"]

MOST_TILES: Final = 4e10
"""Pairs of rows of one pass over a Gram at alpha 2: about three minutes on two cores."""

PROBE_ROWS: Final = 4000
"""Rows on which it is tried whether a set of features is of low rank: ranks hardly grow beyond."""

BLURRED: Final = 0.2
"""Error of a value, as a share of it, from which another bound may be closer than the value is."""

USEFUL_BITS: Final = 0.5
"""Bound at alpha 2 from which it decides nothing, and values are as cheap."""


def highest_conditional(
    engine: InformationEngine, product: KernelProduct, solve: Callable[[], Pair]
) -> float:
    """Return an upper bound on H(y | product and any one more), bits, infinity for none.

    `solve` gives the product's own pair, within the tolerance.
    """
    target, alpha = engine.model.target, engine.alpha
    if alpha == 2:
        bound = squared_conditional_bound(product, target, engine.backend)
        return bound if bound < USEFUL_BITS else math.inf
    if not engine.fits or target.codes is None or not 1 <= alpha <= 2:
        return math.inf
    own = solve()
    bound = extended_upper(own, engine.n, target.distinct, alpha)
    if own.error <= BLURRED * own.conditional:
        return bound
    return min(bound, conditional_bound(product, target, alpha, engine.backend))


def everything_problem(engine: InformationEngine) -> str:
    """Return why H(y | S) of all features cannot be had, in a sentence; empty where it can."""
    product = _without_codes(engine, None)
    rows = _rows(engine, product)
    if engine.alpha == 2 and engine.solver in {"auto", "tiles"}:
        if float(rows) ** 2 / 2 <= MOST_TILES:
            return ""
        return (
            f"H(y | all features) at alpha 2 is a sum over {rows**2 / 2:.1e} pairs of rows, "
            f"more than the {MOST_TILES:.0e} that are computed"
        )
    needed = matrix_bytes(rows, engine.alpha, engine.solver)
    if needed <= engine.max_memory or _certifies(engine, product):
        return ""
    # without the bytes that may be used: this is said in a result, which must not depend on them
    return (
        f"H(y | all features) at alpha {engine.alpha:g} needs a matrix of {rows} x {rows}, about "
        f"{bytes_in_words(needed)} with its workspace, more than may be used"
    )


def check_memory(engine: InformationEngine, most_features: int | None) -> None:
    """Refuse work whose largest matrix does not fit, see `InformationEngine.check_memory`."""
    if engine.alpha == 2 and engine.solver in {"auto", "tiles"}:
        return
    product = _without_codes(engine, most_features)
    rows = _rows(engine, product)
    needed = matrix_bytes(rows, engine.alpha, engine.solver)
    if needed <= engine.max_memory or _certifies(engine, product):
        return
    ways = ["Use --alpha 2, which needs no such matrix", "fewer rows: --rows N"]
    if engine.refines:
        fitting = _most_certified(engine)
        if fitting:
            ways.append(f"--max-features {fitting}, which low rank can do")
        ways.append("a larger --bandwidth")
    raise MemoryBudgetError(
        memory_problem(engine.alpha, rows, needed, engine.max_memory),
        f"{', or '.join(ways)}.",
    )


def check_product(engine: InformationEngine, product: KernelProduct) -> None:
    """Refuse one set whose matrix does not fit and which low rank could not do.

    Raises
    ------
    MemoryBudgetError
        Naming the bytes and the ways out.
    """
    rows = _rows(engine, product)
    needed = matrix_bytes(rows, engine.alpha, engine.solver)
    if needed > engine.max_memory:
        raise MemoryBudgetError(
            f"A set of {product.coordinates.shape[1]} continuous features is not of low rank at "
            f"alpha {engine.alpha:g}; its matrix of {rows} x {rows} needs about "
            f"{bytes_in_words(needed)}, and {bytes_in_words(engine.max_memory)} may be used.",
            "Use --alpha 2, a smaller --max-features, a larger --bandwidth, or --rows N.",
        )


def workers(engine: InformationEngine) -> int:
    """Return how many workers the memory for their matrices, or their factors, allows.

    Where a matrix fits, a factor that costs less than its eigenvalues takes less memory too.
    """
    each = matrix_bytes(engine.n, engine.alpha, engine.solver)
    if engine.refines and each > engine.max_memory:
        each = FACTOR_COPIES * engine.factor_bytes
    left = engine.max_memory - engine.factors.held_bytes
    return max(1, min(engine.jobs, left // each)) if each else engine.jobs


def _without_codes(engine: InformationEngine, most_features: int | None) -> KernelProduct:
    """Return the product with the largest matrix: hard codes only split a Gram into blocks."""
    model = engine.model
    uncoded = [j for j, part in enumerate(model.features) if part.codes is None]
    return model.product(uncoded[:most_features], target=model.target.codes is None)


def _rows(engine: InformationEngine, product: KernelProduct) -> int:
    return len(product) if engine.solver == "dense" else largest_block(product)


def _certifies(engine: InformationEngine, product: KernelProduct) -> bool:
    """Return whether a set is of low rank, tried on rows spread evenly over all."""
    if not engine.refines or product.soft:
        return False
    n = len(product)
    some = product.coordinates[:: max(1, n // PROBE_ROWS)]
    return certifies(some, n, engine.tolerance, engine.factor_bytes)


def _most_certified(engine: InformationEngine) -> int:
    count = 0
    for most in range(1, len(engine.model.features)):
        if not _certifies(engine, _without_codes(engine, most)):
            break
        count = most
    return count
