"""What columns leave of each other crosses the bridge as builtins."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl

import renyi
from renyi import bridge


def test_the_matrix_is_that_of_python(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    y = rng.integers(2, size=80)
    table = pl.DataFrame({"a": y + rng.normal(size=80), "b": y - rng.normal(size=80), "y": y})
    file = tmp_path / "t.parquet"
    table.write_parquet(file)
    path = renyi.select(file, target="y", keep=["a", "b"], criterion="none")
    given = {"json": path.to_json()}
    reply = bridge.redundancy(given, str(file))
    assert reply["ok"], reply
    value = json.loads(json.dumps(reply["value"]))
    assert value["given"] == value["features"] == ["a", "b"]
    assert value["left"][0][0] is None
    assert 0 < value["left"][0][1] < 1.3
    table.head(50).write_parquet(file)
    assert bridge.redundancy(given, str(file))["error"]["code"] == "data"
