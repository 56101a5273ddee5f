"""A comparison in words: what was compared, where each criterion ended, what is worth it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from renyi.options import criterion_traits
from renyi.wording._numbers import predicted, probability
from renyi.wording._paths import counted, kernel_words

if TYPE_CHECKING:
    from renyi.evaluation import Comparison, CriterionResult, ScoreComparison
    from renyi.options import MethodOptions

__all__ = [
    "BOUNDS",
    "MEASURES",
    "comparison_sentence",
    "comparison_words",
    "scores_sentence",
    "stop_words",
]


MEASURES: Final = {"accuracy": "accuracy", "r2": "R2"}
"""What readers see a measure called."""

BOUNDS: Final = (
    "bounds on the expected number that enter by chance, of those that a half selects with no "
    "more than average probability (Shah and Samworth 2013), if unimodal where their shares are; "
    "a bound above the number of columns says nothing"
)
"""How the bounds of repeated selections on halves of the rows are read."""


def comparison_words(options: MethodOptions, model: str, runs: int) -> str:
    """Write what was compared by which model, in one line.

    Where CMI asks for one width it is no steady one, as that of a selection is, and this says why.
    """
    words = kernel_words(options)
    if any(criterion_traits(name).needs_cmi for name in options.criteria):
        words = words.replace("sigma 2,", "sigma 2 throughout, for CMI,", 1)
    return f"{words}, model {model}, {runs} bootstrap runs, seed {options.seed}"


def stop_words(result: CriterionResult, found: Comparison) -> str:
    """Say in a few words what the features of a criterion are worth."""
    worse = result.score.p_value < found.significance
    if result.stopped == "max_features":
        return "did not stop"
    if result.distance < 0 and worse:
        return "too few"
    if result.distance > 0:
        return "worse than fewer" if worse else "more than needed"
    return "worse than the best" if worse else "enough"


def comparison_sentence(found: Comparison) -> str:
    """Say what the models found, whatever the criteria."""
    best, smallest = found.score(found.best), found.score(found.smallest)
    measure = MEASURES[found.measure]
    told = f"Best: {counted(best.size, 'feature')}, {measure} "
    told += predicted(best.mean, found.measure)
    if best.size == 0:
        return f"{told}: no number of features predicts better than none."
    if best.size == smallest.size:
        return f"{told}; fewer predict worse."
    predict = "predicts" if smallest.size == 1 else "predict"
    return (
        f"{told}; {counted(smallest.size, 'feature')} {predict} no worse "
        f"({predicted(smallest.mean, found.measure)}, p {probability(smallest.p_value)})."
    )


def scores_sentence(found: ScoreComparison) -> str:
    """Say which stop predicts best, and which do not differ from it."""
    best, first = found.best, found.comparisons[0]
    (score,) = (
        r.score for r in found.comparison(best.score).results if r.criterion == best.criterion
    )
    shown = f"{MEASURES[first.measure]} {predicted(score.mean, first.measure)}"
    several = len(found.stops) > len(found.comparisons)
    named = f"{best.score} {best.criterion}" if several else best.score
    told = f"Best stop: {named} with {counted(best.features, 'feature')}, {shown}"
    alike = [
        f"{stop.score}{f' {stop.criterion}' if several else ''} (p {probability(stop.p_value)})"
        for stop in found.stops
        if stop is not best and stop.p_value >= first.significance
    ]
    if len(found.stops) == 1:
        return f"{told}."
    if not alike:
        return f"{told}; all others predict worse."
    return f"{told}; no worse: {', '.join(alike)}."
