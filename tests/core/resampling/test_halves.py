"""Complementary halves of the rows."""

from collections import Counter

import numpy as np
import pytest

from renyi.resampling import complementary_halves


@pytest.mark.parametrize("n", [2, 7, 50, 51])
def test_halves_are_disjoint_and_of_one_size(n):
    first, second = complementary_halves(n, 0, 1)
    assert len(first) == len(second) == n // 2
    assert not set(first.tolist()) & set(second.tolist())
    assert set(first.tolist()) | set(second.tolist()) <= set(range(n))
    assert first.tolist() == sorted(first.tolist())


@pytest.mark.parametrize("counts", [(10, 10), (7, 3, 5), (1, 1, 9), (2, 20)])
def test_each_class_is_halved(counts):
    classes = np.repeat(np.arange(len(counts)), counts)
    n = len(classes)
    for pair in range(20):
        first, second = complementary_halves(n, 3, pair, classes)
        assert len(first) == len(second) == n // 2
        assert not set(first.tolist()) & set(second.tolist())
        for level, count in enumerate(counts):
            for half in (first, second):
                assert (classes[half] == level).sum() in (count // 2, count // 2 + count % 2)


def test_a_draw_depends_on_its_number_and_the_seed_alone():
    once = complementary_halves(40, 1, 2)[0].tolist()
    assert complementary_halves(40, 1, 2)[0].tolist() == once
    assert complementary_halves(40, 1, 3)[0].tolist() != once
    assert complementary_halves(40, 2, 2)[0].tolist() != once


@pytest.mark.parametrize("classes", [None, np.array([0, 0, 1, 1, 1, 1, 1])])
def test_every_row_is_in_a_half_equally_often(classes):
    """Where a class has an odd number, the row left over is any of them."""
    draws, n = 4000, 7
    found = Counter()
    for pair in range(draws):
        first, second = complementary_halves(n, 9, pair, classes)
        found.update(first.tolist())
        found.update(second.tolist())
    shares = np.array([found[row] / draws for row in range(n)])
    if classes is None:
        assert shares == pytest.approx(np.full(n, 6 / 7), abs=0.03)
    else:
        assert shares == pytest.approx([1, 1, 0.8, 0.8, 0.8, 0.8, 0.8], abs=0.03)
