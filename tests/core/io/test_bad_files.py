"""Files that cannot be read: one sentence of the right class, with the way out."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from renyi.errors import DataError, OutputError, ReadError, RenyiError
from renyi.io import apply_selection, load, read_result

GOOD = pl.DataFrame({"a": [1.5, 2.5, 0.5, 3.5] * 5, "b": [*"uvuv"] * 5, "y": [*"pqqp"] * 5})


def refusal(path: Path | str, kind: type[RenyiError] = ReadError) -> RenyiError:
    with pytest.raises(kind) as caught:
        load(path)
    error = caught.value
    assert type(error) is kind
    assert "\n" not in str(error)
    assert error.message.endswith(".")
    return error


def zstd(content: bytes) -> bytes:
    return bytes(pa.compress(content, "zstd", asbytes=True))


def parquet_bytes() -> bytes:
    buffer = io.BytesIO()
    GOOD.write_parquet(buffer)
    return buffer.getvalue()


def test_missing_file_names_the_nearest(tmp_path: Path) -> None:
    GOOD.write_parquet(tmp_path / "sales.parquet")
    error = refusal(tmp_path / "sale.parquet")
    assert "is not there" in error.message
    assert str(tmp_path / "sales.parquet") in error.hint


def test_missing_folder_and_addresses(tmp_path: Path) -> None:
    assert "no directory" in refusal(tmp_path / "none" / "a.csv").message
    error = refusal("s3://key:secret@bucket/a.csv?signature=secret")
    assert "no address that starts with http" in error.message
    assert "secret" not in str(error)
    assert "matches no file" in refusal(str(tmp_path / "*.parquet")).message


def test_directory_without_data(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing")
    (tmp_path / "_hidden").mkdir()
    GOOD.write_parquet(tmp_path / "_hidden" / "a.parquet")
    assert "directory without a Parquet file" in refusal(tmp_path).message


@pytest.mark.parametrize("kept", [0.2, 0.6, 0.99])
def test_truncated_parquet(tmp_path: Path, kept: float) -> None:
    content = parquet_bytes()
    path = tmp_path / "cut.parquet"
    path.write_bytes(content[: int(len(content) * kept)])
    assert "cut short" in refusal(path).message


def test_parquet_with_damage_inside(tmp_path: Path) -> None:
    content = bytearray(parquet_bytes())
    content[-60:-8] = b"x" * 52
    path = tmp_path / "bad.parquet"
    path.write_bytes(bytes(content))
    assert "cannot be read" in refusal(path).message
    content = bytearray(parquet_bytes())
    content[4:300] = b"\xff" * 296
    path.write_bytes(bytes(content))
    assert "cannot be read" in refusal(path).message


def test_truncated_arrow(tmp_path: Path) -> None:
    path = tmp_path / "cut.arrow"
    GOOD.write_ipc(path)
    path.write_bytes(path.read_bytes()[:-50])
    assert "cannot be read" in refusal(path).message


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("text.parquet", b"a,y\n1,2\n", "named .parquet, but it holds text"),
        ("table.csv", parquet_bytes(), "named .csv, but it holds Parquet"),
        ("objects.csv", b'{"a": 1}\n', "named .csv, but it holds NDJSON"),
        ("table.ndjson", b"a,y\n1,2\n", "named .ndjson, but it holds text"),
        ("table.arrow", parquet_bytes(), "named .arrow, but it holds Parquet"),
        ("array.ndjson", b'[{"a": 1}]', "JSON array"),
        ("sheet.xlsx", b"PK\x03\x04rest", "zip archive or spreadsheet"),
        ("wide.csv", "a,b\n1,2\n".encode("utf-32"), "binary data"),
        ("noise.dat", b"\x01\x00\x02", "binary data"),
        ("old.feather", b"FEA1....", "version 1"),
        ("table.csv", gzip.compress(b"a,y\n1,2\n", mtime=0), "gzip"),
    ],
)
def test_content_that_belies_its_name(
    tmp_path: Path, name: str, content: bytes, words: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    error = refusal(path)
    assert words in error.message
    assert error.hint


@pytest.mark.parametrize("name", ["a.csv", "a.parquet", "a.ndjson", "a.arrow", "a", "b.csv.gz"])
@pytest.mark.parametrize("content", [b"", b" \n\n"])
def test_empty_file(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    assert "is empty" in refusal(path).message


@pytest.mark.parametrize("content", [b"", b" \n\n"])
def test_empty_zstd(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.csv.zst").write_bytes(zstd(content) if content else b"")
    assert "is empty" in refusal(tmp_path / "a.csv.zst").message


def test_damaged_zstd(tmp_path: Path) -> None:
    path = tmp_path / "a.csv.zst"
    path.write_bytes(zstd(b"a,y\n1,2\n" * 50)[:-4])
    assert "not a whole zstd file" in refusal(path).message
    path.write_bytes(b"a,y\n1,2\n")
    assert "not a whole zstd file" in refusal(path).message


def test_what_a_path_may_be_beside_a_file(tmp_path: Path) -> None:
    (tmp_path / "link.csv").symlink_to("nowhere.csv")
    assert (
        "is a link to `nowhere.csv`, which is not there" in refusal(tmp_path / "link.csv").message
    )
    (tmp_path / "endless.csv").symlink_to("/dev/zero")
    assert "is a device" in refusal(tmp_path / "endless.csv").message
    assert "no directory `~nosuchuser`" in refusal("~nosuchuser/x.csv").message


def test_output_in_the_home_of_nobody(tmp_path: Path) -> None:
    GOOD.write_csv(tmp_path / "a.csv")
    with pytest.raises(OutputError, match="no directory"):
        apply_selection(["a"], tmp_path / "a.csv", "~nosuchuser/x.csv")
    with pytest.raises(ReadError, match="cannot be read"):
        read_result("~nosuchuser/result.json")


@pytest.mark.parametrize("ends", [("[", "]"), ('{"a":', "}")])
@pytest.mark.parametrize("between", ["", "\n"])
def test_ndjson_that_is_nested_without_end(
    tmp_path: Path, ends: tuple[str, str], between: str
) -> None:
    path = tmp_path / "deep.ndjson"
    opening, closing = (between.join([end] * 100_000) for end in ends)
    path.write_text(f'{{"y": 1, "a": {opening}1{closing}}}\n')
    assert "deep; more than 100 are not read" in refusal(path).message
    words = '{"y": 1, "a": "' + "[{" * 500 + '\\"["}\n'  # brackets in a text
    path.write_text((words + '{"y": 2, "a": "b"}\n') * 6)
    assert load(path).report.rows == 12


def test_a_result_that_is_nested_without_end(tmp_path: Path) -> None:
    (tmp_path / "deep.json").write_text("[" * 100_000 + "]" * 100_000)
    with pytest.raises(ReadError):
        read_result(tmp_path / "deep.json")


def test_damaged_gzip(tmp_path: Path) -> None:
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(b"a,y\n1,2\n" * 50)[:-10])
    assert "not a whole gzip file" in refusal(path).message
    path.write_bytes(b"a,y\n1,2\n")
    message = refusal(path).message
    assert "not a whole gzip file" in message
    assert "b'" not in message


@pytest.mark.parametrize("rows", [0, 1])
@pytest.mark.parametrize("suffix", ["parquet", "arrow", "csv", "ndjson"])
def test_too_few_rows(tmp_path: Path, rows: int, suffix: str) -> None:
    path = tmp_path / f"short.{suffix}"
    few = GOOD.head(rows)
    {"parquet": few.write_parquet, "arrow": few.write_ipc, "csv": few.write_csv}.get(
        suffix, few.write_ndjson
    )(path)
    if suffix == "ndjson" and rows == 0:
        assert "is empty" in refusal(path).message
        return
    assert f"has {rows}." in refusal(path, DataError).message


def test_header_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "header.csv"
    path.write_text("a,b,y")
    assert "has 0." in refusal(path, DataError).message


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_one_column(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"one.{suffix}"
    one = GOOD.select("y")
    (one.write_parquet if suffix == "parquet" else one.write_csv)(path)
    assert "has only `y`" in refusal(path, DataError).message


def test_duplicate_column_names(tmp_path: Path) -> None:
    table = pa.table([[1.0, 2.0], [1, 2], ["p", "q"]], names=["a", "a", "y"])
    pq.write_table(table, tmp_path / "twice.parquet")
    (tmp_path / "twice.csv").write_text('a,"a",y\n1,2,p\n3,4,q\n')
    with pa.ipc.new_file(str(tmp_path / "twice.arrow"), table.schema) as writer:
        writer.write_table(table)
    for suffix in ("parquet", "csv", "arrow"):
        error = refusal(tmp_path / f"twice.{suffix}", DataError)
        assert "`a` more than once" in error.message
    (tmp_path / "twice.ndjson").write_text('{"a": 1, "a": 2, "y": 1}\n')
    assert "specified twice" in refusal(tmp_path / "twice.ndjson").message


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"a,y\n1,2\n3\n", "a line of 1 field below a header of 2: line 3."),
        (b"a,y\n1,2,3\n", "a line of 3 fields below a header of 2"),
        (b'a,y\n"1,2\n3,4\n', "a line of"),
        ("a,é\né,2\n".encode() + b"x\xff,3\n", "UTF-8 text but for 1 byte, the first in line 3"),
    ],
)
def test_csv_that_is_no_table(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(content)
    error = refusal(path)
    assert words in error.message
    assert "1,2" not in str(error)  # no data in the message


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "latin-1"])
@pytest.mark.parametrize("rows", [20, 20_000])
def test_csv_with_a_quotation_mark_that_is_not_closed(
    tmp_path: Path, rows: int, encoding: str
) -> None:
    path = tmp_path / "open.csv"
    lines = [f"{i},p,{'uv'[i % 2]}é\n" for i in range(rows)]
    lines[3:5] = '3,"p\nq",u\n', '4,a,"u\n'
    path.write_text("".join(["x,z,y\n", *lines]), encoding=encoding)
    error = refusal(path)
    assert error.message.endswith(
        "has a quotation mark that is not closed, in the record that begins in line 7."
    )


def test_csv_with_a_lone_mark_within_a_field_is_read(tmp_path: Path) -> None:
    path = tmp_path / "inches.csv"
    path.write_text("x,z,y\n" + "".join(f'{i},5" pipe,{"uv"[i % 2]}\n' for i in range(21)))
    assert load(path).report.rows == 21


def test_csv_that_turns_bad_far_below(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    far = b"word,1\n" * 300_000
    path.write_bytes("a,y\né,1\né,1\n".encode() + far + b"\xe9,2\n")
    assert "the first in line 300004" in refusal(path).message
    path.write_bytes(b'"' + b"a" * 200_000 + b'",y\n1,2\n')
    assert "header of" in refusal(path).message


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"a": 1, "y": 1}\n{"a": "t", "y": 2}\n', "mixes types"),
        ('{"a": 1, "y": 1}\n{"a": true, "y": 2}\n', "mixes types"),
        ('{"a": 1, "y": 1}\n{"a": 2,', "no whole JSON object"),
        ('{"a": 1, "y": 1}\nnonsense\n', "no whole JSON object"),
    ],
)
def test_ndjson_that_is_no_table(tmp_path: Path, content: str, words: str) -> None:
    path = tmp_path / "a.ndjson"
    path.write_text(content)
    error = refusal(path)
    assert words in error.message
    assert error.hint


def test_parts_must_have_the_same_columns(tmp_path: Path) -> None:
    GOOD.write_parquet(tmp_path / "1.parquet")
    GOOD.rename({"b": "c"}).write_parquet(tmp_path / "2.parquet")
    error = refusal(tmp_path)
    assert "must have the same columns" in error.message
    assert "`b`, `c`" in error.message


def test_parts_whose_types_do_not_go_together(tmp_path: Path) -> None:
    GOOD.write_parquet(tmp_path / "1.parquet")
    GOOD.with_columns(pl.col("a").cast(pl.String)).write_parquet(tmp_path / "2.parquet")
    error = refusal(tmp_path)
    assert "must have the same types; `a` is double in" in error.message
    assert "damaged" not in error.hint


def test_a_glob_is_for_parquet(tmp_path: Path) -> None:
    GOOD.write_csv(tmp_path / "a.csv")
    GOOD.write_csv(tmp_path / "b.csv")
    assert "Parquet files only" in refusal(str(tmp_path / "*.csv")).message


def test_damaged_part_is_named(tmp_path: Path) -> None:
    GOOD.write_parquet(tmp_path / "1.parquet")
    (tmp_path / "2.parquet").write_bytes(parquet_bytes()[:-9])
    assert "2.parquet" in refusal(tmp_path).message


def test_pandas_metadata_that_is_no_json(tmp_path: Path) -> None:
    table = GOOD.to_arrow().replace_schema_metadata({b"pandas": b"{"})
    pq.write_table(table, tmp_path / "a.parquet")
    assert "pandas metadata" in refusal(tmp_path / "a.parquet").message


def test_unreadable_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.csv"
    GOOD.write_csv(path)

    opened = Path.open

    def refuse(self: Path, *given: object, **named: object) -> object:
        if self.suffix == ".csv":
            raise PermissionError(13, "Permission denied")
        return opened(self, *given, **named)

    monkeypatch.setattr(Path, "open", refuse)
    assert "permission denied" in refusal(path).message


def test_an_empty_path_is_refused() -> None:
    assert "path of the data is empty" in refusal("").message
