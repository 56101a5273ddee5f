"""Sheets of workbooks, tables and queries of databases; other tables have no parts."""

from __future__ import annotations

import io
import sqlite3
import zipfile
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import numpy as np
import polars as pl
import pytest

from renyi.errors import DataError, MemoryBudgetError, OptionError, ReadError, Way
from renyi.io import Loaded, apply_selection, load
from renyi.options import DataOptions
from renyi.variables import Kind

RNG = np.random.default_rng(2)
FRAME = pl.DataFrame(
    {
        "x": RNG.normal(size=40).round(3),
        "count": RNG.integers(0, 9, 40),
        "word": [["red", "blue", "a & b"][k % 3] for k in range(40)],
        "y": ["pq"[k % 2] for k in range(40)],
    }
)


def read(data: object, **options: object) -> Loaded:
    return load(data, options=DataOptions(**options))  # type: ignore[arg-type]


def rows_of(frame: pl.DataFrame) -> list[tuple[Any, ...]]:
    return [tuple(frame.columns), *frame.rows()]


def zipped(parts: dict[str, str]) -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            plain = zipfile.ZIP_STORED if name == "mimetype" else None
            archive.writestr(name, text, compress_type=plain)
    return sink.getvalue()


def excel(sheets: dict[str, Sequence[tuple[Any, ...]]]) -> bytes:
    """An Office Open XML workbook with as little as one may have."""

    def cell(value: Any) -> str:
        if value is None:
            return "<c/>"
        if isinstance(value, str):
            return f'<c t="inlineStr"><is><t>{escape(value)}</t></is></c>'
        return f"<c><v>{value}</v></c>"

    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    numbers = range(1, len(sheets) + 1)
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types">'
        '<Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
        f'Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>'
        + "".join(
            f'<sheet name="{n}" sheetId="{k}" r:id="r{k}"/>'
            for k, n in zip(numbers, sheets)  # noqa: B905
        )
        + "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships">'
        + "".join(
            f'<Relationship Id="r{k}" Type="{office}/worksheet" Target="worksheets/s{k}.xml"/>'
            for k in numbers
        )
        + "</Relationships>",
    }
    for k, rows in zip(numbers, sheets.values(), strict=True):
        body = "".join(f"<row>{''.join(map(cell, row))}</row>" for row in rows)
        parts[f"xl/worksheets/s{k}.xml"] = (
            f'<worksheet xmlns="{main}"><sheetData>{body}</sheetData></worksheet>'
        )
    return zipped(parts)


