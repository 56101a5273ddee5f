"""`renyi.compare`: criteria side by side on one path, or the paths of several scores."""

from renyi.api.comparing._compare import compare
from renyi.api.comparing._comparison import Comparison
from renyi.api.comparing._partial import PartialComparison
from renyi.api.comparing._score_comparison import ScoreComparison

__all__ = ["Comparison", "PartialComparison", "ScoreComparison", "compare"]
