"""Plug-in entropies against sums over cells written out."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from renyi.shannon import (
    conditional_mutual_information,
    entropy,
    joint_codes,
    levels,
    mutual_information,
)

rows = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=40
)


def columns(table):
    return [np.array(column, dtype=np.int64) for column in zip(*table, strict=True)]


def plain_entropy(values):
    n = len(values)
    return -math.fsum(c / n * math.log2(c / n) for c in Counter(values).values())


def plain_cmi(table):
    """Sum over cells of p(x, y, z) log2 p(z) p(x, y, z) / (p(x, z) p(y, z))."""
    n = len(table)
    xyz, xz = Counter(table), Counter((x, z) for x, _, z in table)
    yz, z_only = Counter((y, z) for _, y, z in table), Counter(z for _, _, z in table)
    return math.fsum(
        c / n * math.log2(z_only[z] * c / (xz[x, z] * yz[y, z])) for (x, y, z), c in xyz.items()
    )


@given(rows)
@settings(derandomize=True, max_examples=60, deadline=None)
def test_entropies_are_the_sums_over_cells(table):
    x, y, z = columns(table)
    assert entropy(x) == pytest.approx(plain_entropy([a for a, _, _ in table]), abs=1e-13)
    assert entropy(joint_codes(x, y, z)) == pytest.approx(plain_entropy(table), abs=1e-13)
    assert conditional_mutual_information(x, y, z) == pytest.approx(plain_cmi(table), abs=1e-13)
    plain_mi = plain_cmi([(a, b, 0) for a, b, _ in table])
    assert mutual_information(x, y) == pytest.approx(plain_mi, abs=1e-13)
    assert conditional_mutual_information(x, y, None) == mutual_information(x, y)


@given(rows)
@settings(derandomize=True, max_examples=60, deadline=None)
def test_joint_codes_are_packed_and_tell_rows_apart(table):
    joint = joint_codes(*columns(table))
    in_order = {row: code for code, row in enumerate(sorted(set(table)))}
    assert joint.tolist() == [in_order[row] for row in table]
    assert levels(joint) == len(in_order)


def test_level_names_do_not_change_a_bit():
    rng = np.random.default_rng(0)
    x = rng.integers(0, 7, size=101)
    names = rng.permutation(7)
    assert entropy(names[x]) == entropy(x)


def test_codes_far_apart_are_packed_too():
    far = np.array([10**15, 3, 10**15, 0])
    assert joint_codes(far).tolist() == [2, 1, 2, 0]


def test_many_variables_do_not_overflow():
    rng = np.random.default_rng(4)
    parts = [rng.integers(0, 50, size=60) for _ in range(20)]
    assert levels(joint_codes(*parts)) == 60


def test_exclusive_or_is_known_only_jointly():
    x = np.array([0, 0, 1, 1])
    z = np.array([0, 1, 0, 1])
    assert mutual_information(x, x ^ z) == 0.0
    assert conditional_mutual_information(x, x ^ z, z) == 1.0


def test_levels_counts_those_that_occur():
    assert levels(np.array([0, 4, 4])) == 2


def test_no_rows_stay_no_rows():
    assert joint_codes(np.array([], dtype=np.int64)).tolist() == []
