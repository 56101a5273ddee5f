"""The entropies of a set without and with the target."""

from __future__ import annotations

from dataclasses import dataclass

from renyi.entropies import Solution

__all__ = ["Pair"]


@dataclass(frozen=True, slots=True)
class Pair:
    """H(Z), H(Z, y) and what follows for H(y | Z).

    Attributes
    ----------
    features
        H(Z).
    joint
        H(Z, y).
    difference
        H(y | Z) where its bounds are closer than those of the two, else None.
    rank
        Rank of the factor that it was found from, 0 where it is no matter of rank: provenance.
    residual
        Share of the trace at which the factor was enough.
    exact
        Whether both entropies were computed to the end, up to rounding.
    """

    features: Solution
    joint: Solution
    difference: Solution | None = None
    rank: int = 0
    residual: float = 0.0
    exact: bool = True

    @property
    def conditional(self) -> float:
        """H(y | Z) = H(Z, y) - H(Z), bits; the chain rule."""
        if self.difference is not None:
            return self.difference.value
        return self.joint.value - self.features.value

    @property
    def lower(self) -> float:
        """Certain lower bound on `conditional`, bits."""
        if self.difference is not None:
            return self.difference.lower
        return self.joint.lower - self.features.upper

    @property
    def upper(self) -> float:
        """Certain upper bound on `conditional`, bits."""
        if self.difference is not None:
            return self.difference.upper
        return self.joint.upper - self.features.lower

    @property
    def error(self) -> float:
        """Largest error of `conditional`, bits."""
        return max(self.upper - self.conditional, self.conditional - self.lower)
