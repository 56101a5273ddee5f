"""The compression's lower bound on F, and what it says of the rest, against dense matrices."""

from __future__ import annotations

import numpy as np
import pytest

import oracle
import tables
from renyi.backend import get_backend

# formulas by themselves, against whole spectra
from renyi.bounds._bounds import joint_lower, tsallis

# one of several bounds, of which a question takes the closest
from renyi.bounds._compressed import LEAF, _inverse, _lower_product, compressed

# what it costs decides the way, and shows in no answer
from renyi.bounds._side import Side
from renyi.factors import TileSize
from renyi.kernels import KernelModel
from tables import raw_options

N = 260
ALPHAS = [1.0, 1.01, 1.2, 1.5, 2.0]


def side_of(recipe, sigma, residual, n=N, seed=5):
    """Return a side at some residual, its small matrices, and the dense Grams of A and P A."""
    table = tables.random_table(recipe, "delta", n, seed, sigma)
    model = KernelModel.build(table.dataset, raw_options(bandwidth=sigma))
    base = model.product(range(len(recipe)))
    side = Side(base, base.times(model.target), model.target.codes)
    assert side.extend(residual, 1e15, 2**30)
    small = {}
    for number, (span, cuts) in enumerate(zip(side.blocks, side.classes, strict=True)):
        for cut in cuts if len(cuts) > 1 else [span]:
            small[number, cut.start] = side.small(number, cut)
    whole = oracle.hadamard(table.grams, n) / n
    return side, small, whole, whole * table.label


@pytest.mark.parametrize("size", [1, LEAF, LEAF + 1, 300])
def test_triangular_matrices_are_inverted_and_multiplied_by_parts(size):
    rng = np.random.default_rng(size)
    lower = np.tril(rng.normal(size=(size, size))) + 2 * size**0.5 * np.eye(size)
    right = rng.normal(size=(size, 7))
    inverse = _inverse(lower)
    assert np.array_equal(inverse, np.tril(inverse))
    assert np.abs(inverse @ lower - np.eye(size)).max() < 1e-12
    assert _lower_product(lower, right) == pytest.approx(lower @ right, abs=1e-11)


def dense_gain(whole, by_class, alpha):
    return tsallis(np.linalg.eigvalsh(whole), alpha) - tsallis(np.linalg.eigvalsh(by_class), alpha)


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("recipe", ["CC", "CCC", "CCN", "RR", "CB", "CRO"])
@pytest.mark.parametrize("residual", [0.5, 0.2, 0.05, 1e-6])
def test_the_bound_is_below_f_and_closer_the_less_is_left_out(residual, recipe, alpha):
    for sigma in (0.4, 1.0, 8.0):
        side, small, whole, by_class = side_of(recipe, sigma, residual)
        true = dense_gain(whole, by_class, alpha)
        found = compressed(side, small, alpha, get_backend("numpy"))
        assert found.gain <= true + 1e-12
        # the last is what the rule of a band leaves open
        assert found.gain >= max(0.3 * true, true - 2.5 * side.residual) - 3e-4


@pytest.mark.parametrize("recipe", ["CC", "CCC", "CCN", "RR"])
@pytest.mark.parametrize("residual", [0.3, 0.05])
def test_the_rest_of_the_joint_entropy_is_bounded(residual, recipe):
    side, small, _, by_class = side_of(recipe, 0.7, residual)
    found = compressed(side, small, 1.01, get_backend("numpy"))
    missing = np.array(by_class)
    order = order_of(side, recipe)
    missing = missing[np.ix_(order, order)]
    for number, cuts in enumerate(side.classes):
        for cut in cuts:
            left = side.scaled(number, cut)
            missing[cut, cut] -= left.T @ left
    if len(order) == N:  # else equal rows are one here, and several there
        true = np.sum(missing**2)
        assert true <= found.squares <= true + 4e-6 * np.sum(by_class**2)
    values = [np.linalg.eigvalsh(one) for one in small.values()]
    for alpha in ALPHAS:
        true = oracle.entropy(by_class, alpha)
        lower = joint_lower(np.concatenate(values), side.residual, found.squares, alpha)
        assert lower <= true + 1e-9
        if alpha > 1:
            assert lower > 0


def order_of(side, recipe):
    """Return which row of the table each row of the side is, by the values of its columns."""
    table = tables.random_table(recipe, "delta", N, 5, 0.7)
    model = KernelModel.build(table.dataset, raw_options(bandwidth=0.7))
    base = model.product(range(len(recipe)))
    first, _ = base.times(model.target).merged_rows()
    codes = np.zeros(N) if base.codes is None else base.codes
    classes = model.target.codes[first]
    return first[np.lexsort((classes, codes[first]))]


def test_tiles_of_any_size_make_the_same_compression():
    """Of a class the lower half serves, in strips."""
    side, small, _, _ = side_of("CCC", 1.0, 0.05)
    whole = compressed(side, small, 1.01, get_backend("numpy"))
    for rows, columns in ((64, 32), (40, 4096)):
        tiled = compressed(side, small, 1.01, get_backend("numpy"), TileSize(rows, columns))
        assert tiled == pytest.approx(whole, abs=1e-13)


def test_a_class_of_fewer_rows_than_the_rank_is_taken_whole():
    side, small, whole, by_class = side_of("CCC", 0.3, 1e-3)
    assert any(
        cut.stop - cut.start <= factor.rank
        for factor, cuts in zip(side.factors, side.classes, strict=True)
        for cut in cuts
    )
    true = dense_gain(whole, by_class, 1.01)
    assert compressed(side, small, 1.01, get_backend("numpy")).gain == pytest.approx(true, abs=2e-3)


def test_blocks_of_one_class_are_the_same_in_both():
    """A nominal column that tells y leaves nothing to gain."""
    table = tables.random_table("CN", "delta", N, 5, 1.0)
    told = tables.Table((table.features[0], table.target), table.target)
    model = KernelModel.build(told.dataset, raw_options(bandwidth=1.0))
    base = model.product(range(2))
    side = Side(base, base.times(model.target), model.target.codes)
    assert side.extend(0.1, 1e15, 2**30)
    small = {(k, span.start): side.small(k, span) for k, span in enumerate(side.blocks)}
    found = compressed(side, small, 1.01, get_backend("numpy"))
    assert abs(found.gain) < 1e-9
    assert found.squares > 0


def test_a_class_far_from_all_pivots_has_no_part_in_it():
    """Its rows of the factor are zeros, whose small matrix has no root."""
    values = np.concatenate((np.repeat(np.linspace(-1.0, -0.9, 30), 20), np.linspace(0.9, 1, 300)))
    table = tables.Table(
        (tables.continuous("f0", values, 0.01),), tables.nominal("y", np.repeat([0, 1], [600, 300]))
    )
    model = KernelModel.build(table.dataset, raw_options(bandwidth=0.01))
    base = model.product((0,))
    side = Side(base, base.times(model.target), model.target.codes)
    assert side.extend(0.5, 1e15, 2**30)
    small = {(0, cut.start): side.small(0, cut) for cut in side.classes[0]}
    assert min(float(np.trace(one)) for one in small.values()) == 0
    found = compressed(side, small, 1.01, get_backend("numpy"))
    assert abs(found.gain) < 1e-6  # the classes are too far apart for F to be above 0
    assert found.squares > 0
