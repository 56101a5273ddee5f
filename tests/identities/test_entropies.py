"""What must hold for the entropies of any sets of columns."""

import math

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import oracle
import tables
from renyi.backend import get_backend
from renyi.entropies import solve
from renyi.kernels import KernelModel, KernelProduct
from tables import raw_options

BACKEND = get_backend("numpy")
CLOSE = 1e-10

small = settings(derandomize=True, max_examples=40, deadline=None)
alphas = st.one_of(
    st.sampled_from([0.5, 0.99, 1.0, 1.01, 2.0, 3.0, 4.0, 5.0, 8.0]), st.floats(0.3, 6.0)
)
above_one = st.one_of(st.sampled_from([1.0, 1.01, 2.0, 3.0]), st.floats(1.0, 6.0))


class Entropies:
    """H over columns of a random table, the target among them by its name `y`."""

    def __init__(self, recipe, label, n, seed, sigma=1.0):
        self.table = tables.random_table(recipe, label, n, seed, sigma)
        kernel = "onehot" if label == "onehot" else "delta"
        self.model = KernelModel.build(
            self.table.dataset, raw_options(bandwidth=sigma, label_kernel=kernel)
        )
        self.n = n
        self.features = range(len(recipe))

    def __call__(self, alpha, features=(), target=False):
        product = self.model.product(features, target=target)
        return solve(product, alpha, BACKEND).value


@st.composite
def spaces(draw, letters="CWRBNO", labels=("delta", "onehot", "numeric"), least=2):
    recipe = "".join(draw(st.lists(st.sampled_from(letters), min_size=least, max_size=5)))
    return Entropies(
        recipe,
        draw(st.sampled_from(labels)),
        draw(st.integers(2, 24)),
        draw(st.integers(0, 10**6)),
        draw(st.sampled_from([0.3, 1.0, 3.0])),
    )


def loose(alpha):
    """Below 1 rounding of zeros shows: n eps^alpha."""
    return CLOSE if alpha >= 0.9 else 30 * 2.3e-16**alpha / (1 - alpha) + CLOSE


@small
@given(spaces(), alphas)
def test_entropy_lies_between_nothing_and_all_rows_apart(h, alpha):
    for target in (False, True):
        value = h(alpha, h.features, target)
        assert -loose(alpha) <= value <= math.log2(h.n) + CLOSE


@small
@given(spaces(), alphas)
def test_a_joint_entropy_is_at_least_each_of_its_parts(h, alpha):
    joint = h(alpha, h.features, target=True)
    for j in h.features:
        assert joint >= h(alpha, (j,)) - loose(alpha)
        assert h(alpha, h.features) >= h(alpha, (j,)) - loose(alpha)
    assert joint >= h(alpha, (), target=True) - loose(alpha)
    assert joint >= h(alpha, h.features) - loose(alpha)


@small
@given(spaces(), alphas)
def test_information_is_at_most_either_entropy(h, alpha):
    """I(Z; y) <= min(H(Z), H(y)), which is monotonicity again: H(y | Z) >= 0 and H(Z | y) >= 0."""
    z, y = h(alpha, h.features), h(alpha, (), target=True)
    information = z + y - h(alpha, h.features, target=True)
    assert information <= min(z, y) + loose(alpha)


@small
@given(spaces())
def test_at_order_one_information_is_not_negative(h):
    """Strong subadditivity: I >= 0 and I(x; y | z) >= 0 for alpha = 1."""
    first, *rest = h.features
    information = h(1.0, (first,)) + h(1.0, (), True) - h(1.0, (first,), True)
    assert information >= -CLOSE
    conditional = h(1.0, h.features) + h(1.0, rest, True) - h(1.0, h.features, True) - h(1.0, rest)
    assert conditional >= -CLOSE


@small
@given(spaces(), above_one, st.floats(0.0, 3.0))
def test_entropy_falls_with_its_order(h, alpha, more):
    assert h(alpha + more, h.features) <= h(alpha, h.features) + CLOSE


@small
@given(spaces(letters="BN", labels=("delta",)), alphas)
def test_only_hard_codes_give_the_entropy_of_counts(h, alpha):
    columns = [column.cells for column in (*h.table.features, h.table.target)]
    counts = np.unique(oracle.levels_of(zip(*columns, strict=True)), return_counts=True)[1]
    expected = oracle.counts_entropy(counts.tolist(), alpha)
    assert h(alpha, h.features, target=True) == pytest.approx(expected, abs=1e-12)


@small
@given(spaces(least=1), alphas)
def test_a_column_twice(h, alpha):
    """H(X, X) is H(X) for a delta kernel; for a Gaussian one a narrower kernel, so more."""
    part = h.model.features[0]
    once = solve(KernelProduct.of(h.n, [part]), alpha, BACKEND).value
    twice = solve(KernelProduct.of(h.n, [part, part]), alpha, BACKEND).value
    if part.codes is not None:
        assert twice == once
    else:
        gram = KernelProduct.of(h.n, [part]).dense()
        assert twice >= once - loose(alpha)
        if ((gram > 1e-3) & (gram < 0.999)).any():  # else squaring the Gram changes nothing
            assert twice > once


