"""Scores that rank the candidates of a step."""

from renyi.scores._scores import ScoreFunction, chi2_gain, score_values
from renyi.scores._shuffled import ShuffledScores, ranking_scores
from renyi.scores._terms import Terms

__all__ = [
    "ScoreFunction",
    "ShuffledScores",
    "Terms",
    "chi2_gain",
    "ranking_scores",
    "score_values",
]
