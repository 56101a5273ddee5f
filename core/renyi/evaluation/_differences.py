"""Which numbers of features predict no worse than the best one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

import numpy as np

from renyi import _validate
from renyi._typing import FloatArray
from renyi.errors import OptionError
from renyi.options import option_of

__all__ = ["PairedTest", "interval", "paired_p_values", "smallest_not_different"]

PairedTest: TypeAlias = Literal["paired", "corrected"]

NORMAL_95: Final = 1.96

TEST_PER_TRAIN: Final = math.exp(-1) / (1 - math.exp(-1))
"""Rows that test for each distinct row that trains, in a bootstrap of many rows: .368 to .632."""


def smallest_not_different(
    scores: FloatArray,
    sizes: Sequence[int] | None = None,
    *,
    significance: float = 0.05,
    test: PairedTest = "paired",
) -> int:
    """Return the smallest number of features that predicts no worse than the best one.

    The "optimal" size of Yu and Principe (2019): the smallest one whose scores over the runs do
    not differ from those of the size with the best mean by a two-sided t-test of the paired
    differences.

    Parameters
    ----------
    scores
        (runs, sizes), see `bootstrap_scores`.
    sizes
        The numbers of features that the columns stand for, ascending; 1, 2, ... if None.
    significance
        Level of the test.
    test
        As in `paired_p_values`.

    Raises
    ------
    OptionError
        If an option breaks its rule.

    Examples
    --------
    >>> scores = np.array([[0.5, 0.8, 0.8], [0.6, 0.9, 0.8], [0.5, 0.7, 0.9], [0.5, 0.9, 0.9]])
    >>> smallest_not_different(scores)
    2
    """
    p_values = paired_p_values(scores, test=test)
    numbers = list(range(1, scores.shape[1] + 1)) if sizes is None else list(sizes)
    if len(numbers) != scores.shape[1] or sorted(set(numbers)) != numbers:
        raise OptionError(
            f"`sizes` must be {scores.shape[1]} ascending numbers, got {list(numbers)!r}.",
            "Give one for each column of the scores.",
        )
    _validate.fraction("significance", significance, "0.05 is usual.")
    return int(numbers[int(np.flatnonzero(p_values >= significance)[0])])


def paired_p_values(
    scores: FloatArray, best: int | None = None, *, test: PairedTest = "paired"
) -> FloatArray:
    """Return the two-sided p-value of each column's difference from the best one.

    Parameters
    ----------
    scores
        (runs, sizes), at least 2 runs.
    best
        The column compared with; None for the one with the largest mean, of equals the first.
    test
        `paired`: Student's t of the runs' differences, as the paper does; runs share rows, so that
        it finds differences too easily. `corrected`: the variance of the mean difference is taken
        as (1/runs + test rows / distinct training rows) times that of one run (Nadeau and Bengio,
        Machine Learning 52, 2003).

    Returns
    -------
    numpy.ndarray
        (sizes,) float64; 1 for the best itself and for equal scores in all runs.

    Raises
    ------
    OptionError
        If there are fewer than 2 runs, or there is no such test.
    """
    from scipy import stats

    option_of("test", "compare").checked(test)
    runs = len(scores)
    if runs < 2:
        raise OptionError(
            f"`runs` must be at least 2 for a paired test, got {runs}.", "100 is usual."
        )
    place = int(scores.mean(axis=0).argmax()) if best is None else best
    differences = scores - scores[:, [place]]
    mean, deviation = differences.mean(axis=0), differences.std(axis=0, ddof=1)
    error = deviation * math.sqrt(_variance_factor(runs, test))
    same = np.abs(mean) <= 1e-12
    constant = ~same & (error <= 1e-15)  # the same difference in every run: beyond any doubt
    t = np.divide(mean, error, out=np.zeros_like(mean), where=error > 1e-15)
    p_values = 2 * stats.t.sf(np.abs(t), runs - 1)
    found: FloatArray = np.where(same, 1.0, np.where(constant, 0.0, p_values))
    return found


def interval(scores: FloatArray, *, test: PairedTest = "corrected") -> FloatArray:
    """Return the half width of the 95% interval of each column's mean score.

    1.96 standard deviations over the runs, times the root of the factor of `paired_p_values`:
    `corrected` (1/runs + .582, that is 1.51 standard deviations at 100 runs) covers what another
    table of the same kind would give, `paired` (1/runs) only the luck of the draws.

    Parameters
    ----------
    scores
        (runs, sizes), at least 2 runs.
    test
        `corrected` or `paired`.
    """
    option_of("test", "compare").checked(test)
    factor = NORMAL_95 * math.sqrt(_variance_factor(len(scores), test))
    found: FloatArray = factor * scores.std(axis=0, ddof=1)
    return found


def _variance_factor(runs: int, test: PairedTest) -> float:
    return 1 / runs + (TEST_PER_TRAIN if test == "corrected" else 0.0)
