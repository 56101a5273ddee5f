"""Entropies of sets, candidates and replicates against the oracle."""

import itertools
import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import oracle
import tables
from renyi._progress import ignore_progress
from renyi.backend import get_backend
from renyi.bounds import Question
from renyi.errors import MemoryBudgetError
from renyi.execution import crew_of, followed
from renyi.information import Computation, SetEntropies, Thresholds
from renyi.kernels import KernelModel
from renyi.order2 import FactorStore, product_pairs
from tables import raw_options

RECIPE = "CRBNOWC"
LABELS = ["delta", "onehot", "numeric"]


def build(label, n=45, seed=1, alpha=2.0, recipe=RECIPE, sigma=1.0, **more):
    table = tables.random_table(recipe, label, n, seed, sigma)
    options = raw_options(bandwidth=sigma, label_kernel="onehot" if label == "onehot" else "delta")
    model = KernelModel.build(table.dataset, options)
    return table, SetEntropies(Computation.of(model, alpha, get_backend("numpy"), **more))


def nothing(done):
    pass


def check(pair, grams, label, alpha):
    close = 1e-10 if alpha >= 1 else 2e-7
    assert pair.features.value == pytest.approx(oracle.joint_entropy(grams, alpha), abs=close)
    truth = oracle.joint_entropy([*grams, label], alpha)
    assert pair.joint.value == pytest.approx(truth, abs=close)
    assert pair.joint.lower - 1e-12 <= truth <= pair.joint.upper + 1e-12 or alpha < 1


@pytest.mark.parametrize("alpha", [0.6, 1.0, 1.01, 2.0, 3.0, 6.0])
@pytest.mark.parametrize("label", LABELS)
def test_candidates(label, alpha):
    table, entropies = build(label, alpha=alpha)
    for given in [(), (0,), (2, 3), (0, 4), (1, 2, 5)]:
        left = [j for j in range(len(RECIPE)) if j not in given]
        pairs = entropies.candidates(given, left, nothing)
        for j, pair in zip(left, pairs, strict=True):
            grams = [table.grams[k] for k in (*given, j)]
            check(pair, grams, table.label, alpha)
            mi = oracle.mutual_information(grams, [table.label], alpha)
            close = 1e-9 if alpha >= 1 else 5e-7
            assert entropies.mutual_information(pair) == pytest.approx(mi, abs=close)


@pytest.mark.parametrize("alpha", [1.0, 1.01, 1.5])
def test_what_is_expected_of_candidates_changes_no_answer(alpha):
    _, entropies = build("delta", 260, alpha=alpha, recipe="CCCCC")
    truths = [pair.conditional for pair in entropies.candidates((0,), [1, 2, 3, 4], nothing)]
    bar = sorted(truths)[1]
    for off in (math.nan, -0.3, 0.0, 0.3):
        expected = [truth + off for truth in truths]
        question = Question(1e-6, above=bar)
        pairs = entropies.candidates((0,), [1, 2, 3, 4], nothing, question, expected)
        for pair, truth in zip(pairs, truths, strict=True):
            assert question.answered(pair)
            assert pair.lower - 2e-6 <= truth <= pair.upper + 2e-6


@pytest.mark.parametrize("alpha", [1.01, 2.0, 3.0])
@pytest.mark.parametrize("label", LABELS)
def test_replicates_of_every_kind_of_feature(label, alpha):
    table, entropies = build(label, alpha=alpha)
    rng = np.random.default_rng(5)
    orders = [rng.permutation(table.n) for _ in range(3)]
    for j, others in itertools.product(range(len(RECIPE)), [(), (0, 2), (1, 3, 6)]):
        rest = [k for k in others if k != j]
        for given in ({*rest, j}, rest):  # the shuffled feature replaces itself
            pairs = entropies.replicates(given, j, orders, nothing)
            for order, pair in zip(orders, pairs, strict=True):
                grams = [table.grams[k] for k in rest] + [oracle.shuffled(table.grams[j], order)]
                check(pair, grams, table.label, alpha)


