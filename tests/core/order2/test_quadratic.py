"""Sums of squared kernel values for many extensions at once against sums written out."""

import itertools
import math
from concurrent.futures import ThreadPoolExecutor

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import oracle
import tables
from renyi._progress import ignore_progress
from renyi.backend import get_backend
from renyi.entropies import squared_conditional_bound
from renyi.execution import crew_of, followed
from renyi.factors import TileSize, squared_factor

# a factor by itself, whatever column it is of
from renyi.factors._cholesky import gaussian_factor
from renyi.kernels import KernelModel, build_part
from renyi.order2 import PASS, Extension, PassSizes, SquaredSums

# to have one of its strips fail
from renyi.order2._strips import strip_of

# when it gives up, which no sum shows
from renyi.order2._wide import WideFactor
from renyi.variables import Variable
from tables import raw_options

RECIPE = "CRBNOWC"
BASES = [(), (0,), (1,), (2,), (0, 6), (2, 3), (0, 3), (1, 2, 4), (0, 1, 2, 5, 6)]


def setup(n, seed, sigma=1.0, label="delta"):
    table = tables.random_table(RECIPE, label, n, seed, sigma)
    model = KernelModel.build(table.dataset, raw_options(bandwidth=sigma))
    return table, model


def written_out(table, base, gram):
    """Return sum_ij W_ij^2 F_ij^2 over all pairs and over pairs of one class."""
    squared = (oracle.hadamard([*(table.grams[j] for j in base), gram], table.n)) ** 2
    return squared.sum(), (squared * table.label).sum()


