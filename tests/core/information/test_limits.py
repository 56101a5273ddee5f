"""What does not fit is said before work starts, with ways out that are ways out."""

import re

import pytest

import oracle
import renyi
import tables
from renyi.backend import get_backend
from renyi.errors import MemoryBudgetError
from renyi.information import Computation, SetEntropies, Thresholds

# a bound and a count that only decide the way
from renyi.information._limits import workers
from renyi.kernels import KernelModel
from tables import raw_options

N = 400


def build(recipe="CCCCCC", *, n=N, alpha=1.01, sigma=1.0, label="delta", **more):
    table = tables.random_table(recipe, label, n, seed=2, sigma=sigma)
    kernel = "onehot" if label == "onehot" else "delta"
    model = KernelModel.build(
        table.dataset, raw_options(bandwidth=sigma, label_kernel=kernel, alpha=alpha)
    )
    return table, SetEntropies(Computation.of(model, alpha, get_backend("numpy"), **more))


def refusal(entropies, most=None):
    with pytest.raises(MemoryBudgetError) as caught:
        entropies.check_memory(most)
    return caught.value


def one_matrix(n):
    return 8 * n * n


@pytest.mark.parametrize("alpha", [0.6, 1.01, 2.0, 3.0])
def test_what_fits_is_no_problem(alpha):
    _, entropies = build(alpha=alpha, sigma=0.1, n=100)
    assert entropies.everything_problem == ""
    entropies.check_memory()


@pytest.mark.parametrize("alpha", [0.6, 1.01, 2.5])
def test_a_set_that_does_not_fit_is_a_problem_said_in_a_sentence(alpha):
    _, entropies = build(alpha=alpha, sigma=0.1, max_memory=one_matrix(N))
    problem = entropies.everything_problem
    assert problem.startswith(f"H(y | all features) at alpha {alpha:g} needs a matrix of 400 x 400")
    assert "MiB with its workspace" in problem
    assert not problem.endswith(".")
    told = refusal(entropies)
    assert told.message.startswith(f"Order alpha {alpha:g} needs matrices of 400 x 400, about ")
    assert told.message.endswith("MiB may be used.")
    assert "`alpha=2`" in told.hint
    assert "`rows=N`" in told.hint


def test_the_problem_does_not_depend_on_the_budget():
    """It is said in a result, and a result is that of any machine on which it is said."""
    problems = {
        build(sigma=0.1, max_memory=budget)[1].everything_problem for budget in (10**4, 10**6)
    }
    assert len(problems) == 1


def test_at_alpha_two_time_is_the_limit():
    _, entropies = build(alpha=2.0, max_memory=1000)
    assert entropies.everything_problem == ""
    fewer = Thresholds(row_pairs=N * N / 2 - 1)
    _, entropies = build(alpha=2.0, max_memory=1000, thresholds=fewer)
    assert entropies.everything_problem == (
        "H(y | all features) at alpha 2 is a sum over 8.0e+04 pairs of rows, "
        "more than the 8e+04 that are computed"
    )
    entropies.check_memory()  # a search goes on without it
    as_many = Thresholds(row_pairs=N * N / 2)
    assert build(alpha=2.0, thresholds=as_many)[1].everything_problem == ""


def test_hard_codes_cut_the_matrix():
    """Only what is continuous counts: a nominal feature splits the Gram into blocks."""
    _, entropies = build("NB", max_memory=1000)
    assert entropies.everything_problem == ""
    entropies.check_memory()
    _, entropies = build("NBC", sigma=0.001, max_memory=1000)
    assert "400 x 400" in entropies.everything_problem


def test_equal_rows_cut_the_matrix():
    """Five values, and five times five of two such features."""
    _, entropies = build("RR", sigma=0.001, solver="eigen", max_memory=400)
    assert "25 x 25" in refusal(entropies).message
    assert "5 x 5" in refusal(entropies, 1).message
    _, entropies = build("RR", sigma=0.001, solver="eigen", max_memory=one_matrix(300))
    entropies.check_memory()


def test_dense_takes_all_rows_whatever_the_codes():
    _, entropies = build("RR", solver="dense", max_memory=one_matrix(300))
    told = refusal(entropies)
    assert "400 x 400" in told.message
    assert "max_features" not in told.hint  # low rank is no way out of what was asked for
    assert "bandwidth" not in told.hint
    assert "400 x 400" in entropies.everything_problem


