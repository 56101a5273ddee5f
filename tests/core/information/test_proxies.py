"""Estimates at order 2: what they are, and where they are not the better way."""

import math

import pytest

import tables
from renyi.backend import get_backend
from renyi.information import Computation, SetEntropies, Thresholds, proxies
from renyi.kernels import KernelModel
from renyi.order2 import Passes
from tables import raw_options

ALWAYS = Thresholds(proxy_values=0)


def build(alpha, label="delta", n=300, recipe="CCRNC", thresholds=ALWAYS, **more):
    table = tables.random_table(recipe, label, n, 3, 1.0)
    model = KernelModel.build(table.dataset, raw_options(bandwidth=1.0))
    backend = get_backend("numpy")
    return SetEntropies(Computation.of(model, alpha, backend, thresholds=thresholds, **more))


def nothing(done):
    pass


@pytest.mark.parametrize("alpha", [1.0, 1.01, 1.5])
def test_they_are_entropies_of_order_two_that_bound_nothing(alpha):
    two = build(2.0).candidates((0,), [1, 2, 3, 4], nothing)
    found = proxies(build(alpha), (0,), [1, 2, 3, 4])
    assert found is not None
    for pair, truth in zip(found, two, strict=True):
        assert pair.conditional == pytest.approx(truth.conditional, abs=5e-4)
        assert (pair.lower, pair.upper) == (-math.inf, math.inf)
        assert pair.rank > 0  # never taken for a value


@pytest.mark.parametrize(
    "entropies",
    [
        {"alpha": 2.0},
        {"alpha": 3.0},
        {"alpha": 2.5},
        {"alpha": 0.7},
        {"alpha": 1.01, "label": "numeric"},
        {"alpha": 1.01, "solver": "dense"},
        {"alpha": 1.01, "solver": "low-rank"},
        {"alpha": 1.01, "max_memory": 2**19},
        {"alpha": 1.01, "n": 200},
    ],
)
def test_there_are_none_where_rough_values_are_the_better_way(entropies):
    assert proxies(build(**entropies), (0,), [1, 2, 3, 4]) is None


@pytest.mark.parametrize(
    ("thresholds", "served"),
    [
        (Thresholds(proxy_values=1201), False),
        (Thresholds(proxy_values=1200), True),
        (Thresholds(proxy_values=1200, proxy_products=300 * 1200), True),
        (Thresholds(proxy_values=1200, proxy_products=300 * 1200 - 1), False),
    ],
)
def test_there_are_none_for_few_values_or_many_rows(thresholds, served):
    found = proxies(build(1.01, thresholds=thresholds), (0,), [1, 2, 3, 4])
    assert (found is not None) is served


def test_there_are_none_where_hard_codes_make_small_blocks():
    """A block of rows of one code is what eigenvalues are found of."""
    assert proxies(build(1.01, recipe="NNCC"), (0, 1), [2, 3]) is None
    assert proxies(build(1.01, recipe="CCNN"), (0, 1), [2, 3]) is not None


def test_there_are_none_where_a_candidate_has_no_factor(monkeypatch):
    entropies = build(1.01)
    get = entropies.factors.get
    monkeypatch.setattr(entropies.factors, "get", lambda c, size: None if c == 3 else get(c, size))
    assert proxies(entropies, (0,), [1, 2, 3, 4]) is None
    assert proxies(entropies, (0,), [1, 2, 4]) is not None


def test_one_pass_serves_all_batches(monkeypatch):
    entropies, passes = build(1.01), []
    whole = proxies(entropies, (0,), [1, 2, 3, 4])

    def watched(self, *given):
        passes.append(self)
        plain(self, *given)

    plain = Passes.__init__
    monkeypatch.setattr(Passes, "__init__", watched)
    monkeypatch.setattr(entropies.factors, "batch_bytes", 1)
    batches = proxies(entropies, (0,), [1, 2, 3, 4])
    assert len(passes) == 1
    for one, other in zip(batches, whole, strict=True):
        assert one.conditional == pytest.approx(other.conditional, abs=1e-6)


def test_there_are_none_before_anything_is_selected():
    """All rows are one then: a column alone is of low rank."""
    assert proxies(build(1.01), (), [0, 1, 2, 3, 4]) is None
