"""Widths that depend on how many features are in a product."""

import math

import numpy as np
import pytest

from renyi.kernels import KernelModel, KernelProduct, build_part, growth_factor, resolve_sigma

# a rule by itself, against its definition
from renyi.kernels._bandwidth import growth_of
from renyi.variables import Dataset, Variable
from tables import raw_options

N = 60


@pytest.fixture
def dataset():
    rng = np.random.default_rng(5)
    features = [Variable.continuous(f"x{j}", rng.normal(size=N)) for j in range(3)]
    features.append(Variable.nominal("c", rng.integers(0, 3, N), ("a", "b", "c")))
    target = Variable.continuous("y", rng.normal(size=N))
    return Dataset(tuple(features), (target,))


def model(dataset, rule):
    return KernelModel.build(dataset, raw_options(bandwidth=rule))


def gram(dataset, features, rule):
    return model(dataset, rule).product(features).dense()


@pytest.mark.parametrize("features", [(0,), (0, 1), (0, 1, 2), (0, 2, 3), (3,)])
def test_growing_is_the_geometric_mean_of_the_kernels(dataset, features):
    """exp(-d^2 / (2 k)) = exp(-d^2 / 2)^(1/k), and 0 and 1 are their own powers."""
    fixed = gram(dataset, features, 1.0)
    assert gram(dataset, features, "growing") == pytest.approx(fixed ** (1 / len(features)))
    wide = gram(dataset, features, 1.5)
    assert gram(dataset, features, "growing:1.5") == pytest.approx(wide ** (1 / len(features)))


@pytest.mark.parametrize(
    ("rule", "formula"),
    [
        ("scott:joint", lambda n, k: n ** (-1 / (k + 4))),
        ("silverman:joint", lambda n, k: (4 / ((k + 2) * n)) ** (1 / (k + 4))),
    ],
)
def test_joint_rules_have_the_number_of_features_as_dimension(dataset, rule, formula):
    for features in ((0,), (0, 1), (0, 1, 2)):
        sigma = formula(N, len(features))  # on z-scores the standard deviation is 1
        assert gram(dataset, features, rule) == pytest.approx(gram(dataset, features, sigma))


@pytest.mark.parametrize("name", ["scott", "silverman"])
def test_a_joint_rule_of_one_feature_is_the_rule(dataset, name):
    assert gram(dataset, (1,), f"{name}:joint") == pytest.approx(gram(dataset, (1,), name))


def test_a_product_made_for_an_extension_is_extended_to_the_product(dataset):
    kernels = model(dataset, "growing:0.7")
    extended = kernels.product((0, 3), size=3).times(kernels.part(2, 3))
    assert extended.dense() == pytest.approx(kernels.product((0, 2, 3)).dense())


def test_the_target_is_the_same_in_every_product(dataset):
    kernels = model(dataset, "growing")
    alone = KernelProduct.of(N, [kernels.target]).dense()
    features = (0, 1, 2)
    with_target = kernels.product(features, target=True).dense()
    assert with_target == pytest.approx(kernels.product(features).dense() * alone)


def test_a_column_may_have_a_rule_of_its_own(dataset):
    options = raw_options(bandwidth=1.0, bandwidths={"x1": "growing:2"})
    kernels = KernelModel.build(dataset, options)
    assert kernels.grows
    found = kernels.product((0, 1)).dense()
    assert found == pytest.approx(
        gram(dataset, (0,), 1.0) * gram(dataset, (1,), 2.0 * math.sqrt(2))
    )


@pytest.mark.parametrize("rule", [2.0, "scott", "median", "nearest", "range:0.2"])
def test_other_rules_do_not_grow(dataset, rule):
    kernels = model(dataset, rule)
    assert not kernels.grows
    assert kernels.part(0, 9) is kernels.features[0]


def test_a_part_says_its_width_in_the_product(dataset):
    part = model(dataset, "growing:0.5").features[0]
    assert (part.sigma, part.at(16).sigma) == (0.5, 2.0)
    assert part.at(16).at(16).sigma == 2.0  # scaled once