@pytest.mark.parametrize("label", LABELS)
def test_loose_replicates_are_bounded(label):
    """A smaller factor, and bounds that hold."""
    table, entropies = build(label, n=150, recipe="CCRW")
    order = np.random.default_rng(6).permutation(table.n)
    errors = []
    for given, j in itertools.product([(), (1,), (1, 2)], [0, 3]):
        pair = entropies.replicates(given, j, [order], nothing, Question(1e-6, rough=True))[0]
        grams = [table.grams[k] for k in given] + [oracle.shuffled(table.grams[j], order)]
        for solution, sets in ((pair.features, grams), (pair.joint, [*grams, table.label])):
            truth = oracle.joint_entropy(sets, 2)
            assert solution.lower - 1e-12 <= truth <= solution.upper + 1e-12
            errors.append(solution.error)
    assert 1e-9 < max(errors) < 1e-3


@pytest.mark.parametrize("residual", [1e-5, 0.3])
def test_values_known_roughly_are_found_by_loose_factors_where_these_do(residual):
    """What they leave too far off is computed again."""
    table, entropies = build("delta", n=150, recipe="CCRW")
    model = entropies.computation.model
    base = model.product((1,), size=2)
    pairs = product_pairs(
        lambda loose: entropies.passes_over(base, loose),
        [model.part(j, 2) for j in (0, 2, 3)],
        [(j, 2) for j in (0, 2, 3)],
        entropies.factors,
        Question(1e-3),
        residual,
    )
    for j, pair in zip([0, 2, 3], (pairs[place] for place in range(3)), strict=True):
        assert (pair.rank > 0) is (residual < 0.1)
        assert pair.error <= 1e-3
        truth = oracle.mutual_information([table.grams[1], table.grams[j]], [table.label], 2.0)
        assert entropies.mutual_information(pair) == pytest.approx(truth, abs=1e-3)


@pytest.mark.parametrize("alpha", [1.01, 2.0])
def test_replicates_are_not_mistaken_for_the_set_itself(alpha):
    table, entropies = build("delta", alpha=alpha)
    before = entropies.pair((0, 1))
    orders = [np.random.default_rng(0).permutation(table.n)]
    shuffled = entropies.replicates((0, 1), 1, orders, nothing)[0]
    assert abs(shuffled.conditional - before.conditional) > 1e-3
    assert entropies.pair((0, 1)) == before


@pytest.mark.parametrize("alpha", [1.01, 2.0, 4.0])
@pytest.mark.parametrize("label", LABELS)
def test_auto_and_dense_agree(label, alpha):
    _, auto = build(label, alpha=alpha, n=120, seed=3)
    _, dense = build(label, alpha=alpha, n=120, seed=3, solver="dense")
    for given in [(), (0,), (0, 2, 3)]:
        left = [j for j in range(len(RECIPE)) if j not in given]
        found = [entropies.candidates(given, left, nothing) for entropies in (auto, dense)]
        for fast, slow in zip(*found, strict=True):
            assert fast.conditional == pytest.approx(slow.conditional, abs=1e-10)
    assert set(dense.ledger.solvers) == {"dense"}
    assert "dense" not in auto.ledger.solvers


def test_order_two_needs_no_eigenvalues_and_batches_candidates():
    _, entropies = build("delta", recipe="CRBN")
    entropies.candidates((0,), [1, 2, 3], nothing)
    assert set(entropies.ledger.solvers) == {"products"}
    assert entropies.ledger.solvers["products"] == 6


def test_only_nominal_sets_are_counted():
    _, entropies = build("delta", recipe="BNB", alpha=1.01)
    entropies.candidates((0,), [1, 2], nothing)
    entropies.pair((0, 1, 2))
    assert set(entropies.ledger.solvers) == {"counts"}


