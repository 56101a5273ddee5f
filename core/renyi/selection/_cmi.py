"""Criteria that need CMI, and those that cost nothing once it is known."""

from __future__ import annotations

from collections.abc import Sequence

from renyi.errors import MemoryBudgetError, Way
from renyi.options import CRITERIA, MethodOptions, criterion_traits
from renyi.stopping import StepView, build_criterion

__all__ = ["cheap_criteria", "check_cmi", "unsaid"]


def cheap_criteria(options: MethodOptions, view: StepView, problem: str) -> dict[str, bool | None]:
    """Say what the criteria that cost nothing would do, None where they lack CMI.

    Parameters
    ----------
    options
        The method.
    view
        The step.
    problem
        Why CMI is not computed; empty where it is.
    """
    return {
        name: None
        if traits.needs_cmi and problem
        else build_criterion(name, options).judge(view).stop
        for name, traits in CRITERIA.items()
        if traits.free
    }


def check_cmi(criteria: Sequence[str], problem: str) -> None:
    """Refuse criteria that need CMI where it cannot be computed."""
    needing = [name for name in criteria if criterion_traits(name).needs_cmi]
    if needing and problem:
        raise MemoryBudgetError(
            f"The criterion {needing[0]} needs CMI, which cannot be computed: "
            f"{problem.rstrip('.')}.",
            *("Use ", Way("criterion", "mi-perm"), ", which needs no CMI, or fewer rows: "),
            *(Way("rows", rule="N"), "."),
        )


def unsaid() -> dict[str, bool | None]:
    """Say nothing of the criteria that cost nothing: they judge a feature that enters."""
    return {name: None for name, traits in CRITERIA.items() if traits.free}
