"""Sums over what is given, with the target and without, and over one variable, as written out."""

import math
from dataclasses import replace

import numpy as np
import pytest

import tables
from renyi.backend import get_backend
from renyi.factors import TileSize, squared_factor
from renyi.kernels import KernelModel, KernelProduct
from renyi.options import method_options
from renyi.order2 import (
    PASS,
    SINGLE_RESIDUAL,
    Passes,
    PassSizes,
    SquaredSums,
    expanded,
    factor_sums,
    part_sums,
    terms_of,
)
from renyi.variables import Dataset, Variable
from tables import raw_options

RECIPE = "CRBNOWC"
BASES = [(), (0,), (1,), (2,), (0, 6), (2, 3), (0, 3), (1, 2, 4), (0, 1, 2, 5, 6)]
LABELS = ["delta", "onehot", "numeric"]
NUMPY = get_backend("numpy")


def model_of(label, n, *, weighted, seed=1, soft=False):
    table = tables.random_table(RECIPE, label, n, seed)
    build = method_options if soft else raw_options
    options = build(bandwidth=1.0, label_kernel="onehot" if label == "onehot" else "delta")
    model = KernelModel.build(table.dataset, options)
    weights = np.random.default_rng(n).uniform(0.3, 2.5, n) if weighted else None
    return replace(model, weights=weights)


def written_out(base, target):
    """Return W and W Y without their diagonals."""
    own = base.dense() ** 2
    if base.weights is not None:
        own = own * base.weights[:, None] * base.weights[None, :]
    np.fill_diagonal(own, 0.0)
    return own, own * KernelProduct.of(len(base), [target]).dense() ** 2


def passes_of(base, target, *, single, sizes=PASS):
    return Passes(base, target, NUMPY, SINGLE_RESIDUAL if single else None, 2**30, sizes)


def check(found, own, both, rel=1e-5):
    assert found.rows == pytest.approx(own.sum(axis=1), rel=rel, abs=1e-5)
    assert found.target_rows == pytest.approx(both.sum(axis=1), rel=rel, abs=1e-5)
    assert found.total == pytest.approx(own.sum(), rel=1e-6)
    assert found.target_total == pytest.approx(both.sum(), rel=1e-6)
    assert found.squares == pytest.approx((own * own).sum(), rel=rel, abs=1e-4)
    assert found.cross == pytest.approx((own * both).sum(), rel=rel, abs=1e-4)
    assert found.target_squares == pytest.approx((both * both).sum(), rel=rel, abs=1e-4)


@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("base", BASES)
def test_sums_with_the_target(base, label, weighted, single):
    model = model_of(label, 70, weighted=weighted)
    product = model.product(base)
    passes = passes_of(product, model.target, single=single)
    own, both = written_out(product, model.target)
    check(passes.given(), own, both)
    # what follows for the base itself, within the bounds that it comes with
    weights = np.ones(70) if model.weights is None else model.weights
    diagonal = float((weights**2).sum())
    pair = passes.own()
    exact = [-math.log2((one.sum() + diagonal) / 70**2) for one in (own, both)]
    for solution, value in zip((pair.features, pair.joint), exact, strict=True):
        assert solution.lower - 1e-12 <= value <= solution.upper + 1e-12
    assert pair.lower - 1e-12 <= exact[1] - exact[0] <= pair.upper + 1e-12
    assert pair.error < (2e-6 if single else 1e-10)


@pytest.mark.parametrize("base", [(), (3,), (0, 2, 3)])
def test_sums_with_soft_levels_and_balanced_classes(base):
    data = tables.random_table(RECIPE, "delta", 90, 1).dataset
    model = KernelModel.build(data, method_options())
    assert model.weights is not None
    product = model.product(base, size=4)
    found = passes_of(product, model.target, single=True).given()
    check(found, *written_out(product, model.target))


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("weighted", [False, True])
def test_small_tiles_and_any_number_of_workers(label, weighted, with_cores):
    sizes = PassSizes(tile=TileSize(rows=7), single_columns=11)
    model = model_of(label, 60, weighted=weighted)
    for base in ((0, 6), (2, 3), (0, 1, 2)):
        product = model.product(base)
        found = []
        for jobs in (1, 4):
            with_cores(jobs)
            found.append(passes_of(product, model.target, single=True, sizes=sizes).given())
        check(found[0], *written_out(product, model.target))
        assert np.array_equal(found[0].rows, found[1].rows)
        assert np.array_equal(found[0].target_rows, found[1].target_rows)
        for name in ("total", "target_total", "squares", "cross", "target_squares"):
            assert getattr(found[0], name) == getattr(found[1], name)


def test_rows_that_are_all_alike():
    model = model_of("delta", 40, weighted=False)
    found = passes_of(model.product(()), model.target, single=True).given()
    assert found.rows == pytest.approx(np.full(40, 39.0))
    assert found.squares == pytest.approx(40 * 39)
    sizes = np.bincount(model.target.codes)
    assert found.target_rows == pytest.approx(sizes[model.target.codes] - 1.0)


@pytest.mark.parametrize("number", range(len(RECIPE)))
@pytest.mark.parametrize("soft", [False, True])
def test_sums_of_one_variable(number, soft):
    model = model_of("delta", 80, weighted=False, soft=soft)
    part = model.features[number]
    gram = KernelProduct.of(80, [part]).dense() ** 2
    np.fill_diagonal(gram, 0.0)
    ways = [(part_sums(part, NUMPY), 1e-5)]
    factor = squared_factor(part)
    if factor is not None:
        ways.append((factor_sums(factor, part.rows), 1e-9))
    for (total, squares, rows), close in ways:
        assert total == pytest.approx(gram.sum(), rel=close)
        assert squares == pytest.approx((gram * gram).sum(), rel=close)
        assert rows == pytest.approx(
            gram.sum(axis=1), rel=close, abs=1e-4 if close > 1e-8 else 1e-9
        )


