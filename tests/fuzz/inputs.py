"""One input from one seed: files in a folder, and words for the program."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq

from fuzz import tables
from fuzz.flags import odd_flags

Rng = np.random.Generator


@dataclass
class Input:
    """What one seed gives.

    Attributes
    ----------
    kind
        Its part of the harness.
    words
        What the program is called with.
    data
        The file of the table, None where no table is at stake.
    about
        What is odd about it.
    checked
        Whether pages of the file carry checksums.
    """

    kind: str
    words: list[str]
    data: str | None = None
    about: str = ""
    checked: bool = False


# writers: a table as bytes


def _delimited(table: pa.Table, separator: str) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator="\n")
    writer.writerow(table.schema.names)
    columns = [column.to_pylist() for column in table.columns]
    for row in zip(*columns, strict=True):
        writer.writerow(["" if cell is None else cell for cell in row])
    return text.getvalue().encode(errors="surrogatepass")


def _ndjson(table: pa.Table) -> bytes:
    lines = [json.dumps(row, default=str) for row in table.to_pylist()]
    return "".join(f"{line}\n" for line in lines).encode()


def _ipc(table: pa.Table, compression: str | None) -> bytes:
    sink = io.BytesIO()
    options = pa.ipc.IpcWriteOptions(compression=compression)
    with pa.ipc.new_file(sink, table.schema, options=options) as writer:
        writer.write_table(table, max_chunksize=25)
    return sink.getvalue()


def _stream(table: pa.Table) -> bytes:
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue()


def _parquet(table: pa.Table, compression: str, **given: Any) -> bytes:
    sink = io.BytesIO()
    pq.write_table(table, sink, compression=compression, row_group_size=25, **given)
    return sink.getvalue()


WRITERS: dict[str, Callable[[pa.Table], bytes]] = {
    "t.csv": lambda t: _delimited(t, ","),
    "semicolon.csv": lambda t: _delimited(t, ";"),
    "t.tsv": lambda t: _delimited(t, "\t"),
    "t.csv.gz": lambda t: gzip.compress(_delimited(t, ","), mtime=0),
    "t.ndjson": _ndjson,
    "t.jsonl": _ndjson,
    "plain.arrow": lambda t: _ipc(t, None),
    "lz4.feather": lambda t: _ipc(t, "lz4"),
    "zstd.arrow": lambda t: _ipc(t, "zstd"),
    "t.arrows": _stream,
    "snappy.parquet": lambda t: _parquet(t, "snappy"),
    "plain.parquet": lambda t: _parquet(t, "none", use_dictionary=False),
    "checked.parquet": lambda t: _parquet(t, "none", write_page_checksum=True),
    "zstd.parquet": lambda t: _parquet(t, "zstd", write_page_checksum=True),
}
TYPED = tuple(name for name in WRITERS if not name.endswith(("csv", "tsv", "gz", "json", "jsonl")))


# damage


def _flipped(raw: bytes, rng: Rng) -> bytes:
    changed = bytearray(raw)
    for at in rng.integers(0, 8 * len(raw), int(rng.choice([1, 1, 2, 8]))):
        changed[at // 8] ^= 1 << (at % 8)
    return bytes(changed)


def _cut(raw: bytes, rng: Rng) -> bytes:
    return raw[: int(rng.integers(0, len(raw)))]


def _without_head(raw: bytes, rng: Rng) -> bytes:
    return raw[int(rng.integers(1, len(raw))) :]


def _with_gap(raw: bytes, rng: Rng) -> bytes:
    start, end = sorted(rng.integers(0, len(raw), 2))
    return raw[:start] + raw[min(end, start + 64) :]


def _zeroed(raw: bytes, rng: Rng) -> bytes:
    start = int(rng.integers(0, len(raw)))
    size = min(int(rng.choice([1, 4, 8, 64])), len(raw) - start)
    return raw[:start] + bytes(size) + raw[start + size :]


def _twice(raw: bytes, rng: Rng) -> bytes:
    start = int(rng.integers(0, len(raw)))
    return raw[:start] + raw[max(0, start - 50) :]


def _noise(raw: bytes, rng: Rng) -> bytes:
    start = int(rng.integers(0, len(raw)))
    size = min(16, len(raw) - start)
    return raw[:start] + rng.bytes(size) + raw[start + size :]


DAMAGE = {
    "flipped": _flipped,
    "flipped again": _flipped,
    "cut": _cut,
    "without head": _without_head,
    "gap": _with_gap,
    "zeroed": _zeroed,
    "twice": _twice,
    "noise": _noise,
}

SELECT = ("select", "--json", "--quiet")


def _damaged(rng: Rng, folder: Path) -> Input:
    table = tables.plain(rng)
    if rng.random() < 0.3:
        table = tables.with_holes(table, rng)
    name = str(rng.choice(list(WRITERS)))
    how = str(rng.choice(list(DAMAGE)))
    raw = WRITERS[name](table)
    (folder / name).write_bytes(DAMAGE[how](raw, rng))
    (folder / f"whole.{name}").write_bytes(raw)
    words = [*SELECT, name, "--missing", "drop"]
    return Input("damaged", words, name, f"{name} {how}", checked="write_page" in how)


def _named(rng: Rng, folder: Path) -> Input:
    table = tables.oddly_named(rng)
    name = str(rng.choice(list(WRITERS)))
    (folder / name).write_bytes(WRITERS[name](table))
    form = str(rng.choice(["table", "json", "csv", "names"]))
    target = str(rng.choice(np.array(table.schema.names, dtype=object)))
    ways = [
        [*SELECT, name],
        ["select", name, "--format", form, "-v"],
        ["select", name, "--target", target, "--format", form],
        ["describe", name],
        ["measure", name, "--x", str(table.schema.names[0]), "--y", target],
        ["select", name, "--exclude", target],
        ["select", name, "--kind", f"{target}=nominal"],
    ]
    return Input("names", ways[int(rng.integers(0, len(ways)))], name, name)


def _typed(rng: Rng, folder: Path) -> Input:
    about, table = tables.oddly_filled(rng, tables.ODD_TYPES)
    name = str(rng.choice(TYPED))
    try:
        raw = WRITERS[name](table)
    except (pa.ArrowException, ValueError, TypeError):  # not every format has every type
        name = "plain.arrow"
        raw = WRITERS[name](table)
    (folder / name).write_bytes(raw)
    missing = str(rng.choice(["error", "drop", "category"]))
    return Input("types", [*SELECT, name, "--missing", missing], name, f"{name}: {about}")


def _valued(rng: Rng, folder: Path) -> Input:
    about, table = tables.oddly_filled(rng, tables.ODD_VALUES)
    name = str(rng.choice(list(WRITERS)))
    (folder / name).write_bytes(WRITERS[name](table))
    missing = str(rng.choice(["error", "drop", "category"]))
    words = [[*SELECT], ["describe"], ["select", "--alpha", "1.01", "--json", "-q"]]
    words.append(["measure", "--x", "x,word", "--y", "y"])
    chosen = words[int(rng.integers(0, len(words)))]
    return Input("values", [*chosen, name, "--missing", missing], name, f"{name}: {about}")


def _celled(rng: Rng, folder: Path) -> Input:
    table = tables.plain(rng)
    columns = {name: [str(v) for v in table[name].to_pylist()] for name in table.schema.names}
    share = float(rng.choice([0.02, 0.3, 1.0]))
    at = str(rng.choice(table.schema.names[:-1]))
    odd = rng.choice(np.array(tables.ODD_CELLS, dtype=object), int(rng.integers(1, 4)))
    columns[at] = [str(rng.choice(odd)) if rng.random() < share else v for v in columns[at]]
    name = str(rng.choice(["t.csv", "semicolon.csv", "t.tsv", "t.csv.gz"]))
    (folder / name).write_bytes(WRITERS[name](pa.table(columns)))
    words = [*SELECT, name, "--missing", "drop"]
    return Input("cells", words, name, f"{name}: {', '.join(map(repr, odd))[:80]}")


def _flagged(rng: Rng, folder: Path) -> Input:
    table = tables.plain(rng)
    name = str(rng.choice(["t.csv", "snappy.parquet"]))
    (folder / name).write_bytes(WRITERS[name](table))
    return Input("flags", odd_flags(rng, name, table.schema.names), None)


MAKERS: Sequence[Callable[[Rng, Path], Input]] = (
    *([_damaged] * 5),
    _named,
    _typed,
    _valued,
    _celled,
    _flagged,
    _flagged,
)
"""How often each kind comes."""


def build(seed: int, folder: Path) -> Input:
    """Write the files of an input and return what to do with them."""
    rng = np.random.default_rng(seed)
    return MAKERS[seed % len(MAKERS)](rng, folder)
