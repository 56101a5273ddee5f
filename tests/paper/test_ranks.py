"""Ranks by distance, and the test of two rows of ranks."""

from __future__ import annotations

import pytest
from scipy import stats

from renyi_paper import average_ranks, competition_ranks, rank_sum_p_value


def test_equal_distances_share_the_best_rank_whichever_side_they_lie_on() -> None:
    assert competition_ranks({"a": 8, "b": 4, "c": 6, "d": 0}, 6) == {
        "a": 2,
        "b": 2,
        "c": 1,
        "d": 4,
    }


def test_mean_ranks() -> None:
    assert average_ranks([{"a": 1, "b": 4}, {"a": 2, "b": 1}]) == {"a": 1.5, "b": 2.5}


def test_it_is_the_kruskal_wallis_test_of_two_groups_but_for_continuity() -> None:
    one, other = [1, 1, 2, 4, 1, 3], [2, 4, 4, 3, 4, 1]
    without = float(stats.kruskal(one, other).pvalue)
    assert without < rank_sum_p_value(one, other) < without + 0.06


@pytest.mark.parametrize("rank", [1, 3])
def test_ranks_that_are_all_the_same_do_not_differ(rank: int) -> None:
    assert rank_sum_p_value([rank] * 5, [rank] * 5) == 1.0