def test_sums_of_a_onehot_part_and_of_one_without_a_factor():
    model = model_of("onehot", 80, weighted=False)
    far = tables.continuous("x", np.arange(80.0) ** 2).variable
    narrow = KernelModel.build(
        tables.Dataset((far,), (tables.random_table("C", "delta", 80, 1).target.variable,)),
        raw_options(bandwidth=1e-3),
    ).features[0]
    assert squared_factor(narrow) is None or squared_factor(narrow).values.shape[1] > 60
    for part in (model.target, narrow):
        gram = KernelProduct.of(80, [part]).dense() ** 2
        np.fill_diagonal(gram, 0.0)
        total, squares, rows = part_sums(part, NUMPY)
        assert total == pytest.approx(gram.sum(), rel=1e-5, abs=1e-5)
        assert squares == pytest.approx((gram * gram).sum(), rel=1e-5, abs=1e-5)
        assert rows == pytest.approx(gram.sum(axis=1), rel=1e-5, abs=1e-5)


def test_a_factor_gives_the_sums_of_tiles():
    """Many rows of few coordinates: sums by a factor of W, with weights and several classes."""
    rng = np.random.default_rng(5)
    n = 2500
    columns = [Variable.continuous(name, rng.normal(size=n)) for name in ("a", "b")]
    y = Variable.nominal("y", rng.choice(3, n, p=[0.6, 0.3, 0.1]), ("p", "q", "r"))
    model = KernelModel.build(Dataset(tuple(columns), (y,)), method_options())
    for given in ((0,), (0, 1)):
        base = model.product(given)
        quick = passes_of(base, model.target, single=True)
        assert quick._sums._blocks[0].wide.serves(0)
        none = PassSizes(factor_rows=n + 1)
        plain = passes_of(base, model.target, single=True, sizes=none).given()
        found = quick.given()
        for name in ("rows", "target_rows", "total", "squares", "cross", "target_squares"):
            one, other = getattr(found, name), getattr(plain, name)
            np.testing.assert_allclose(one, other, rtol=2e-6)
        assert abs(quick.own().conditional - plain.conditional) < quick.own().error


def test_tiles_that_are_kept_for_orders_change_nothing():
    """More orders reuse the tiles of the first ones; the sums over W come from any pass."""
    model = model_of("delta", 90, weighted=True)
    base = model.product((0, 1))
    sums = SquaredSums(base, model.target.codes, 3, NUMPY, residual=SINGLE_RESIDUAL)
    before = sums.given()
    assert not sums._kept
    part = model.features[6]
    factor = squared_factor(part)
    from renyi.order2 import Stack

    values = factor.values[part.rows].T.astype(np.float32)
    stack = Stack.of([(values, factor.residual, factor.mean)] * 3)
    rng = np.random.default_rng(0)
    orders = [rng.permutation(90) for _ in range(5)]
    first = sums.stacked(stack, orders)
    assert sums._kept
    again = sums.stacked(stack, orders)
    alone = [sums.stacked(stack, [order]) for order in orders]
    for kind in range(2):
        assert np.array_equal(first[kind], again[kind])
        single = np.concatenate([one[kind] for one in alone])
        assert first[kind] == pytest.approx(single, rel=1e-6)
    assert np.array_equal(before.rows, sums.given().rows)


@pytest.mark.parametrize("spread", [0.1, 0.8, 1.2])
@pytest.mark.parametrize("residual", [1e-3, 1e-6, 1e-9])
def test_an_expansion_is_the_squared_gram(spread, residual):
    rng = np.random.default_rng(1)
    points = rng.normal(size=(4, 60)) * spread
    points[3] = rng.integers(0, 3, 60) * spread
    points -= (points.max(axis=1) + points.min(axis=1))[:, None] / 2
    terms = terms_of(float(np.abs(points).max()))
    found = expanded(points, terms, residual)
    for row, own in enumerate(points):
        gram = np.exp(-((own[:, None] - own[None, :]) ** 2))
        rank = found.ranks[row]
        missing = gram - found.values[row, :rank].T @ found.values[row, :rank]
        assert not found.values[row, rank:].any()
        assert np.linalg.eigvalsh(missing).min() > -1e-10
        assert np.abs(missing).max() <= found.residuals[row]
        assert np.diag(missing).mean() <= found.means[row] <= residual + 2e-10
        if rank > 1:  # no fewer would do
            fewer = gram - found.values[row, : rank - 1].T @ found.values[row, : rank - 1]
            assert np.diag(fewer).mean() > residual - 2e-10
        np.fill_diagonal(gram, 0.0)
        assert found.totals[row] == pytest.approx(gram.sum(), rel=1e-8)
        assert found.squares[row] == pytest.approx((gram * gram).sum(), rel=1e-8)
        assert found.rows[row] == pytest.approx(gram.sum(axis=1), rel=1e-8)
    assert found.ranks[3] <= 3


def test_points_that_are_far_away_take_too_many_terms():
    assert terms_of(3.5) > terms_of(1.0) > 1
    assert terms_of(8.0) == 0
