"""What the matrices of a solver take, and whether it is there."""

from __future__ import annotations

from renyi.backend import Backend
from renyi.entropies._solve import largest_block, needs_eigenvalues
from renyi.entropies._solvers import EIGEN_MATRICES, POWER_MATRICES
from renyi.errors import MemoryBudgetError
from renyi.kernels import KernelProduct

__all__ = ["check_memory", "matrix_bytes"]


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
            f"Order alpha {alpha:g} needs matrices of {rows} x {rows}, about "
            f"{needed / 2**30:.1f} GiB, and {free / 2**30:.1f} GiB are free.",
            "Use --alpha 2, which needs no such matrix, or fewer rows: --rows N.",
        )
