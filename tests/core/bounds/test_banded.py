"""Pairs by bands against the oracle's dense values."""

import functools
from dataclasses import replace

import numpy as np
import pytest

import oracle
import tables

# a routine by itself, against dense eigenvalues
from renyi.backend import Bands, _band, get_backend
from renyi.bounds import Question, banded
from renyi.kernels import KernelModel, KernelProduct, build_part
from renyi.variables import Variable
from tables import raw_options

BACKEND = get_backend("numpy")
ALPHAS = [1.0, 1.01, 1.2]
SETS = [("CCC", 0.5), ("CCCCC", 1.0), ("CNC", 0.5), ("CRC", 0.4), ("CB", 0.3), ("CCCC", 0.05)]
LABELS = ["delta", "onehot", "numeric"]
ROWS = 420

pytestmark = pytest.mark.skipif(
    _band.bands() is None, reason="NumPy has no LAPACK that can be called here"
)


@functools.cache
def case(recipe, sigma, label, n=ROWS, seed=1):
    table = tables.random_table(recipe, label, n, seed, sigma)
    kernel = "onehot" if label == "onehot" else "delta"
    options = raw_options(bandwidth=sigma, label_kernel=kernel)
    model = KernelModel.build(table.dataset, options)
    return table, model.product(range(len(recipe))), model.target


@functools.cache
def truth(recipe, sigma, label, alpha):
    table = case(recipe, sigma, label)[0]
    features = oracle.joint_entropy(table.grams, alpha)
    return features, oracle.joint_entropy([*table.grams, table.label], alpha)


def check(pair, features, joint):
    for solution, true in ((pair.features, features), (pair.joint, joint)):
        assert solution.lower <= true <= solution.upper
        assert solution.lower <= solution.value <= solution.upper
    assert pair.lower <= joint - features <= pair.upper


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize(("recipe", "sigma"), SETS)
@pytest.mark.parametrize("label", LABELS)
def test_values_are_within_the_tolerance(recipe, sigma, label, alpha):
    _, base, target = case(recipe, sigma, label)
    features, joint = truth(recipe, sigma, label, alpha)
    for tolerance in (1e-3, 1e-6):
        pair = banded(base, target, alpha, BACKEND, Question(tolerance))
        if pair is None:
            assert sigma == 0.05 or base.codes is not None  # a series, or small blocks
            continue
        check(pair, features, joint)
        assert max(pair.features.error, pair.joint.error, pair.error) <= tolerance
        # by a band it is not exact: what is closer than the bounds is computed anew
        assert (pair.rank > 0) == ("band" in (pair.features.solver, pair.joint.solver))


@pytest.mark.parametrize("alpha", ALPHAS)
def test_a_question_is_answered_by_the_coarse_rule_where_it_can_be(alpha):
    _, base, target = case("CCCCC", 1.0, "delta")
    features, joint = truth("CCCCC", 1.0, "delta", alpha)
    true = joint - features
    coarse = banded(base, target, alpha, BACKEND, Question(1e-6, rough=True))
    check(coarse, features, joint)
    assert 1e-6 < coarse.error < 2e-3
    far = banded(base, target, alpha, BACKEND, Question(1e-6, above=true - 0.01))
    assert far == coarse
    near = banded(base, target, alpha, BACKEND, Question(1e-6, above=true - 1e-5))
    assert near.lower > true - 1e-5
    assert near.error <= 1e-6
    below = banded(base, target, alpha, BACKEND, Question(1e-6, below=true + 0.01))
    assert below == coarse


def test_what_is_too_close_is_left_to_eigenvalues():
    _, base, target = case("CCCCC", 1.0, "delta")
    features, joint = truth("CCCCC", 1.0, "delta", 1.01)
    true = joint - features
    for tolerance in (1e-13, 9e-8):
        assert banded(base, target, 1.01, BACKEND, Question(tolerance)) is None
        # what bounds may answer is asked all the same
        assert banded(base, target, 1.01, BACKEND, Question(tolerance, above=true - 0.01))
        assert banded(base, target, 1.01, BACKEND, Question(tolerance, above=true)) is None


@pytest.mark.parametrize("alpha", [0.6, 0.99, 1.3, 2.5])
def test_other_orders_are_not_served(alpha):
    _, base, target = case("CCCCC", 1.0, "delta")
    assert banded(base, target, alpha, BACKEND, Question(1e-6)) is None


def test_small_blocks_and_other_backends_are_not_served():
    _, base, target = case("CCCCC", 1.0, "delta", 100)
    assert banded(base, target, 1.01, BACKEND, Question(1e-6)) is None
    _, base, target = case("CCCCC", 1.0, "delta")
    without = replace(BACKEND, bands=lambda: None)
    assert banded(base, target, 1.01, without, Question(1e-6)) is None


