"""Criteria that judge by the score that candidates are ranked by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from renyi._typing import PRule
from renyi.nulls import out_of_reach
from renyi.options import DrawRule, MethodOptions, draw_rule
from renyi.racing import TIE_BITS, permutation_test
from renyi.stopping._criterion import Criterion, StepView
from renyi.stopping._report import CriterionReport
from renyi.stopping._words import how_shuffled, report_of_test, tail_in_words, what_shuffled

__all__ = ["OwnScoreCriterion", "shuffled_score"]


@dataclass(frozen=True, slots=True)
class OwnScoreCriterion:
    """Stop when shuffled rows score as much too often; the feature is then not selected.

    `score-perm` shuffles the newest feature (as Francois et al., Neurocomputing 70, 2007, did with
    joint MI), `score-max` all candidates together and takes the largest score of each replicate
    (the maximum statistic of Westfall and Young, Resampling-based multiple testing, 1993): the
    feature is the best of many. A copy is tied neither to y nor to the selected features. A
    replicate within 1e-9 is a tie, and ties count against the feature.

    Attributes
    ----------
    name
        `score-perm` or `score-max`.
    best
        Whether all candidates are shuffled.
    draws
        When to stop drawing.
    significance, p_rule
        See `renyi.options.MethodOptions`.
    """

    name: str
    best: bool
    draws: DrawRule
    significance: float
    p_rule: PRule

    def judge(self, view: StepView) -> CriterionReport:
        """Draw replicates until the decision is certain."""
        observed, level = view.score, view.level(self.significance)
        null = view.best_scores if self.best else view.own_scores
        test = permutation_test(
            lambda start, stop: null.values(start, stop, self.draws.most),
            lambda value: value >= observed - TIE_BITS,
            self.draws,
            level,
            self.p_rule,
            null.first_round,
            plain=lambda values: null.free and _beyond(observed, values, null.unit, level),
        )
        done = f"{what_shuffled(null.count, 'candidates')}{how_shuffled(view)} scored"
        reason = f"its score is {observed:.3g}; {tail_in_words(done, test, level)}"
        return report_of_test(self.name, test, reason, "score", observed, null.error)


def _beyond(observed: float, values: Sequence[float], unit: float, level: float) -> bool:
    """Return whether replicates say that a score is far beyond them."""
    return out_of_reach(observed / unit, [value / unit for value in values], level)


def shuffled_score(name: str, options: MethodOptions) -> Criterion:
    """Make `score-perm` or `score-max`."""
    draws = draw_rule(options.permutations)
    return OwnScoreCriterion(name, name == "score-max", draws, options.significance, options.p_rule)
