"""Orders depend on (seed, step, replicate) alone."""

import numpy as np

from renyi.resampling import PermutationScheme, PlainPermutations


def test_an_order_holds_every_row_once():
    order = PlainPermutations(n=50, seed=3, step=2).order(7)
    assert order.dtype == np.int64
    assert sorted(order.tolist()) == list(range(50))


def test_the_same_key_gives_the_same_order_whatever_came_before():
    asked_first = PlainPermutations(n=30, seed=1, step=1).order(4)
    scheme: PermutationScheme = PlainPermutations(n=30, seed=1, step=1)
    for replicate in (9, 0, 2):
        scheme.order(replicate)
    assert np.array_equal(scheme.order(4), asked_first)


def test_seed_step_and_replicate_each_change_the_order():
    orders = {
        tuple(PlainPermutations(n=30, seed=seed, step=step).order(replicate))
        for seed in range(3)
        for step in range(3)
        for replicate in range(3)
    }
    assert len(orders) == 27


def test_every_row_goes_everywhere_about_equally_often():
    counts = np.zeros((4, 4))
    scheme = PlainPermutations(n=4, seed=0, step=1)
    for replicate in range(2000):
        counts[np.arange(4), scheme.order(replicate)] += 1
    # Binomial(2000, 1/4) has standard deviation 19.4; the draws are fixed by the seed.
    assert np.abs(counts - 500).max() < 5 * 19.4
