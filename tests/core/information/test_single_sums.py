"""Sums over half Grams: the oracle's H(y | Z, a), in any order, in pieces and within memory."""

import numpy as np
import pytest

import oracle
import tables
from renyi.backend import get_backend
from renyi.information import SingleSums, _single_sums
from renyi.kernels import KernelModel
from renyi.options import method_options


def sums_of(table, given, rest, label_kernel="delta"):
    options = method_options(alpha=2.0, bandwidth=1.0, label_kernel=label_kernel)
    model = KernelModel.build(table.dataset, options)
    parts = [model.part(number, len(given) + 1) for number in rest]
    return SingleSums(model.product(given), parts, model.target, get_backend("numpy"))


@pytest.mark.parametrize("chunk", [2**25, 1])
@pytest.mark.parametrize("label", ["delta", "onehot", "numeric"])
@pytest.mark.parametrize("given", [(), (0,), (1, 4)])
def test_sums_are_the_oracles(given, label, chunk, monkeypatch):
    monkeypatch.setattr(_single_sums, "CHUNK_BYTES", chunk)
    table = tables.random_table("CNOBW", label, 30, 6)
    rest = [k for k in range(5) if k not in given]
    sums = sums_of(table, given, rest, "onehot" if label == "onehot" else "delta")
    rng = np.random.default_rng(2)
    orders = [None, *(rng.permutation(30) for _ in range(3))]
    found = sums.conditional(orders)
    assert found.shape == (4, len(rest))
    base = [table.grams[k] for k in given]
    own = oracle.joint_entropy([table.label], 2.0)
    for row, order in enumerate(orders):
        for column, k in enumerate(rest):
            gram = table.grams[k] if order is None else oracle.shuffled(table.grams[k], order)
            mi = oracle.mutual_information([*base, gram], [table.label], 2.0)
            expected = own - mi
            assert found[row, column] == pytest.approx(expected, abs=1e-10)


def test_it_serves_what_is_small():
    assert SingleSums.serves(96, 4026, 2**30)
    assert not SingleSums.serves(96, 4026, 2**20)  # the memory that may be used
    assert not SingleSums.serves(5000, 1, 2**40)
