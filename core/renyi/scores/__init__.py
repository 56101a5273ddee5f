"""Scores that rank the candidates of a step."""

from renyi.scores._scores import ScoreFunction, chi2_gain, score_values

__all__ = ["ScoreFunction", "chi2_gain", "score_values"]
