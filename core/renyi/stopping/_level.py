"""At which level the next feature is tested."""

from __future__ import annotations

from renyi._typing import ErrorRate

__all__ = ["level_after"]


def level_after(passed: int, significance: float, error_rate: ErrorRate) -> float:
    """Return the level of the test that follows so many that were passed.

    `fwer`: the significance, at every step. The search ends at the first test that fails, so that
    the chance of anything false after all that is true is no more than that.

    `fdr`: each passed test earns significance a to spend on the next one (alpha-investing: Foster
    and Stine, J. Royal Statistical Society B 70, 2008). Wealth begins at a / (1 - a), so that the
    first test is at level a, all of it is put on every test, and w is spent by a test at level
    w / (1 + w). With V false features among R selected, E V <= a (E R + 1 / (1 - a)).

    Parameters
    ----------
    passed
        Tests passed before; forced features were not tested.
    significance
        a, between 0 and 1.
    error_rate
        What it bounds.

    Examples
    --------
    >>> [round(level_after(k, 0.05, "fdr"), 3) for k in (0, 1, 5, 20)]
    [0.05, 0.093, 0.232, 0.513]
    """
    if error_rate == "fwer":
        return significance
    wealth = significance / (1 - significance) + passed * significance
    return wealth / (1 + wealth)
