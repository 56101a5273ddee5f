"""The pivoted factor: K = L L' + R with all that is said of R, whatever the rows are."""

import numpy as np
import pytest

from renyi.factors import PivotedCholesky

# the least step, to come below it
from renyi.factors._pivoted import LEAST_BLOCK

ROUNDING = 1e-12


def gram(points):
    """The Gram in extended precision from squared differences, then in doubles."""
    points = np.asarray(points, dtype=np.longdouble)
    apart = points[:, None, :] - points[None, :, :]
    return np.exp(-(apart**2).sum(axis=2) / 2).astype(np.float64)


def check(factor, points, rounding=ROUNDING):
    """Hold L and what is told of R to the dense Gram; return R."""
    lower = factor.factor
    assert lower.shape == (factor.rank, len(points))
    rest = gram(points) - lower.T @ lower
    assert np.linalg.eigvalsh(rest).min() >= -rounding * len(points)
    np.testing.assert_allclose(factor.diagonal, np.diagonal(rest), atol=rounding, rtol=0)
    assert factor.diagonal.min() >= 0
    assert np.abs(rest).max() <= factor.largest + rounding
    assert factor.largest == factor.diagonal.max()
    assert factor.trail[0] == (0, 1.0)
    assert factor.trail[-1] == (factor.rank, factor.largest)
    return rest


@pytest.mark.parametrize("width", [1, 2, 4, 5, 9])
@pytest.mark.parametrize("rank", [1, 47, 48, 49, 120])
def test_gram_is_factor_and_residual(width, rank):
    points = np.random.default_rng(width).normal(size=(230, width))
    factor = PivotedCholesky(points)
    reached = factor.extend(rank, trace=1e-6)
    rest = check(factor, points)
    assert factor.residual == pytest.approx(np.trace(rest), abs=1e-10)
    assert reached == (factor.residual <= 1e-6)
    assert factor.rank <= rank
    assert reached or factor.rank == rank


def test_before_the_first_column_the_residual_is_the_gram():
    points = np.random.default_rng(0).normal(size=(20, 3))
    factor = PivotedCholesky(points)
    assert (factor.rank, factor.residual, factor.largest, len(factor)) == (0, 20.0, 1.0, 20)
    assert factor.extend(0, trace=20.0)
    assert not factor.extend(0, trace=19.9)
    check(factor, points)


@pytest.mark.parametrize("goal", ["trace", "largest"])
def test_it_stops_once_the_goal_is_reached(goal):
    points = np.random.default_rng(1).normal(size=(300, 2))
    ranks = []
    for wanted in (0.5, 1e-2, 1e-5):
        factor = PivotedCholesky(points)
        assert factor.extend(300, **{goal: wanted})
        rest = check(factor, points)
        found = np.trace(rest) if goal == "trace" else np.diagonal(rest).max()
        assert found <= wanted + ROUNDING
        ranks.append(factor.rank)
    assert ranks == sorted(set(ranks))
    assert ranks[-1] < 300


def test_the_rank_is_near_the_least_there_can_be():
    """No factor can leave less than the sum of the smallest eigenvalues."""
    points = np.random.default_rng(2).normal(size=(300, 2))
    factor = PivotedCholesky(points)
    factor.extend(300, trace=1e-3)
    left = np.cumsum(np.maximum(np.linalg.eigvalsh(gram(points)), 0.0))
    least = 300 - int(np.searchsorted(left, 1e-3, side="right"))
    assert least <= factor.rank <= 3 * least


@pytest.mark.parametrize("trace", [30.0, 3.0, 0.1])
def test_the_last_block_is_no_larger_than_it_takes(trace):
    """A rank as large as the first at which it is reached, but for the few columns of a block."""
    points = np.random.default_rng(2).normal(size=(400, 4))
    factor = PivotedCholesky(points)
    assert factor.extend(400, trace=trace)
    columns = factor.factor
    left = 400 - np.cumsum((columns**2).sum(axis=1))
    enough = 1 + int(np.argmax(left <= trace + 1e-9))
    assert enough <= factor.rank <= enough + LEAST_BLOCK + factor.rank // 10


