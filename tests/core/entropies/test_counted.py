"""Entropies of many sets of levels counted at once, against counting each by itself."""

import math
from collections import Counter

import numpy as np
import pytest

from renyi.entropies import counted_values
from renyi.kernels import KernelProduct, build_part
from renyi.variables import Variable

N = 150


def part(name, codes):
    levels = tuple(f"l{k}" for k in range(int(codes.max()) + 1))
    return build_part(Variable.nominal(name, codes, levels), scale="zscore", bandwidth=2.0)


def entropy(columns, weights, alpha):
    shares = Counter()
    for row, weight in zip(zip(*columns, strict=True), weights, strict=True):
        shares[row] += weight
    total = math.fsum(shares.values())
    parts = [share / total for share in shares.values()]
    if alpha == 1:
        return -math.fsum(p * math.log2(p) for p in parts)
    return math.log2(math.fsum(p**alpha for p in parts)) / (1 - alpha)


@pytest.mark.parametrize("alpha", [1.0, 1.01, 2.0, 0.6])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("given", [0, 1, 2])
@pytest.mark.parametrize("moved", [False, True])
def test_each_set_as_if_alone(alpha, weighted, given, moved):
    rng = np.random.default_rng(given)
    # few levels, many, one of its own for each row, and one level only
    candidates = [rng.integers(0, k, N) for k in (2, 3, 40, 5)]
    candidates += [rng.permutation(N), np.zeros(N, dtype=np.int64)]
    before = [rng.integers(0, k, N) for k in (3, 30)[:given]]
    y = rng.integers(0, 3, N)
    weights = rng.integers(1, 5, N).astype(float) if weighted else np.ones(N)
    base = KernelProduct.of(N, [part(f"g{k}", codes) for k, codes in enumerate(before)])
    if weighted:
        from dataclasses import replace

        weights *= N / weights.sum()
        base = replace(base, weights=weights)
    order = rng.permutation(N) if moved else None
    parts = [part(f"x{k}", codes) for k, codes in enumerate(candidates)]
    done = []
    features, joint = counted_values(base, part("y", y), parts, alpha, done.append, order)
    assert done[-1] == len(parts)
    for place, codes in enumerate(candidates):
        x = codes if order is None else codes[order]
        assert features[place] == pytest.approx(entropy([x, *before], weights, alpha), abs=1e-12)
        assert joint[place] == pytest.approx(entropy([x, *before, y], weights, alpha), abs=1e-12)


def test_blocks_do_not_matter():
    """More candidates than are counted at once, of mixed numbers of levels."""
    rng = np.random.default_rng(5)
    y = part("y", rng.integers(0, 2, N))
    parts = [part(f"x{k}", rng.integers(0, 2 + k % 60, N)) for k in range(2000)]
    base = KernelProduct.of(N, [part("g", rng.integers(0, 4, N))])
    together = counted_values(base, y, parts, 1.0, lambda _: None)
    for place in (0, 59, 999, 1999):
        alone = counted_values(base, y, [parts[place]], 1.0, lambda _: None)
        for all_, one in zip(together, alone, strict=True):
            assert all_[place] == pytest.approx(one[0], abs=1e-13)
