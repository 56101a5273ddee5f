"""Stopping criteria: when is enough enough."""

from renyi.stopping._choice import ChoiceAwareCriterion, with_choice
from renyi.stopping._combine import Judgement, combine, judge_all
from renyi.stopping._criteria import (
    ChiSquareCriterion,
    CmiHeuristic,
    LargestGainCriterion,
    PermutationCriterion,
    build_criteria,
    build_criterion,
)
from renyi.stopping._criterion import Criterion, StepView
from renyi.stopping._intervals import Statistic
from renyi.stopping._report import CriterionReport
from renyi.stopping._view import SearchStep

__all__ = [
    "ChiSquareCriterion",
    "ChoiceAwareCriterion",
    "CmiHeuristic",
    "Criterion",
    "CriterionReport",
    "Judgement",
    "LargestGainCriterion",
    "PermutationCriterion",
    "SearchStep",
    "Statistic",
    "StepView",
    "build_criteria",
    "build_criterion",
    "combine",
    "judge_all",
    "with_choice",
]
