"""Sums of squared kernel values for many extensions at once against sums written out."""

import itertools

import numpy as np
import pytest

import oracle
import tables
from renyi.backend import get_backend
from renyi.entropies import Extension, SquaredSums, squared_factor
from renyi.entropies._cholesky import pivoted_cholesky
from renyi.kernels import KernelModel, build_part
from renyi.options import method_options
from renyi.variables import Variable

RECIPE = "CRBNOWC"
BASES = [(), (0,), (1,), (2,), (0, 6), (2, 3), (0, 3), (1, 2, 4), (0, 1, 2, 5, 6)]


def setup(n, seed, sigma=1.0, label="delta"):
    table = tables.random_table(RECIPE, label, n, seed, sigma)
    model = KernelModel.build(table.dataset, method_options(bandwidth=sigma))
    return table, model


def written_out(table, base, gram):
    """Return sum_ij W_ij^2 F_ij^2 over all pairs and over pairs of one class."""
    squared = (oracle.hadamard([*(table.grams[j] for j in base), gram], table.n)) ** 2
    return squared.sum(), (squared * table.label).sum()


@pytest.mark.parametrize(("n", "sigma"), [(40, 1.0), (150, 0.6), (400, 3.0)])
def test_candidates(n, sigma):
    table, model = setup(n, seed=n, sigma=sigma)
    backend = get_backend("numpy")
    target = model.target
    for base in BASES:
        sums = SquaredSums(model.product(base), target.codes, target.distinct, backend)
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


def test_small_tiles_and_few_columns_at_once(monkeypatch):
    monkeypatch.setattr("renyi.entropies._quadratic.TILE", 7)
    monkeypatch.setattr("renyi.entropies._quadratic.TILE_COLUMNS", 11)
    monkeypatch.setattr("renyi.entropies._quadratic.COLUMN_BYTES", 8 * 50 * 30)
    test_candidates(50, 0.4)


def test_without_classes_only_the_total_is_meant():
    table, model = setup(40, seed=3)
    sums = SquaredSums(model.product((0,)), None, 0, get_backend("numpy"))
    part = model.features[1]
    everything, _ = sums.sums([Extension(squared_factor(part), part.rows)])
    assert everything[0] == pytest.approx(written_out(table, (0,), table.grams[1])[0], rel=1e-11)


@pytest.mark.parametrize("d", [1, 2])
def test_pivoted_cholesky_is_the_matrix_but_for_its_residual(d):
    points = np.random.default_rng(d).normal(size=(120, d))
    factor = pivoted_cholesky(points, 120)
    gram = oracle.gaussian(points, 1.0)
    assert np.abs(factor.values @ factor.values.T - gram).max() <= factor.residual + 1e-14
    assert factor.values.shape[1] < 120


def test_pivoted_cholesky_gives_up_beyond_the_rank():
    points = np.arange(20.0)[:, None] * 10
    assert pivoted_cholesky(points, 19) is None
    assert pivoted_cholesky(points, 20).values.shape == (20, 20)


def test_pivoted_cholesky_gives_up_early_where_the_rank_is_hopeless():
    points = np.random.default_rng(1).normal(size=(400, 6))
    assert pivoted_cholesky(points, 100) is None


@pytest.mark.parametrize("residual", [1e-2, 1e-7, 1e-12])
def test_a_loosened_factor_is_smaller_and_within_its_residual(residual):
    points = np.random.default_rng(2).normal(size=(150, 1))
    factor = pivoted_cholesky(points, 150)
    loose = factor.loosened(residual)
    gram = oracle.gaussian(points, 1.0)
    assert loose.values.shape[1] < factor.values.shape[1]
    assert loose.residual <= residual
    assert np.abs(loose.values @ loose.values.T - gram).max() <= loose.residual + 1e-14


def test_an_exact_factor_stays_as_it_is():
    table, model = setup(30, seed=4)
    factor = squared_factor(model.features[3])
    assert factor.loosened(1e-3) is factor
    assert table.features[3].kind == "nominal"


def test_a_loose_factor_of_equal_points_keeps_a_column():
    factor = pivoted_cholesky(np.zeros((5, 1)), 5)
    assert factor.loosened(0.5).values.shape == (5, 1)


def test_what_has_no_factor_worth_it():
    many = Variable.nominal("x", np.arange(80), tuple(f"level {k}" for k in range(80)))
    part = build_part(many, scale="zscore", bandwidth=1.0)
    assert squared_factor(part) is None
    soft = build_part(many, scale="zscore", bandwidth=1.0, label_kernel="onehot")
    assert squared_factor(soft) is None
