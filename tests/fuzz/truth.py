"""What the answer to an accepted table must be: that of the table as another program reads it.

Text and JSON are read again by Python's own modules, Parquet and Arrow by polars, whose readers
share nothing with those of Arrow, which the program reads with. The table that comes out is written
afresh, and the program's answer to that must be the same. Odd types that are not damaged are handed
over in memory instead: the file and the table behind it must give the same answer.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import math
from pathlib import Path
from typing import Any

UNREADABLE = 7
"""Exit code of a child whose other program refuses the file."""

CONSTANTS = {"NaN": None, "Infinity": math.inf, "-Infinity": -math.inf}
"""What no JSON has and Python writes all the same; a NaN is a missing value."""

SEPARATORS = {"semicolon": ";", "t.tsv": "\t"}


def write_again(source: Path, to: Path) -> None:
    """Read a file by another program and write what it holds; exit where that refuses it."""
    try:
        if source.suffix in {".ndjson", ".jsonl"}:
            _ndjson_again(source, to)
        elif source.suffix in {".csv", ".tsv", ".gz"}:
            _text_again(source, to)
        else:
            _typed_again(source, to)
    except BaseException as error:  # polars panics with what is no Exception
        raise SystemExit(UNREADABLE) from error


def again_name(source: str) -> str:
    """Return what the file that is written again is called."""
    suffix = {".gz": ".csv"}.get(Path(source).suffix, Path(source).suffix)
    return f"again{suffix if suffix in {'.csv', '.tsv', '.ndjson', '.jsonl'} else '.parquet'}"


def _text_again(source: Path, to: Path) -> None:
    raw = source.read_bytes()
    if source.suffix == ".gz":
        raw = gzip.decompress(raw)
    separator = next((s for begin, s in SEPARATORS.items() if source.name.startswith(begin)), ",")
    csv.field_size_limit(1 << 30)
    text = raw.decode("utf-8-sig")
    rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator) if row]
    if len({len(row) for row in rows}) > 1:
        raise ValueError("ragged")
    with to.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=separator, lineterminator="\n").writerows(rows)


def _ndjson_again(source: Path, to: Path) -> None:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise ValueError("a name twice")
        return dict(pairs)

    lines = source.read_bytes().decode("utf-8-sig").split("\n")
    records = [
        json.loads(line, object_pairs_hook=once, parse_constant=CONSTANTS.__getitem__)
        for line in lines
        if line.strip()
    ]
    with to.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(record) + "\n" for record in records)


def _typed_again(source: Path, to: Path) -> None:
    import polars as pl

    if source.suffix == ".arrows":
        frame = pl.read_ipc_stream(source)
    elif source.suffix == ".parquet":
        frame = pl.read_parquet(source, use_pyarrow=False)
    else:
        frame = pl.read_ipc(source, memory_map=False)
    frame.write_parquet(to)


def answer_in_memory(source: Path, missing: str) -> None:
    """Print the answer to a sound file's table, handed over in memory."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    import renyi
    from renyi.errors import RenyiError

    if source.suffix == ".parquet":
        table = pq.read_table(source)
    elif source.suffix == ".arrows":
        table = pa.ipc.open_stream(source).read_all()
    else:
        table = pa.ipc.open_file(source).read_all()
    try:
        print(renyi.select(table, missing=missing).to_json())
    except RenyiError as error:
        raise SystemExit(UNREADABLE) from error


def difference(one: str, other: str) -> str:
    """Say in what two answers differ, nothing where they are the same but for how it was done."""
    first, second = json.loads(one), json.loads(other)
    for name in ("selected", "steps", "verdict", "aliases", "unselected"):
        if first[name] != second[name]:
            return name
    for name in ("rows", "target", "fingerprint"):
        if first["data"][name] != second["data"][name]:
            return f"data.{name}"
    columns = [
        [(column["name"], column["role"], column["kind"]) for column in answer["data"]["columns"]]
        for answer in (first, second)
    ]
    return "" if columns[0] == columns[1] else "data.columns"
