"""What a solver is: it says whether it applies and what it would cost, and solves with bounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np

from renyi._typing import FloatArray
from renyi.backend import Backend
from renyi.entropies._formula import Solution
from renyi.kernels import KernelProduct

__all__ = ["Cost", "Problem", "Solver"]


class Cost(NamedTuple):
    """What a solver takes.

    Attributes
    ----------
    operations
        Multiplications and additions of a matrix product that would take as long.
    bytes
        Largest memory at a time.
    """

    operations: float
    bytes: float


@dataclass(frozen=True, eq=False)
class Problem:
    """One entropy to find.

    Attributes
    ----------
    product
        Whose entropy it is.
    alpha
        Order.
    residual
        Largest residual of a diagonal entry that a factor of low rank may leave.
    tolerance
        Bits that an approximation with bounds may be off.
    """

    product: KernelProduct
    alpha: float
    residual: float
    tolerance: float

    @cached_property
    def reduced(self) -> tuple[FloatArray, list[KernelProduct]]:
        """Shares of blocks of one distinct row, and the other blocks."""
        weights, blocks = self.product.reduced()
        return weights / self.product.total, blocks

    @property
    def sizes(self) -> FloatArray:
        """Rows of each block."""
        return np.array([len(block) for block in self.reduced[1]], dtype=np.float64)

    @property
    def largest(self) -> float:
        """Rows of the largest block."""
        return float(self.sizes.max(initial=0.0))


class Solver(Protocol):
    """One way from kernel products to entropies."""

    @property
    def name(self) -> str:
        """What results and options call it."""
        ...

    def applies(self, problem: Problem) -> bool:
        """Return whether it can solve a problem, as far as a cheap look tells."""
        ...

    def cost(self, problem: Problem) -> Cost:
        """Return what it would take; where that depends on the values, what it takes at best."""
        ...

    def solve(self, problems: Sequence[Problem], backend: Backend) -> list[Solution | None]:
        """Solve problems that it applies to; None where a closer look says that it cannot."""
        ...
