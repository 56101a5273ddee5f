"""Units to files and back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from renyi.errors import ReadError
from renyi_paper import OwnUnit, TableUnit, read_unit
from reproduction_units import own_unit, table_unit


@pytest.mark.parametrize("unit", [table_unit(), table_unit(table=2), own_unit()])
def test_a_unit_comes_back_as_it_was(unit: TableUnit | OwnUnit, tmp_path: Path) -> None:
    file = tmp_path / "unit.json"
    file.write_text(json.dumps(unit.to_dict(), allow_nan=False))
    assert read_unit(file) == unit


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"format": 1}',
        '{"format": 99, "kind": "own"}',
        '{"format": 1, "kind": "x"}',
    ],
)
def test_anything_else_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "unit.json"
    file.write_text(text)
    with pytest.raises(ReadError, match=r"unit.json` is no finished unit"):
        read_unit(file)


def test_a_unit_that_lacks_something_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "unit.json"
    for field in set(own_unit().to_dict()) - {"format", "kind"}:
        record = own_unit().to_dict()
        del record[field]
        file.write_text(json.dumps(record))
        with pytest.raises(ReadError):
            read_unit(file)


def test_accuracy_at_a_size() -> None:
    assert table_unit().accuracy_at(4) == (pytest.approx(0.74), 0.03)
