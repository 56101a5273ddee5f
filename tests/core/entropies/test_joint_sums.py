"""Sums of products of squared Grams, as the dense matrices have them."""

import numpy as np
import pytest

import tables
from renyi.entropies import joint_sums
from renyi.kernels import KernelModel, KernelProduct
from tables import raw_options


def squared(part):
    return KernelProduct.of(part.n, [part]).dense() ** 2


@pytest.mark.parametrize("label", ["delta", "onehot", "numeric"])
@pytest.mark.parametrize(("few", "batch"), [(0, 1), (0, 2**23), (70, 1), (70, 2**26)])
def test_the_sums_are_those_of_the_matrices(label, few, batch, monkeypatch):
    monkeypatch.setattr("renyi.entropies._joint_sums.FEW_ROWS", few)
    monkeypatch.setattr("renyi.entropies._joint_sums.MOST_ENTRIES", batch)
    monkeypatch.setattr("renyi.entropies._joint_sums.PAIR_BYTES", batch)
    table = tables.random_table("CRBNOW", label, 70, seed=2)
    kernel = "onehot" if label == "onehot" else "delta"
    options = raw_options(alpha=2.0, bandwidth=1.0, label_kernel=kernel)
    model = KernelModel.build(table.dataset, options)
    rng = np.random.default_rng(0)
    orders = [np.arange(70), rng.permutation(70), rng.permutation(70)]
    found = joint_sums(model.features, model.target, orders)
    codes = None if model.target.soft is None else model.target.soft.codes
    target = squared(model.target)
    if codes is not None:  # a soft kernel is a linear function of equality
        target = codes[:, None] == codes[None, :]
    truth = [
        [(squared(part) * target[np.ix_(order, order)]).sum() for order in orders]
        for part in model.features
    ]
    assert found == pytest.approx(np.array(truth), rel=1e-12 if few else 1e-5)


def test_a_kernel_of_high_rank_is_compared_by_its_leading_part():
    table = tables.random_table("C", "delta", 600, seed=2)
    model = KernelModel.build(table.dataset, raw_options(alpha=2.0, bandwidth=1e-4))
    found = joint_sums(model.features, model.target, [np.arange(600)])[0, 0]
    assert 256 <= found < 600 * 1.01
