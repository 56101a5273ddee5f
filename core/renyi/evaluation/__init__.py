"""How well the features of a path predict: bootstrap runs, models, and how many are enough."""

from renyi.evaluation._comparison import (
    COMPARISON_SCHEMA_VERSION,
    Comparison,
    CriterionResult,
    SizeScore,
)
from renyi.evaluation._differences import (
    PairedTest,
    interval,
    paired_p_values,
    smallest_not_different,
)
from renyi.evaluation._draws import Draw, bootstrap_draw, is_number
from renyi.evaluation._folds import Fold
from renyi.evaluation._models import MODELS, Model, find_model
from renyi.evaluation._outcomes import MOST_WHOLE, End, Outcome, ranks, run_side_by_side
from renyi.evaluation._score_comparison import (
    SCORE_COMPARISON_SCHEMA_VERSION,
    ScoreComparison,
    ScoreStop,
    paired_stops,
)
from renyi.evaluation._scores import Scaling, bootstrap_scores

__all__ = [
    "COMPARISON_SCHEMA_VERSION",
    "MODELS",
    "MOST_WHOLE",
    "SCORE_COMPARISON_SCHEMA_VERSION",
    "Comparison",
    "CriterionResult",
    "Draw",
    "End",
    "Fold",
    "Model",
    "Outcome",
    "PairedTest",
    "Scaling",
    "ScoreComparison",
    "ScoreStop",
    "SizeScore",
    "bootstrap_draw",
    "bootstrap_scores",
    "find_model",
    "interval",
    "is_number",
    "paired_p_values",
    "paired_stops",
    "ranks",
    "run_side_by_side",
    "smallest_not_different",
]
