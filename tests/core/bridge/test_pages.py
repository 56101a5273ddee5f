"""Pages of results, written for a caller."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import renyi
from renyi import bridge

TABLE = pa.table(
    {"a": [0.5, 1.5, 2.5, 9.0] * 5, "b": [1.0, 2.0, 3.0] * 6 + [1.0, 1.0], "y": ["p", "q"] * 10}
)


@pytest.fixture
def result() -> dict[str, str]:
    return {"json": renyi.select(TABLE, alpha=2, max_features=1).to_json()}


def test_the_page_is_that_of_python(result: dict[str, str], lender: Any, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    reply = bridge.report(result, str(file), lender.table(TABLE))
    assert reply["value"] == {"file": str(file)}
    assert reply["warnings"] == []
    path = renyi.SelectionPath.from_json(result["json"])
    assert file.read_text(encoding="utf-8") == renyi.report(path, data=TABLE).html


def test_without_the_table_a_warning_says_so(result: dict[str, str], tmp_path: Path) -> None:
    reply = bridge.report(result, str(tmp_path / "page.html"))
    assert [note["code"] for note in reply["warnings"]] == ["no_pictures"]
    assert bridge.report(result, str(tmp_path / "bare.html"), None, True)["warnings"] == []


def test_results_have_names_of_their_own(result: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    both = [result, result]
    assert bridge.report(both, str(file), None, True, False, ["one", "a <b>"])["ok"]
    assert "a &lt;b&gt;" in file.read_text(encoding="utf-8")
    for names in (["one"], ["one", "one"], [1, 2], {"one": 1}):
        error = bridge.report(both, str(file), None, True, True, names)["error"]
        assert error["message"] == "`names` must hold one text a result, each its own."


def test_what_is_no_page_or_result_is_told(result: dict[str, str], tmp_path: Path) -> None:
    assert bridge.report(result, 3)["error"]["code"] == "usage"
    assert bridge.report(result, str(tmp_path / "page.txt"))["error"]["code"] == "option"
    assert bridge.report([], str(tmp_path / "page.html"))["error"]["code"] == "usage"
    assert bridge.report({"json": "{}"}, str(tmp_path / "page.html"))["error"]["code"] == "read"
    assert not list(tmp_path.iterdir())
