"""Equal kernel matrices are found, and no others."""

from itertools import combinations

import numpy as np
import pytest

from renyi.kernels import KernelProduct, build_part, equal_kernels
from renyi.variables import Variable

N = 60
RNG = np.random.default_rng(4)
X = RNG.normal(size=N)
CODES = RNG.integers(0, 3, size=N)
BINARY = RNG.integers(0, 2, size=N)
LETTERS = tuple("abcd")


def part(variable, scale="zscore", bandwidth=2.0):
    return build_part(variable, scale=scale, bandwidth=bandwidth)


def continuous(values, **given):
    return part(Variable.continuous("x", values), **given)


def nominal(codes, levels=LETTERS):
    return part(Variable.nominal("x", codes, levels))


def truth(parts):
    """Pairs whose whole Gram matrices agree."""
    grams = [KernelProduct.of(N, [part]).dense() for part in parts]
    return {
        (i, j)
        for i, j in combinations(range(len(parts)), 2)
        if np.abs(grams[i] - grams[j]).max() < 1e-8
    }


def found(parts):
    return {pair for group in equal_kernels(parts) for pair in combinations(group, 2)}


@pytest.mark.parametrize("scale", ["zscore", "minmax", "rank", "none", "bins:5"])
def test_the_groups_are_those_of_equal_matrices(scale):
    values = [X, 32 + 1.8 * X, -X, X**3, np.exp(X), X + 1e-4 * RNG.normal(size=N), X + 7, BINARY]
    parts = [continuous(column, scale=scale) for column in values]
    parts += [
        part(Variable.ordinal("x", CODES, LETTERS), scale),
        continuous(CODES, scale=scale),
        continuous(2 - CODES, scale=scale),
        nominal(CODES),
        nominal(2 - CODES),
        nominal((CODES + 1) % 3),
        nominal(CODES % 2),
        nominal(BINARY),
        nominal(1 - BINARY),
    ]
    assert found(parts) == truth(parts)
    assert (0, 1) in found(parts) or scale == "none"
    assert {(11, 12), (11, 13), (15, 16)} <= found(parts)


def test_another_width_is_another_kernel():
    assert equal_kernels([continuous(X), continuous(X, bandwidth=1.0)]) == ()


def test_a_change_of_unit_far_from_zero_is_a_copy_and_single_precision_is_not():
    far = 1e6 + X
    parts = [continuous(far), continuous(far.astype(np.float32)), continuous(far * 1.8 + 32)]
    assert equal_kernels(parts) == ((0, 2),)


def test_the_lowest_number_comes_first_whatever_the_order():
    parts = [continuous(RNG.normal(size=N)), nominal(CODES), continuous(-X), continuous(X)]
    parts += [nominal(2 - CODES), continuous(X * 3)]
    assert equal_kernels(parts) == ((1, 4), (2, 3, 5))
    assert equal_kernels([]) == ()