@small
@given(spaces(), above_one)
def test_a_constant_column_adds_nothing(h, alpha):
    constant = tables.continuous("c", np.full(h.n, 3.0))
    table = tables.Table((*h.table.features, constant), h.table.target)
    model = KernelModel.build(table.dataset, raw_options(bandwidth=1.0))
    members = tuple(h.features)
    with_it = solve(model.product((*members, len(members))), alpha, BACKEND).value
    without = solve(model.product(members), alpha, BACKEND).value
    assert with_it == pytest.approx(without, abs=CLOSE)


@small
@given(spaces(), alphas, st.integers(0, 10**6))
def test_the_order_of_rows_does_not_matter(h, alpha, seed):
    order = np.random.default_rng(seed).permutation(h.n)
    other = h.table.at(order)
    model = KernelModel.build(
        other.dataset, raw_options(bandwidth=h.model.features[0].sigma or 1.0)
    )
    parts = [part.take(order) for part in h.model.features]
    direct = solve(KernelProduct.of(h.n, parts), alpha, BACKEND).value
    assert direct == pytest.approx(h(alpha, h.features), abs=loose(alpha))
    same_sigma = all(
        a.sigma == b.sigma for a, b in zip(model.features, h.model.features, strict=True)
    )
    if same_sigma:
        rebuilt = solve(model.product(h.features), alpha, BACKEND).value
        assert rebuilt == pytest.approx(direct, abs=loose(alpha))


@small
@given(spaces())
def test_the_order_one_is_the_limit_of_its_neighbours(h):
    """Between 0.999999 and 1.000001 the slope is that of the expansion, and nothing jumps."""
    grid = [0.999999, 0.9999995, 1.0, 1.0000005, 1.000001]
    values = [h(alpha, h.features, target=True) for alpha in grid]
    steps = np.diff(values)
    assert np.all(steps <= 1e-12)
    assert np.abs(steps).max() < 1e-5
    assert np.abs(np.diff(steps)).max() < 1e-10


@small
@given(spaces(), st.sampled_from([0.9, 1.0, 1.01, 1.7, 2.0, 3.0]))
def test_the_oracle_agrees(h, alpha):
    grams = [*h.table.grams, h.table.label]
    truth = oracle.joint_entropy(grams, alpha)
    assert h(alpha, h.features, target=True) == pytest.approx(truth, abs=CLOSE)


@small
@given(spaces(letters="CWRO", labels=("numeric",)), above_one, st.floats(1.05, 3.0))
def test_a_wider_kernel_has_less_entropy(h, alpha, factor):
    """The wider Gaussian divides the narrower one: K_narrow = K_wide o K_rest."""
    wide = KernelModel.build(
        h.table.dataset,
        raw_options(bandwidths={c.name: 1.0 * factor for c in h.table.features}, bandwidth=1.0),
    )
    narrow = KernelModel.build(h.table.dataset, raw_options(bandwidth=1.0))
    less = solve(wide.product(h.features), alpha, BACKEND).value
    more = solve(narrow.product(h.features), alpha, BACKEND).value
    assert less <= more + CLOSE


def test_order_two_information_can_be_negative():
    """Counts 9, 5, 5, 1 of two binary columns: I_2 = -0.0277 bits, never clipped."""
    x = tables.nominal("x", np.repeat([0, 0, 1, 1], [9, 5, 5, 1]))
    y = tables.nominal("y", np.repeat([0, 1, 0, 1], [9, 5, 5, 1]))
    steps, _ = tables.search(tables.Table((x,), y), alpha=2.0)
    assert steps[0].mi == pytest.approx(math.log2(400 * 132 / 232**2), abs=1e-14)
    assert round(steps[0].mi, 4) == -0.0277


@pytest.mark.parametrize(("size", "reported"), [(3, 0.056), (5, 0.28)])
def test_noise_saturates(size, reported):
    """Noise, n = 1000, two classes, alpha 1.01, sigma 1: MI rises whatever the features are."""
    rng = np.random.default_rng(0)
    features = tuple(
        tables.Column(f"f{j}", "continuous", rng.normal(size=1000), None) for j in range(size)
    )
    target = tables.Column("y", "nominal", rng.integers(0, 2, 1000), None)
    dataset = tables.Table(features, target).dataset
    model = KernelModel.build(dataset, raw_options(bandwidth=1.0))
    everything = range(size)
    products = [model.product(everything), model.product((), target=True)]
    joint = solve(model.product(everything, target=True), 1.01, BACKEND).value
    mi = sum(solve(product, 1.01, BACKEND).value for product in products) - joint
    assert mi == pytest.approx(reported, rel=0.15)
