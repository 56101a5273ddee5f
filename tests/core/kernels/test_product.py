"""Kernel products against Grams multiplied out."""

import itertools
from collections import Counter

import numpy as np
import pytest

import oracle
import tables
from renyi.backend import get_backend
from renyi.errors import ColumnError, DataError
from renyi.kernels import KernelModel, KernelProduct, build_part, pack_codes
from renyi.variables import Variable
from tables import raw_options

RECIPE = "CRBNOW"
SETS = [
    s
    for size in range(len(RECIPE) + 1)
    for s in itertools.combinations(range(len(RECIPE)), size)
    if size in {0, 1, 2, 3, 6}
]


def model_of(table, label, **options):
    kernel = label if label != "numeric" else "delta"
    return KernelModel.build(
        table.dataset, raw_options(bandwidth=1.0, label_kernel=kernel, **options)
    )


@pytest.fixture(params=["delta", "onehot", "numeric"])
def case(request):
    table = tables.random_table(RECIPE, request.param, 40, seed=1)
    return table, model_of(table, request.param)


@pytest.fixture(scope="module")
def backend():
    return get_backend("numpy")


def expanded(product):
    """The spectrum of a product's weighted Gram over its trace."""
    root = np.ones(len(product)) if product.weights is None else np.sqrt(product.weights)
    return np.linalg.eigvalsh(product.dense() * np.outer(root, root) / product.total)


def test_dense_is_the_hadamard_product(case):
    table, model = case
    for chosen in SETS:
        grams = [table.grams[j] for j in chosen]
        product = model.product(chosen)
        assert product.dense() == pytest.approx(oracle.hadamard(grams, 40), abs=1e-13)
        joint = model.product(chosen, target=True)
        expected = oracle.hadamard([*grams, table.label], 40)
        assert joint.dense() == pytest.approx(expected, abs=1e-13)


def test_permuted_features(case):
    table, model = case
    order = np.random.default_rng(2).permutation(40)
    for j, chosen in itertools.product(range(len(RECIPE)), [(0, 2, 4), (1, 3, 5)]):
        members = sorted({*chosen, j})
        grams = [
            oracle.shuffled(table.grams[k], order) if k == j else table.grams[k] for k in members
        ]
        product = model.product(members, target=True, permuted={j: order})
        expected = oracle.hadamard([*grams, table.label], 40)
        assert product.dense() == pytest.approx(expected, abs=1e-13)


def test_tiles_and_powers_of_entries(case, backend):
    table, model = case
    for chosen in [(0,), (2, 3), (0, 1, 4), tuple(range(6))]:
        product = model.product(chosen, target=True)
        gram = oracle.hadamard([*(table.grams[j] for j in chosen), table.label], 40)
        for some, others in [(slice(0, 7), slice(0, 40)), (slice(31, 40), slice(5, 6))]:
            assert product.tile(backend, some, others) == pytest.approx(
                gram[some, others], abs=1e-13
            )
            squared = product.tile(backend, some, others, exponent=2.0)
            assert squared == pytest.approx(gram[some, others] ** 2, abs=1e-13)


@pytest.mark.parametrize("far", [1.0, 1e6, 1e25])
def test_tiles_in_single_precision_are_off_by_no_more_than_they_say(backend, far):
    points = np.random.default_rng(3).normal(size=(60, 4)) * 2
    points[0, 0] *= far  # so far out that distances come one by one, some of them above 1e38
    part = build_part(Variable.continuous("x", points), scale="none", bandwidth=1.0)
    product = KernelProduct.of(60, [part])
    everything = slice(None)
    exact = backend.to_host(product.tile(backend, everything, everything, 2.0))
    found = backend.to_host(product.tile(backend, everything, everything, 2.0, single=True))
    assert found.dtype == np.float32
    large = exact > 1e-18
    off = np.abs(found[large] / exact[large] - 1)
    assert np.all(off <= (5 - np.log(exact[large])) * 2.0**-24)
    assert off.max() > 2.0**-24
    assert np.all(found[~large] <= 1.001e-18)


def test_blocks_and_distinct_rows_keep_the_spectrum(case):
    _, model = case
    for chosen in SETS:
        for target in (False, True):
            product = model.product(chosen, target=target)
            truth = np.sort(np.linalg.eigvalsh(product.dense() / 40))
            lone, blocks = product.reduced()
            parts = [lone / 40, *(expanded(block) for block in blocks), np.zeros(40)]
            found = np.sort(np.concatenate(parts))[-40:]
            assert found == pytest.approx(truth, abs=1e-14)


