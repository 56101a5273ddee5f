"""What ranks a cost allows."""

import numpy as np
import pytest

# what it costs decides the way, and shows in no answer
from renyi.bounds._side import _cost, _most_rank


@pytest.mark.parametrize("cuts", [[], [slice(0, 40), slice(40, 100)]])
@pytest.mark.parametrize("most", [0.0, 1.0, 5e3, 1e5, 1e6, 1e9, np.inf])
def test_the_largest_rank_within_a_cost(cuts, most):
    rank = _most_rank(100, cuts, most)
    assert 0 <= rank <= 100
    if rank:
        assert _cost(100, rank, cuts) <= most
    if rank < 100:
        assert _cost(100, rank + 1, cuts) > most
