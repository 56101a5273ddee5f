"""Stopping criteria: when is enough enough."""

from renyi.stopping._report import CriterionReport

__all__ = ["CriterionReport"]
