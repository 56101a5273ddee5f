"""Moments over all orders of rows against the complete set of them."""

import math
from itertools import permutations

import numpy as np
import pytest

from renyi.order2 import Chance, GivenSums, KernelSums, chance_of


def symmetric(rng, n, shift=0.0):
    """Return a random symmetric matrix with a diagonal of ones; it need not be positive."""
    found = rng.normal(size=(n, n)) * 0.3 + shift
    found = (found + found.T) / 2
    np.fill_diagonal(found, 1.0)
    return found


def off(matrix):
    """Return a matrix without its diagonal."""
    return matrix - np.diag(np.diag(matrix))


def given_sums(own, both):
    """Return the sums over W and W Y from both in full."""
    w, wy = off(own), off(both)
    return GivenSums(
        w.sum(axis=1),
        wy.sum(axis=1),
        float(w.sum()),
        float(wy.sum()),
        float((w * w).sum()),
        float((w * wy).sum()),
        float((wy * wy).sum()),
        float(np.trace(own)),
    )


def kernel_sums(gram):
    f = off(gram)
    rows = f.sum(axis=1)
    largest = float(np.abs(rows - rows.mean()).max())
    return KernelSums(float(f.sum()), float((f * f).sum()), float(rows @ rows), largest)


def over_all_orders(matrix, gram):
    """Return the sum of C_ij F_p(i)p(j) for every order p."""
    n = len(gram)
    orders = np.array(list(permutations(range(n))))
    moved = gram[orders[:, :, None], orders[:, None, :]]
    return np.einsum("ij,pij->p", matrix, moved)


def matrices(n, seed, *, weighted):
    """Return W, W Y and three F, of which none is positive definite for sure."""
    rng = np.random.default_rng(seed)
    own, label = symmetric(rng, n, 0.6), symmetric(rng, n, 0.5)
    both = own * label
    if weighted:
        weights = rng.uniform(0.3, 2.0, n)
        own, both = (m * weights[:, None] * weights[None, :] for m in (own, both))
    return own, both, [symmetric(rng, n, shift) for shift in (0.2, 0.5, 0.9)]


CASES = [(n, seed, weighted) for n in (4, 5, 6, 7) for seed in (0, 1) for weighted in (False, True)]


@pytest.mark.parametrize(("n", "seed", "weighted"), CASES)
def test_means_are_those_of_all_orders(n, seed, weighted):
    own, both, grams = matrices(n, seed, weighted=weighted)
    kernels = [kernel_sums(gram) for gram in grams]
    diagonal = np.diag(np.diag(own))  # a label that no two rows share: T2 is the same in all orders
    first = chance_of(given_sums(own, diagonal), kernels).gain
    second = chance_of(given_sums(own, both), kernels).gain
    for number, gram in enumerate(grams):
        t1, t2 = (over_all_orders(matrix, gram).mean() for matrix in (own, both))
        before = math.log2(own.sum() / np.trace(own))
        assert first[number] == pytest.approx(math.log2(np.trace(own) / t1) + before, abs=1e-12)
        before = math.log2(own.sum() / both.sum())
        assert second[number] == pytest.approx(math.log2(t2 / t1) + before, abs=1e-12)


@pytest.mark.parametrize(("n", "seed", "weighted"), [*CASES, (3, 0, False), (3, 1, True)])
def test_deviations_are_those_of_all_orders(n, seed, weighted):
    own, both, grams = matrices(n, seed, weighted=weighted)
    found = chance_of(given_sums(own, both), [kernel_sums(gram) for gram in grams])
    for number, gram in enumerate(grams):
        mu1, mu2 = (over_all_orders(matrix, gram).mean() for matrix in (own, both))
        sums = over_all_orders(off(both) / mu2 - off(own) / mu1, gram)
        deviation = found.deviation[number] * math.log(2)
        assert deviation**2 == pytest.approx(sums.var(), rel=1e-10)


def test_kernels_and_classes_too():
    """What occurs: Gaussian and delta kernels, so that matrices repeat and vanish in places."""
    rng = np.random.default_rng(8)
    x, codes, label = rng.normal(size=7), np.array([0, 0, 1, 1, 1, 2, 2]), np.arange(7) % 2
    apart = x[:, None] - x[None, :]
    own, same = np.exp(-(apart**2)), codes[:, None] == codes[None, :]
    both = own * (label[:, None] == label[None, :])
    grams = [same * 1.0, np.exp(-0.1 * apart**2), np.where(same, 1.0, 0.4)]
    found = chance_of(given_sums(own, both), [kernel_sums(gram) for gram in grams])
    for number, gram in enumerate(grams):
        mu1, mu2 = (over_all_orders(matrix, gram).mean() for matrix in (own, both))
        sums = over_all_orders(both / mu2 - own / mu1, gram)
        assert found.deviation[number] * math.log(2) == pytest.approx(sums.std(), rel=1e-10)


@pytest.mark.parametrize("n", [2, 3])
def test_very_few_rows(n):
    own, both, grams = matrices(n, 3, weighted=False)
    found = chance_of(given_sums(own, both), [kernel_sums(gram) for gram in grams])
    for values in (found.gain, found.deviation, found.reach):
        assert np.isfinite(values).all()
    if n == 2:  # both orders give the same
        assert found.deviation.tolist() == [1e-9] * 3


