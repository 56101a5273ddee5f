"""Every way to a pair agrees where widths depend on the number of features."""

import math

import numpy as np
import pytest

from renyi.backend import get_backend
from renyi.bounds import Question
from renyi.information import Computation, SetEntropies
from renyi.kernels import KernelModel
from renyi.variables import Dataset, Variable
from tables import raw_options

N = 70
RULES = ("growing:0.8", "silverman:joint", "scott:joint")
ALPHAS = (1.01, 2.0, 3.0)


def table(classes=True, n=N):
    rng = np.random.default_rng(8)
    x = rng.normal(size=(n, 4))
    features = [Variable.continuous(f"x{j}", x[:, j]) for j in range(4)]
    features.append(Variable.nominal("c", rng.integers(0, 2, n), ("a", "b")))
    value = x[:, 0] + 0.5 * rng.normal(size=n)
    target = (
        Variable.nominal("y", (value > 0).astype(int), ("n", "p"))
        if classes
        else Variable.continuous("y", value)
    )
    return Dataset(tuple(features), (target,))


def entropies(rule, alpha, *, solver="auto", classes=True, n=N):
    options = raw_options(bandwidth=rule, alpha=alpha, solver=solver)
    model = KernelModel.build(table(classes, n), options)
    return SetEntropies(Computation.of(model, alpha, get_backend("numpy"), solver=solver))


def entropy(gram, alpha):
    values = np.linalg.eigvalsh(gram / np.trace(gram))
    values = values[values > 0]
    return math.log2(float(np.sum(values**alpha))) / (1 - alpha)


def by_hand(features, alpha, order=None, moved=None):
    """H(y | features) under growing:0.8, from z-scores and plain matrices."""
    data = table()
    size, gram = len(features), np.ones((N, N))
    for j in features:
        variable = data.features[j]
        rows = order if j == moved else np.arange(N)
        if j == 4:
            codes = variable.codes[rows]
            gram = gram * (codes[:, None] == codes[None, :])
            continue
        x = variable.values[rows, 0]
        x = (x - x.mean()) / x.std()
        gram = gram * np.exp(-((x[:, None] - x[None, :]) ** 2) / (2 * 0.8**2 * size))
    same = data.target.codes[:, None] == data.target.codes[None, :]
    return entropy(gram * same, alpha) - entropy(gram, alpha)


def silent(done):
    pass


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("features", [(0,), (0, 1), (0, 4), (0, 1, 2, 3, 4)])
def test_a_pair_is_what_plain_matrices_give(features, alpha):
    pair = entropies("growing:0.8", alpha).pair(features)
    assert pair.conditional == pytest.approx(by_hand(features, alpha), abs=2e-6)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_candidates_are_what_plain_matrices_give(alpha):
    found = entropies("growing:0.8", alpha).candidates((0, 4), (1, 2, 3), silent)
    expected = [by_hand((0, 4, j), alpha) for j in (1, 2, 3)]
    assert [pair.conditional for pair in found] == pytest.approx(expected, abs=2e-6)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_shuffled_copies_are_what_plain_matrices_give(alpha):
    orders = [np.random.default_rng(k).permutation(N) for k in range(3)]
    found = entropies("growing:0.8", alpha).replicates((0, 4), 2, orders, silent)
    expected = [by_hand((0, 4, 2), alpha, order, 2) for order in orders]
    assert [pair.conditional for pair in found] == pytest.approx(expected, abs=2e-6)


@pytest.mark.parametrize("classes", [True, False])
@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("n", [70, 230])  # stacks of matrices, and not
def test_auto_is_dense(rule, alpha, classes, n):
    quick = entropies(rule, alpha, classes=classes, n=n)
    plain = entropies(rule, alpha, solver="dense", classes=classes, n=n)
    order = [np.random.default_rng(1).permutation(n)]
    for one, other in zip(
        (*quick.candidates((1,), (0, 2, 4), silent), *quick.replicates((1, 2), 0, order, silent)),
        (*plain.candidates((1,), (0, 2, 4), silent), *plain.replicates((1, 2), 0, order, silent)),
        strict=True,
    ):
        assert one.lower - 1e-9 <= other.conditional <= one.upper + 1e-9
        assert one.conditional == pytest.approx(other.conditional, abs=2e-6)


@pytest.mark.parametrize("alpha", [1.01, 2.0])
def test_factors_of_one_size_do_not_serve_another(alpha):
    """One object goes through the sizes, as a search does, and back."""
    kept = entropies("growing:0.8", alpha)
    for given in ((), (0,), (0, 1), (0,), ()):
        fresh = entropies("growing:0.8", alpha).candidates(given, (2, 3), silent)
        again = kept.candidates(given, (2, 3), silent)
        assert [p.conditional for p in again] == pytest.approx(
            [p.conditional for p in fresh], abs=1e-9
        )


@pytest.mark.parametrize("alpha", [1.01, 2.0])
def test_the_bound_holds_for_every_shuffled_copy(alpha):
    quick = entropies("growing:0.8", alpha)
    rest = (0, 1, 2, 4)
    bound = quick.conditional_bound(rest)
    orders = [np.random.default_rng(k).permutation(N) for k in range(5)]
    copies = quick.replicates(rest, 3, orders, silent, Question(1e-9))
    assert max(pair.conditional for pair in copies) <= bound + 1e-9


def test_a_feature_of_noise_lowers_mi():
    """What a fixed width cannot do: the noise widens the kernel of what matters."""
    grown = entropies("growing:0.8", 1.01)
    one, two = grown.pair((0,)), grown.pair((0, 2))
    assert grown.mutual_information(two) < grown.mutual_information(one)
