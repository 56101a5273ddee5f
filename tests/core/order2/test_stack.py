"""Many variables side by side, in many orders of their rows, against sums written out."""

from dataclasses import replace

import numpy as np
import pytest

import tables
from renyi.backend import get_backend
from renyi.factors import TileSize, squared_factor
from renyi.kernels import KernelModel, KernelProduct
from renyi.options import method_options
from renyi.order2 import PASS, Extension, PassSizes, SquaredSums, Stack
from tables import raw_options

RECIPE = "CRBNOWC"
BASES = [(), (0,), (2,), (0, 6), (2, 3), (0, 3, 5), (1, 2, 4)]
NUMPY = get_backend("numpy")


def model_of(n, *, weighted, soft=False, seed=4, sigma=1.0):
    table = tables.random_table(RECIPE, "delta", n, seed, sigma)
    build = method_options if soft else raw_options
    model = KernelModel.build(table.dataset, build(bandwidth=sigma))
    weights = np.random.default_rng(n).uniform(0.3, 2.5, n) if weighted else None
    return replace(model, weights=weights)


def stack_of(extensions, *, single):
    precision = np.float32 if single else np.float64
    return Stack.of(
        [
            (e.factor.values[e.rows].T.astype(precision), e.factor.residual, e.factor.mean)
            for e in extensions
        ]
    )


def extensions_of(model, loose=None):
    found = []
    for part in model.features:
        factor = squared_factor(part)
        if factor is not None:
            factor = factor if loose is None else factor.loosened(loose)
            found.append((part, Extension(factor, part.rows)))
    return found


def truth(model, base, part, order):
    own = model.product(base).dense() ** 2
    if model.weights is not None:
        own = own * model.weights[:, None] * model.weights[None, :]
    gram = KernelProduct.of(model.n, [part]).dense() ** 2
    product = own * gram[np.ix_(order, order)]
    label = KernelProduct.of(model.n, [model.target]).dense()
    return product.sum(), (product * label).sum()


def orders(n):
    rng = np.random.default_rng(1)
    return [None, rng.permutation(n), rng.permutation(n)]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("soft", [False, True])
@pytest.mark.parametrize("base", BASES)
def test_a_stack_in_any_order(base, soft, weighted):
    model = model_of(80, weighted=weighted, soft=soft)
    pairs = extensions_of(model)
    sums = SquaredSums(model.product(base), model.target.codes, 3, NUMPY)
    assert not sums._single
    stack = stack_of([extension for _, extension in pairs], single=False)
    assert len(stack) == len(pairs) > 3
    everything, within, errors = sums.stacked(stack, orders(80))
    for row, order in enumerate(orders(80)):
        itself = np.arange(80) if order is None else order
        for k, (part, _) in enumerate(pairs):
            total, inside = truth(model, base, part, itself)
            assert everything[row, k] == pytest.approx(total, rel=1e-10)
            assert within[row, k] == pytest.approx(inside, rel=1e-10)
            assert (errors[:, k] >= 0).all()
            assert (errors[:, k] < 1e-7).all()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("base", [(), (0, 6), (2, 3)])
def test_a_stack_is_what_its_extensions_are_one_by_one(base, weighted):
    model = model_of(60, weighted=weighted)
    pairs = extensions_of(model)
    sums = SquaredSums(model.product(base), model.target.codes, 3, NUMPY)
    extensions = [extension for _, extension in pairs]
    everything, within, errors = sums.stacked(stack_of(extensions, single=False))
    found = sums.sums(extensions)
    assert everything[0] == pytest.approx(found[0], rel=1e-13)
    assert within[0] == pytest.approx(found[1], rel=1e-13)
    assert errors[0] == pytest.approx(sums.errors(extensions), rel=1e-13)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("sigma", [0.4, 1.0])
@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize(("residual", "loose"), [(1e-6, 1e-6), (1e-3, 1e-2), (1e-6, 1e-3)])
def test_errors_contain_the_truth(residual, loose, sigma, wide, weighted):
    # where it is wide a factor of W serves, in double precision
    sizes = PassSizes(factor_rows=10) if wide else PASS
    model = model_of(200, weighted=weighted, sigma=sigma)
    pairs = extensions_of(model, loose)
    for base in ((), (2,), (0, 6), (1, 2, 4)):
        product = model.product(base)
        sums = SquaredSums(product, model.target.codes, 3, NUMPY, residual=residual, sizes=sizes)
        stack = stack_of([extension for _, extension in pairs], single=sums._single)
        assert stack.values.dtype == (np.float32 if sums._single else np.float64)
        everything, within, errors = sums.stacked(stack, orders(200)[:2])
        for row, order in enumerate(orders(200)[:2]):
            itself = np.arange(200) if order is None else order
            for k, (part, _) in enumerate(pairs):
                total, inside = truth(model, base, part, itself)
                assert abs(total - everything[row, k]) <= errors[0, k] + 1e-11 * total
                assert abs(inside - within[row, k]) <= errors[1, k] + 1e-11 * total


def test_few_columns_at_once_give_the_same():
    model = model_of(80, weighted=True)
    pairs = extensions_of(model)
    stack = stack_of([extension for _, extension in pairs], single=False)
    whole = SquaredSums(model.product((0,)), model.target.codes, 3, NUMPY).stacked(stack)
    sizes = PassSizes(column_share=2**30 // (8 * 80 * 20))
    parts = list(stack.parts(20))
    assert len(parts) > 1
    assert [start for start, _ in parts[1:]] == [stop for _, stop in parts[:-1]]
    assert (parts[0][0], parts[-1][1]) == (0, len(stack))
    few = SquaredSums(model.product((0,)), model.target.codes, 3, NUMPY, sizes=sizes)
    some = few.stacked(stack)
    for one, other in zip(whole, some, strict=True):
        assert one == pytest.approx(other, rel=1e-12)


def test_some_of_a_stack_in_any_order():
    model = model_of(50, weighted=False)
    extensions = [extension for _, extension in extensions_of(model)]
    places = [3, 0, 2]
    some = stack_of(extensions, single=False).take(places)
    alone = stack_of([extensions[place] for place in places], single=False)
    for name in ("values", "offsets", "residuals", "means"):
        assert np.array_equal(getattr(some, name), getattr(alone, name))


def test_a_part_of_a_stack():
    model = model_of(50, weighted=False)
    extensions = [extension for _, extension in extensions_of(model)]
    stack = stack_of(extensions, single=False)
    some, alone = stack.part(1, 3), stack_of(extensions[1:3], single=False)
    for name in ("values", "offsets", "residuals", "means"):
        assert np.array_equal(getattr(some, name), getattr(alone, name))
    last = stack.part(len(stack) - 1, len(stack))
    assert np.array_equal(last.values, extensions[-1].factor.values[extensions[-1].rows])


def test_the_same_for_any_number_of_workers(with_cores):
    sizes = PassSizes(tile=TileSize(rows=16))
    model = model_of(120, weighted=True)
    stack = stack_of([extension for _, extension in extensions_of(model)], single=True)
    found = []
    for jobs in (1, 4):
        with_cores(jobs)
        product = model.product((0, 5))
        sums = SquaredSums(product, model.target.codes, 3, NUMPY, residual=1e-5, sizes=sizes)
        found.append(sums.stacked(stack))
    for one, other in zip(*found, strict=True):
        assert np.array_equal(one, other)
