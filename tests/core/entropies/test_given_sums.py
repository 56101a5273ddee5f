"""Sums over what is given, with the target and without, and over one variable, as written out."""

from dataclasses import replace

import numpy as np
import pytest

import tables
from renyi.backend import get_backend
from renyi.entropies import factor_sums, part_sums, squared_factor, sums_with_target
from renyi.kernels import KernelModel, KernelProduct
from renyi.options import method_options
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


def check(found, own, both, rel=1e-5):
    assert found.rows == pytest.approx(own.sum(axis=1), rel=rel, abs=1e-5)
    assert found.target_rows == pytest.approx(both.sum(axis=1), rel=rel, abs=1e-5)
    assert found.squares == pytest.approx((own * own).sum(), rel=rel, abs=1e-4)
    assert found.cross == pytest.approx((own * both).sum(), rel=rel, abs=1e-4)
    assert found.target_squares == pytest.approx((both * both).sum(), rel=rel, abs=1e-4)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("base", BASES)
def test_sums_with_the_target(base, label, weighted):
    model = model_of(label, 70, weighted=weighted)
    product = model.product(base)
    found = sums_with_target(product, model.target, NUMPY)
    check(found, *written_out(product, model.target))


@pytest.mark.parametrize("base", [(), (3,), (0, 2, 3)])
def test_sums_with_soft_levels_and_balanced_classes(base):
    model = model_of("delta", 90, weighted=False, soft=True)
    balanced = tables.random_table(RECIPE, "delta", 90, 1).dataset
    model = KernelModel.build(balanced, method_options())
    assert model.weights is not None
    product = model.product(base, size=4)
    found = sums_with_target(product, model.target, NUMPY)
    check(found, *written_out(product, model.target))


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("weighted", [False, True])
def test_small_tiles_and_any_number_of_workers(label, weighted, monkeypatch):
    monkeypatch.setattr("renyi.entropies._given_sums.TILE", 7)
    monkeypatch.setattr("renyi.entropies._given_sums.SINGLE_COLUMNS", 11)
    model = model_of(label, 60, weighted=weighted)
    for base in ((0, 6), (2, 3), (0, 1, 2)):
        product = model.product(base)
        one = sums_with_target(product, model.target, NUMPY, jobs=1)
        many = sums_with_target(product, model.target, NUMPY, jobs=4)
        check(one, *written_out(product, model.target))
        assert np.array_equal(one.rows, many.rows)
        assert np.array_equal(one.target_rows, many.target_rows)
        assert one[2:] == many[2:]


def test_rows_that_are_all_alike():
    model = model_of("delta", 40, weighted=False)
    found = sums_with_target(model.product(()), model.target, NUMPY)
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


def test_a_factor_gives_the_sums_of_tiles(monkeypatch):
    """Many rows of few coordinates: sums by a factor of W, with weights and several classes."""
    from renyi.entropies import _given_sums as module

    rng = np.random.default_rng(5)
    n = 2500
    columns = [Variable.continuous(name, rng.normal(size=n)) for name in ("a", "b")]
    y = Variable.nominal("y", rng.choice(3, n, p=[0.6, 0.3, 0.1]), ("p", "q", "r"))
    model = KernelModel.build(Dataset(tuple(columns), (y,)), method_options())
    for given in ((0,), (0, 1)):
        base = model.product(given)
        quick = sums_with_target(base, model.target, get_backend("numpy"))
        with monkeypatch.context() as patched:
            patched.setattr(module, "LEAST_ROWS", n + 1)
            plain = sums_with_target(base, model.target, get_backend("numpy"))
        assert quick.rows is not plain.rows
        for one, other in zip(quick, plain, strict=True):
            np.testing.assert_allclose(one, other, rtol=2e-6)
