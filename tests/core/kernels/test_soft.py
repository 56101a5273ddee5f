"""Kernels of levels that are equally far apart, with the spread of a number."""

import numpy as np
import pytest

import tables
from renyi.errors import ColumnError
from renyi.kernels import KernelModel, KernelProduct, build_part, equal_kernels
from renyi.options import method_options
from renyi.variables import Dataset, Variable

N = 80
RNG = np.random.default_rng(6)
WIDTHS = [0.5, 2.0, 3.7, "steady", "steady:1", "growing", "scott", "silverman:joint", "nearest"]
WIDTHS += ["median", "range:0.3"]


def codes_of(levels, seed=0):
    """Return codes of uneven frequencies, each level at least once."""
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.ones(levels))
    return np.concatenate((np.arange(levels), rng.choice(levels, N - levels, p=shares)))


def nominal(codes, bandwidth=2.0, **given):
    levels = tuple(f"v{k}" for k in range(int(max(codes)) + 1))
    variable = Variable.nominal("x", codes, levels)
    return build_part(variable, scale="zscore", bandwidth=bandwidth, nominal="soft", **given)


def number(codes, bandwidth=2.0):
    variable = Variable.continuous("x", np.asarray(codes, dtype=float))
    return build_part(variable, scale="zscore", bandwidth=bandwidth)


def gram(part):
    return KernelProduct.of(part.n, [part]).dense()


@pytest.mark.parametrize("sigma", [0.4, 1.0, 2.0, 5.0])
@pytest.mark.parametrize("levels", [2, 3, 7, 40])
def test_across_levels_it_is_the_formula(levels, sigma):
    codes = codes_of(levels)
    shares = np.bincount(codes) / N
    across = np.exp(-1 / ((1 - (shares**2).sum()) * sigma**2))
    truth = np.where(codes[:, None] == codes[None, :], 1.0, across)
    part = nominal(codes, sigma)
    assert gram(part) == pytest.approx(truth, abs=1e-12)
    assert (part.kernel, part.sigma, part.distinct) == ("soft", sigma, levels)
    assert part.coordinates.shape == (N, levels - 1)
    assert not part.is_label


@pytest.mark.parametrize("levels", [2, 5, 12])
def test_the_spread_is_that_of_a_number(levels):
    """The mean squared distance of two rows is 2, as of z-scores."""
    points = nominal(codes_of(levels), 1.0).coordinates
    assert points.mean(axis=0) == pytest.approx(np.zeros(levels - 1), abs=1e-12)
    assert (points**2).sum(axis=1).mean() == pytest.approx(1.0)


@pytest.mark.parametrize("bandwidth", WIDTHS)
@pytest.mark.parametrize("share", [0.5, 0.2, 0.03])
def test_two_levels_are_a_number(share, bandwidth):
    codes = (np.arange(N) < share * N).astype(int)
    codes = codes[RNG.permutation(N)]
    for size in (1, 2, 9, 40):
        name, value = nominal(codes, bandwidth).at(size), number(codes, bandwidth).at(size)
        assert gram(name) == pytest.approx(gram(value), rel=0, abs=4e-15)


def test_one_level_is_constant():
    assert (gram(nominal(np.zeros(N, dtype=int))) == 1).all()


def test_very_many_levels_stay_hard():
    codes = np.arange(300)
    levels = tuple(f"v{k}" for k in range(300))
    hard = build_part(
        Variable.nominal("x", codes, levels), scale="zscore", bandwidth=2.0, nominal="soft"
    )
    assert hard.kernel == "delta"
    soft = build_part(
        Variable.nominal("x", codes % 256, levels[:256]),
        scale="zscore",
        bandwidth=2.0,
        nominal="soft",
    )
    assert soft.kernel == "soft"


@pytest.mark.parametrize("bandwidth", WIDTHS)
@pytest.mark.parametrize("levels", [2, 3, 10])
def test_every_kernel_is_positive(levels, bandwidth):
    for size in (1, 12):
        part = nominal(codes_of(levels), bandwidth).at(size)
        found = gram(part)
        assert np.linalg.eigvalsh(found).min() > -1e-12
        assert ((found > 0) & (found <= 1)).all()
        assert np.diag(found) == pytest.approx(np.ones(N), abs=1e-15)


def test_products_of_every_kind_are_positive():
    table = tables.random_table("CRBNOWNB", "delta", N, seed=3)
    for nominal_kernel in ("soft", "delta"):
        model = KernelModel.build(table.dataset, method_options(nominal=nominal_kernel))
        for features in ((0, 3), (2, 6, 7), tuple(range(8))):
            for target in (False, True):
                found = model.product(features, target=target).dense()
                assert np.linalg.eigvalsh(found).min() > -1e-11


def test_renamed_levels_are_found():
    codes = codes_of(4, seed=1)
    other = codes_of(4, seed=2)
    renamed = np.array([2, 0, 3, 1])[codes]
    parts = [nominal(codes), nominal(other), nominal(renamed), nominal(codes, 1.0)]
    assert equal_kernels(parts) == ((0, 2),)
    merged = np.minimum(codes, 2)  # not the same partition
    assert equal_kernels([nominal(codes), nominal(merged)]) == ()
    binary = (codes > 1).astype(int)
    same = [nominal(binary), number(binary), nominal(1 - binary), number(5 - 3 * binary)]
    assert equal_kernels([*same, number(binary, 1.0)]) == ((0, 1, 2, 3),)


@pytest.mark.parametrize("bandwidth", ["steady", "growing", 2.0])
def test_renamed_levels_are_found_where_widths_grow(bandwidth):
    codes = codes_of(5, seed=3)
    parts = [nominal(codes, bandwidth), nominal(4 - codes, bandwidth), nominal(codes, 3.0)]
    assert equal_kernels(parts) == ((0, 1),)


def test_a_soft_and_a_hard_kernel_are_not_the_same():
    codes = codes_of(3)
    variable = Variable.nominal("x", codes, tables.LETTERS)
    hard = build_part(variable, scale="zscore", bandwidth=2.0)
    assert hard.kernel == "delta"
    assert equal_kernels([hard, nominal(codes)]) == ()


def dataset_of(codes, classes):
    return Dataset(
        (
            Variable.nominal("x", codes, tables.LETTERS),
            Variable.continuous("z", RNG.normal(size=N)),
        ),
        (Variable.nominal("y", classes, tables.LETTERS),),
    )


def test_a_soft_column_may_have_a_width_of_its_own():
    data = dataset_of(codes_of(3), codes_of(2))
    model = KernelModel.build(data, method_options(bandwidths={"x": 1.0}))
    assert [part.sigma for part in model.features] == [1.0, 2.0]
    for options in (
        method_options(bandwidths={"x": 1.0}, nominal="delta"),
        method_options(bandwidths={"y": 1.0}),
    ):
        with pytest.raises(ColumnError, match=r"nominal and has a delta kernel"):
            KernelModel.build(data, options)


def test_the_target_is_never_soft():
    model = KernelModel.build(dataset_of(codes_of(3), codes_of(3)), method_options())
    assert [part.kernel for part in (*model.features, model.target)] == [
        "soft",
        "gaussian",
        "delta",
    ]


def test_a_part_on_some_rows():
    part = nominal(codes_of(6))
    index = np.sort(RNG.permutation(N)[:20])
    some = part.some(index)
    assert gram(some) == pytest.approx(gram(part)[np.ix_(index, index)])
    assert some.distinct == len(set(part.rows[index].tolist()))
    assert sorted(set(some.rows.tolist())) == list(range(some.distinct))
