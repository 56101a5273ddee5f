"""A statistic between certain bounds."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from renyi.bounds import Pair
from renyi.racing import TIE_BITS

__all__ = ["Interval", "Statistic", "cmi_interval", "is_decided"]

Statistic: TypeAlias = Literal["mi", "cmi"]


class Interval(NamedTuple):
    """A statistic between certain bounds, bits."""

    lower: float
    value: float
    upper: float
    exact: bool = False

    @property
    def error(self) -> float:
        """Largest distance of the value from a bound."""
        return max(self.upper - self.value, self.value - self.lower)


def cmi_interval(pair: Pair, whole: Pair) -> Interval:
    """Return certain bounds on the CMI of two pairs."""
    return Interval(
        pair.lower - whole.upper,
        pair.conditional - whole.conditional,
        pair.upper - whole.lower,
        pair.exact and whole.exact,
    )


def is_decided(statistic: Statistic, replicate: Interval, observed: Interval) -> bool:
    """Return whether a replicate's side of the observed value is certain, ties included."""
    if statistic == "mi":  # as good from a tie below upwards
        return replicate.lower > observed.upper or replicate.upper < observed.lower - TIE_BITS
    return replicate.upper < observed.lower or replicate.lower > observed.upper + TIE_BITS
