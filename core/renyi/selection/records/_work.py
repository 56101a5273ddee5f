"""How a step was worked out: never part of an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from renyi._typing import JsonValue

__all__ = ["StepWork"]


@dataclass(frozen=True, slots=True)
class StepWork:
    """What one step took.

    Attributes
    ----------
    seconds
        Time on the clock.
    candidates, replicates
        How many candidates of the step, and replicates of its tests, were settled in which way:
        ``{"rank 64": 18, "eigen": 2}`` says that bounds from factors of rank 64 sufficed for 18
        and that 2 took exact eigenvalues.
    """

    seconds: float
    candidates: Mapping[str, int] = field(default_factory=dict)
    replicates: Mapping[str, int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, JsonValue]:
        """Return the record as JSON values."""
        return {
            "seconds": round(self.seconds, 3),
            "candidates": dict(self.candidates),
            "replicates": dict(self.replicates),
        }

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> StepWork:
        """Rebuild a record from `to_dict`."""
        return cls(float(record["seconds"]), dict(record["candidates"]), dict(record["replicates"]))