@pytest.mark.parametrize("width", [2, 7])
def test_refinement_goes_on_from_where_it_was(width):
    points = np.random.default_rng(3).normal(size=(260, width))
    factor = PivotedCholesky(points)
    before, trail, residual = factor.factor.copy(), list(factor.trail), factor.residual
    for most in (5, 30, 31, 100, 160):
        assert not factor.extend(most, trace=0.0) or factor.residual == 0.0
        np.testing.assert_array_equal(factor.factor[: len(before)], before)
        assert factor.trail[: len(trail)] == trail
        assert factor.residual <= residual
        check(factor, points)
        before, trail, residual = factor.factor.copy(), list(factor.trail), factor.residual
    assert len(before) > 48


def test_what_is_good_enough_is_left_alone():
    points = np.random.default_rng(4).normal(size=(120, 2))
    factor = PivotedCholesky(points)
    assert factor.extend(120, trace=0.1)
    before, rank = factor.factor.copy(), factor.rank
    assert factor.extend(120, trace=0.1)
    assert factor.extend(120, trace=5.0)
    assert factor.extend(rank, largest=factor.largest)
    assert not factor.extend(rank - 1, trace=1e-9)  # no columns are taken away
    assert factor.rank == rank
    np.testing.assert_array_equal(factor.factor, before)


def test_weights_count_in_the_residual_and_choose_the_pivots():
    rng = np.random.default_rng(5)
    near, far = rng.normal(size=(100, 3)), rng.normal(size=(200, 3)) + 40.0
    points = np.concatenate((near, far))
    weights = np.concatenate((rng.uniform(5.0, 9.0, 100), np.full(200, 1e-6)))
    factor = PivotedCholesky(points, weights)
    assert factor.extend(300, trace=1.0)
    rest = check(factor, points)
    assert factor.residual == pytest.approx(np.diagonal(rest) @ weights, abs=1e-9)
    np.testing.assert_array_equal(factor.diagonal[100:], 1.0)  # none of these was worth a column
    alike = PivotedCholesky(points)
    alike.extend(factor.rank, trace=0.0)
    assert float(alike.diagonal @ weights) > factor.residual


def test_equal_weights_are_no_weights():
    points = np.random.default_rng(6).normal(size=(90, 2))
    plain, weighted = PivotedCholesky(points), PivotedCholesky(points, np.full(90, 0.25))
    plain.extend(40, trace=0.1)
    weighted.extend(40, trace=0.025)
    np.testing.assert_array_equal(plain.factor, weighted.factor)
    assert weighted.residual == pytest.approx(plain.residual / 4)


@pytest.mark.parametrize(("kinds", "times"), [(1, 50), (7, 30), (40, 6), (60, 4)])
def test_duplicates_take_one_column(kinds, times):
    rng = np.random.default_rng(kinds)
    points = np.repeat(rng.normal(scale=4.0, size=(kinds, 3)), times, axis=0)
    points = points[rng.permutation(len(points))]
    factor = PivotedCholesky(points)
    factor.extend(len(points), trace=0.0)
    assert factor.rank <= kinds
    rest = check(factor, points)
    assert np.abs(rest).max() <= ROUNDING
    rank = factor.rank
    factor.extend(len(points), trace=0.0)  # rounding is no reason for another column
    assert factor.rank == rank


@pytest.mark.parametrize("width", [2, 6, 40])
@pytest.mark.parametrize("shift", [150.0, 1e6])
def test_huge_norms_do_not_drown_small_distances(width, shift):
    """At squared norms of 1e12 and more |u|^2 + |v|^2 - 2 uv would be off by 1e-4 and more."""
    points = np.random.default_rng(7).normal(size=(150, width)) / np.sqrt(width) + shift
    factor = PivotedCholesky(points)
    factor.extend(100, trace=1e-8)
    check(factor, points, rounding=1e-11)


