"""Exact statements about counts of runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Count", "holm"]


@dataclass(frozen=True)
class Count:
    """How often something happened in independent runs.

    Attributes
    ----------
    hits, runs
        Of so many runs.
    """

    hits: int
    runs: int

    @property
    def rate(self) -> float:
        return self.hits / self.runs

    def above(self, chance: float) -> float:
        """Return the one-sided exact binomial p-value of a chance of at most `chance`."""
        from scipy.stats import binomtest

        return float(binomtest(self.hits, self.runs, chance, alternative="greater").pvalue)

    def below(self, chance: float) -> float:
        """Return the one-sided exact binomial p-value of a chance of at least `chance`."""
        from scipy.stats import binomtest

        return float(binomtest(self.hits, self.runs, chance, alternative="less").pvalue)

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the interval of Clopper and Pearson."""
        from scipy.stats import binomtest

        found = binomtest(self.hits, self.runs).proportion_ci(level, method="exact")
        return float(found.low), float(found.high)

    def __add__(self, other: Count) -> Count:
        return Count(self.hits + other.hits, self.runs + other.runs)


def holm(p_values: Sequence[float], level: float = 0.05) -> list[bool]:
    """Return which hypotheses are rejected by the method of Holm (1979)."""
    rejected = [False] * len(p_values)
    for place, number in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        if p_values[number] > level / (len(p_values) - place):
            break
        rejected[number] = True
    return rejected