def test_a_constant_column_has_no_spread():
    own, both, _ = matrices(6, 1, weighted=False)
    found = chance_of(given_sums(own, both), [kernel_sums(np.ones((6, 6)))])
    assert found.deviation.tolist() == [1e-9]
    assert found.gain[0] == pytest.approx(0.0, abs=1e-12)  # it gains nothing in any order
    assert found.standardised(np.array([0.0]))[0] == pytest.approx(0.0, abs=1e-3)


def test_many_candidates_are_those_one_by_one():
    own, both, _ = matrices(7, 2, weighted=True)
    rng = np.random.default_rng(0)
    given = given_sums(own, both)
    kernels = [kernel_sums(symmetric(rng, 7, 0.5)) for _ in range(5)]
    found = chance_of(given, kernels, rows_bytes=8 * 7 * 2)  # two at once
    for number, kernel in enumerate(kernels):
        alone = chance_of(given, [kernel])
        for name in ("gain", "deviation", "reach"):
            one, same = getattr(found, name)[number], getattr(alone, name)[0]
            assert one == pytest.approx(same, rel=1e-14)
    some = found.part([3, 1])
    assert some.gain.tolist() == [found.gain[3], found.gain[1]]
    assert some.reach.tolist() == [found.reach[3], found.reach[1]]


def test_above_chance_and_in_deviations():
    chance = Chance(np.array([0.1, 0.2]), np.array([0.01, 0.1]), np.zeros(2))
    gains = np.array([0.15, 0.15])
    assert chance.above(gains) == pytest.approx([0.05, -0.05])
    assert chance.standardised(gains) == pytest.approx([5.0, -0.5])


def test_sums_know_their_totals():
    own, both, _ = matrices(5, 4, weighted=True)
    given = given_sums(own, both)
    assert given.n == 5
    assert given.total == pytest.approx(off(own).sum())
    assert given.target_total == pytest.approx(off(both).sum())
    assert given.conditional == pytest.approx(math.log2(own.sum() / both.sum()))


def test_chance_of_a_few_draws():
    gains = np.random.default_rng(1).normal([0.1, 0.3], [0.01, 0.2], (40, 2))
    known = Chance(np.zeros(2), np.array([0.02, 0.4]), np.zeros(2))
    found = Chance.of_draws(gains, known)
    assert found.gain == pytest.approx(gains.mean(axis=0))
    assert found.deviation == pytest.approx(gains.std(axis=0, ddof=1))
    assert np.isinf(found.reach).all()  # nothing is said of it: never without draws
    still = Chance(np.zeros(3), np.full(3, 1e-9), np.zeros(3))
    assert (Chance.of_draws(np.zeros((5, 3)), still).deviation > 0).all()


def test_few_orders_that_do_not_move_a_candidate_say_little_of_its_deviation():
    """Of three alike but one that the orders happened to leave alone, none stands out."""
    gains = np.random.default_rng(2).normal(0.0, 0.1, (20, 3))
    gains[:, 2] = 0.05
    known = Chance(np.zeros(3), np.array([0.05, 0.05, 0.05]), np.zeros(3))
    found = Chance.of_draws(gains, known)
    assert found.deviation[:2] == pytest.approx(gains[:, :2].std(axis=0, ddof=1))
    assert found.deviation[2] == pytest.approx(0.5 * np.median(found.deviation[:2]), rel=0.6)


def test_a_control_that_tells_all_gives_the_moments_themselves():
    """Gains in line with their control, one without any tie to it, one whose control is fixed."""
    rng = np.random.default_rng(2)
    controls = rng.normal(1.0, 0.2, (16, 3))
    controls[:, 2] = 1.0
    free = rng.normal(0.5, 0.1, (16, 2))
    gains = np.column_stack([3.0 - 2.0 * controls[:, 0], free])
    known = Chance(np.ones(3), np.array([0.2, 0.2, 1e-9]), np.zeros(3))
    found = Chance.by_control(gains, controls, known)
    assert found.gain[0] == pytest.approx(1.0)
    assert found.deviation[0] == pytest.approx(0.4)
    slope, cut = np.polyfit(controls[:, 1], free[:, 0], 1)
    left = ((free[:, 0] - cut - slope * controls[:, 1]) ** 2).sum() / 14
    assert found.gain[1] == pytest.approx(cut + slope)
    assert found.deviation[1] == pytest.approx(math.sqrt(left + (slope * 0.2) ** 2))
    assert found.gain[2] == pytest.approx(free[:, 1].mean())
    assert found.deviation[2] == pytest.approx(free[:, 1].std() * math.sqrt(16 / 14))
    assert np.isinf(found.reach).all()
    same = Chance.by_control(np.ones((16, 1)), np.ones((16, 1)), known.part([0]))
    assert same.deviation[0] > 0


def test_ties_are_told_in_bits():
    chance = Chance(np.zeros(2), np.array([0.01, 0.002]), np.zeros(2))
    assert chance.tie == pytest.approx(1e-9 / 0.002)
    # a column without a spread, an id, makes no tie of what is far apart
    assert Chance(np.zeros(2), np.array([0.01, 1e-9]), np.zeros(2)).tie < 0.01