def opendocument(sheets: dict[str, Sequence[tuple[Any, ...]]]) -> bytes:
    def cell(value: Any) -> str:
        if value is None:
            return "<table:table-cell/>"
        if isinstance(value, str):
            return (
                '<table:table-cell office:value-type="string">'
                f"<text:p>{escape(value)}</text:p></table:table-cell>"
            )
        return f'<table:table-cell office:value-type="float" office:value="{value}"/>'

    spaces = "".join(
        f' xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{short}:1.0"'
        for short in ("office", "table", "text")
    )
    tables = "".join(
        f'<table:table table:name="{name}">'
        + "".join(f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in rows)
        + "</table:table>"
        for name, rows in sheets.items()
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
    return zipped(
        {
            "mimetype": kind,
            "META-INF/manifest.xml": f'<m:manifest xmlns:m="{manifest}"><m:file-entry '
            f'm:full-path="/" m:media-type="{kind}"/></m:manifest>',
            "content.xml": f"<office:document-content{spaces}><office:body><office:spreadsheet>"
            f"{tables}</office:spreadsheet></office:body></office:document-content>",
        }
    )


BOOKS: dict[str, Callable[[dict[str, Sequence[tuple[Any, ...]]]], bytes]] = {
    "xlsx": excel,
    "ods": opendocument,
}


@pytest.fixture(params=BOOKS)
def book(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., Path]:
    pytest.importorskip("fastexcel", reason="the extra `sheets` is not installed")

    def write(**sheets: Sequence[tuple[Any, ...]]) -> Path:
        path = tmp_path / f"book.{request.param}"
        path.write_bytes(BOOKS[request.param](sheets))
        return path

    return write


def test_a_sheet_is_the_table(book: Callable[..., Path], tmp_path: Path) -> None:
    path = book(data=rows_of(FRAME))
    found = read(path)
    assert found.report.fingerprint == read(FRAME).report.fingerprint
    assert {c.name: c.dtype for c in found.report.columns}["count"] == "int64"
    apply_selection(["count", "word"], path, tmp_path / "out.parquet")
    assert pl.read_parquet(tmp_path / "out.parquet").equals(FRAME.select("count", "word"))


def test_one_of_several_sheets_is_named(book: Callable[..., Path]) -> None:
    path = book(notes=[("about",), ("this",)], data=rows_of(FRAME))
    with pytest.raises(OptionError, match="must say which sheet is meant") as caught:
        read(path)
    assert caught.value.ways == (Way("table", "notes"),)
    with pytest.raises(OptionError, match="must name a sheet, got `dat`") as caught:
        read(path, table="dat")
    assert caught.value.ways == (Way("table", "data"),)
    assert read(path, table="data").report.fingerprint == read(FRAME).report.fingerprint


def test_cells_mean_what_fields_of_text_mean(book: Callable[..., Path]) -> None:
    cells = [(k if k % 9 else "NA", f"{k:03d}", "pq"[k % 2]) for k in range(40)]
    found = read(book(data=[("a", "code", "y"), *cells]), missing="drop")
    assert found.dataset.features[0].kind is Kind.CONTINUOUS
    assert "leading_zeros" in [note.code for note in found.report.notes] or (
        "id_like_column" in [note.code for note in found.report.notes]
    )
    mixed = [(k if k % 9 else "low", "pq"[k % 2]) for k in range(40)]
    with pytest.raises(DataError, match="mixes types"):
        read(book(data=[("a", "y"), *mixed]))


def test_damaged_books_are_refused(book: Callable[..., Path]) -> None:
    path = book(data=rows_of(FRAME))
    raw = path.read_bytes()
    for content in (raw[: len(raw) // 2], raw[:300] + b"\xff" * 40 + raw[340:]):
        path.write_bytes(content)
        with pytest.raises(ReadError):
            read(path)


def test_a_book_that_unpacks_to_more_than_fits(book: Callable[..., Path]) -> None:
    path = book(data=[("a", "y"), ("x" * 50_000_000, "p")])
    assert path.stat().st_size < 1_000_000
    with pytest.raises(MemoryBudgetError, match="does not fit"):
        load(path, max_memory="100MB")


def database(path: Path, **tables: pl.DataFrame) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        for name, frame in tables.items():
            names = ", ".join(f'"{column}"' for column in frame.columns)
            connection.execute(f'CREATE TABLE "{name}" ({names})')
            marks = ", ".join("?" * frame.width)
            connection.executemany(f'INSERT INTO "{name}" VALUES ({marks})', frame.rows())
        connection.commit()
    return path


def test_a_table_of_a_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = database(tmp_path / "a?b#.sqlite", t=FRAME)
    before = path.read_bytes()
    expected = read(FRAME).report.fingerprint
    assert read(path).report.fingerprint == expected
    assert read(path, table="SELECT * FROM t").report.fingerprint == expected
    part = read(path, table="with few as (select * from t limit 30) select x, y from few")
    assert (part.dataset.names, part.report.rows) == (("x",), 30)
    apply_selection(["word"], path, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text().splitlines()[:2] == ["word", "red"]
    assert path.read_bytes() == before
    monkeypatch.setattr(
        "sys.stdin", type("Piped", (), {"buffer": io.BytesIO(before), "isatty": lambda _: False})()
    )
    assert read("-").report.fingerprint == expected


def test_one_of_several_tables_is_named(tmp_path: Path) -> None:
    path = database(tmp_path / "a.db", t=FRAME, other=FRAME.head(5))
    with pytest.raises(OptionError, match="must say which table is meant"):
        read(path)
    with pytest.raises(OptionError, match="must name a table, got `othr`"):
        read(path, table="othr")
    assert read(path, table="t").report.rows == 40


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM nothing",
        "SELECT load_extension('x')",
        "SELECT 1; DROP TABLE t",
        "WITH a AS (SELECT 1) DELETE FROM t",
        "SELECT * FROM pragma_table_info('t')",
        "select x, y from",
    ],
)
def test_a_query_only_reads(tmp_path: Path, query: str) -> None:
    path = database(tmp_path / "a.sqlite", t=FRAME)
    before = path.read_bytes()
    with pytest.raises((ReadError, DataError, OptionError)):
        read(path, table=query)
    assert path.read_bytes() == before


def test_a_query_without_end_is_left(tmp_path: Path) -> None:
    path = database(tmp_path / "a.sqlite", t=FRAME)
    endless = (
        "WITH RECURSIVE n(k, y) AS (SELECT 1, 2 UNION ALL SELECT k + 1, y FROM n) SELECT * FROM n"
    )
    with pytest.raises(MemoryBudgetError, match="more than"):
        load(path, options=DataOptions(table=endless), max_memory="64MB")


def test_a_damaged_database(tmp_path: Path) -> None:
    path = database(tmp_path / "a.sqlite", t=FRAME)
    raw = path.read_bytes()
    path.write_bytes(raw[:100] + b"\xff" * (len(raw) - 100))
    with pytest.raises(ReadError, match="cannot be read"):
        read(path)


def test_other_tables_have_no_parts(tmp_path: Path) -> None:
    FRAME.write_parquet(tmp_path / "a.parquet")
    FRAME.write_csv(tmp_path / "a.csv")
    for data in (FRAME, tmp_path / "a.parquet", tmp_path / "a.csv"):
        with pytest.raises(OptionError, match="must be left out but for workbooks and databases"):
            read(data, table="t")
