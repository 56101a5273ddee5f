"""What the matrices of a solver take, and whether it is there."""

from __future__ import annotations

from typing import Final

from renyi.backend import Backend
from renyi.entropies._solve import largest_block, needs_eigenvalues
from renyi.entropies._solvers import EIGEN_MATRICES, POWER_MATRICES
from renyi.errors import MemoryBudgetError, Way
from renyi.kernels import KernelProduct

__all__ = [
    "FACTOR_BYTES",
    "FACTOR_COPIES",
    "LEAST_FACTOR_BYTES",
    "WITHOUT_MATRIX",
    "bytes_in_words",
    "check_memory",
    "factor_bytes",
    "matrix_bytes",
    "memory_problem",
]

WITHOUT_MATRIX: Final = (
    *("Use ", Way("alpha", 2), ", which needs no such matrix, or fewer rows: "),
    Way("rows", rule="N"),
)
"""The ways out where a matrix does not fit."""

FACTOR_BYTES: Final = 2**30
"""Bytes of a factor beyond which it is given up, whatever memory there is."""

FACTOR_COPIES: Final = 4
"""What work on a factor takes, in factors: itself, a scaled and an orthonormal copy, and
pieces of it; while it grows, where that is not in place, the one that it grows out of."""

LEAST_FACTOR_BYTES: Final = 2**24
"""Bytes that a factor may always take: less than the process itself does."""


def factor_bytes(budget: int, least: int = LEAST_FACTOR_BYTES) -> int:
    """Return the bytes that a factor may take for the work on it to stay within a budget.

    The budget of the whole work, not of one worker: where it is less than `FACTOR_BYTES` allow
    it decides at which rank a factor is given up, and an answer must not depend on the workers.
    `least` is what it may always take.
    """
    return max(min(FACTOR_BYTES, budget // FACTOR_COPIES), least)


def bytes_in_words(size: float) -> str:
    """Return a size in the largest unit of which there is one at least.

    Examples
    --------
    >>> bytes_in_words(1000), bytes_in_words(3 * 2**29)
    ('1000 bytes', '1.5 GiB')
    """
    for unit, power in (("GiB", 30), ("MiB", 20), ("KiB", 10)):
        if size >= 2**power:
            return f"{size / 2**power:.1f} {unit}"
    return f"{size:.0f} bytes"


def memory_problem(alpha: float, rows: int, needed: int, budget: int) -> str:
    """Return the sentence that says which matrices do not fit."""
    return (
        f"Order alpha {alpha:g} needs matrices of {rows} x {rows}, about "
        f"{bytes_in_words(needed)}, and {bytes_in_words(budget)} may be used."
    )


def matrix_bytes(rows: int, alpha: float, solver: str) -> int:
    """Return the bytes that one worker needs for the largest matrix; 0 at alpha 2 by tiles."""
    if solver == "tiles" or (solver == "auto" and alpha == 2):
        return 0
    by_powers = solver == "power" or (solver == "auto" and not needs_eigenvalues(alpha))
    return int((POWER_MATRICES if by_powers else EIGEN_MATRICES) * 8 * rows * rows)


def check_memory(
    product: KernelProduct, alpha: float, backend: Backend, solver: str = "auto"
) -> None:
    """Refuse work whose largest matrix does not fit, before it starts.

    Raises
    ------
    MemoryBudgetError
        Naming the bytes and the ways out.
    """
    rows = len(product) if solver == "dense" else largest_block(product)
    needed, free = matrix_bytes(rows, alpha, solver), backend.free_memory()
    if needed > free:
        raise MemoryBudgetError(
            memory_problem(alpha, rows, needed, free),
            *WITHOUT_MATRIX,
            ".",
        )