def test_merging_leaves_distinct_rows_only():
    table = tables.random_table("RB", "delta", 60, seed=4)
    merged = model_of(table, "delta").product((0, 1)).merge()
    rows = set(zip(table.features[0].cells, table.features[1].cells, strict=True))
    assert len(merged) == len(rows)
    assert merged.weights.sum() == 60


def test_a_nominal_target_and_nominal_features_make_blocks():
    table = tables.random_table("CBN", "delta", 60, seed=5)
    lone, blocks = model_of(table, "delta").product((0, 1, 2), target=True).reduced()
    cells = zip(*(c.cells for c in (*table.features[1:], table.target)), strict=True)
    sizes = Counter(cells).values()
    assert sorted(len(block) for block in blocks) == sorted(size for size in sizes if size > 1)
    assert len(lone) == sum(size == 1 for size in sizes)


def test_only_hard_codes_are_counts():
    model = model_of(tables.random_table("CBN", "delta", 30, seed=6), "delta")
    assert model.product((1, 2), target=True).is_counts
    assert not model.product((0, 1)).is_counts
    soft = model_of(tables.random_table("BN", "onehot", 30, seed=6), "onehot")
    assert not soft.product((0, 1), target=True).is_counts
    assert soft.product((0, 1)).is_counts


def test_the_empty_product_is_a_gram_of_ones():
    assert np.array_equal(KernelProduct.one(3).dense(), np.ones((3, 3)))
    assert KernelProduct.one(3).counts().tolist() == [3]


@pytest.mark.parametrize("columns", [1, 3])
def test_far_apart_values_lose_no_digits(backend, columns):
    """An outlier of a million sigmas beside values a sigma apart."""
    values = np.array([0.0, 1.0, 2.5, 1e6, 1e6 + 1])[:, None] * np.arange(1, columns + 1)
    part = build_part(Variable.continuous("x", values), scale="none", bandwidth=1.0)
    tile = KernelProduct.of(5, [part]).tile(backend, slice(None), slice(None))
    assert tile == pytest.approx(oracle.gaussian(values, 1.0), abs=1e-9)


@pytest.mark.parametrize(
    ("scale", "truth"),
    [
        ("zscore", oracle.zscore),
        ("minmax", oracle.minmax),
        ("none", lambda v: v),
        ("bins:3", lambda v: oracle.bins_as_numbers(v, 3)),
    ],
)
def test_standardisation_choices(scale, truth):
    values = np.random.default_rng(7).gamma(2.0, size=30)
    part = build_part(Variable.continuous("x", values), scale=scale, bandwidth=0.5)
    expected = oracle.gaussian(truth(values), 0.5)
    assert KernelProduct.of(30, [part]).dense() == pytest.approx(expected, abs=1e-12)
    assert part.distinct == len(np.unique(truth(values)))


def test_a_column_may_have_its_own_bandwidth():
    table = tables.random_table("CC", "numeric", 20, seed=8)
    model = model_of(table, "numeric", bandwidths={"f1": 3.0, "y": 0.25})
    assert [part.sigma for part in (*model.features, model.target)] == [1.0, 3.0, 0.25]
    expected = oracle.gaussian(oracle.zscore(table.target.values), 0.25)
    assert model.product((), target=True).dense() == pytest.approx(expected, abs=1e-13)


def test_own_bandwidths_are_checked():
    table = tables.random_table("CB", "delta", 20, seed=8)
    with pytest.raises(ColumnError, match="must name columns in use, got `f2`"):
        model_of(table, "delta", bandwidths={"f2": 1.0})
    with pytest.raises(ColumnError, match="`f1`, which is nominal"):
        model_of(table, "delta", bandwidths={"f1": 1.0})


def test_a_bandwidth_too_small_for_the_numbers_is_refused():
    with pytest.raises(DataError, match="too small for the values of `x`"):
        build_part(Variable.continuous("x", [0.0, 1e200]), scale="none", bandwidth=1e-200)


def test_pack_codes_numbers_the_pairs_that_occur():
    first = np.array([1, 0, 1, 1])
    second = np.array([2, 1, 0, 2])
    codes, count = pack_codes(first, 2, second, 3)
    assert codes.tolist() == [2, 0, 1, 2]
    assert count == 3
    far, far_count = pack_codes(first, 2, second, 10**9)
    assert far.tolist() == codes.tolist()
    assert far_count == count