def test_delta_kernels_have_no_width(dataset):
    part = build_part(dataset.features[3], scale="zscore", bandwidth="growing")
    assert part.at(5) is part


@pytest.mark.parametrize("growth", ["growing", "scott", "silverman", "steady:2.0"])
def test_widths_grow_with_the_size(growth):
    factors = [growth_factor(growth, 200, size) for size in (1, 2, 3, 10, 100)]
    assert factors[0] == 1.0
    assert factors == sorted(factors)


def test_rules_that_grow():
    rules = ("growing", "growing:2.0", "scott:joint", "silverman", "range:0.1", 1.0)
    assert [growth_of(rule) for rule in rules] == ["growing", "growing", "scott", "", "", ""]
    assert resolve_sigma("growing", np.zeros((3, 1))) == 1.0
    assert resolve_sigma("growing:2.5", np.zeros((3, 1))) == 2.5


SIZES = (1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 200)


@pytest.mark.parametrize("n", [10, 60, 400, 3000, 100_000])
@pytest.mark.parametrize("sigma", [0.5, 2.0, 3.0])
def test_steady_widens_no_more_than_it_must(n, sigma):
    """The mean of exp(-d^2 / s^2) over pairs of k normal columns is (1 + 4 / s^2)^(-k / 2)."""
    widths = [sigma * growth_factor(f"steady:{sigma}", n, size) for size in SIZES]
    assert widths == sorted(widths)
    assert widths[0] == sigma
    for size, width in zip(SIZES[1:], widths[1:], strict=True):

        def alike(width, size=size):
            return n * (1 + 4 / width**2) ** (-size / 2)

        steps = math.log2(width / sigma) * 4
        assert steps == pytest.approx(round(steps), abs=1e-9)  # a fourth root of 2 at a time
        least = min(30, n / 2)
        assert alike(width) >= least * (1 - 1e-9)
        if width > sigma:
            assert alike(width / 2**0.25) < least * (1 + 1e-9)


def test_the_mean_of_alike_rows_is_what_steady_says():
    rng = np.random.default_rng(1)
    for size, width in ((1, 2.0), (4, 2.0), (20, 6.0)):
        points = rng.normal(size=(1500, size))
        squared = ((points[:700, None, :] - points[None, 700:, :]) ** 2).sum(axis=2)
        mean = np.exp(-squared / width**2).mean()
        assert mean == pytest.approx((1 + 4 / width**2) ** (-size / 2), rel=0.05)


def test_steady_is_two_for_few_columns(dataset):
    kernels = model(dataset, "steady")
    assert kernels.grows
    assert [part.sigma for part in kernels.features] == [2.0, 2.0, 2.0, None]
    assert gram(dataset, (1,), "steady") == pytest.approx(gram(dataset, (1,), 2.0))
    for size in (1, 2, 3, 4):  # 1,000 rows
        assert growth_factor("steady:2.0", 1000, size) == 1.0
    assert growth_factor("steady:2.0", 1000, 30) > 1.5
    assert resolve_sigma("steady", np.zeros((3, 1))) == 2.0
    assert resolve_sigma("steady:3", np.zeros((3, 1))) == 3.0
    assert growth_of("steady:3") == "steady:3.0"


def test_steady_has_few_widths():
    factors = {growth_factor("steady:2.0", 500, size) for size in range(1, 500)}
    assert len(factors) <= 22  # up to 64: five doublings of four steps


def test_steady_is_the_product_at_its_width(dataset):
    kernels = model(dataset, "steady")
    features = (0, 1, 2)
    width = 2.0 * growth_factor("steady:2.0", N, 3)
    assert width > 2.0
    assert kernels.product(features).dense() == pytest.approx(gram(dataset, features, width))
    assert kernels.scale(0, 3) == width / 2
    assert kernels.scale(3, 3) == 1.0  # a delta kernel
