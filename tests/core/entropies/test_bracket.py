"""Bounds on H(y | Z) answer the question asked, and hold the value of the plain eigenproblem."""

import math

import numpy as np
import pytest

from renyi.backend import get_backend
from renyi.entropies import Question, bracket, certifies, solve_many
from renyi.kernels import KernelProduct, build_part
from renyi.variables import Variable

BACKEND = get_backend("numpy")
N = 320


def table(target, nominal=False):
    rng = np.random.default_rng(11)
    values = rng.standard_normal((N, 2))
    signal = values[:, 0] + 0.5 * rng.standard_normal(N)
    columns = [Variable.continuous(f"x{j}", values[:, j]) for j in range(2)]
    if nominal:
        columns.append(Variable.nominal("group", (values[:, 1] > 0).astype(np.int64), ("a", "b")))
    label = (
        Variable.nominal("y", (signal > 0).astype(np.int64), ("a", "b"))
        if target == "classes"
        else Variable.continuous("y", signal)
    )
    parts = [build_part(column, scale="zscore", bandwidth=2.0) for column in columns]
    return KernelProduct.of(N, parts), build_part(label, scale="zscore", bandwidth=2.0)


def dense(base, label, alpha):
    features, joint = solve_many([base, base.times(label)], alpha, BACKEND, "dense")
    return joint.value - features.value


@pytest.mark.parametrize("nominal", [False, True])
@pytest.mark.parametrize("target", ["classes", "numbers"])
@pytest.mark.parametrize("alpha", [1.0, 1.01, 1.5, 2.5])
def test_bounds_hold_the_value_at_every_closeness(alpha, target, nominal):
    base, label = table(target, nominal)
    truth = dense(base, label, alpha)
    for question in (
        Question(1e-6, rough=True),
        Question(1e-6, above=truth - 0.05),
        Question(1e-6, below=truth + 0.05),
        Question(1e-6),
    ):
        pair = bracket(base, label, alpha, BACKEND, question, always=True)
        assert pair is not None
        assert pair.lower - 1e-11 <= truth <= pair.upper + 1e-11
        assert question.answered(pair)
        assert pair.rank > 0
    assert pair.conditional == pytest.approx(truth, abs=1e-6)


def test_an_easy_question_takes_less_rank():
    base, label = table("classes")
    truth = dense(base, label, 1.01)
    easy = bracket(base, label, 1.01, BACKEND, Question(1e-6, above=truth - 0.1))
    value = bracket(base, label, 1.01, BACKEND, Question(1e-6))
    assert easy.rank < value.rank


def test_the_tangent_lifts_the_lower_bound(monkeypatch):
    base, label = table("classes")
    truth = dense(base, label, 1.01)
    question = Question(1e-6, above=truth - 0.03)
    monkeypatch.setattr("renyi.entropies._bracket.HIGHER_RANK", 100.0)
    with_tangent = bracket(base, label, 1.01, BACKEND, question, always=True)
    monkeypatch.setattr("renyi.entropies._bracket.HIGHER_RANK", 0.0)
    without = bracket(base, label, 1.01, BACKEND, question, always=True)
    assert with_tangent.rank < without.rank


def test_it_gives_way_to_eigenvalues():
    base, label = table("classes")
    assert bracket(base, label, 0.9, BACKEND, Question(1e-6)) is None
    rng = np.random.default_rng(2)
    many = [Variable.continuous(f"x{j}", rng.standard_normal(N)) for j in range(12)]
    parts = [build_part(column, scale="zscore", bandwidth=1.0) for column in many]
    high = KernelProduct.of(N, parts)
    assert bracket(high, label, 1.01, BACKEND, Question(1e-6)) is None
    assert bracket(high, label, 1.01, BACKEND, Question(1e-6, above=0.5)) is None


def test_low_rank_is_foreseen_from_some_rows():
    points = np.random.default_rng(1).standard_normal((3000, 6))
    assert certifies(points[:, :1], 10**6, 1e-6)
    assert not certifies(points, 10**6, 1e-6)
    assert certifies(points[:, :0], 10**6, 1e-6)


def test_a_question_that_is_open_may_be_answered_early():
    assert not Question(1e-6).open
    assert Question(1e-6, above=0.3).open
    assert Question(1e-6, above=0.3).gap(0.5) == pytest.approx(0.2)
    assert Question(1e-6, below=0.3).gap(0.5) == 0
    assert Question(1e-6, above=math.inf).gap(0.5) == 0