def test_a_series_is_taken_where_it_suffices():
    _, base, target = case("CCCC", 0.05, "delta")
    pair = banded(base, target, 1.01, BACKEND, Question(1e-6))
    assert (pair.features.solver, pair.joint.solver) == ("series", "band")
    check(pair, *truth("CCCC", 0.05, "delta", 1.01))
    _, base, target = case("CCCC", 0.05, "numeric")
    pair = banded(base, target, 1.01, BACKEND, Question(1e-6))
    assert (pair.features.solver, pair.joint.solver) == ("series", "series")
    assert pair.rank == 0  # exact, as it is without bands
    check(pair, *truth("CCCC", 0.05, "numeric", 1.01))


def test_a_factor_is_taken_where_it_suffices():
    _, base, target = case("N", 1.0, "numeric", 700)
    pair = banded(base, target, 1.01, BACKEND, Question(1e-6))
    assert (pair.features.solver, pair.joint.solver) == ("counts", "low-rank")
    assert pair.rank == 0
    _, base, target = case("C", 1.0, "onehot")
    pair = banded(base, target, 1.01, BACKEND, Question(1e-6))
    assert pair.features.solver == "low-rank"
    check(pair, *truth("C", 1.0, "onehot", 1.01))


def test_blocks_of_all_sizes_are_put_together():
    rng = np.random.default_rng(3)
    groups = np.repeat(np.arange(30), [200, 180, 40, *[2] * 10, *[1] * 17])
    n = len(groups)
    points = [Variable.continuous(f"x{k}", rng.normal(size=n)) for k in range(3)]
    levels = tuple(map(str, range(30)))
    labels = Variable.nominal("y", (rng.random(n) < 0.4).astype(int), ("p", "q"))
    parts = [build_part(one, scale="zscore", bandwidth=0.5) for one in points]
    coded = build_part(Variable.nominal("g", groups, levels), scale="zscore", bandwidth=1.0)
    target = build_part(labels, scale="zscore", bandwidth=1.0)
    base = KernelProduct.of(n, [*parts, coded])
    pair = banded(base, target, 1.01, BACKEND, Question(1e-6))
    assert (pair.features.solver, pair.joint.solver) == ("band", "eigen")
    gram = base.dense() / n
    check(
        pair,
        oracle.entropy(gram, 1.01),
        oracle.entropy(gram * (labels.codes[:, None] == labels.codes[None, :]), 1.01),
    )


def test_an_eigenvalue_below_minus_the_smallest_shift_is_left_to_eigenvalues():
    class Refusing(Bands):
        def __init__(self):
            super().__init__(None, None)

        def reduce(self, matrix, *, overwrite=False):  # noqa: ARG002 - as the true one
            return np.zeros((len(matrix), 2))

        def log_dets(self, band, shifts):  # noqa: ARG002
            raise np.linalg.LinAlgError("dpbtrf: info 198")

    _, base, target = case("CCCCC", 1.0, "delta")
    refusing = replace(BACKEND, bands=Refusing)
    assert banded(base, target, 1.01, refusing, Question(1e-6)) is None


def test_rows_far_apart_do_no_harm():
    rng = np.random.default_rng(0)
    values = rng.normal(size=(400, 2)) * 0.5 + np.repeat([[0.0], [70.0]], 200, axis=0)
    points = [Variable.continuous(f"x{k}", column) for k, column in enumerate(values.T)]
    labels = Variable.nominal("y", rng.integers(0, 2, 400), ("p", "q"))
    parts = [build_part(one, scale="none", bandwidth=0.05) for one in points]
    target = build_part(labels, scale="none", bandwidth=1.0)
    base = KernelProduct.of(400, parts)
    gram = base.dense() / 400
    same = labels.codes[:, None] == labels.codes[None, :]
    for tolerance in (1e-6, 1e-7):
        pair = banded(base, target, 1.0, BACKEND, Question(tolerance))
        assert pair is None or pair.error <= tolerance
        if pair is not None:
            check(pair, oracle.entropy(gram, 1.0), oracle.entropy(gram * same, 1.0))


def test_random_tables_are_within_their_bounds():
    rng = np.random.default_rng(5)
    seen = 0
    for trial in range(60):
        n = int(rng.integers(170, 330))
        recipe = "".join(rng.choice(list("CCCNR"), int(rng.integers(1, 5))))
        sigma = float(rng.choice([0.05, 0.3, 1.0, 3.0]))
        label = str(rng.choice(LABELS))
        alpha = float(rng.choice([1.0, 1.01, 1.1, 1.2]))
        table, base, target = case(recipe, sigma, label, n, trial)
        question = Question(1e-6, rough=bool(trial % 2))
        pair = banded(base, target, alpha, BACKEND, question)
        if pair is None:
            continue
        seen += 1
        features = oracle.joint_entropy(table.grams, alpha)
        check(pair, features, oracle.joint_entropy([*table.grams, table.label], alpha))
    assert seen >= 20
