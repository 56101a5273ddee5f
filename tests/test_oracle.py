"""The oracle itself, held to published numbers, hand computations and golden values."""

import math

import numpy as np
import pytest

import oracle
from reference import entry_name, golden, golden_table, needs_reference

CHECKED = {"heart": (0.6, 1.0, 2.0), "titanic": (1.01, 3.0), "diabetes_reg": (1.01,)}
"""Orders by data set: the oracle is slow."""

ENTRIES = [entry for entry in golden() if entry["alpha"] in CHECKED.get(entry["dataset"], ())]


def grams(entry):
    table = golden_table(entry)
    features = [
        oracle.delta(table[name].to_list())
        if name in entry["nominal"]
        else oracle.gaussian(oracle.zscore(table[name].to_numpy()), entry["sigma"])
        for name in entry["columns"]
    ]
    target = table[entry["target"]]
    label = {
        "delta": lambda: oracle.delta(target.to_list()),
        "onehot": lambda: oracle.onehot(oracle.levels_of(target.to_list())),
        "gaussian": lambda: oracle.gaussian(oracle.zscore(target.to_numpy()), entry["sigma"]),
    }[entry["label_kernel"]]()
    return features, label


@needs_reference
@pytest.mark.parametrize("entry", ENTRIES, ids=entry_name)
def test_golden_entries(entry):
    features, label = grams(entry)
    close = 1e-9 if entry["alpha"] >= 1 else 2e-7
    assert oracle.entropy(label, entry["alpha"]) == pytest.approx(
        entry["entropy_target"], abs=close
    )
    names = entry["columns"]
    path = oracle.greedy(features, label, entry["alpha"], 2)
    for step, golden_step in zip(path, entry["path"], strict=False):
        assert names[step.index] == golden_step["column"]
        assert step.mi == pytest.approx(golden_step["mi"], abs=close)
        assert step.cmi == pytest.approx(golden_step["cmi"], abs=close)


def test_equal_rows_have_no_entropy_and_rows_apart_have_all():
    assert oracle.entropy(np.ones((8, 8)), 2) == pytest.approx(0, abs=1e-12)
    assert oracle.entropy(np.eye(8), 0.7) == pytest.approx(3)
    assert oracle.entropy(np.eye(8), 1) == pytest.approx(3)


@pytest.mark.parametrize("alpha", [0.5, 1, 1.01, 2, 5])
def test_delta_kernels_are_counts(alpha):
    codes = np.repeat([0, 1, 2], [1, 5, 2])
    found = oracle.entropy(oracle.delta(codes), alpha)
    # Below 1, eigenvalues of 1e-17 that should be zeros are raised to a small power.
    close = 1e-7 if alpha < 1 else 1e-12
    assert found == pytest.approx(oracle.counts_entropy([1, 5, 2], alpha), abs=close)


def test_mutual_information_of_order_two_can_be_negative():
    """Counts 9, 5, 5, 1: I_2 = log2(20^2 (81 + 25 + 25 + 1) / (14^2 + 6^2)^2) = -0.0277 bits."""
    x = np.repeat([0, 0, 1, 1], [9, 5, 5, 1])
    y = np.repeat([0, 1, 0, 1], [9, 5, 5, 1])
    found = oracle.mutual_information([oracle.delta(x)], [oracle.delta(y)], 2)
    assert found == pytest.approx(math.log2(400 * 132 / 232**2), abs=1e-12)
    assert round(found, 4) == -0.0277


def test_a_two_point_gram_by_hand():
    """Eigenvalues (1 + k) / 2 and (1 - k) / 2."""
    k = math.exp(-0.5 * 3.0**2 / 1.5**2)
    shares = [(1 + k) / 2, (1 - k) / 2]
    gram = oracle.gaussian([1.0, 4.0], 1.5)
    assert oracle.entropy(gram, 3) == pytest.approx(-0.5 * math.log2(sum(p**3 for p in shares)))


def test_onehot_is_a_soft_delta():
    gram = oracle.onehot([0, 1, 1, 2], sigma=2.0)
    assert gram[1, 2] == 1
    assert gram[0, 1] == gram[1, 3] == pytest.approx(math.exp(-1 / 4))


def test_a_shuffled_gram_is_that_of_the_shuffled_column():
    column = np.array([1.0, 5.0, 2.0, 9.0])
    order = np.array([2, 0, 3, 1])
    expected = oracle.gaussian(column[order], 1.0)
    assert np.array_equal(oracle.shuffled(oracle.gaussian(column, 1.0), order), expected)


def test_plugin_information_of_an_exclusive_or():
    x, z = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    assert oracle.plugin_cmi(x, x ^ z, []) == 0
    assert oracle.plugin_cmi(x, x ^ z, [z]) == 1


def test_chi2_quantile_from_a_table():
    """3.841 for one degree of freedom, 5.991 for two, at the level 0.95."""
    codes = [np.array([0, 0, 1, 1, 0, 1]), np.array([0, 1, 0, 1, 1, 0])]
    label = np.array([0, 0, 1, 1, 1, 0])
    assert oracle.chi2_test(codes, label, [0], 0.95)[1] == pytest.approx(3.841, abs=5e-4)
    assert oracle.chi2_test(codes, label, [0, 1], 0.95)[1] == pytest.approx(5.991, abs=5e-4)
