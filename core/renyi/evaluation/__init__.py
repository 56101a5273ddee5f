"""How well the features of a path predict: bootstrap runs, models, and how many are enough."""

from renyi.evaluation._differences import (
    PairedTest,
    interval,
    paired_p_values,
    smallest_not_different,
)
from renyi.evaluation._draws import Draw, bootstrap_draw, is_number
from renyi.evaluation._folds import Fold
from renyi.evaluation._models import MODELS, Model, find_model
from renyi.evaluation._scores import Scaling, bootstrap_scores

__all__ = [
    "MODELS",
    "Draw",
    "Fold",
    "Model",
    "PairedTest",
    "Scaling",
    "bootstrap_draw",
    "bootstrap_scores",
    "find_model",
    "interval",
    "is_number",
    "paired_p_values",
    "smallest_not_different",
]
