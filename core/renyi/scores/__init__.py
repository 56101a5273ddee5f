"""Scores that rank the candidates of a step."""

from renyi.scores._scores import SCORE_FUNCTIONS, Score, chi2_gain

__all__ = ["SCORE_FUNCTIONS", "Score", "chi2_gain"]