def test_one_row_far_out_is_a_block_of_its_own():
    points = np.random.default_rng(8).normal(size=(100, 5))
    points[17] = 1e7
    factor = PivotedCholesky(points)
    assert factor.extend(100, trace=1e-6)
    rest = check(factor, points)
    assert np.abs(rest[17]).max() <= ROUNDING


def test_limits_of_the_rank():
    points = np.random.default_rng(9).normal(scale=30.0, size=(80, 2))  # all apart: full rank
    factor = PivotedCholesky(points)
    assert not factor.extend(1, trace=1e-9)
    assert factor.rank == 1
    assert not factor.extend(79, trace=1e-9)
    assert factor.rank == 79
    assert factor.extend(10**9, trace=1e-9)  # no more columns than rows
    assert factor.rank == 80
    check(factor, points)


def test_columns_end_early_where_the_goal_is_out_of_sight():
    points = np.random.default_rng(12).normal(scale=2.0, size=(900, 6))
    early, late = PivotedCholesky(points), PivotedCholesky(points)
    assert not late.extend(500, trace=1e-6)
    assert late.rank == 500
    assert not early.extend(500, trace=1e-6, early=True)
    assert early.rank <= 96
    check(early, points)


def clusters(count, each):
    """Rows in as many tight clusters, which no two of are equal."""
    rng = np.random.default_rng(16)
    centres = rng.normal(scale=40.0, size=(count, 1, 4))
    return (centres + 1e-5 * rng.normal(size=(count, each, 4))).reshape(-1, 4)


@pytest.mark.parametrize(
    "points",
    [
        np.random.default_rng(13).normal(scale=scale, size=(700, width))
        for width, scale in ((2, 1.0), (3, 0.7), (4, 1.0), (5, 0.3))
    ]
    + [clusters(120, 7)],
    ids=["2", "3", "4", "5", "clusters"],
)
def test_a_goal_that_can_be_reached_is_not_given_up(points):
    plain, early = PivotedCholesky(points), PivotedCholesky(points)
    assert plain.extend(700, trace=1e-6)
    assert plain.rank > 48  # no earlier is it judged
    assert early.extend(plain.rank + 8, trace=1e-6, early=True)


def test_a_goal_within_all_rows_is_never_out_of_sight():
    points = np.random.default_rng(14).normal(scale=30.0, size=(200, 2))
    assert PivotedCholesky(points).extend(200, trace=1e-9, early=True)


@pytest.mark.parametrize("rows", [1, 2, 3])
def test_few_rows(rows):
    points = np.random.default_rng(10).normal(size=(rows, 2))
    factor = PivotedCholesky(points)
    assert factor.extend(rows, trace=1e-12)
    np.testing.assert_allclose(check(factor, points), 0.0, atol=ROUNDING)


def test_chunks_and_blocks_change_rounding_alone():
    points = np.random.default_rng(11).normal(size=(200, 6))
    whole = PivotedCholesky(points)
    whole.extend(90, trace=1e-9)
    cut = PivotedCholesky(points, chunk_rows=17)
    cut.extend(90, trace=1e-9)
    assert [rank for rank, _ in cut.trail] == [rank for rank, _ in whole.trail]
    np.testing.assert_allclose(cut.factor, whole.factor, atol=1e-9)
    check(cut, points)


@pytest.mark.parametrize("looked_at", [False, True])
def test_large_factors_grow_where_they_are(looked_at):
    """What others see of a factor stays as it is; the factor itself is the same anyway."""
    points = np.random.default_rng(15).normal(size=(300, 5))
    plain = PivotedCholesky(points)
    plain.extend(200, trace=1e-9)
    grown = PivotedCholesky(points, large_bytes=0)
    views = []
    for rank in (48, 96, 144, 200):
        grown.extend(rank, trace=1e-9)
        if looked_at:
            views.append((grown.factor, grown.factor.copy()))
    np.testing.assert_allclose(gram(points), grown.factor.T @ grown.factor, atol=grown.largest)
    for view, before in views:
        np.testing.assert_array_equal(view, before)
    check(grown, points)
