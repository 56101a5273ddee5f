"""The bounds that part of a spectrum gives, held to random matrices and to the worst there are."""

import math

import numpy as np
import pytest

# formulas by themselves, against whole spectra
from renyi.bounds._bounds import (
    conditional_from_gain,
    entropy_bounds,
    gain_bounds,
    gain_of,
    tsallis,
)

ALPHAS = [1.0, 1.01, 1.5, 2.0]
TRIALS = 150
SLACK = 1e-12


def entropy(matrix, alpha):
    """S_alpha of a matrix of trace 1, bits, in extended precision."""
    values = np.maximum(np.linalg.eigvalsh(matrix), 0.0).astype(np.longdouble)
    values = values[values > 0] / values.sum()
    if alpha == 1:
        return float(-(values * np.log2(values)).sum())
    return float(np.log2((values ** np.longdouble(alpha)).sum()) / (1 - np.longdouble(alpha)))


def power_trace(matrix, alpha):
    """tr A^alpha, at alpha 1 tr A ln A."""
    values = np.maximum(np.linalg.eigvalsh(matrix), 0.0).astype(np.longdouble)
    values = values[values > 0]
    return float((values * np.log(values)).sum() if alpha == 1 else (values**alpha).sum())


def gain(matrix, same, alpha):
    """F by its definition: from the traces of powers of A and of its class blocks."""
    difference = power_trace(matrix, alpha) - power_trace(matrix * same, alpha)
    return difference if alpha == 1 else difference / (alpha - 1)


def trial(rng):
    """Return A_k, R and which rows share a class; the trace of A_k + R is 1."""
    n, classes = int(rng.integers(2, 25)), int(rng.integers(1, 5))
    codes = rng.integers(0, classes, n)
    share = 1 - 10 ** rng.uniform(-12, 0) if rng.random() < 0.8 else rng.uniform(0, 1)
    parts = []
    for _ in range(2):
        rank = int(rng.integers(1, n + 1))
        factor = rng.normal(size=(n, rank)) * 10 ** rng.uniform(-3, 0, rank)
        if rng.random() < 0.3:  # the same for all classes: where H(y | Z) is largest
            factor[:] = factor[0]
        if rng.random() < 0.2:  # classes apart: where it is 0
            factor = np.eye(n)[:, codes % n]
        gram = factor @ factor.T
        parts.append(gram / np.trace(gram))
    return parts[0] * share, parts[1] * (1 - share), codes[:, None] == codes[None, :], codes


@pytest.mark.parametrize("alpha", [*ALPHAS, 3.0, 8.0])
def test_entropy_bounds_contain_the_truth(alpha):
    rng = np.random.default_rng(1)
    for _ in range(TRIALS):
        known, rest, _, _ = trial(rng)
        values = np.linalg.eigvalsh(known)
        found = entropy_bounds(values, len(known), float(np.trace(rest)), alpha, 0.0)
        truth = entropy(known + rest, alpha)
        assert found.lower - SLACK <= truth <= found.upper + SLACK
        assert found.lower <= found.value <= found.upper
        assert found.solver == "low-rank"


@pytest.mark.parametrize("alpha", [*ALPHAS, 3.0])
def test_entropy_bounds_are_attained(alpha):
    """The residual on the largest eigenvalue, and poured over the smallest ones."""
    rng = np.random.default_rng(2)
    for size, rank in [(5, 5), (9, 3), (40, 7)]:
        values = rng.uniform(0.1, 1.0, rank)
        values *= 0.9 / values.sum()
        found = entropy_bounds(values, size, 0.1, alpha, 0.0)
        top = np.sort(np.concatenate((values, np.zeros(size - rank))))
        top[-1] += 0.1
        assert found.lower == pytest.approx(entropy(np.diag(top), alpha), abs=1e-10)
        low, high = 0.0, 1.0  # the water level, by bisection
        spread = np.concatenate((values, np.zeros(size - rank)))
        for _ in range(100):
            level = (low + high) / 2
            taken = np.maximum(level - spread, 0.0).sum()
            low, high = (level, high) if taken < 0.1 else (low, level)
        poured = np.diag(np.maximum(spread, level))
        assert found.upper == pytest.approx(entropy(poured, alpha), abs=1e-10)


@pytest.mark.parametrize("alpha", [*ALPHAS, 3.0])
def test_without_a_residual_the_entropy_is_known(alpha):
    values = np.array([0.5, 0.3, 0.2, 0.0, -1e-18])
    found = entropy_bounds(values, 5, 0.0, alpha, 0.0)
    truth = entropy(np.diag([0.5, 0.3, 0.2]), alpha)
    assert found.value == pytest.approx(truth, abs=1e-14)
    assert found.lower <= truth + 1e-15
    assert found.upper >= truth - 1e-15
    assert found.error < 1e-12


