"""The bound on H(y | S) where a class's Gram is only just positive definite."""

from __future__ import annotations

import math

import numpy as np
import pytest

import renyi
from renyi.backend import get_backend
from renyi.bounds import conditional_bound
from renyi.entropies import solve
from renyi.kernels import KernelProduct, build_part
from renyi.variables import Variable

BACKEND = get_backend("numpy")
# found by turning the width until a Cholesky factorisation barely passes
FIRST = [
    *(-0.439303310544801, 2.950370618862553, 0.09713341415036728, 2.1093200289575207),
    *(-0.3303353297797456, 5.742591264926906, -0.1051327237713318, 2.02468180114799),
    *(-2.1901963798312636, 4.024123880757421, -0.3356299385339455, 2.3525466911927415),
]
SECOND = [
    *(0.3479059579266027, 0.32904184733365754, -0.019790936820598185, 1.32605513048693),
    *(2.1014289506844084, -0.6073958218912924, -1.920087721324904, -1.0991789246794883),
    *(-0.8243827790348474, -0.14810227413184754, -0.06763699215992872, 1.065465401403132),
]


def test_selection_at_the_edge_is_that_of_the_dense_solver() -> None:
    table = {"x0": FIRST, "x1": SECOND, "y": ["0", "1"] * 6}
    options = {"bandwidth": 1, "bandwidths": {"x1": 5.250535883947077}, "permutations": 99}
    paths = [renyi.select(table, target="y", solver=s, **options) for s in ("auto", "dense")]
    assert paths[0].selected == paths[1].selected
    assert paths[0].verdict == paths[1].verdict


@pytest.mark.parametrize("seed", range(6))
def test_bounds_near_the_edge_are_bounds(seed: int) -> None:
    """Widths around the point where the factorisation starts to fail."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(6, 16))
    values = Variable.continuous("x", rng.normal(size=n))
    label = build_part(
        Variable.nominal("y", rng.integers(0, 2, n), ("p", "q")), scale="zscore", bandwidth=1.0
    )
    finite = 0
    for sigma in np.geomspace(0.05, 5000.0, 120):
        product = KernelProduct.of(n, [build_part(values, scale="zscore", bandwidth=float(sigma))])
        bound = conditional_bound(product, label, 1.01, BACKEND)
        assert bound >= 0
        finite += bound < math.inf
        both = product.times(label)
        truth = solve(both, 1.01, BACKEND, "dense").value
        truth -= solve(product, 1.01, BACKEND, "dense").value
        assert truth <= bound + 1e-9
    assert 0 < finite < 120
