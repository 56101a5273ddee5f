"""What a new user tries first reaches an answer, or is told the one thing that is missing."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from renyi.errors import MissingValuesError, UsageError
from renyi.io import Loaded, load
from renyi.options import DataOptions
from renyi.variables import Kind

RNG = np.random.default_rng(3)
N = 452


def note(loaded: Loaded, code: str) -> Any:
    return next((note for note in loaded.report.notes if note.code == code), None)


@pytest.mark.parametrize(("classes", "rows"), [(26, 400), (12, 50)])
def test_a_target_that_may_be_of_classes_is_said(classes: int, rows: int) -> None:
    y = np.arange(rows) % classes
    frame = pl.DataFrame({"x": RNG.normal(size=rows), "y": y})
    found = load(frame)
    assert found.dataset.target.kind is Kind.CONTINUOUS
    said = note(found, "integer_quantity_target")
    assert f"{classes} distinct whole numbers, taken as a quantity" in said.message
    assert "y=nominal" in said.message
    asked = load(frame, options=DataOptions(kinds=(("y", "nominal"),)))
    assert asked.dataset.target.kind is Kind.NOMINAL
    assert note(asked, "integer_quantity_target") is None
    assert note(load(frame, options=DataOptions(kinds=(("y", "continuous"),))), said.code) is None


def test_a_target_of_many_values_is_a_quantity_without_a_word() -> None:
    frame = pl.DataFrame({"x": RNG.normal(size=400), "y": RNG.permutation(400)})
    assert note(load(frame), "integer_quantity_target") is None


def holes() -> pl.DataFrame:
    """Rows of which 68 are complete, and 420 but for one column."""
    costly = [None if k >= 68 else k / 7 for k in range(N)]
    other = [None if k >= 420 else k / 3 for k in range(N)]
    return pl.DataFrame({"a": other, "j": costly, "x": RNG.normal(size=N), "y": ["p", "q"] * 226})


def test_the_column_that_costs_the_rows_is_named() -> None:
    with pytest.raises(MissingValuesError) as caught:
        load(holes())
    assert "(keeps 68 of 452 rows; 420 rows without `j`: exclude it)" in caught.value.hint
    found = load(holes(), options=DataOptions(missing="drop"))
    assert note(found, "rows_dropped").message.endswith("420 rows without `j`: exclude it.")
    without = load(holes(), options=DataOptions(missing="drop", exclude=("j",)))
    assert without.report.rows_used == 420
    assert "without" not in note(without, "rows_dropped").message


def test_no_column_is_named_where_none_costs_much() -> None:
    frame = pl.DataFrame(
        {
            "a": [None if k < 200 else float(k) for k in range(N)],
            "b": [None if k < 200 else float(-k) for k in range(N)],
            "y": [None if k > 400 else float(k % 7) for k in range(N)],
        }
    )
    with pytest.raises(MissingValuesError) as caught:
        load(frame)
    assert "without" not in caught.value.hint


def test_a_target_without_a_name_beside_a_column_of_its_name() -> None:
    table = pl.DataFrame({"y": RNG.normal(size=40), "x": RNG.normal(size=40)})
    labels = np.array(["a", "b"] * 20)
    assert load(table, labels).report.target == "target"
    taken = table.with_columns(target=pl.Series(RNG.normal(size=40)))
    assert load(taken, labels).report.target == "(target)"
    with pytest.raises(UsageError, match="a name of its own"):
        load(table, pl.Series("x", labels))


def test_structured_arrays_and_rows_as_mappings() -> None:
    rows = [(0.5 * k, "pq"[k % 2], k) for k in range(40)]
    frame = pl.DataFrame(rows, schema=["a", "y", "b"], orient="row")
    expected = load(frame, options=DataOptions(target="y")).report.fingerprint
    array = np.array(rows, dtype=[("a", "f8"), ("y", "U1"), ("b", "i8")])
    mappings = [dict(zip("ayb", row, strict=True)) for row in rows]
    for data in (array, array.view(np.recarray), mappings, tuple(mappings)):
        assert load(data, options=DataOptions(target="y")).report.fingerprint == expected
    del mappings[3]["a"]
    with pytest.raises(MissingValuesError, match=r"`a` \(1\)"):
        load(mappings, options=DataOptions(target="y"))
