"""How tests say what they found."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from renyi.racing import TestOutcome
from renyi.stopping._criterion import StepView
from renyi.stopping._report import CriterionReport

__all__ = ["computed", "how_shuffled", "report_of_test", "tail_in_words", "what_shuffled"]


def how_shuffled(view: StepView) -> str:
    """Say how rows were shuffled, where not all orders of them were drawn from."""
    words = view.shuffled
    return f",{words}," if words else ""


def what_shuffled(count: int, noun: str) -> str:
    """Name what was shuffled."""
    return f"the best of {count} {noun} shuffled together" if count > 1 else "a shuffled copy"


def tail_in_words(did: str, test: TestOutcome, level: float, earned: str = "") -> str:
    """Say in how many draws a copy did as well."""
    found = f"{did} as much in" if did.endswith(("gained", "scored")) else f"{did} as well in"
    words = f"{found} {test.exceedances} of {test.drawn} draws (level {level:.3g}{earned})"
    return f"{words}; {test.ended}" if test.ended else words


def report_of_test(
    name: str, test: TestOutcome, reason: str, statistic: str, observed: float, error: float
) -> CriterionReport:
    """Return the report of a permutation test."""
    return CriterionReport(
        criterion=name,
        stop=not test.passed,
        keeps_feature=False,
        reason=reason,
        statistic_name=statistic,
        statistic=observed,
        p_value=test.p_value,
        p_upper=test.p_upper,
        drawn=test.drawn,
        exceedances=test.exceedances,
        null_quantiles=_quantiles(test.values),
        null_error=error,
    )


def _quantiles(values: Sequence[float]) -> tuple[float, float, float]:
    low, middle, high = (float(q) for q in np.quantile(values, (0.05, 0.5, 0.95)))
    return low, middle, high


def computed(cmi: float | None) -> float:
    """Return CMI that was computed: no criterion that needs it is asked where it was not."""
    if cmi is None:
        raise RuntimeError
    return cmi
