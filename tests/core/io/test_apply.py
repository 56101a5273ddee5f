"""Selected columns of a file, types and values untouched."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from renyi.errors import ColumnError, DataError, OptionError, OutputError, ReadError
from renyi.io import NamedTable, apply_selection, load, read_selection, write_table

TABLE = pa.table(
    {
        "f": pa.array([0.5, None, 2.5], pa.float32()),
        "i": pa.array([1, 2, None], pa.int16()),
        "d": pa.array([Decimal("1.10"), None, Decimal("2.20")], pa.decimal128(8, 2)),
        "t": pa.array([date(2020, 1, 1), None, date(2021, 1, 1)]),
        "l": pa.array([[1], [2, 3], None]),
        "o": pa.DictionaryArray.from_arrays(
            pa.array([1, 0, None], pa.int8()), ["low", "high", "never"], ordered=True
        ),
        "w": pa.array(["a", None, 'q",\n'], pa.large_string()),
        "y": pa.array(["p", "q", "p"]),
    }
).replace_schema_metadata({"renyi.target": "y", "origin": "here"})
ALL = ["w", "o", "f", "i", "d", "t", "l"]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    pq.write_table(TABLE, tmp_path / "in.parquet", row_group_size=2)
    return tmp_path / "in.parquet"


@pytest.mark.parametrize("form", ["parquet", "arrow"])
@pytest.mark.parametrize("to", ["parquet", "arrow", "feather"])
def test_arrow_types_go_through_untouched(tmp_path: Path, form: str, to: str) -> None:
    inside = tmp_path / f"in.{form}"
    if form == "parquet":
        pq.write_table(TABLE, inside, row_group_size=2)
    else:
        with pa.ipc.new_file(str(inside), TABLE.schema) as writer:
            writer.write_table(TABLE, max_chunksize=2)
    output = apply_selection(ALL, inside, tmp_path / f"out.{to}", targets=["y"])
    if to == "parquet":
        written = pq.ParquetFile(output).read()
    else:
        written = pa.ipc.open_file(str(output)).read_all()
    expected = TABLE.select([*ALL, "y"])
    assert written.schema.names == [*ALL, "y"]
    for field in expected.schema:
        kind = written.schema.field(field.name).type
        if isinstance(field.type, pa.DictionaryType):
            assert kind.ordered
            continue
        assert kind == field.type
    assert written.to_pylist() == expected.to_pylist()
    assert written.schema.metadata[b"renyi.target"] == b"y"
    assert written.schema.metadata[b"origin"] == b"here"


def test_the_target_may_stay_behind(source: Path, tmp_path: Path) -> None:
    output = apply_selection(["f"], source, tmp_path / "out.parquet")
    schema = pq.read_schema(output)
    assert schema.names == ["f"]
    assert b"renyi.target" not in schema.metadata
    assert schema.metadata[b"origin"] == b"here"


def test_a_column_named_twice_is_written_once(source: Path, tmp_path: Path) -> None:
    output = apply_selection(["f", "y", "f"], source, tmp_path / "out.parquet", targets=["y"])
    assert pq.read_schema(output).names == ["f", "y"]


def test_csv_fields_stay_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text('a,b,c\n007,1.10,"x,""y"\n,NA,z\n1e5,-0,"two\nlines"\n')
    output = apply_selection(["c", "a"], tmp_path / "in.csv", tmp_path / "out.csv", targets=["b"])
    assert output.read_text() == ('c,a,b\n"x,""y",007,1.10\nz,,NA\n"two\nlines",1e5,-0\n')
    tabs = apply_selection(["a", "b"], tmp_path / "in.csv", tmp_path / "out.tsv")
    assert tabs.read_text() == "a\tb\n007\t1.10\n\tNA\n1e5\t-0\n"


@pytest.mark.parametrize("to", ["parquet", "arrow", "ndjson"])
def test_csv_gets_types_where_the_output_has_some(tmp_path: Path, to: str) -> None:
    (tmp_path / "in.csv").write_text("n,d,w\n1,2020-01-01,a\n2,2020-01-02,b\n")
    output = apply_selection(["w", "n", "d"], tmp_path / "in.csv", tmp_path / f"out.{to}")
    frame = {
        "parquet": pl.read_parquet,
        "arrow": pl.read_ipc,
        "ndjson": pl.read_ndjson,
    }[to](output)
    assert frame.schema["n"] == pl.Int64
    assert frame["w"].to_list() == ["a", "b"]
    if to != "ndjson":
        assert frame["d"].to_list() == [date(2020, 1, 1), date(2020, 1, 2)]


def test_ndjson_in_and_out(tmp_path: Path) -> None:
    lines = '{"a": 1, "b": {"c": 2}, "w": "2020-01-01"}\n{"a": null, "b": null, "w": "x"}\n'
    (tmp_path / "in.ndjson").write_text(lines)
    output = apply_selection(["w", "a", "b"], tmp_path / "in.ndjson", tmp_path / "out.jsonl")
    assert pl.read_ndjson(output).to_dicts() == [
        {"w": "2020-01-01", "a": 1, "b": {"c": 2}},
        {"w": "x", "a": None, "b": None},
    ]


def test_parquet_to_text(source: Path, tmp_path: Path) -> None:
    output = apply_selection(["o", "f", "t", "w"], source, tmp_path / "out.csv")
    assert output.read_text() == (
        'o,f,t,w\nhigh,0.5,2020-01-01,a\nlow,,,\n,2.5,2021-01-01,"q"",\n"\n'
    )


def test_nested_columns_are_no_csv(source: Path, tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="cannot be written as text"):
        apply_selection(["l"], source, tmp_path / "out.csv")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["in.parquet"]


def test_many_row_groups_and_parts(tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": range(1000), "b": [str(k % 7) for k in range(1000)]})
    frame = frame.with_columns(pl.col("b").cast(pl.Categorical))
    frame[:400].write_parquet(tmp_path / "1.parquet", row_group_size=100)
    frame[400:].write_parquet(tmp_path / "2.parquet", row_group_size=100)
    for to in ("out.parquet", "out.arrow"):
        output = apply_selection(["b"], str(tmp_path / "[12].parquet"), tmp_path / to)
        read = pl.read_parquet if to.endswith("parquet") else pl.read_ipc
        assert read(output)["b"].cast(pl.String).to_list() == frame["b"].to_list()


def test_the_source_is_never_replaced(source: Path) -> None:
    before = source.read_bytes()
    link = source.with_name("link.parquet")
    link.symlink_to(source)
    for text in (source, source.parent, str(source.parent / "*.parquet"), link):
        for output in (source, link):
            with pytest.raises(OptionError, match="`output` must not be the file that is read"):
                apply_selection(["f"], text, output, force=True)
    assert source.read_bytes() == before


@pytest.mark.parametrize("form", ["parquet", "csv", "ndjson"])
def test_columns_that_are_not_there(tmp_path: Path, form: str) -> None:
    inside = tmp_path / f"in.{form}"
    write_table(pl.DataFrame({"age": [1, 2], "sex": ["a", "b"]}), inside)
    with pytest.raises(ColumnError) as caught:
        apply_selection(["age", "sexx"], inside, tmp_path / "out.parquet")
    assert "not so `sexx`. Did you mean `sex`?" in str(caught.value)
    assert not (tmp_path / "out.parquet").exists()


def test_new_rows_without_the_target_are_told_how(source: Path, tmp_path: Path) -> None:
    output = tmp_path / "out.csv"
    with pytest.raises(ColumnError, match=r"must have the target `z`.* `target=False`"):
        apply_selection(["w"], source, output, targets=["z"])
    assert not output.exists()


def test_sources_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="is not there"):
        apply_selection(["a"], tmp_path / "in.parquet", tmp_path / "out.parquet")
    (tmp_path / "in.csv").write_text("a,b\n1,2\n3\n")
    with pytest.raises(ReadError, match="a line of 1 field"):
        apply_selection(["a"], tmp_path / "in.csv", tmp_path / "out.csv")
    (tmp_path / "in.csv").write_text("a,a\n1,2\n")
    with pytest.raises(DataError, match="more than once"):
        apply_selection(["a"], tmp_path / "in.csv", tmp_path / "out.csv")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["in.csv"]


def test_an_empty_table_stays_one(tmp_path: Path) -> None:
    write_table(pl.DataFrame({"a": [1], "b": ["x"]}).clear(), tmp_path / "in.parquet")
    for to, expected in (("out.csv", "b\n"), ("out.ndjson", "")):
        output = apply_selection(["b"], tmp_path / "in.parquet", tmp_path / to)
        assert output.read_text() == expected
    (tmp_path / "in.csv").write_text("a,b\n")
    output = apply_selection(["b"], tmp_path / "in.csv", tmp_path / "copy.csv")
    assert output.read_text() == "b\n"


@pytest.mark.parametrize("to", ["a.parquet", "a.arrow", "a.csv", "a.tsv", "a.ndjson"])
def test_a_table_written_is_the_table(tmp_path: Path, to: str) -> None:
    frame = pl.DataFrame({"x": [0.5, 1.5, 2.5, 3.5], "k": [1, 2, 3, 5], "goal": [*"pqpq"]})
    file = write_table(frame, tmp_path / to, target="k")
    report: Any = load(file).report
    has_metadata = to in {"a.parquet", "a.arrow"}
    assert report.target == ("k" if has_metadata else "goal")
    with pytest.raises(OutputError, match="is there already"):
        write_table(frame, file)
    with pytest.raises(OptionError, match="must end in"):
        write_table(frame, tmp_path / "a.xlsx")


def test_columns_are_read_as_they_are(source: Path) -> None:
    for given in (source, NamedTable("frame", TABLE)):
        found = read_selection(["w", "o", "l"], given)
        assert found.equals(TABLE.select(["w", "o", "l"]))
        assert found.schema.field("o").type.ordered
        with pytest.raises(ColumnError, match="not so `z`"):
            read_selection(["w", "z"], given)
