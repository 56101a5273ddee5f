"""All pairs at once, as each alone."""

import numpy as np
import pytest

import tables
from renyi.entropies import solve
from renyi.kernels import KernelModel
from renyi.order2 import PairSums
from tables import raw_options

RECIPE = "CNRBCO"


@pytest.mark.parametrize("label", ["delta", "onehot", "numeric"])
@pytest.mark.parametrize("given", [(), (0,), (1, 4)])
@pytest.mark.parametrize("kept", [0, 2**28])
def test_each_pair_in_each_order_is_as_the_solver_has_it(label, given, kept):
    table = tables.random_table(RECIPE, label, 50, seed=3)
    kernel = "onehot" if label == "onehot" else "delta"
    options = raw_options(alpha=2.0, bandwidth=1.0, label_kernel=kernel)
    entropies = tables.entropies(table, options)
    model = KernelModel.build(table.dataset, options)
    rest = [number for number in range(len(RECIPE)) if number not in given]
    sums = PairSums(
        model.product(given),
        [model.features[k] for k in rest],
        model.target,
        entropies.computation.backend,
        strip_entries=2000,
        kept_bytes=kept,
    )
    rng = np.random.default_rng(0)
    orders = [None, rng.permutation(50), rng.permutation(50)]
    found = sums.conditional(orders)
    assert found.shape == (3, len(rest) * (len(rest) - 1) // 2)
    for order, of_order in zip(orders, found, strict=True):
        take = np.arange(50) if order is None else order
        for (first, other), value in zip(sums.pairs, of_order, strict=True):
            product = model.product(given)
            for place in (first, other):
                product = product.times(model.features[rest[place]].take(take))
            joint = solve(
                product.times(model.target), 2.0, entropies.computation.backend, "dense"
            ).value
            alone = solve(product, 2.0, entropies.computation.backend, "dense").value
            assert value == pytest.approx(joint - alone, abs=1e-11)


def test_workers_do_not_change_a_digit():
    table = tables.random_table(RECIPE, "delta", 60, seed=5)
    model = KernelModel.build(table.dataset, raw_options(alpha=2.0))
    backend = tables.entropies(table, raw_options(alpha=2.0)).computation.backend
    rng = np.random.default_rng(1)
    orders = [rng.permutation(60) for _ in range(5)]
    answers = [
        PairSums(model.product((0,)), model.features[1:], model.target, backend, jobs).conditional(
            orders
        )
        for jobs in (1, 2, 3)
    ]
    assert np.array_equal(answers[0], answers[1])
    assert np.array_equal(answers[0], answers[2])
