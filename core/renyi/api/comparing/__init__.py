"""`renyi.compare`: criteria side by side."""

from renyi.api.comparing._compare import compare
from renyi.api.comparing._comparison import COMPARISON_SUFFIXES, Comparison
from renyi.api.comparing._partial import PartialComparison

__all__ = ["COMPARISON_SUFFIXES", "Comparison", "PartialComparison", "compare"]
