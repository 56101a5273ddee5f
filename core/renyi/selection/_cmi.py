"""Criteria that need CMI, and those that cost nothing once it is known."""

from __future__ import annotations

from collections.abc import Sequence

from renyi.errors import MemoryBudgetError
from renyi.options import MethodOptions
from renyi.stopping import CRITERION_CLASSES, Criterion, StepView

__all__ = ["cheap_criteria", "check_cmi"]

CHEAP_CRITERIA = ("cmi-heuristic", "mi-chi2")
"""Criteria that cost nothing once MI and CMI are known; every step says what they would do."""


def cheap_criteria(options: MethodOptions, view: StepView, problem: str) -> dict[str, bool | None]:
    """Say what the cheap criteria would do, None where they lack CMI.

    Parameters
    ----------
    options
        The method.
    view
        The step.
    problem
        Why CMI is not computed; empty where it is.
    """
    criteria = [CRITERION_CLASSES[name](options) for name in CHEAP_CRITERIA]
    return {
        criterion.name: None if criterion.needs_cmi and problem else criterion.judge(view).stop
        for criterion in criteria
    }


def check_cmi(criteria: Sequence[Criterion], problem: str) -> None:
    """Refuse criteria that need CMI where it cannot be computed."""
    needing = [criterion.name for criterion in criteria if criterion.needs_cmi]
    if needing and problem:
        raise MemoryBudgetError(
            f"The criterion {needing[0]} needs CMI, which cannot be computed: "
            f"{problem.rstrip('.')}.",
            "Use --criterion mi-perm, which needs no CMI, or fewer rows: --rows N.",
        )