@pytest.mark.parametrize("label", ["delta", "numeric"])
def test_low_rank_certifies_where_the_matrix_does_not_fit(label):
    table, entropies = build("CC", sigma=3.0, label=label, max_memory=one_matrix(100))
    assert entropies.everything_problem == ""
    entropies.check_memory()
    pair = entropies.pair((0, 1))
    for solution, sets in (
        (pair.features, table.grams),
        (pair.joint, [*table.grams, table.label]),
    ):
        truth = oracle.joint_entropy(sets, 1.01)
        assert solution.lower - 1e-11 <= truth <= solution.upper + 1e-11
        assert solution.error <= entropies.computation.tolerance
        assert solution.solver == "low-rank"


def test_low_rank_certifies_no_soft_codes_and_no_order_below_one():
    _, entropies = build("CC", sigma=3.0, label="onehot", max_memory=one_matrix(100))
    assert "400 x 400" in entropies.everything_problem
    _, entropies = build("CC", sigma=3.0, alpha=0.9, max_memory=one_matrix(100))
    assert "max_features" not in refusal(entropies).hint


def test_a_set_that_is_not_of_low_rank_is_refused_when_it_is_asked_for():
    small = Thresholds(factor_bytes=one_matrix(200))  # a rank of 100
    _, entropies = build(sigma=0.1, max_memory=one_matrix(100), thresholds=small)
    with pytest.raises(MemoryBudgetError) as caught:
        entropies.pair(range(6))
    assert caught.value.message.startswith(
        "A set of 6 continuous features is not of low rank at alpha 1.01; "
        "its matrix of 400 x 400 needs about"
    )
    for way in ("`alpha=2`", "max_features", "bandwidth", "`rows=N`"):
        assert way in caught.value.hint


def told_features(error):
    return int(re.search(r"`max_features=(\d+)`, which low rank can do", error.hint).group(1))


def test_max_features_is_a_way_out():
    """The number told is one that goes through, and one more does not."""
    table, entropies = build(sigma=1.5, max_memory=one_matrix(100))
    error = refusal(entropies)
    most = told_features(error)
    assert 1 <= most < 6
    assert "a larger `bandwidth`" in error.hint
    entropies.check_memory(most)
    refusal(entropies, most + 1)
    pair = entropies.pair(range(most))
    truth = oracle.joint_entropy([*table.grams[:most], table.label], 1.01)
    assert pair.joint.lower - 1e-11 <= truth <= pair.joint.upper + 1e-11


def test_the_ways_out_are_taken_by_a_search():
    table = tables.random_table("CCCCCC", "delta", N, seed=2, sigma=1.5)
    given = {
        "target": "y",
        "alpha": 1.01,
        "bandwidth": 1.5,
        "criterion": "none",
        "max_memory": one_matrix(100),
    }
    with pytest.raises(MemoryBudgetError) as caught:
        renyi.select(table.frame, **given)
    most = told_features(caught.value)
    path = renyi.select(table.frame, **given, max_features=most)
    free = renyi.select(table.frame, **{**given, "max_memory": None}, max_features=most)
    assert path.selected == free.selected
    assert [s.mi for s in path.steps] == pytest.approx([s.mi for s in free.steps], abs=2e-6)
    assert {step.cmi_code for step in path.steps} == {"cmi_not_computed"}
    assert renyi.select(table.frame, **{**given, "alpha": 2}, max_features=2).selected
    assert renyi.select(table.frame, **{**given, "bandwidth": 20.0}, max_features=2).selected
    assert renyi.select(table.frame, **given, rows=40, max_features=2).selected


def test_no_number_of_features_is_told_where_not_one_would_do():
    _, entropies = build(sigma=1e-4, max_memory=one_matrix(100))
    hint = refusal(entropies).hint
    assert "max_features" not in hint
    assert "a larger `bandwidth`" in hint


def test_workers_share_the_budget():
    _, entropies = build(n=100, jobs=4, max_memory=6 * one_matrix(100))
    assert (
        workers(entropies.computation, 0) == 2
    )  # each takes the matrix and what the eigenvalues need
    _, poor = build(n=100, jobs=4, max_memory=1)
    assert workers(poor.computation, 0) == 1
    _, rich = build(n=100, jobs=4, max_memory=1000 * one_matrix(100))
    assert workers(rich.computation, 0) == 4
