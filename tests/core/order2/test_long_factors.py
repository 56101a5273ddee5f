"""Factors made row by row against those that are made whole, and sums against whole matrices."""

import tracemalloc

import numpy as np
import pytest

import tables
from renyi.backend import get_backend
from renyi.execution import default_jobs
from renyi.kernels import KernelModel, KernelProduct
from renyi.options import method_options
from renyi.order2 import FactorStore, LongFactors
from renyi.variables import Dataset, Variable

RECIPE = "CRBNOWC"  # numbers, rounded ones, levels
N = 300
SIZE = 2
RESIDUAL = 1e-8
EVERY = [*range(len(RECIPE))]


def model_of(**options):
    data = tables.random_table(RECIPE, "delta", N, 1).dataset
    return KernelModel.build(data, method_options(bandwidth=1.0, **options))


def factors_of(model, most_bytes=2**30, **given):
    store = FactorStore(model, 2**24)
    return LongFactors(model, get_backend("numpy"), store, most_bytes, RESIDUAL, **given)


def squared(model, feature):
    return KernelProduct.of(model.n, [model.part(feature, SIZE)]).dense() ** 2


def each(rows):
    """The factor of each variable."""
    return np.split(rows.rows(slice(None)).astype(np.float64), rows.offsets[1:], axis=1)


@pytest.fixture(params=[1, 4, N + 1], ids=["values", "values where few", "rows"])
def _how(request, monkeypatch):
    for name, size in (("FEW_VALUES", request.param), ("TASK_ROWS", 64), ("ROWS_AT_ONCE", 23)):
        monkeypatch.setattr(f"renyi.order2.columns._long_factors.{name}", size)


@pytest.mark.usefixtures("_how")
def test_factors_and_sums_are_those_of_the_kernel():
    model = model_of()
    factors = factors_of(model)
    batches = factors.batches(EVERY, SIZE)
    assert batches == [EVERY]
    rows = factors.rows(EVERY, SIZE, keep=True)
    assert rows.width == factors.width(EVERY, SIZE)
    for feature, values in zip(EVERY, each(rows), strict=True):
        gram = squared(model, feature)
        left_out = np.diagonal(gram) - (values**2).sum(axis=1)
        assert left_out.mean() <= RESIDUAL + 1e-6
        assert values @ values.T == pytest.approx(gram, abs=1e-5)
        np.fill_diagonal(gram, 0.0)
        sums, found = gram.sum(axis=1), factors.sums(feature, SIZE)
        assert found.total == pytest.approx(sums.sum(), rel=1e-6)
        assert found.squares == pytest.approx((gram**2).sum(), rel=1e-6)
        assert found.row_squares == pytest.approx(sums @ sums, rel=1e-6)
        assert found.largest == pytest.approx(np.abs(sums - sums.mean()).max(), rel=1e-5, abs=1e-5)


@pytest.mark.usefixtures("_how")
def test_sums_may_be_asked_for_first():
    one, other = factors_of(model_of()), factors_of(model_of())
    other.batches(EVERY, SIZE)
    other.rows(EVERY, SIZE, keep=False)
    for feature in EVERY:
        told = one.sums(feature, SIZE)
        assert told.row_squares == pytest.approx(other.sums(feature, SIZE).row_squares, rel=1e-9)
        assert told.row_squares > 0


def test_batches_are_of_what_fits():
    factors = factors_of(model_of(), 4 * N * 12)
    batches = factors.batches(EVERY, SIZE)
    assert len(batches) > 1
    assert [place for batch in batches for place in batch] == EVERY
    for batch in batches:
        width = factors.width(batch, SIZE)
        assert len(batch) == 1 or width <= 12
        assert factors.rows(batch, SIZE, keep=False).width == width


def test_the_next_step_takes_some_of_what_is_there():
    factors = factors_of(model_of())
    factors.batches(EVERY, SIZE)
    first = factors.rows(EVERY, SIZE, keep=True)
    most = factors.rows(EVERY[1:], SIZE, keep=True)
    assert most.values is first.values  # nothing is copied
    few = factors.rows([2, 5], SIZE, keep=True)
    assert few.values.shape[1] < first.values.shape[1] / 2  # and what is mostly unused is let go
    for rows, places in ((most, EVERY[1:]), (few, [2, 5])):
        for place, found in zip(places, each(rows), strict=True):
            assert (found == each(first)[place]).all()
    again = factors.rows(EVERY, SIZE, keep=True)
    assert (again.values == first.values).all()


def test_a_kernel_known_by_its_values_has_none():
    model = model_of(kernel="laplacian")
    factors = factors_of(model)
    held = {place for batch in factors.batches(EVERY, SIZE) for place in batch}
    assert 0 not in held
    gram = squared(model, 0)
    np.fill_diagonal(gram, 0.0)
    assert factors.sums(0, SIZE).total == pytest.approx(gram.sum(), rel=1e-5)


def test_terms_of_all_rows_are_never_there_at_once():
    n, count = 20_000, 3
    draw = np.random.default_rng(0)
    columns = [Variable.continuous(f"x{k}", draw.normal(size=n)) for k in range(count)]
    label = Variable.nominal("y", draw.integers(0, 2, n), ("a", "b"))
    model = KernelModel.build(Dataset(tuple(columns), (label,)), method_options())
    factors = factors_of(model, task_rows=1000)
    tracemalloc.start()
    try:
        factors.batches(range(count), 1)
        rows = factors.rows(range(count), 1, keep=True)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # besides the factors a column of numbers for each thread, and its terms for some rows
    terms = 8 * 72 * 2048
    assert peak <= rows.values.nbytes + default_jobs() * (4 * 8 * n + 2 * terms)
    assert peak < 8 * 30 * n * count  # that of 30 terms
