"""What of a column is left given another: nothing of a copy, all of a stranger, more of a pair."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import renyi

# the numbers behind a figure
from renyi.api.selecting._redundancy import redundancy_of
from renyi.errors import DataError, OptionError, UsageError

N = 300


@pytest.fixture(scope="module")
def table() -> dict[str, object]:
    rng = np.random.default_rng(3)
    y = rng.integers(2, size=N)
    one, other = y + 0.7 * rng.normal(size=N), y + 0.7 * rng.normal(size=N)
    return {
        "one": one,
        "nearly one": one + 0.03 * rng.normal(size=N),
        "other": other,
        "noise": rng.normal(size=N),
        "y": np.where(y, "yes", "no"),
    }


@pytest.fixture(scope="module")
def path(table) -> renyi.SelectionPath:
    return renyi.select(table, target="y", keep=["one", "other"], max_features=2)


def test_the_shares_are_those_of_the_definition(path, table) -> None:
    found = redundancy_of(path, table)
    assert found.given == ("one", "other")
    assert found.features == ("one", "other", "nearly one")  # noise says nothing alone
    left = dict(zip(found.features, found.left, strict=True))
    assert left["one"][0] is None
    assert left["other"][1] is None
    assert left["nearly one"][0] == pytest.approx(0, abs=0.1)
    assert left["nearly one"][1] == pytest.approx(left["one"][1], abs=0.05)
    assert 0.3 < left["other"][0] <= 1.2
    assert found.rows == N


def test_what_is_called_redundant_is_so_in_the_matrix(path, table) -> None:
    found = redundancy_of(path, table)
    (why,) = [why for why in path.unselected if why.feature == "nearly one"]
    assert (why.code, why.given) == ("redundant", ("one",))
    share = found.left[found.features.index("nearly one")][found.given.index("one")]
    assert share is not None
    assert share <= found.little


def test_it_is_asked_of_the_same_table_only(path, table) -> None:
    with pytest.raises(DataError, match="table must be that of the selection"):
        redundancy_of(path, table | {"one": np.arange(N) * 1.0})
    with pytest.raises(DataError, match="table must be that of the selection"):
        redundancy_of(path, {"another": [1.0, 2.0], "y": ["a", "b"]})
    with pytest.raises(UsageError, match="needs the table"):
        redundancy_of(path, None)
    with pytest.raises(OptionError, match="must be redundancy where `data` is given"):
        path.plot(data=table)
    nothing = replace(path, steps=())
    with pytest.raises(UsageError, match="needs a selected column"):
        redundancy_of(nothing, table)


def test_the_target_may_stand_beside_the_table(table) -> None:
    features = {name: values for name, values in table.items() if name != "y"}
    path = renyi.select(features, table["y"], keep=["one"], max_features=1)
    assert redundancy_of(path, features, table["y"]).given == ("one",)
    assert redundancy_of(path, table).given == ("one",)
