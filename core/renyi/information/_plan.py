"""Which routes lead to H(y | Z): one table of them, and which are open to a computation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

from renyi.bounds import BAND_ALPHA, STACKS
from renyi.entropies import needs_eigenvalues
from renyi.information._thresholds import THRESHOLDS, Thresholds

__all__ = ["ROUTES", "Plan", "Route", "plan_of"]

LEAST_TOLERANCE: Final = 1e-6
"""Tolerance from which a value out of a pass in single precision is taken; for a smaller one it is
found in doubles."""


class Route(NamedTuple):
    """One row of the table.

    Attributes
    ----------
    name
        What it is called.
    home
        The module it is in.
    when
        What has to be so.
    why
        Why it is taken there.
    open
        The same condition of a plan, for a machine.
    """

    name: str
    home: str
    when: str
    why: str
    open: Callable[[Plan], bool]


ROUTES: Final = (
    Route(
        "counts",
        "entropies._counted",
        "delta kernels alone, of features and target, any solver but dense",
        "the spectrum is the shares of the levels: many sets that extend one are counted at once",
        lambda plan: plan.counts,
    ),
    Route(
        "sums",
        "order2",
        "alpha 2, solver auto",
        "S_2 is a sum over pairs of rows: one pass over what all candidates or replicates share "
        "gives them all; a set that it leaves out is found by values",
        lambda plan: plan.sums,
    ),
    Route(
        "stacks",
        "bounds._stacks",
        f"1 <= alpha and no whole number from 2 to 8, solver auto, up to {STACKS.rows} rows "
        "that count alike",
        "the Grams of many extensions of one set are solved as one stack; a bound that all share "
        "settles most of them before",
        lambda plan: plan.stacks and plan.rows <= plan.thresholds.stacks.rows,
    ),
    Route(
        "factors",
        "bounds._bracket",
        "1 <= alpha and no whole number from 2 to 8, solver auto; from 1, solver low-rank",
        "a pivoted Cholesky factor gives an interval, and its rank is raised only until the "
        "question is answered",
        lambda plan: plan.factors,
    ),
    Route(
        "bands",
        "bounds._banded",
        f"1 <= alpha <= {BAND_ALPHA:g}, solver auto, the matrix fits, and no tie is asked about",
        "where a factor would cost more than eigenvalues: reducing a matrix to a band takes a "
        "third of their time, and determinants of the band bound the entropy",
        lambda plan: plan.factors and plan.bands and plan.alpha <= BAND_ALPHA,
    ),
    Route(
        "values",
        "entropies",
        "always, last; where a matrix of all rows does not fit, if that of the distinct rows of "
        "each block does, else the work is refused",
        "the cheapest solver that meets the tolerance",
        lambda _: True,
    ),
)
"""In the order in which they are tried; each takes what those before left open."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Which of `ROUTES` are open to a computation.

    Attributes
    ----------
    alpha, rows
        Order, and number of rows.
    without_matrix
        S_2 comes out of tiles of a Gram: no matrix has to fit.
    bounded
        H(y | S and one more) has an upper bound that serves all replicates.
    sums
        Sums over pairs of rows at order 2 serve many sets at once.
    factors
        Values come as bounds that a question may leave wide.
    bands
        A band may stand in for eigenvalues.
    counts
        Levels may be counted, where kernels are of levels.
    free
        No solver was asked for by name.
    only_factors
        Factors are tried whatever they cost: a matrix of all rows does not fit, or low rank was
        asked for.
    expectant
        A value that is expected tells how to go about finding it. Not where a factor is the only
        way: it is refused by what it is, not by what was expected.
    weighted
        Some rows count more than others.
    thresholds
        From how much work on another one is taken.
    """

    alpha: float
    rows: int
    without_matrix: bool
    bounded: bool
    sums: bool
    factors: bool
    bands: bool
    counts: bool
    free: bool
    only_factors: bool
    expectant: bool
    weighted: bool
    thresholds: Thresholds

    @property
    def stacks(self) -> bool:
        """Whether stacks of matrices may be solved at once; `stack_size` tells of how many."""
        return self.factors and self.free and not self.weighted

    @property
    def singly(self) -> bool:
        """Whether each set is a task of its own: no pass over a Gram gives many."""
        return 2 * self.rows > self.thresholds.task_rows and not self.sums

    def loosens(self, count: int) -> bool:
        """Return whether so many values are less work as bounds first, at order 2.

        Those that may be the smallest are then looked at again, for one more pass over the Gram.
        """
        return self.sums and count * self.rows >= self.thresholds.loose_values

    @property
    def long(self) -> bool:
        """Whether a pass in single precision saves more than it costs to look again."""
        return self.rows > self.thresholds.together_rows

    def together(self, tolerance: float) -> bool:
        """Return whether a pass in single precision over what is given tells enough of it."""
        return self.sums and self.long and tolerance >= LEAST_TOLERANCE

    @property
    def routes(self) -> tuple[Route, ...]:
        """The rows of `ROUTES` that are taken, in their order."""
        return tuple(route for route in ROUTES if route.open(self))


def plan_of(
    alpha: float,
    solver: str,
    rows: int,
    *,
    fits: bool,
    coded_target: bool,
    weighted: bool = False,
    thresholds: Thresholds = THRESHOLDS,
) -> Plan:
    """Return which ways lead to an entropy.

    Parameters
    ----------
    alpha
        Order.
    solver
        `auto`, or the one that was asked for.
    rows
        How many there are.
    fits
        Whether a matrix of all rows does.
    coded_target
        Whether the target is one of classes.
    weighted
        Whether some rows count more than others.
    thresholds
        From how much work on another way is taken.

    Examples
    --------
    >>> plan = plan_of(1.01, "auto", 5000, fits=True, coded_target=True)
    >>> [route.name for route in plan.routes]
    ['counts', 'factors', 'bands', 'values']
    """
    free = solver == "auto"
    factors = alpha >= 1 and (solver == "low-rank" or (free and needs_eigenvalues(alpha)))
    return Plan(
        alpha=alpha,
        rows=rows,
        without_matrix=alpha == 2 and solver in {"auto", "tiles"},
        bounded=free and (needs_eigenvalues(alpha) or alpha == 2),
        sums=alpha == 2 and free,
        factors=factors,
        bands=free and fits,
        counts=coded_target and solver != "dense",
        free=free,
        only_factors=solver == "low-rank" or not fits,
        expectant=factors and free and fits and alpha <= 2 and coded_target,
        weighted=weighted,
        thresholds=thresholds,
    )
