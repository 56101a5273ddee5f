"""The bound on H(y | S) against values, for S and for S with more."""

import math

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import oracle
import tables
from renyi.backend import get_backend
from renyi.bounds import Pair, conditional_bound, extended_upper
from renyi.entropies import Solution
from renyi.information import Computation, SetEntropies

# a bound and a count that only decide the way
from renyi.information._limits import highest_conditional
from renyi.kernels import KernelModel
from tables import raw_options

BACKEND = get_backend("numpy")


def build(table, sigma, label="delta"):
    return KernelModel.build(table.dataset, raw_options(bandwidth=sigma, label_kernel=label))


@given(
    st.lists(st.sampled_from("CWRBNO"), min_size=1, max_size=4),
    st.integers(3, 25),
    st.integers(0, 10**6),
    st.sampled_from([0.05, 0.2, 0.6, 1.0]),
    st.sampled_from([1.0, 1.01, 1.3, 1.9, 2.0]),
)
@settings(derandomize=True, max_examples=150, deadline=None)
def test_it_bounds_the_set_and_every_larger_one(recipe, n, seed, sigma, alpha):
    table = tables.random_table([*recipe, "C", "N"], "delta", n, seed, sigma)
    model = build(table, sigma)
    members = range(len(recipe))
    bound = conditional_bound(model.product(members), model.target, alpha, BACKEND)
    order = np.random.default_rng(seed).permutation(n)
    grams = [table.grams[j] for j in members]
    for more in (
        [],
        [table.grams[-2]],
        [table.grams[-1]],
        [oracle.shuffled(table.grams[-2], order)],
    ):
        sets = [*grams, *more]
        truth = oracle.joint_entropy([*sets, table.label], alpha) - oracle.joint_entropy(
            sets, alpha
        )
        assert truth <= bound + 1e-12


@given(
    st.lists(st.sampled_from("CWRBNO"), min_size=1, max_size=4),
    st.integers(3, 25),
    st.integers(0, 10**6),
    st.sampled_from([0.05, 0.2, 0.6, 1.0, 5.0]),
    st.sampled_from([1.0, 1.01, 1.3, 1.9, 2.0]),
)
@settings(derandomize=True, max_examples=150, deadline=None)
def test_the_value_bounds_that_of_every_larger_set(recipe, n, seed, sigma, alpha):
    """Gaussian, delta and one-hot kernels more, and shuffled ones; it is hardly above the value."""
    table = tables.random_table([*recipe, "C", "N"], "delta", n, seed, sigma)

    def pair_of(sets, blur=0.0):
        values = [oracle.joint_entropy(some, alpha) for some in (sets, [*sets, table.label])]
        return Pair(*(Solution(value, value - blur, value + blur, "dense") for value in values))

    own, classes = pair_of(table.grams[:-2]), 3
    bound = extended_upper(own, n, classes, alpha)
    assert own.conditional - 1e-12 <= bound <= max(own.conditional, 0) * n ** (alpha - 1) + 1e-12
    assert bound <= math.log2(classes)
    blurred = extended_upper(pair_of(table.grams[:-2], 1e-3), n, classes, alpha)
    assert bound <= blurred <= math.log2(classes)
    assert blurred <= bound + 3e-3 * n ** (alpha - 1) * (1 + n ** (alpha - 1))
    order = np.random.default_rng(seed).permutation(n)
    soft = np.where(table.grams[-1] > 0, 1.0, 0.3)
    for more in (table.grams[-2], table.grams[-1], soft, oracle.shuffled(table.grams[-2], order)):
        assert pair_of([*table.grams[:-2], more]).conditional <= bound + 1e-12


@pytest.mark.parametrize("alpha", [1.0, 1.01, 1.5])
def test_the_closer_of_both_is_taken(alpha):
    """The value near saturation is half the other bound; blurred by a tolerance, it is not."""
    table = tables.random_table("CCCCCC", "delta", 60, seed=1, sigma=0.5)
    model = build(table, 0.5)
    product = model.product(range(5), size=6)
    loose = conditional_bound(product, model.target, alpha, BACKEND)
    truth = oracle.joint_entropy([*table.grams[:5], table.label], alpha)
    truth -= oracle.joint_entropy(table.grams[:5], alpha)
    entropies = SetEntropies(Computation.of(model, alpha, BACKEND))
    assert truth <= entropies.conditional_bound(range(5)) <= 1.1 * truth < loose
    blurred = Pair(
        Solution(1.0, 1.0, 1.0, "band"), Solution(1.0, 1.0, 1.0, "band"), Solution(0, 0, 1, "band")
    )
    assert highest_conditional(entropies.computation, product, lambda: blurred) == loose
    assert (
        highest_conditional(entropies.computation, product, lambda: entropies.pair(range(5)))
        <= 1.1 * truth
    )


@pytest.mark.parametrize("alpha", [1.0, 1.01, 1.5])
def test_it_is_of_the_size_of_the_truth_near_saturation(alpha):
    table = tables.random_table("CCCCCC", "delta", 60, seed=1, sigma=0.5)
    model = build(table, 0.5)
    bound = conditional_bound(model.product(range(6)), model.target, alpha, BACKEND)
    truth = oracle.joint_entropy([*table.grams, table.label], alpha)
    truth -= oracle.joint_entropy(table.grams, alpha)
    assert 0 < truth < bound < 4 * truth


@pytest.mark.parametrize("alpha", [0.6, 0.999, 2.5])
def test_it_says_nothing_outside_its_orders(alpha):
    model = build(tables.random_table("CC", "delta", 20, seed=2), 1.0)
    bound = conditional_bound(model.product((0, 1)), model.target, alpha, BACKEND)
    assert bound == math.inf


@pytest.mark.parametrize("label", ["onehot", "numeric"])
def test_it_needs_a_delta_kernel_on_the_label(label):
    table = tables.random_table("CC", label, 20, seed=3)
    model = build(table, 1.0, "onehot" if label == "onehot" else "delta")
    assert conditional_bound(model.product((0, 1)), model.target, 1.01, BACKEND) == math.inf


def test_a_singular_class_has_no_bound():
    """Sixty rows in one dimension: a class's Gram is singular to rounding."""
    model = build(tables.random_table("CC", "delta", 60, seed=4, sigma=3.0), 3.0)
    assert conditional_bound(model.product((0,)), model.target, 1.01, BACKEND) == math.inf
