"""What chance gives candidates, with what 2,000 orders of their rows gave."""

import numpy as np
import pytest

import tables
from renyi.backend import get_backend
from renyi.information import CandidateSums, Computation, SetEntropies, chance_information
from renyi.kernels import KernelModel, KernelProduct
from renyi.options import method_options
from renyi.variables import Dataset, Variable

N, DRAWS = 100, 2000


def dataset(target, seed=1):
    """Return columns of every kind and a target that depends on the first and the third."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(N, 3))
    codes = rng.integers(0, 4, N)
    features = (
        Variable.continuous("a", x[:, 0]),
        Variable.continuous("b", np.exp(x[:, 1])),
        Variable.nominal("c", codes, tables.LETTERS),
        Variable.ordinal("d", rng.integers(0, 5, N), tables.LETTERS),
        Variable.nominal("e", (rng.random(N) < 0.2).astype(int), tables.LETTERS),
        Variable.nominal("f", rng.integers(0, 8, N), tables.LETTERS),
        Variable.continuous("g", x[:, 2]),
    )
    signal = x[:, 0] + (codes == 2) + rng.normal(size=N)
    if target == "continuous":
        return Dataset(features, (Variable.continuous("y", signal),))
    classes = np.digitize(signal, [-0.8, 1.0])
    build = Variable.ordinal if target == "ordinal" else Variable.nominal
    return Dataset(features, (build("y", classes, tables.LETTERS),))


def entropies_of(data, **given):
    options = method_options(bandwidth=2.0, **given)
    return SetEntropies(Computation.of(KernelModel.build(data, options), 2.0, get_backend("numpy")))


def squared(product):
    """Return the squared Gram of a product, its rows weighed."""
    found = product.dense() ** 2
    if product.weights is not None:
        found = found * product.weights[:, None] * product.weights[None, :]
    return found


def drawn(entropies, given, candidates):
    """Return the gains of candidates in so many orders, (DRAWS, candidates)."""
    model, size = entropies.computation.model, len(given) + 1
    own = squared(model.product(given, size=size))
    both = own * squared(KernelProduct.of(N, [model.target]))
    grams = np.array(
        [squared(KernelProduct.of(N, [model.part(c, size)])).reshape(-1) for c in candidates]
    )
    sums = np.stack((own.reshape(-1), both.reshape(-1)), axis=1)
    rng = np.random.default_rng(5)
    gains = np.empty((DRAWS, len(candidates)))
    for number in range(DRAWS):
        order = rng.permutation(N)
        t = grams[:, (order[:, None] * N + order[None, :]).reshape(-1)] @ sums
        gains[number] = np.log2(own.sum() / both.sum()) - np.log2(t[:, 0] / t[:, 1])
    return gains


CASES = [
    ("nominal", (), {}),
    ("nominal", (0, 2), {}),
    ("nominal", (0, 2, 3, 6), {"nominal": "delta", "class_weights": "none"}),
    ("nominal", (2,), {"label_kernel": "onehot"}),
    ("nominal", (), {"label_kernel": "onehot", "nominal": "delta"}),
    ("ordinal", (0,), {}),
    ("continuous", (), {"nominal": "delta"}),
    ("continuous", (0, 2, 4), {}),
]


@pytest.mark.parametrize(("target", "given", "options"), CASES)
def test_chance_is_what_draws_give(target, given, options):
    entropies = entropies_of(dataset(target), **options)
    candidates = [j for j in range(7) if j not in given]
    chance = CandidateSums(entropies, given, candidates).chance
    gains = drawn(entropies, given, candidates)
    error = gains.std(axis=0) / DRAWS**0.5
    assert (np.abs(gains.mean(axis=0) - chance.gain) <= 4 * error).all()
    assert chance.deviation == pytest.approx(gains.std(axis=0), rel=0.1)


@pytest.mark.parametrize("target", ["nominal", "continuous"])
@pytest.mark.parametrize("features", [(0,), (0, 2, 3)])
@pytest.mark.parametrize("weights", ["balanced", "none"])
def test_chance_of_mi_is_what_shuffled_targets_give(target, features, weights):
    entropies = entropies_of(dataset(target), class_weights=weights)
    model = entropies.computation.model
    own = KernelProduct.of(N, [model.features[j] for j in features]).dense() ** 2
    label = KernelProduct.of(N, [model.target]).dense() ** 2
    if model.weights is not None:
        label = label * model.weights[:, None] * model.weights[None, :]
        ones = model.weights[:, None] * model.weights[None, :]
    else:
        ones = np.ones((N, N))
    sums = np.stack((ones.reshape(-1), label.reshape(-1)), axis=1)
    rng = np.random.default_rng(2)
    found = []
    for _ in range(DRAWS):
        order = rng.permutation(N)
        t = own[np.ix_(order, order)].reshape(-1) @ sums
        found.append(np.log2(t[1] / t[0]) + entropies.target.value)
    told = chance_information(entropies, entropies.pair(features))
    if weights == "none" or target == "continuous":
        assert told == pytest.approx(np.mean(found), abs=4 * np.std(found) / DRAWS**0.5)
    else:  # rows of Z are weighed as they are
        assert told == pytest.approx(np.mean(found), abs=0.5 * np.std(found))
