"""Sums over half Grams: the oracle's H(y | Z, a), in any order, in pieces and within memory."""

import numpy as np
import pytest

import oracle
import tables
from renyi.backend import get_backend
from renyi.kernels import KernelModel
from renyi.order2 import SINGLY, SingleSizes, SingleSums
from tables import raw_options


def sums_of(table, given, rest, label_kernel="delta", most_bytes=2**28, sizes=SINGLY):
    options = raw_options(alpha=2.0, bandwidth=1.0, label_kernel=label_kernel)
    model = KernelModel.build(table.dataset, options)
    parts = [model.part(number, len(given) + 1) for number in rest]
    backend = get_backend("numpy")
    product = model.product(given)
    return SingleSums(product, parts, model.target, backend, most_bytes=most_bytes, sizes=sizes)


@pytest.mark.parametrize("chunk", [2**23, 1])
@pytest.mark.parametrize("label", ["delta", "onehot", "numeric"])
@pytest.mark.parametrize("given", [(), (0,), (1, 4)])
def test_sums_are_the_oracles(given, label, chunk):
    table = tables.random_table("CNOBW", label, 30, 6)
    rest = [k for k in range(5) if k not in given]
    kernel = "onehot" if label == "onehot" else "delta"
    sums = sums_of(table, given, rest, kernel, sizes=SingleSizes(chunk_bytes=chunk))
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


def test_blocks_and_memory_change_no_digit():
    table = tables.random_table("CNOBW", "delta", 30, 6)
    orders = [None, *(np.random.default_rng(3).permutation(30) for _ in range(4))]
    two = SingleSizes(block_bytes=2 * 8 * 465)  # halves of a Gram
    kept = sums_of(table, (0,), [1, 2, 3, 4], sizes=two)
    anew = sums_of(table, (0,), [1, 2, 3, 4], most_bytes=1, sizes=two)
    assert np.array_equal(kept.conditional(orders), anew.conditional(orders))
    assert np.array_equal(kept.conditional(orders), anew.conditional(orders))


def test_it_serves_what_is_small():
    assert SingleSums.serves(96, 4026)
    assert not SingleSums.serves(96, 40_260)
    assert not SingleSums.serves(5000, 1)
