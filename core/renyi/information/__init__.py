"""Entropy, mutual information and conditional mutual information by chain rules."""

from renyi.information._engine import InformationEngine, Pair

__all__ = ["InformationEngine", "Pair"]
