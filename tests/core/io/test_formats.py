"""The same table in every format is the same data, and only used columns are read."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from renyi.errors import MissingValuesError
from renyi.io import apply_selection, load, read_frame
from renyi.options import DataOptions
from renyi.variables import ColumnReport

RICH = pl.DataFrame(
    {
        "float": [0.5, -1.25, 1e-9, 3.0, 2.0, 7.5],
        "count": [5, 3, 900, 4, 1, 2],
        "flag": [0, 1, 1, 0, 1, 0],
        "truth": [True, False, True, True, False, False],
        "day": [date(2020, 1, n) for n in (1, 3, 2, 9, 8, 5)],
        "time": [datetime(2020, 1, 1, 0, 0, n, 250_000) for n in (1, 3, 2, 9, 8, 5)],
        "word": ['a,"b', "ü\n", 'a,"b', "x", "x", "x"],
        "y": ["p", "q", "q", "p", "q", "p"],
    }
)


def column(report: Any, name: str) -> ColumnReport:
    return next(item for item in report.columns if item.name == name)


def packed(text: str) -> bytes:
    return bytes(pa.compress(text.encode(), "zstd", asbytes=True))


WRITERS: dict[str, Callable[[pl.DataFrame], bytes]] = {
    **dict.fromkeys(("parquet", "pq"), lambda frame: in_memory(frame.write_parquet)),
    **dict.fromkeys(
        ("arrow", "feather", "ipc"),
        lambda frame: in_memory(frame.write_ipc, compression="zstd"),
    ),
    **dict.fromkeys(("stream.arrow", "arrows"), lambda frame: in_memory(frame.write_ipc_stream)),
    "csv.gz": lambda frame: gzip.compress(frame.write_csv().encode()),
    "csv.zst": lambda frame: packed(frame.write_csv()),
    "ndjson.zst": lambda frame: packed(frame.write_ndjson()),
    "wide.csv": lambda frame: frame.write_csv().encode("utf-16"),
    "western.csv": lambda frame: frame.write_csv().encode("cp1252"),
    "wide.ndjson": lambda frame: frame.write_ndjson().encode("utf-16"),
    "tsv": lambda frame: frame.write_csv(separator="\t").encode(),
    "bar.csv": lambda frame: frame.write_csv(separator="|").encode(),
    "bom.csv": lambda frame: b"\xef\xbb\xbf" + frame.write_csv().encode(),
    "dos.csv": lambda frame: frame.write_csv(line_terminator="\r\n").encode(),
    **dict.fromkeys(("ndjson", "jsonl"), lambda frame: frame.write_ndjson().encode()),
    **dict.fromkeys(("csv", "txt"), lambda frame: frame.write_csv().encode()),
}
"""How each form is written; names that hold more than a suffix are those of tests."""


def in_memory(writer: Callable[..., object], **options: str) -> bytes:
    sink = io.BytesIO()
    writer(sink, **options)
    return sink.getvalue()


def write(frame: pl.DataFrame, path: Path) -> Path:
    path.write_bytes(WRITERS[path.name.split(".", 1)[1]](frame))
    return path


@pytest.mark.parametrize("form", WRITERS)
def test_every_format_gives_the_same_data(tmp_path: Path, form: str) -> None:
    loaded = load(write(RICH, tmp_path / f"rich.{form}"))
    expected = load(RICH)
    assert loaded.report.fingerprint == expected.report.fingerprint
    assert [c.kind for c in loaded.report.columns] == [c.kind for c in expected.report.columns]
    assert loaded.report.source == str(tmp_path / f"rich.{form}")


@pytest.mark.parametrize(
    ("encoding", "words"),
    [("utf-16", "UTF-16"), ("utf-16-be", "UTF-16"), ("cp1252", "Windows-1252"), ("utf-8", "")],
)
@pytest.mark.parametrize("form", ["csv", "ndjson"])
def test_the_encoding_of_text_is_said(tmp_path: Path, encoding: str, words: str, form: str) -> None:
    frame = RICH.select("float", "word", "y").rename({"float": "größe"})
    text = frame.write_csv() if form == "csv" else frame.write_ndjson()
    mark = b"\xfe\xff" if encoding == "utf-16-be" else b""
    path = tmp_path / f"a.{form}"
    path.write_bytes(mark + text.encode(encoding))
    report = load(path).report
    assert report.fingerprint == load(frame).report.fingerprint
    told = [note.message for note in report.notes if note.code == "text_encoding"]
    assert [words in message for message in told] == ([True] if words else [])


def test_letters_that_windows_lacks(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"x,y\n1,a\x81\n2,b\xe9\n3,a\x81\n4,b\xe9\n")
    assert load(path).dataset.target.levels == ("a\x81", "bé")


def test_frame_read_whole_is_the_frame(tmp_path: Path) -> None:
    for form in ("parquet", "csv", "arrow"):
        assert read_frame(write(RICH, tmp_path / f"rich.{form}")).equals(RICH)


def test_columns_that_are_not_used_are_not_read(tmp_path: Path) -> None:
    """Damage in the pages of an unused column goes unseen."""
    path = tmp_path / "a.parquet"
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({"bad": rng.normal(size=2000), "x": rng.normal(size=2000)})
    frame = frame.with_columns(y=pl.Series([0, 1] * 1000))
    frame.write_parquet(path, compression="zstd")
    chunk = pq.ParquetFile(path).metadata.row_group(0).column(0)
    start = chunk.dictionary_page_offset or chunk.data_page_offset
    content = bytearray(path.read_bytes())
    content[start : start + chunk.total_compressed_size] = b"\xff" * chunk.total_compressed_size
    path.write_bytes(bytes(content))
    report = load(path, options=DataOptions(features=("x",))).report
    assert (
        report.fingerprint == load(frame, options=DataOptions(features=("x",))).report.fingerprint
    )
    dropped = column(report, "bad")
    assert (dropped.role, dropped.code, dropped.missing) == ("dropped", "not_asked", None)


def test_unused_csv_columns_have_no_type(tmp_path: Path) -> None:
    path = write(RICH, tmp_path / "a.csv")
    report = load(path, options=DataOptions(features=("float",))).report
    assert column(report, "count").dtype == "not read"
    assert column(report, "float").dtype == "Float64"


def test_parts_are_one_table_in_the_order_of_their_paths(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    RICH[4:].write_parquet(tmp_path / "deep" / "z.parquet")
    RICH[:2].write_parquet(tmp_path / "a.parquet")
    RICH[2:4].select(RICH.columns[::-1]).write_parquet(tmp_path / "b.parquet")
    whole = load(RICH).report.fingerprint
    assert load(tmp_path).report.fingerprint == whole
    assert load(str(tmp_path / "**" / "*.parquet")).report.fingerprint == whole
    assert load(str(tmp_path / "[ab].parquet")).report.rows == 4


def test_parts_of_different_widths_go_together(tmp_path: Path) -> None:
    RICH[:3].with_columns(pl.col("count").cast(pl.Int16)).write_parquet(tmp_path / "1.parquet")
    RICH[3:].write_parquet(tmp_path / "2.parquet")
    assert load(tmp_path).report.fingerprint == load(RICH).report.fingerprint


def test_folders_of_keys_and_values_are_columns(tmp_path: Path) -> None:
    for year, part in ((2019, RICH[:3]), (2020, RICH[3:])):
        folder = tmp_path / f"year={year}" / "place=x"
        folder.mkdir(parents=True)
        part.write_parquet(folder / "part.parquet")
    options = DataOptions(target="y")
    report = load(tmp_path, options=options).report
    assert column(report, "year").kind == "nominal"  # two whole numbers
    assert column(report, "place").code == "constant_column"
    expected = RICH.with_columns(year=pl.Series([2019] * 3 + [2020] * 3))
    assert report.fingerprint == load(expected, options=options).report.fingerprint


def test_a_column_in_the_files_wins_over_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "flag=7"
    folder.mkdir()
    RICH.write_parquet(folder / "part.parquet")
    assert load(tmp_path).report.fingerprint == load(RICH).report.fingerprint


def test_a_literal_name_wins_over_a_pattern(tmp_path: Path) -> None:
    RICH.write_parquet(tmp_path / "a[1].parquet")
    assert load(tmp_path / "a[1].parquet").report.rows == 6


def test_a_pattern_may_find_one_file_of_any_format(tmp_path: Path) -> None:
    RICH.write_csv(tmp_path / "only.csv")
    assert load(str(tmp_path / "on*.csv")).report.rows == 6


def test_ordered_dictionaries_keep_their_order_in_files(tmp_path: Path) -> None:
    levels = ["low", "middle", "high", "never"]
    frame = pd.DataFrame(
        {
            "grade": pd.Categorical(["high", "low", "middle", "low"] * 3, levels, ordered=True),
            "plain": pd.Categorical(["b", "a", "b", "a"] * 3, ["b", "a"]),
            "y": ["p", "q", "p", "q"] * 3,
        }
    )
    table = pa.Table.from_pandas(frame, preserve_index=False)
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=5)
    with pa.ipc.new_file(str(tmp_path / "a.arrow"), table.schema) as writer:
        writer.write_table(table)
    for data in (tmp_path / "a.parquet", tmp_path / "a.arrow", table, frame):
        loaded = load(data)
        grade = loaded.dataset.features[0]
        assert grade.kind == "ordinal"
        assert grade.levels == ("low", "middle", "high")
        assert grade.values[:3, 0].tolist() == [2.0, 0.0, 1.0]
        assert loaded.dataset.features[1].kind == "nominal"
        assert loaded.dataset.features[1].levels == ("a", "b")
        assert [n.columns for n in loaded.report.notes if n.code == "unused_levels"] == [("grade",)]


def test_categories_of_numbers_are_known_from_pandas_metadata(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {"c": pd.Categorical([10, 9, 2, 10, 2, 9]), "x": np.arange(6.0), "y": [*"pqpqpq"]}
    )
    frame.to_parquet(tmp_path / "a.parquet")
    for data in (frame, tmp_path / "a.parquet"):
        feature = load(data).dataset.features[0]
        assert feature.kind == "nominal"
        assert feature.levels == ("2", "9", "10")


def test_polars_enums_are_nominal_in_memory_and_in_files(tmp_path: Path) -> None:
    frame = RICH.with_columns(e=pl.Series(["b", "a", "b"] * 2, dtype=pl.Enum(["c", "b", "a"])))
    frame = frame.select("e", "float", "y")
    frame.write_parquet(tmp_path / "a.parquet")
    for data in (frame, tmp_path / "a.parquet"):
        loaded = load(data)
        assert loaded.dataset.features[0].kind == "nominal"
        assert "unused_levels" in [note.code for note in loaded.report.notes]
        ordinal = load(data, options=DataOptions(kinds=(("e", "ordinal"),))).dataset.features[0]
        assert ordinal.levels == ("b", "a")
        assert ordinal.values[:2, 0].tolist() == [1.0, 2.0]


def test_metadata_names_the_target(tmp_path: Path) -> None:
    table = RICH.to_arrow().replace_schema_metadata({"renyi.target": "flag"})
    pq.write_table(table, tmp_path / "a.parquet")
    for data in (table, tmp_path / "a.parquet"):
        report = load(data).report
        assert report.target == "flag"
        assert "metadata" in report.target_reason


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (pa.decimal128(10, 2), ["1.25", "2.50", "-3.75"]),
        (pa.decimal256(40, 2), ["1.25", "2.50", "-3.75"]),
        (pa.float16(), [1.25, 2.5, -3.75]),
        (pa.float32(), [1.25, 2.5, -3.75]),
    ],
)
def test_numbers_of_any_type_become_float64(kind: pa.DataType, values: list[Any]) -> None:
    numbers = pa.array([float(v) for v in values]).cast(kind)
    table = pa.table({"x": pa.concat_arrays([numbers] * 2), "y": [*"pqqpqp"]})
    (feature,) = load(table).dataset.features
    assert feature.kind == "continuous"
    assert feature.values[:3, 0].tolist() == [1.25, 2.5, -3.75]


def test_dates_of_any_width_count_in_days() -> None:
    for kind in (pa.date32(), pa.date64()):
        days = pa.array([date(1970, 1, 2), date(1970, 1, 11), date(1969, 12, 31)]).cast(kind)
        (feature,) = load(pa.table({"d": days, "y": [*"pqp"]}), options=NOMINAL).dataset.features
        assert feature.values[:, 0].tolist() == [1.0, 10.0, -1.0]


NOMINAL = DataOptions(kinds=(("y", "ordinal"),))


def test_extension_types_are_their_storage() -> None:
    periods = pd.DataFrame({"p": pd.period_range("2020", periods=4, freq="D"), "y": [*"pqpq"]})
    (feature,) = load(periods).dataset.features
    assert np.diff(feature.values[:, 0]).tolist() == [1.0, 1.0, 1.0]


def test_binary_and_nested_columns_of_files_are_left_out(tmp_path: Path) -> None:
    table = pa.table(
        {
            "b": pa.array([b"a", b"b", b"a", b"c"]),
            "l": [[1], [2], [3], [4]],
            "d": pa.array([b"a", b"b", b"a", b"c"]).dictionary_encode(),
            "x": [1.0, 2.0, 3.0, 4.0],
            "y": [*"pqpq"],
        }
    )
    pq.write_table(table, tmp_path / "a.parquet")
    report = load(tmp_path / "a.parquet").report
    assert [c.code for c in report.columns[:3]] == [
        "binary_column",
        "nested_column",
        "binary_column",
    ]
    assert [n.code for n in report.notes] == ["nested_column", "binary_column"]


def in_folders(root: Path, values: list[str]) -> Path:
    for number, value in enumerate(values):
        (root / f"g={value}").mkdir(parents=True)
        RICH.slice(2 * number, 2).select("float", "y").write_parquet(root / f"g={value}" / "p.pq")
    return root


@pytest.mark.parametrize("none", ["__HIVE_DEFAULT_PARTITION__", ""])
@pytest.mark.parametrize(("values", "read"), [(["1", "2"], [1, 2]), (["a", "b%2Fc"], ["a", "b/c"])])
def test_a_folder_of_rows_without_a_value(
    tmp_path: Path, none: str, values: list[str], read: list[Any]
) -> None:
    folder = in_folders(tmp_path / "hive", [*values, none])
    found = read_frame(folder)
    assert sorted(found["g"].drop_nulls().unique().to_list()) == read
    assert found["g"].null_count() == 2
    with pytest.raises(MissingValuesError, match=r"`g` \(2\)"):
        load(folder)
    for suffix in ("parquet", "csv"):
        apply_selection(["g", "float"], folder, tmp_path / f"out.{suffix}")
        assert read_frame(tmp_path / f"out.{suffix}")["g"].null_count() == 2


def test_folders_that_never_have_a_value(tmp_path: Path) -> None:
    folder = in_folders(tmp_path / "hive", ["__HIVE_DEFAULT_PARTITION__"])
    assert read_frame(folder)["g"].null_count() == 2
    RICH.write_parquet(folder / "g=__HIVE_DEFAULT_PARTITION__" / "p.pq")
    assert column(load(folder).report, "g").code == "all_null_column"


def test_folders_named_with_leading_zeros_are_names(tmp_path: Path) -> None:
    folder = in_folders(tmp_path / "hive", ["00870", "01234"])
    assert set(read_frame(folder)["g"].to_list()) == {"00870", "01234"}


@pytest.mark.parametrize("above", ["", "\n\r\n"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_an_empty_line_of_one_column_is_a_missing_value(
    tmp_path: Path, above: str, end: str
) -> None:
    """Where there are several columns it is no row: fields that lack have separators."""
    one, two = tmp_path / "one.csv", tmp_path / "two.csv"
    one.write_bytes((above + end.join(["x", "1.5", "", "2", "", '""', "-3"]) + end).encode())
    two.write_bytes((above + end.join(["x,y", "1.5,a", "", "2,b", ",b"]) + end).encode())
    assert read_frame(one)["x"].to_list() == [1.5, None, 2.0, None, None, -3.0]
    assert read_frame(two)["x"].to_list() == [1.5, 2.0, None]
    report = load(one, [0.5, 1.5, 2.5, 3.5, 4.5, 5.5], options=DataOptions(missing="drop")).report
    assert (report.rows, report.rows_used) == (6, 3)


def test_one_column_goes_to_a_text_file_and_back(tmp_path: Path) -> None:
    frame = pl.DataFrame({"x": [None, 0.5, None, 2.0, None]})
    frame.write_csv(tmp_path / "x.csv")
    assert read_frame(tmp_path / "x.csv").equals(frame)
    frame.to_pandas().to_csv(tmp_path / "x.csv", index=False)
    assert read_frame(tmp_path / "x.csv").equals(frame)


def test_many_columns_are_taken_over_as_single_ones_are(tmp_path: Path) -> None:
    """Plain numbers of a wide table go over together, in every type, with their holes."""
    values = [None, 1.5, float("nan"), -0.0, 7.0, 2.25]
    whole = [None, 1, 5, -3, 7, 2]
    columns = {
        f"{kind}{k}": pa.array(whole if pa.types.is_integer(kind) else values, kind)
        for k in range(40)
        for kind in (pa.float64(), pa.float32(), pa.int64(), pa.int32(), pa.int16())
    }
    table = pa.table({**columns, "word": ["a", "b"] * 3, "y": [*"pqpqpq"]})
    pq.write_table(table, tmp_path / "wide.parquet")
    options = DataOptions(missing="level")
    for source in (table, tmp_path / "wide.parquet"):
        wide = load(source, options=options)
        for names in (["double3", "int323", "word", "y"], ["float7", "int64", "int1639", "y"]):
            asked = [name for name in names if name in table.column_names]
            narrow = load(table.select(asked), options=options)
            reports = {c.name: c for c in wide.report.columns}
            assert [reports[c.name] for c in narrow.report.columns] == list(narrow.report.columns)
            known = dict(zip(wide.dataset.names, wide.dataset.features, strict=True))
            for one in narrow.dataset.features:
                assert known[one.name].values.tobytes() == one.values.tobytes()
