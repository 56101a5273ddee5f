"""How entropies are computed: whose kernels, of which order, how exactly, and with what."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from renyi import _validate
from renyi.backend import Backend
from renyi.bounds import EXACT_BITS, Question
from renyi.entropies import factor_bytes, matrix_bytes
from renyi.execution import default_jobs
from renyi.information._plan import Plan, plan_of
from renyi.information._thresholds import THRESHOLDS, Thresholds
from renyi.kernels import KernelModel

__all__ = ["Computation"]

TOLERANCE: Final = 1e-6
"""Bits, where nothing else is asked for."""


@dataclass(frozen=True, eq=False)
class Computation:
    """A way to compute the entropies of sets of features; it holds no result.

    Attributes
    ----------
    model
        The kernels.
    alpha
        Order.
    backend
        Where matrices live.
    solver
        `auto`, or the one way to take, see `renyi.options.MethodOptions`.
    tolerance
        Largest error of a value that is not asked for more exactly, bits.
    jobs
        Worker threads.
    max_memory
        Bytes that the work may take. It decides how many workers there are, what is refused, and
        where bounds stand in for a matrix that does not fit.
    thresholds
        From how much work on it goes another way.
    pairs
        Share of all pairs of rows that sums at order 2 are estimated from; None for all of them.
    seed
        Of what is drawn.
    """

    model: KernelModel
    alpha: float
    backend: Backend
    solver: str
    tolerance: float
    jobs: int
    max_memory: int
    thresholds: Thresholds = THRESHOLDS
    pairs: float | None = None
    seed: int = 0

    @classmethod
    def of(
        cls,
        model: KernelModel,
        alpha: float,
        backend: Backend,
        *,
        solver: str = "auto",
        tolerance: float = TOLERANCE,
        jobs: int | None = None,
        max_memory: int | None = None,
        thresholds: Thresholds = THRESHOLDS,
    ) -> Computation:
        """Return a computation with a worker per core and a share of free memory if None."""
        memory = _validate.memory_bytes(max_memory or None, backend.free_memory())
        jobs = jobs or default_jobs()
        return cls(model, alpha, backend, solver, tolerance, jobs, memory, thresholds)

    def estimated(self, pairs: float, seed: int) -> Computation:
        """Return the same from a share of all pairs of rows, drawn by a seed."""
        return replace(self, pairs=pairs, seed=seed)

    def over(self, model: KernelModel) -> Computation:
        """Return the same over other kernels."""
        return replace(self, model=model)

    def squared(self) -> Computation:
        """Return the same at order 2, by whatever solver is cheapest, within its tolerance."""
        return replace(self, alpha=2.0, solver="auto", tolerance=TOLERANCE, pairs=None)

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.model.n

    @property
    def share(self) -> float:
        """Of all pairs of rows, those that sums at order 2 are made of."""
        return 1.0 if self.pairs is None else self.pairs

    @property
    def everything(self) -> frozenset[int]:
        """All features in use."""
        return frozenset(range(len(self.model.features)))

    @property
    def factor_bytes(self) -> int:
        """Bytes that one factor of a Gram may take."""
        return factor_bytes(self.max_memory, self.thresholds.factor_bytes)

    @cached_property
    def known(self) -> Question:
        """What a value asks for that is reported: the tolerance."""
        return Question(self.tolerance)

    @cached_property
    def exact(self) -> Question:
        """What a value asks for that decides a tie."""
        return Question(min(EXACT_BITS, self.tolerance))

    @cached_property
    def fits(self) -> bool:
        """Whether a matrix of all rows fits; where not, distinct rows may be few enough."""
        return matrix_bytes(self.n, self.alpha, self.solver) <= self.max_memory

    @cached_property
    def plan(self) -> Plan:
        """Which ways lead to an entropy."""
        coded = self.model.target.is_hard
        weighted = self.model.weights is not None
        return plan_of(
            self.alpha,
            self.solver,
            self.n,
            fits=self.fits,
            coded_target=coded,
            weighted=weighted,
            thresholds=self.thresholds,
        )
