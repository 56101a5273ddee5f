"""The oracle of nearest neighbours itself, held to points by hand and to known distributions."""

import math

import numpy as np
import pytest

import oracle_scores as scores


def pair(rho, n, seed=0):
    draws = np.random.default_rng(seed).standard_normal((2, n))
    return draws[0], rho * draws[0] + math.sqrt(1 - rho**2) * draws[1]


def test_digamma_against_a_table():
    assert scores.digamma(1) == pytest.approx(-0.5772156649015329)
    assert scores.digamma(2) == pytest.approx(0.4227843350984671)
    assert scores.digamma(10) == pytest.approx(2.2517525890667211)


def test_ksg_by_hand():
    """Four points; nearest neighbours at distances 1, 1, 2, 3."""
    x, y = [0.0, 1.0, 3.0, 6.0], [0.0, 0.5, -1.1, 1.6]
    counts = [(0, 1), (0, 1), (0, 2), (0, 3)]
    psi = {0: 0.0, 1: 1.0, 2: 1.5, 3: 11 / 6}  # harmonic numbers: the constants cancel
    expected = psi[0] + psi[3] - sum(psi[a] + psi[b] for a, b in counts) / 4
    assert scores.ksg(x, y, 1) == pytest.approx(expected / math.log(2), abs=1e-14)


@pytest.mark.parametrize("rho", [0.0, 0.6, 0.9])
def test_ksg_of_a_gaussian_pair(rho):
    x, y = pair(rho, 400)
    assert scores.ksg(x, y, 3) == pytest.approx(-math.log2(1 - rho**2) / 2, abs=0.08)


def test_ksg_is_symmetric_and_of_no_origin():
    x, y = pair(0.5, 80)
    found = scores.ksg(x, y, 4)
    assert scores.ksg(y, x, 4) == pytest.approx(found, abs=1e-12)
    assert scores.ksg(x * 8 + 64, y * 8 - 16, 4) == pytest.approx(found, abs=1e-12)
    twice = np.column_stack([x, x])  # the largest difference of equal columns is that of one
    assert scores.ksg(twice, y, 4) == found


def test_ksg_of_two_columns_and_their_sum():
    first, second = pair(0.0, 300, seed=1)
    noise = np.random.default_rng(2).standard_normal(300)
    y = first + second + noise
    both = scores.ksg(np.column_stack([first, second]), y, 3)
    assert both == pytest.approx(math.log2(3) / 2, abs=0.15)
    assert scores.ksg(first, y, 3) == pytest.approx(math.log2(1.5) / 2, abs=0.12)


def test_ties_of_ksg():
    """A constant says nothing; of values that repeat, all as far as the k-th count."""
    y = pair(0.0, 30)[0]
    assert scores.ksg(np.ones(30), y, 3) == pytest.approx(0, abs=1e-12)
    equal = np.repeat([0.0, 1.0, 2.0], 40)
    expected = scores.digamma(120) - scores.digamma(39)
    assert scores.ksg(equal, equal, 3) == pytest.approx(expected / math.log(2))
    assert expected / math.log(2) == pytest.approx(math.log2(3), abs=0.06)
    alone = scores.digamma(30) - scores.digamma(29)
    assert scores.ksg(np.zeros(30), np.zeros(30), 3) == pytest.approx(alone / math.log(2))


def test_ties_of_ksg_in_one_column():
    """Two values and whole numbers that have nothing to do with them: nothing is told."""
    draws = np.random.default_rng(3)
    two, number = draws.integers(0, 2, 300), draws.integers(0, 100, 300)
    assert scores.ksg(50 * two, number, 3) == pytest.approx(0, abs=0.1)


def test_ross_by_hand():
    """Classes a a b b b; nearest of the own class at distances 3, 3, 2, 2, 3; m = 2, 3, 3, 2, 1."""
    x, classes = [0.0, 3.0, 2.0, 4.0, 7.0], list("aabbb")
    psi = {1: 0.0, 2: 1.0, 3: 1.5, 4: 11 / 6, 5: 25 / 12}
    near = [2, 3, 3, 2, 1]
    expected = psi[5] - (2 * psi[2] + 3 * psi[3]) / 5 + psi[1] - sum(psi[m] for m in near) / 5
    assert scores.ross(x, classes, 1) == pytest.approx(expected / math.log(2), abs=1e-14)


