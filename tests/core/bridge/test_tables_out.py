"""What comes back as Arrow, and results that are used again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

import renyi
from renyi import bridge

ORDERED = pa.DictionaryArray.from_arrays(
    pa.array([0, 1, None, 1] * 5, pa.int32()), pa.array(["b", "a"], pa.large_string()), ordered=True
)
TABLE = pa.table(
    {
        "level": ORDERED,
        "idle": pa.array([1] * 20, pa.int8()),
        "number": pa.array([0.5, None, float("nan"), 2.0] * 5),
        "text": pa.array(["é", "", None, "x"] * 5, pa.large_string()),
        "y": pa.array([True, False] * 10),
    }
)


def selected(*names: str) -> str:
    """The JSON of a result that selected some columns of the table, in that order."""
    values = {name: [float(i * i % (7 + k)) for i in range(20)] for k, name in enumerate(names)}
    path = renyi.select(values | {"y": [True, False] * 10}, keep=names, criterion="none", alpha=2)
    assert path.selected == names
    return path.to_json()


def test_steps_come_as_a_table(lender: Any, out: Any) -> None:
    options = {"alpha": 2, "missing": "drop", "criterion": ["mi-chi2", "cmi-perm"]}
    table = pa.table(
        {"a": [0.5, 1.5, 2.5, 9.0] * 5, "b": [1.0, 2.0, 3.0] * 6 + [1.0, 1.0], "y": ["p", "q"] * 10}
    )
    value = bridge.select(lender.table(table), options, None, None, out.places)["value"]
    steps = out.take()
    expected = renyi.SelectionPath.from_json(value["json"]).to_polars()
    assert pl.DataFrame(pa.table(steps)).equals(expected)
    assert steps.schema.field("feature").type == pa.large_string()
    assert set(map(str, steps.schema.types)) == {"int64", "double", "bool", "large_string"}


def test_a_comparison_comes_as_a_table(lender: Any, out: Any) -> None:
    table = {"a": [0.5, 1.5, 2.5, 9.0] * 5, "b": [1.0, 2.0] * 10, "y": ["p", "q"] * 10}
    options: dict[str, Any] = {"alpha": 2, "criterion": ["mi-chi2", "cmi-heuristic"], "runs": 4}
    assert bridge.compare(lender.table(table), options, None, None, out.places)["ok"]
    assert pl.DataFrame(pa.table(out.take())).equals(renyi.compare(table, **options).to_polars())


def test_columns_come_as_a_table(lender: Any, out: Any) -> None:
    options = {"alpha": 2, "missing": "drop"}
    assert bridge.describe(lender.table(TABLE), options, None, out.places)["ok"]
    expected = renyi.describe(TABLE, **options).to_polars()
    assert pl.DataFrame(pa.table(out.take())).equals(expected)


def test_nothing_is_exported_with_an_error(lender: Any, out: Any) -> None:
    text = {"json": selected("number")}
    replies = [
        bridge.select(lender.table(TABLE), {"target": "nothing"}, None, None, out.places),
        bridge.describe(lender.table(TABLE), {"target": "nothing"}, None, out.places),
        bridge.read_result("nothing.json", out.places),
        bridge.apply(text, lender.table(TABLE.drop_columns("number")), None, out.places),
    ]
    assert [reply["error"]["code"] for reply in replies] == ["column", "column", "read", "column"]
    assert not out.filled
    assert lender.nothing_is_held


def test_a_saved_result_is_read_again(tmp_path: Path, out: Any) -> None:
    text = selected("text", "number")
    file = tmp_path / "path.json"
    file.write_text(text, encoding="utf-8")
    for given in (str(file), {"path": str(file)}, {"json": text}):
        reply = bridge.read_result(given, out.places)
        assert reply["value"]["json"] == text
        assert out.take().column("feature").to_pylist() == ["text", "number"]
    assert bridge.read_result({"json": "{}"})["error"]["code"] == "read"
    for wrong in (None, 3, {}, {"json": text, "file": "x"}):
        assert "`result` must be" in bridge.read_result(wrong)["error"]["message"]


def test_selected_columns_keep_their_types(lender: Any, out: Any) -> None:
    result = {"json": selected("text", "level", "number")}
    reply = bridge.apply(result, lender.table(TABLE), None, out.places)
    assert reply["value"] == {"columns": ["text", "level", "number", "y"], "file": None}
    found = out.take()
    assert found.schema == TABLE.select(["text", "level", "number", "y"]).schema
    assert found.schema.field("level").type.ordered
    for name in ("text", "level", "y"):
        assert found.column(name).to_pylist() == TABLE.column(name).to_pylist()
    number = found.column("number")  # null and NaN are two things
    assert number.null_count == 5
    assert number.is_null(nan_is_null=True).true_count == 10


def test_text_of_every_layout_is_large_utf8(lender: Any, out: Any) -> None:
    words = ["é", None, "", "x" * 40]
    kinds = {"narrow": pa.string(), "view": pa.string_view(), "y": pa.large_string()}
    table = pa.table({name: pa.array(words, kind) for name, kind in kinds.items()})
    table = table.replace_schema_metadata({"origin": "here"})
    names = {"json": selected("view", "narrow")}
    assert bridge.apply(names, lender.table(table), None, out.places)["ok"]
    found = out.take()
    assert {field.type for field in found.schema} == {pa.large_string()}
    assert [found.column(name).to_pylist() for name in kinds] == [words] * 3
    assert found.schema.metadata == {b"origin": b"here"}


def test_the_target_may_be_left_out(lender: Any, out: Any) -> None:
    result = {"json": selected("number")}
    new = TABLE.drop_columns("y")
    reply = bridge.apply(result, lender.table(new), None, out.places, False, False)
    assert reply["value"]["columns"] == ["number"]
    assert out.take().schema.names == ["number"]
    assert bridge.apply(result, lender.table(new), None, out.places)["error"]["code"] == "column"


def test_a_table_of_no_rows_goes_through(lender: Any, out: Any) -> None:
    result = {"json": selected("level", "text")}
    assert bridge.apply(result, lender.table(TABLE.slice(0, 0)), None, out.places)["ok"]
    found = out.take()
    assert found.num_rows == 0
    assert found.schema == TABLE.select(["level", "text", "y"]).schema


def test_chunks_become_one_array(lender: Any, out: Any) -> None:
    first = TABLE.set_column(0, "level", pa.array(["x", "y"] * 10).dictionary_encode())
    other = TABLE.set_column(0, "level", pa.array(["z", "x"] * 10).dictionary_encode())
    whole = pa.concat_tables([first, other])
    reply = bridge.apply(
        {"json": selected("level")}, lender.stream(whole.to_reader()), None, out.places
    )
    assert reply["ok"], reply
    assert out.take().column("level").to_pylist() == ["x", "y"] * 10 + ["z", "x"] * 10


@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_files_give_their_columns_too(tmp_path: Path, out: Any, suffix: str) -> None:
    source = tmp_path / f"table{suffix}"
    frame = pl.DataFrame({"a": [1, 2], "b": [0.5, None], "c": ["u", "v"], "y": [True, False]})
    write = frame.write_parquet if suffix == ".parquet" else frame.write_csv
    write(source)
    result = {"json": selected("c", "b")}
    reply = bridge.apply(result, str(source), None, out.places)
    assert reply["value"]["columns"] == ["c", "b", "y"]
    assert pl.DataFrame(pa.table(out.take())).equals(frame.select("c", "b", "y"))

    output = tmp_path / "out.parquet"
    reply = bridge.apply(result, {"path": str(source)}, str(output), None, False, False)
    assert reply["value"] == {"columns": ["c", "b"], "file": str(output.resolve())}
    assert pa.parquet.read_table(output).column_names == ["c", "b"]
    again = bridge.apply(result, str(source), str(output))
    assert again["error"]["code"] == "output"
    assert bridge.apply(result, str(source), str(output), force=True)["ok"]
    assert pa.parquet.read_table(output).column_names == ["c", "b", "y"]


def test_where_to_is_said_once(lender: Any, out: Any, tmp_path: Path) -> None:
    result, file = {"json": selected("number")}, str(tmp_path / "out.csv")
    for given in ((None, None), (file, out.places)):
        reply = bridge.apply(result, lender.table(TABLE), *given)
        assert "One of `output` and `out`" in reply["error"]["message"]
    reply = bridge.apply(result, lender.table(TABLE), file)
    assert reply["error"]["code"] == "usage"
    assert "`data` must be files" in reply["error"]["message"]
    assert not out.filled


def test_nothing_selected_is_nothing_to_apply(lender: Any, out: Any) -> None:
    values = {"number": [1.0, 2.0, 3.0, 4.0], "y": ["p", "q", "q", "p"]}
    path = renyi.select(values, target="y", criterion="cmi-perm", alpha=2)
    assert path.selected == ()
    reply = bridge.apply({"json": path.to_json()}, lender.table(TABLE), None, out.places)
    assert reply["error"]["code"] == "usage"
    assert not out.filled


def test_what_came_back_outlives_what_was_lent(lender: Any, out: Any) -> None:
    """The columns handed back share the caller's memory, and hold it as long as they need it."""
    reply = bridge.apply({"json": selected("number")}, lender.table(TABLE), None, out.places)
    assert reply["ok"]
    assert lender.lent == 2
    assert lender.returned == 1  # the schema; the array is on loan until the export is released
    found = out.take()
    assert found.column("number").null_count == 5
    del found
    assert lender.nothing_is_held