def test_a_larger_residual_bounds_more_loosely():
    values = np.array([0.6, 0.2, 0.1])
    errors = [entropy_bounds(values, 30, r, 1.01, 0.0).error for r in (0.0, 1e-6, 1e-3, 0.1)]
    assert errors == sorted(errors)
    wide = entropy_bounds(values, 30, 0.1, 1.01, 1e-6)
    assert wide.error > errors[-1]  # kernel values that are off widen it


@pytest.mark.parametrize("alpha", ALPHAS)
def test_gain_bounds_contain_the_truth(alpha):
    rng = np.random.default_rng(3)
    widths = []
    for _ in range(TRIALS):
        known, rest, same, codes = trial(rng)
        own = gain(known, same, alpha)
        classes = len(set(codes.tolist()))
        found = gain_bounds(own, float(np.trace(rest)), classes, alpha)
        truth = gain(known + rest, same, alpha)
        assert found.lower - SLACK <= truth <= found.upper + SLACK
        assert found.lower >= 0
        widths.append(found.upper - found.lower)
    assert min(widths) < 1e-9  # a small residual leaves little open


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("classes", [1, 2, 5])
def test_gain_bounds_at_the_ends(alpha, classes):
    none = gain_bounds(0.25, 0.0, classes, alpha)
    assert none == (0.25, 0.25)
    # nothing known: F is largest for the Gram of ones, classes equally large
    ones = np.full((4 * classes, 4 * classes), 1.0 / (4 * classes))
    codes = np.repeat(np.arange(classes), 4)
    same = codes[:, None] == codes[None, :]
    everything = gain_bounds(0.0, 1.0, classes, alpha)
    assert everything.lower == 0.0
    assert everything.upper == pytest.approx(gain(ones, same, alpha), abs=1e-12)
    assert gain_bounds(0.0, 1.7, classes, alpha) == everything  # a trace above 1 is rounding


def test_gain_bounds_are_continuous_in_the_order():
    for r in (1e-9, 1e-3, 0.2, 0.9):
        at, near = (gain_bounds(0.3, r, 3, alpha) for alpha in (1.0, 1.0 + 1e-7))
        assert at == pytest.approx(near, abs=1e-5)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_conditional_from_gain_is_the_chain_rule(alpha):
    rng = np.random.default_rng(4)
    for _ in range(TRIALS):
        known, rest, same, _ = trial(rng)
        matrix = known + rest
        joint = entropy(matrix * same, alpha)
        truth = joint - entropy(matrix, alpha)
        found = conditional_from_gain(gain(matrix, same, alpha), joint, alpha)
        assert found == pytest.approx(truth, abs=2e-11)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_both_bounds_together_contain_the_conditional_entropy(alpha):
    """It rises with F and with S(P A), so bounds of these bound it."""
    rng = np.random.default_rng(5)
    for _ in range(TRIALS):
        known, rest, same, codes = trial(rng)
        r = float(np.trace(rest))
        by_class = np.linalg.eigvalsh(known * same)
        joint = entropy_bounds(by_class, len(known), r, alpha, 0.0)
        own = gain_of(np.linalg.eigvalsh(known), by_class, alpha)
        bound = gain_bounds(own, r, len(set(codes.tolist())), alpha)
        matrix = known + rest
        truth = entropy(matrix * same, alpha) - entropy(matrix, alpha)
        lower = conditional_from_gain(bound.lower, joint.lower, alpha)
        upper = conditional_from_gain(bound.upper, joint.upper, alpha)
        assert lower - 1e-11 <= truth <= upper + 1e-11


@pytest.mark.parametrize("alpha", ALPHAS)
def test_gain_of_spectra(alpha):
    rng = np.random.default_rng(6)
    for _ in range(20):
        known, _, same, _ = trial(rng)
        found = gain_of(np.linalg.eigvalsh(known), np.linalg.eigvalsh(known * same), alpha)
        assert found == pytest.approx(gain(known, same, alpha), abs=1e-12)


def test_tsallis_sums():
    values = np.array([0.5, 0.25, 0.0, -1e-17, 0.25])
    assert tsallis(values, 2.0) == pytest.approx(0.25 + 2 / 16 - 1)
    assert tsallis(values, 3.0) == pytest.approx((1 / 8 + 2 / 64 - 1) / 2)
    assert tsallis(values, 1.0) == pytest.approx(0.5 * math.log(0.5) + 0.5 * math.log(0.25))
    assert tsallis(values, 1 + 1e-9) == pytest.approx(tsallis(values, 1.0), abs=1e-7)
