"""The best candidate and its runner-up."""

import pytest

from renyi.racing import TIE_BITS, best_two


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0.3], (0, None)),
        ([0.1, 0.3, 0.2], (1, 2)),
        ([0.3, 0.3], (0, 1)),
        ([0.3, 0.3 + 0.9 * TIE_BITS], (0, 1)),
        ([0.3, 0.3 + 1.1 * TIE_BITS], (1, 0)),
        ([-0.5, -0.2, -0.2], (1, 2)),
        ([0.1, 0.5, 0.1 + TIE_BITS / 2], (1, 0)),
    ],
)
def test_ties_go_to_the_lowest_column(values, expected):
    assert best_two(values) == expected
