"""From kernel products to entropies, by the cheapest way that is close enough.

==========  ==============================================  =========================
solver      applies to                                      cost for m distinct rows
==========  ==============================================  =========================
counts      hard codes only                                 n
tiles       alpha 2                                         m^2
series      no rows equal, the Gram near the identity       m^2, or one matrix product
power       integer alpha 2 to 8                            a few matrix products
low-rank    alpha at least 1, up to 3 coordinates           m rank^2
eigen       any alpha                                       eigenvalues, block by block
dense       any alpha, asked for by name                    eigenvalues of the n x n Gram
==========  ==============================================  =========================

Before all but the first and the last, rows are split into the blocks of their hard codes and equal
rows are merged. A solver that is asked for by name is taken whatever it costs; `counts` is
taken wherever it applies, but for `dense`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from renyi.backend import Backend
from renyi.entropies._formula import Solution
from renyi.entropies._protocol import Problem, Solver
from renyi.entropies._series import Series
from renyi.entropies._solvers import MOST_POWER, Counts, Dense, Eigen, LowRank, Power, Tiles
from renyi.errors import OptionError, Way
from renyi.factors import RESIDUAL
from renyi.kernels import KernelProduct

__all__ = ["TOLERANCE", "largest_block", "needs_eigenvalues", "solve", "solve_many"]

TOLERANCE: Final = 1e-10
"""Bits that a value may be off where nothing else is asked: less than what makes a tie."""

AUTO: Final[tuple[Solver, ...]] = (Counts(), Tiles(), Series(), Power(), LowRank(), Eigen())

NAMED: Final[dict[str, tuple[Solver, ...]]] = {
    "auto": AUTO,
    "dense": (Dense(),),
    "eigen": (Counts(), Eigen()),
    "low-rank": (Counts(), LowRank(always=True)),
    "tiles": (Counts(), Tiles()),
    "power": (Counts(), Power(most=64)),  # beyond, powers of n rows leave the range of doubles
}


def needs_eigenvalues(alpha: float) -> bool:
    """Return whether an order has no way around eigenvalues."""
    return not (alpha == int(alpha) and 2 <= alpha <= MOST_POWER)


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
    tolerance: float = TOLERANCE,
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
        `auto`, the cheapest that is close enough, or one by name, see `renyi.options.SOLVERS`.
    residual
        Largest residual of a diagonal entry that a factor of low rank may leave; the bounds of a
        solution tell what it comes to.
    tolerance
        Bits that a series near the identity may be off.

    Raises
    ------
    OptionError
        If the solver that is asked for cannot do a product.
    """
    problems = [Problem(product, alpha, residual, tolerance) for product in products]
    ranked = [_ranked(problem, solver) for problem in problems]
    solutions: dict[int, Solution] = {}
    open_ = list(range(len(problems)))
    while open_:
        groups: dict[str, tuple[Solver, list[int]]] = {}
        for number in open_:
            if not ranked[number]:
                raise _cannot(problems[number], solver)
            first = ranked[number].pop(0)
            groups.setdefault(first.name, (first, []))[1].append(number)
        for first, numbers in groups.values():
            found = first.solve([problems[number] for number in numbers], backend)
            pairs = zip(numbers, found, strict=True)
            solutions.update({number: one for number, one in pairs if one is not None})
        open_ = [number for number in open_ if number not in solutions]
    return [solutions[number] for number in range(len(problems))]


def _ranked(problem: Problem, solver: str) -> list[Solver]:
    """Return the solvers that apply, the cheapest first."""
    named = NAMED[solver]
    if isinstance(named[0], Counts) and named[0].applies(problem):
        return [named[0]]
    rest = [one for one in named if not isinstance(one, Counts) and one.applies(problem)]
    return sorted(rest, key=lambda one: one.cost(problem).operations)


def _cannot(problem: Problem, solver: str) -> OptionError:
    what = "a one-hot kernel" if problem.product.has_onehot else f"alpha {problem.alpha:g}"
    return OptionError(
        f"`solver` must fit the work, and {solver} cannot do {what}.",
        "Leave ",
        Way("solver"),
        " out: auto takes the cheapest that applies.",
    )