@pytest.mark.parametrize("apart", [0.0, 1.0, 2.5])
def test_ross_of_two_gaussian_classes(apart):
    """Means `apart` standard deviations: one bit less the mean entropy of the class given x."""
    draws = np.random.default_rng(5)
    classes = draws.integers(0, 2, 400)
    x = draws.standard_normal(400) + apart * classes
    grid = np.linspace(-8, 8 + apart, 20_001)
    odds = np.exp(-(grid**2) / 2), np.exp(-((grid - apart) ** 2) / 2)
    share = odds[0] / (odds[0] + odds[1])
    unsure = -share * np.log2(share, where=share > 0, out=np.zeros_like(share))
    expected = 1 - 2 * np.trapezoid(unsure * (odds[0] + odds[1]) / 2, grid) / math.sqrt(math.tau)
    assert scores.ross(x, classes.tolist(), 3) == pytest.approx(expected, abs=0.08)


def test_ross_against_ksg_where_classes_are_far_apart():
    """Two classes with no x in common: one bit by both, the class as a number for the other."""
    draws = np.random.default_rng(6)
    classes = np.repeat([0, 1], 100)
    x = draws.standard_normal(200) + 50 * classes
    assert scores.ross(x, classes.tolist(), 3) == pytest.approx(1, abs=0.02)
    number = classes * 50 + draws.standard_normal(200)
    assert scores.ross(x, classes.tolist(), 3) == pytest.approx(scores.ksg(x, number, 3), abs=0.1)


def test_small_classes_of_ross():
    """A class of one row is left out; one of two rows has one neighbour whatever k is."""
    x, classes = [0.0, 1.0, 1.5, 9.0, 5.0, 5.5], list("aaabcc")
    rest = [0.0, 1.0, 1.5, 5.0, 5.5], list("aaacc")
    assert scores.ross(x, classes, 2) == scores.ross(*rest, 2)
    psi = {1: 0.0, 2: 1.0, 3: 1.5, 4: 11 / 6, 5: 25 / 12}
    terms = [psi[2] - psi[3] - psi[2]] * 3 + [psi[1] - psi[2] - psi[1]] * 2
    expected = (psi[5] + sum(terms) / 5) / math.log(2)
    assert scores.ross(*rest, 2) == pytest.approx(expected, abs=1e-14)
    assert scores.ross([1.0, 2.0], ["a", "b"], 3) == 0


def test_ties_of_ross():
    """Of a constant all rows are neighbours at once, of the own class too, and it says nothing."""
    classes = ["a", "b"] * 10
    expected = (
        scores.digamma(20) - scores.digamma(10) + scores.digamma(9) - scores.digamma(19)
    ) / math.log(2)
    assert scores.ross(np.zeros(20), classes, 3) == pytest.approx(expected)
    assert abs(expected) < 0.1


def test_scores_on_an_estimate_of_information():
    """I(x;s), I(xs;y), and by the chain rule I(x;y|s), come out of `entropies_from`."""
    draws = np.random.default_rng(7).standard_normal((4, 50))
    classes = (draws[0] + draws[1] > 0).astype(int).tolist()

    def information_of(a, b):
        if b == {"y"}:
            return scores.ross(draws[sorted(a)].T, classes, 3)
        return scores.ksg(draws[sorted(a)].T, draws[sorted(b)].T, 3)

    def told(*features):
        return information_of(frozenset(features), {"y"})

    entropy_of = scores.entropies_from(information_of, "y")
    value = {name: scores.score(name, entropy_of, 0, [1, 2], "y") for name in scores.SCORES}
    given = [told(0, s) - told(s) for s in (1, 2)]
    redundancy = [scores.ksg(draws[0], draws[s], 3) for s in (1, 2)]
    assert value["mrmr"] == pytest.approx(told(0) - sum(redundancy) / 2, abs=1e-12)
    assert value["mifs"] == pytest.approx(told(0) - sum(redundancy), abs=1e-12)
    assert value["jmi-sum"] == pytest.approx(told(0, 1) + told(0, 2), abs=1e-12)
    assert value["jmi"] == pytest.approx(sum(given) / 2, abs=1e-12)
    assert value["cmim"] == pytest.approx(min(given), abs=1e-12)
    assert value["jmi3"] == pytest.approx(told(0, 1, 2), abs=1e-12)
    assert value["cmi"] == pytest.approx(told(0, 1, 2) - told(1, 2), abs=1e-12)