def test_what_is_known_is_not_computed_again():
    _, entropies = build("delta", alpha=1.01)
    first = entropies.pair((2, 0))
    work = entropies.ledger.solvers.total()
    assert work == 2
    assert entropies.pair((0, 2)) is first
    assert entropies.candidates((2,), [0], nothing) == [first]
    assert entropies.ledger.solvers.total() == work


def test_a_step_leaves_no_candidate_behind():
    """Thousands of candidates a step, each a set of hundreds, would fill the memory."""
    _, entropies = build("delta", alpha=2.0)
    entropies.pair((0,))
    for step in ((0,), (0, 1), (0, 1, 2)):
        entropies.candidates(step, [3, 4], nothing)
    assert len(entropies._pairs) == 1


def test_progress_counts_up_to_the_number_of_candidates():
    for alpha in (1.01, 2.0):
        _, entropies = build("delta", alpha=alpha)
        seen = []
        entropies.candidates((0,), [1, 2, 3, 4, 5, 6], seen.append)
        assert seen == sorted(seen)
        assert seen[-1] == 6


@pytest.mark.parametrize("alpha", [1.01, 2.0, 3.0])
def test_workers_do_not_change_a_bit(alpha):
    small = Thresholds(task_rows=100)
    results = []
    for jobs in (1, 2, 4):
        table, entropies = build("delta", alpha=alpha, n=90, jobs=jobs, thresholds=small)
        rng = np.random.default_rng(1)
        orders = [rng.permutation(table.n) for _ in range(6)]
        found = entropies.candidates((0, 2), [1, 3, 4, 5, 6], nothing)
        found += entropies.replicates((0, 2, 5), 5, orders, nothing)
        results.append([(p.features, p.joint) for p in found])
    assert results[0] == results[1] == results[2]


@pytest.mark.parametrize("alpha", [1.01, 2.0, 3.0])
def test_workers_elsewhere_do_not_change_a_bit(alpha):
    def found():
        small = Thresholds(task_rows=100)
        table, entropies = build("delta", alpha=alpha, n=90, thresholds=small)
        rng = np.random.default_rng(1)
        orders = [rng.permutation(table.n) for _ in range(6)]
        pairs = entropies.candidates((0, 2), [1, 3, 4, 5, 6], nothing)
        pairs += entropies.replicates((0, 2, 5), 5, orders, nothing)
        return [(p.features, p.joint) for p in pairs]

    with (
        ThreadPoolExecutor(2) as pool,
        crew_of(pool, least=0.0) as crew,
        followed(ignore_progress, None, crew),
    ):
        there = found()
    assert there == found()
    assert crew.record()["tasks"] > 0


@pytest.mark.parametrize("alpha", [1.01, 2.0])
def test_chunks_do_not_change_a_bit(alpha):
    results = []
    for rows in (1, 300, 10**6):
        _, entropies = build("onehot", alpha=alpha, n=60, thresholds=Thresholds(task_rows=rows))
        results.append(entropies.candidates((0,), [1, 2, 3, 4, 5, 6], nothing))
    assert results[0] == results[1] == results[2]


def test_a_budget_for_factors_changes_nothing():
    _, entropies = build("delta")
    expected = entropies.candidates((0,), [1, 2, 3, 4], nothing)
    _, poor = build("delta")
    by = poor.computation
    poor.factors = FactorStore(by.model, by.factor_bytes, kept_bytes=0)
    assert poor.candidates((0,), [1, 2, 3, 4], nothing) == expected


def test_work_that_does_not_fit_is_refused_with_the_way_out():
    _, entropies = build("delta", alpha=1.01, n=200, max_memory=100_000)
    with pytest.raises(
        MemoryBudgetError, match=r"alpha 1\.01 needs matrices of \d+ x \d+"
    ) as caught:
        entropies.check_memory()
    assert "alpha=2" in caught.value.hint
    assert "rows=N" in caught.value.hint
    _, quadratic = build("delta", alpha=2.0, n=200, max_memory=100_000)
    quadratic.check_memory()