@pytest.mark.parametrize(
    ("n", "sigma", "sizes"),
    [
        (40, 1.0, PASS),
        (150, 0.6, PASS),
        (400, 3.0, PASS),
        # small tiles, and few columns at once
        (50, 0.4, PassSizes(tile=TileSize(7, 11), column_share=2**30 // (8 * 50 * 30))),
        # cut by columns, too
        (90, 0.5, PassSizes(TileSize(7, 11), row_parts=4)),
    ],
)
def test_candidates(n, sigma, sizes):
    table, model = setup(n, seed=n, sigma=sigma)
    backend = get_backend("numpy")
    target = model.target
    for base in BASES:
        product = model.product(base)
        sums = SquaredSums(product, target.codes, target.distinct, backend, sizes=sizes)
        numbers, extensions = [], []
        for j, part in enumerate(model.features):
            factor = squared_factor(part)
            if factor is not None and j not in base:
                numbers.append(j)
                extensions.append(Extension(factor, part.rows))
        assert extensions
        everything, within = sums.sums(extensions)
        for j, a, b in zip(numbers, everything, within, strict=True):
            total, inside = written_out(table, base, table.grams[j])
            assert a == pytest.approx(total, rel=1e-10)
            assert b == pytest.approx(inside, rel=1e-10)


def test_permuted_copies():
    table, model = setup(60, seed=2)
    rng = np.random.default_rng(0)
    orders = [rng.permutation(60) for _ in range(5)]
    backend = get_backend("numpy")
    for base, j in itertools.product([(), (0, 6), (1, 2), (0, 2, 3)], [4, 5]):
        part = model.features[j]
        factor = squared_factor(part)
        sums = SquaredSums(model.product(base), model.target.codes, model.target.distinct, backend)
        copies = [Extension(factor, part.rows[order]) for order in orders]
        everything, within = sums.sums(copies)
        for order, a, b in zip(orders, everything, within, strict=True):
            total, inside = written_out(table, base, oracle.shuffled(table.grams[j], order))
            assert a == pytest.approx(total, rel=1e-11)
            assert b == pytest.approx(inside, rel=1e-11)


def test_without_classes_only_the_total_is_meant():
    table, model = setup(40, seed=3)
    sums = SquaredSums(model.product((0,)), None, 0, get_backend("numpy"))
    part = model.features[1]
    everything, _ = sums.sums([Extension(squared_factor(part), part.rows)])
    assert everything[0] == pytest.approx(written_out(table, (0,), table.grams[1])[0], rel=1e-11)


@pytest.mark.parametrize("d", [1, 2])
def test_a_factor_is_the_matrix_but_for_its_residual(d):
    points = np.random.default_rng(d).normal(size=(120, d))
    factor = gaussian_factor(points / 5, np.ones(120))
    gram = oracle.gaussian(points, 5.0)
    assert np.abs(factor.values @ factor.values.T - gram).max() <= factor.residual + 1e-14
    assert factor.mean < 1e-13
    assert factor.values.shape[1] < 120


def test_a_factor_of_too_high_a_rank_is_none():
    points = np.arange(80.0)[:, None] * 10
    assert gaussian_factor(points, np.ones(80)) is None
    assert gaussian_factor(points[:64], np.ones(64)).values.shape == (64, 64)


@pytest.mark.parametrize("residual", [1e-2, 1e-7, 1e-12])
def test_a_loosened_factor_is_smaller_and_within_its_residual(residual):
    rng = np.random.default_rng(2)
    points, counts = rng.normal(size=(150, 1)), rng.integers(1, 9, 150)
    factor = gaussian_factor(points, counts)
    loose = factor.loosened(residual)
    missing = oracle.gaussian(points, 1.0) - loose.values @ loose.values.T
    assert loose.values.shape[1] < factor.values.shape[1]
    assert np.average(np.diag(missing), weights=counts) <= loose.mean <= residual
    assert np.abs(missing).max() <= loose.residual
    fewer = loose.values[:, :-1]
    missing = oracle.gaussian(points, 1.0) - fewer @ fewer.T
    assert np.average(np.diag(missing), weights=counts) > residual  # one column less is too few


def test_an_exact_factor_stays_as_it_is():
    table, model = setup(30, seed=4)
    factor = squared_factor(model.features[3])
    assert factor.loosened(1e-3) is factor
    assert table.features[3].kind == "nominal"


def test_a_loose_factor_of_equal_points_keeps_a_column():
    factor = gaussian_factor(np.zeros((5, 1)), np.ones(5))
    assert factor.loosened(0.5).values.shape == (5, 1)


@pytest.mark.parametrize("sigma", [0.3, 1.0])
@pytest.mark.parametrize(("residual", "loose"), [(2e-14, 1e-3), (1e-6, 1e-9), (1e-3, 1e-2)])
def test_errors_contain_what_factors_leave_out(sigma, residual, loose):
    sizes = PassSizes(factor_rows=10)
    table, model = setup(300, seed=8, sigma=sigma)
    backend, target = get_backend("numpy"), model.target
    for base, j in itertools.product([(), (0,), (0, 6), (2, 3), (1, 2, 4)], [5, 6]):
        part, gram = model.features[j], table.grams[j]
        extension = Extension(squared_factor(part).loosened(loose), part.rows)
        sums = SquaredSums(
            model.product(base),
            target.codes,
            target.distinct,
            backend,
            residual=residual,
            sizes=sizes,
        )
        everything, within = sums.sums([extension] * 3)
        error = sums.errors([extension] * 3)[0]
        total, inside = written_out(table, base, gram)
        rounding = 1e-11 * total
        single = residual >= 1e-6  # which rounds to both sides
        below = rounding + (error if single else 0.0)
        assert -below <= total - everything[0] <= error + rounding
        assert -below <= inside - within[0] <= error + rounding
        most = max(extension.factor.residual, residual) + (4e-5 if single else 0.0)
        assert error < 300 * 300 * most * 1.01


def many_rows(residual, **more):
    """Return sums over 1300 rows of seven columns, four of them far out, and what to add to them.

    Both programs know: by `Extension`, and by the squared Gram in full.
    """
    rng = np.random.default_rng(3)
    points = rng.normal(size=(1300, 7))
    points[:4] *= 6  # their squared kernel values are less than single precision knows
    scaled = [Variable.continuous(f"x{k}", points[:, k]) for k in range(7)]
    parts = [build_part(one, scale="zscore", bandwidth=0.9) for one in scaled]
    target = build_part(
        Variable.nominal("y", rng.integers(0, 3, 1300), ("a", "b", "c")),
        scale="zscore",
        bandwidth=1.0,
    )
    model = KernelModel(tuple(parts), target, 1300)
    sums = SquaredSums(
        model.product(range(6)), target.codes, 3, get_backend("numpy"), residual=residual, **more
    )
    factor = squared_factor(parts[6]).loosened(residual)
    extensions = [Extension(factor, parts[6].rows[rng.permutation(1300)]) for _ in range(5)]
    return sums, extensions, model.product(range(6)).dense() ** 2


def test_sums_in_single_precision_are_off_by_no_more_than_they_say():
    sums, extensions, squared = many_rows(1e-5)
    double, _, _ = many_rows(1e-12)
    found = sums.sums(extensions)
    for some, exact in zip(found, double.sums(extensions), strict=True):
        assert not np.array_equal(some, exact)
        assert np.all(np.abs(some - exact) <= sums.errors(extensions))
        assert some == pytest.approx(exact, rel=1e-6)
    rounding = sums.errors(extensions) - [
        min(1300**2 * e.factor.residual, squared.sum(axis=0).max() * 1300 * e.factor.mean)
        for e in extensions
    ]
    # 128 products and 10 sums of them, three factors, and what an entry of W is off by
    assert rounding == pytest.approx((128 + 10 + 10 + 7) * 2.0**-24 * squared.sum(), rel=2e-3)


def test_sums_of_rows_in_single_precision_are_no_smaller_than_they_are():
    sums, extensions, squared = many_rows(1e-5)
    sums.sums(extensions)
    exact = squared.sum(axis=0).max()
    assert exact <= sums._largest[0] <= 1.002 * exact


def test_pieces_of_a_long_pass_tell_the_same_sums_by_threads_and_by_workers():
    sizes = PassSizes(TileSize(50, 60), single_columns=60, row_parts=3)
    assert sizes.height(1300) == 400
    short, extensions, _ = many_rows(1e-5)
    long, there = (many_rows(1e-5, sizes=sizes)[0] for _ in range(2))
    found = long.sums(extensions)
    with ThreadPoolExecutor(2) as pool, crew_of(pool, least=0.0) as crew:
        with followed(ignore_progress, None, crew):
            assert np.array_equal(there.sums(extensions), found)
        assert crew.record()["tasks"] > 0
    own, other, plain = (some.given() for some in (long, there, short))
    for kind in ("rows", "target_rows", "totals", "squares", "target_squares"):
        assert np.array_equal(getattr(own, kind), getattr(other, kind))
        assert getattr(own, kind) == pytest.approx(getattr(plain, kind), rel=1e-5)
    for one, exact in zip(found, short.sums(extensions), strict=True):
        assert one == pytest.approx(exact, rel=1e-6)


@pytest.mark.parametrize("most_bytes", [2**30, 2**20])
def test_tiles_that_are_kept_give_the_same_sums_again(most_bytes):
    sums, extensions, _ = many_rows(1e-5, most_bytes=most_bytes)
    first = sums.sums(extensions)
    assert bool(sums._kept) is (most_bytes > 2**25)
    again = sums.sums(extensions)
    anew = many_rows(1e-5, most_bytes=most_bytes)[0].sums(extensions)
    at_once = many_rows(1e-5)[0].sums(extensions)
    for one, other, third, fourth in zip(first, again, anew, at_once, strict=True):
        assert np.array_equal(one, other)
        assert np.array_equal(one, third)
        # a library may round a product by how many columns it has, on some processors
        assert one == pytest.approx(fourth, rel=1e-7)


def test_a_pass_that_failed_midway_leaves_no_sums_out(monkeypatch):
    sums, extensions, _ = many_rows(1e-5)
    calls = []

    def failing(*args):
        calls.append(args)
        if len(calls) == 3:
            raise MemoryError
        return strip_of(*args)

    monkeypatch.setattr("renyi.order2._quadratic.strip_of", failing)
    again = sums.sums(extensions)
    assert len(calls) > 3
    monkeypatch.undo()
    whole, _, _ = many_rows(1e-5)
    for one, other in zip(again, whole.sums(extensions), strict=True):
        assert one == pytest.approx(other, rel=1e-6)
    assert sums.errors(extensions) == pytest.approx(whole.errors(extensions), rel=1e-9)


def test_rows_that_were_added_up_stay_in_double_precision():
    table, model = setup(200, seed=8)
    sums = SquaredSums(
        model.product((2,)), model.target.codes, 3, get_backend("numpy"), residual=1e-3
    )
    part = model.features[5]
    found = sums.sums([Extension(squared_factor(part), part.rows)])[0]
    exact = written_out(table, (2,), table.grams[5])[0]
    assert found[0] == pytest.approx(exact, rel=1e-12)


def test_a_wide_factor_serves_where_the_rank_is_low():
    rng = np.random.default_rng(5)
    for d, serves in ((1, True), (2, True), (8, False)):
        points = rng.normal(size=(600, d))
        wide = WideFactor(points, np.ones(600), 1e-7, 2**30)
        assert wide.serves(500) is serves
        if serves:
            missing = oracle.gaussian(points, 0.5**0.5) - wide.factor.T @ wide.factor
            assert np.trace(missing) <= wide.trace <= 1.01e-7 * 600
            assert np.abs(missing).max() <= wide.largest + 1e-14
        else:
            assert wide.trace == wide.largest == 0.0


def test_a_wide_factor_is_given_up_early_where_it_is_far_off():
    points = np.random.default_rng(5).normal(size=(2000, 12))
    wide = WideFactor(points, np.ones(2000), 1e-7, 2**30)
    assert not wide.serves(500)
    assert wide.factor.shape[0] <= 72  # one round


def test_a_wide_factor_is_not_given_up_where_rows_lie_in_clusters():
    rng = np.random.default_rng(15)
    centres = rng.normal(scale=40.0, size=(300, 4))
    points = np.repeat(centres, 20, axis=0) + 1e-5 * rng.normal(size=(6000, 4))
    wide = WideFactor(points, np.ones(6000), 1e-7, 2**30)
    assert wide.serves(500)  # after one round hardly anything is gone, with the last column all is
    assert wide.factor.shape[0] == 300


def test_a_wide_factor_is_looked_for_again_where_it_pays_more():
    points = np.random.default_rng(6).normal(size=(1000, 3)) * 0.7
    wide = WideFactor(points, np.ones(1000), 1e-5, 2**30)
    assert not wide.serves(20)
    rank = wide.factor.shape[0]
    assert not wide.serves(25)  # hardly more: not tried
    assert wide.factor.shape[0] == rank
    assert wide.serves(5000)
    assert wide.factor.shape[0] > rank


def test_a_large_factor_that_does_not_serve_is_let_go():
    points = np.random.default_rng(6).normal(size=(1000, 3)) * 0.7
    once = WideFactor(points, np.ones(1000), 1e-5, 2**30)
    assert once.serves(5000)
    wide = WideFactor(points, np.ones(1000), 1e-5, 2**30, PassSizes(kept_bytes=0))
    assert not wide.serves(20)
    assert wide.factor.nbytes == 0
    assert wide.trace == wide.largest == 0.0
    assert wide.serves(5000)
    np.testing.assert_array_equal(wide.factor, once.factor)


@given(st.integers(0, 10**6), st.integers(2, 40), st.sampled_from([0.05, 0.3, 1.0, 30.0]))
@settings(derandomize=True, max_examples=60, deadline=None)
def test_the_bound_at_order_two_holds_for_every_larger_set(seed, n, sigma):
    table = tables.random_table(RECIPE, "delta", n, seed, sigma)
    model = KernelModel.build(table.dataset, raw_options(bandwidth=sigma))
    order = np.random.default_rng(seed).permutation(n)
    backend = get_backend("numpy")
    for base in ((0,), (2,), (0, 6), (0, 1, 2)):
        bound = squared_conditional_bound(model.product(base), model.target, backend)
        grams = [table.grams[j] for j in base]
        for more in ([], [oracle.shuffled(table.grams[4], order)], table.grams[3:5]):
            joint = oracle.joint_entropy([*grams, *more, table.label], 2)
            assert joint - oracle.joint_entropy([*grams, *more], 2) <= bound + 1e-12


def test_the_bound_at_order_two_needs_a_delta_kernel_on_the_label():
    table = tables.random_table("CC", "onehot", 20, seed=3)
    model = KernelModel.build(table.dataset, raw_options(label_kernel="onehot"))
    bound = squared_conditional_bound(model.product((0,)), model.target, get_backend("numpy"))
    assert bound == math.inf


def test_what_has_no_factor_worth_it():
    many = Variable.nominal("x", np.arange(80), tuple(f"level {k}" for k in range(80)))
    part = build_part(many, scale="zscore", bandwidth=1.0)
    assert squared_factor(part) is None
    soft = build_part(many, scale="zscore", bandwidth=1.0, label_kernel="onehot")
    assert squared_factor(soft) is None
