"""Criteria ranked by how near they come to the best number of features, and tests of the ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

__all__ = ["average_ranks", "competition_ranks", "rank_sum_p_value"]


def competition_ranks(features: Mapping[str, int], optimal: int) -> dict[str, int]:
    """Rank criteria by the distance of their number of features from the optimal one.

    Equal distances share the best of their ranks, as in Tables 1 and 2 of Yu and Principe (2019).

    Parameters
    ----------
    features
        Criterion -> number of features.
    optimal
        The smallest number that predicts no worse than the best.

    Examples
    --------
    >>> competition_ranks({"a": 13, "b": 4, "c": 2, "d": 4}, 6)
    {'a': 4, 'b': 1, 'c': 3, 'd': 1}
    """
    distances = {name: abs(count - optimal) for name, count in features.items()}
    return {
        name: 1 + sum(other < distance for other in distances.values())
        for name, distance in distances.items()
    }


def average_ranks(ranks: Sequence[Mapping[str, int]]) -> dict[str, float]:
    """Return each criterion's mean rank over at least one set."""
    return {name: float(np.mean([of_set[name] for of_set in ranks])) for name in ranks[0]}


def rank_sum_p_value(ranks: Sequence[int], others: Sequence[int]) -> float:
    """Return the two-sided p-value of Wilcoxon's rank-sum test of two criteria's ranks.

    The normal approximation with corrections for ties and continuity: it turns the printed ranks
    of Yu and Principe's Tables 1 and 2 into their Table 3, digit for digit. Ranks of criteria on
    the same set are not independent, so that it is a description rather than a test.

    Examples
    --------
    >>> round(rank_sum_p_value([1, 1, 4, 4, 1, 1, 1, 3, 1, 2], [4, 1, 3, 3, 4, 4, 4, 4, 2, 1]), 4)
    0.0781
    """
    from scipy import stats

    if set(ranks) == set(others) and len(set(ranks)) == 1:
        return 1.0  # all tied: no variance to divide by
    return float(stats.mannwhitneyu(ranks, others, method="asymptotic").pvalue)
