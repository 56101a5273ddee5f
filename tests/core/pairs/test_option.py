"""The option `pairs`: what is read, and what it does not go with."""

import pytest

from renyi.errors import OptionError
from renyi.options import method_options


@pytest.mark.parametrize("value", ["5%", "5 %", 0.05, "0.05"])
def test_shares_are_read(value):
    assert method_options(pairs=value).pairs == 0.05


def test_all_pairs_are_no_share():
    assert method_options(pairs="100%").pairs is None
    assert method_options(pairs=1).pairs is None


@pytest.mark.parametrize("value", ["x", 0, -0.1, 1.5, "120%", True, "nan"])
def test_what_is_no_share_is_refused(value):
    with pytest.raises(OptionError, match="`pairs` must be a share of all pairs"):
        method_options(pairs=value)


@pytest.mark.parametrize(
    "other",
    [
        {"alpha": 1.01},
        {"solver": "dense"},
        {"score": "jmi", "preset": None, "criteria": ("score-max",)},
        {"rank": "raw"},
        {"search": "backward"},
        {"lookahead": 2},
        {"criteria": ("cmi-perm",)},
        {"bandwidth": "auto"},
    ],
)
def test_what_sums_over_all_pairs_is_refused(other):
    with pytest.raises(OptionError, match="pairs"):
        method_options(other.pop("preset", None), pairs="5%", **other)
