"""Files whose bytes lie: refused in one sentence, before native code trusts what they say."""

from __future__ import annotations

import io
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from renyi.errors import DataError, ReadError
from renyi.io import apply_selection, load
from renyi.options import DataOptions

N = 60
RNG = np.random.default_rng(5)


def table() -> pa.Table:
    return pa.table(
        {
            "x": [float(i * 7 % 11) for i in range(N)],
            "s": ["ab", "cd"] * (N // 2),
            "d": pa.array(["p", "q", "r"] * (N // 3)).dictionary_encode(),
            "y": ["u", "v"] * (N // 2),
        }
    )


def arrow_bytes(found: pa.Table, *, stream: bool = False, compression: str | None = None) -> bytes:
    sink = io.BytesIO()
    options = pa.ipc.IpcWriteOptions(compression=compression)
    make = pa.ipc.new_stream if stream else pa.ipc.new_file
    with make(sink, found.schema, options=options) as writer:
        writer.write_table(found)
    return sink.getvalue()


def with_offset_beyond(content: bytes) -> bytes:
    raw = bytearray(content)
    place = raw.find(struct.pack(f"<{N + 1}i", *range(0, 2 * N + 2, 2)))
    raw[place + 20 : place + 24] = struct.pack("<i", 2**23)
    return bytes(raw)


def bad_text() -> pa.Array:
    """Two texts, the first of them no UTF-8."""
    offsets = pa.py_buffer(struct.pack("<3i", 0, 1, 2))
    return pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"\xffb")])


@pytest.mark.parametrize("stream", [False, True])
def test_an_offset_out_of_its_buffer(tmp_path: Path, stream: bool) -> None:
    path = tmp_path / "offsets.arrow"
    path.write_bytes(with_offset_beyond(arrow_bytes(table(), stream=stream)))
    with pytest.raises(ReadError, match="cannot be read"):
        load(path)
    with pytest.raises(ReadError, match="cannot be read"):
        apply_selection(["s"], path, tmp_path / "out.parquet")
    assert not (tmp_path / "out.parquet").exists()


@pytest.mark.parametrize("compression", [None, "zstd", "lz4"])
def test_values_that_cannot_be_inside_sound_files(tmp_path: Path, compression: str | None) -> None:
    index = pa.DictionaryArray.from_arrays(
        pa.array([0, 9] * (N // 2), pa.int8()), pa.array(["a", "b"]), safe=False
    )
    words = pa.DictionaryArray.from_arrays(pa.array([0, 1] * (N // 2), pa.int8()), bad_text())
    for column in (index, words):
        path = tmp_path / "odd.arrow"
        odd = table().append_column("odd", column)
        path.write_bytes(arrow_bytes(odd, compression=compression))
        with pytest.raises(ReadError, match="cannot be read"):
            load(path)


def test_parquet_text_that_is_no_utf8(tmp_path: Path) -> None:
    raw = pa.table({"s": pa.array([b"\xff\xfe", b"ok"] * 30), "y": ["u", "v"] * 30})
    sink = io.BytesIO()
    pq.write_table(raw, sink, use_dictionary=False, store_schema=False, compression="none")
    honest = sink.getvalue()
    text = pa.table({"s": pa.array(["zz", "ok"] * 30), "y": ["u", "v"] * 30})
    sink = io.BytesIO()
    pq.write_table(text, sink, use_dictionary=False, compression="none", write_statistics=False)
    content = sink.getvalue().replace(b"zz", b"\xff\xfe")
    assert content.count(b"\xff\xfe") == 30
    (tmp_path / "text.parquet").write_bytes(content)
    with pytest.raises(ReadError, match="UTF"):
        load(tmp_path / "text.parquet")
    (tmp_path / "bytes.parquet").write_bytes(honest)  # bytes may hold anything
    with pytest.raises(DataError, match="binary"):
        load(tmp_path / "bytes.parquet")


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("compression", ["none", "zstd"])
def test_a_page_that_belies_its_checksum(tmp_path: Path, version: str, compression: str) -> None:
    path = tmp_path / "page.parquet"
    values = RNG.normal(size=400)
    frame = pa.table({"x": values, "y": np.where(values > 0, "a", "b")})
    pq.write_table(
        frame,
        path,
        write_page_checksum=True,
        compression=compression,
        use_dictionary=False,
        data_page_version=version,
    )
    load(path)
    raw = bytearray(path.read_bytes())
    start = pq.ParquetFile(path).metadata.row_group(0).column(0).data_page_offset
    raw[start + 1600] ^= 1
    path.write_bytes(raw)
    with pytest.raises(ReadError, match="integrity"):
        load(path)


def test_a_table_in_memory_is_looked_at_too() -> None:
    column = pa.array(["ab", "cd"] * 30)
    offsets = bytearray(column.buffers()[1].to_pybytes())
    offsets[20:24] = struct.pack("<i", 2**23)
    broken = pa.Array.from_buffers(
        pa.string(), N, [None, pa.py_buffer(bytes(offsets)), column.buffers()[2]]
    )
    with pytest.raises(DataError, match="no valid Arrow data"):
        load(table().append_column("odd", broken))
    with pytest.raises(DataError, match="no valid Arrow data"):
        load(table().drop_columns(["y"]), broken)


def test_a_dictionary_of_nulls_has_no_value(tmp_path: Path) -> None:
    codes = pa.array([None] * 30, pa.int8())
    nulls = pa.chunked_array([pa.DictionaryArray.from_arrays(codes, pa.array([], pa.null()))] * 2)
    path = tmp_path / "nulls.arrow"
    path.write_bytes(arrow_bytes(table().append_column("n", nulls).select([*"nxsdy"])))
    report = load(path).report
    assert {c.name: c.code for c in report.columns}["n"] == "all_null_column"
    apply_selection(["n", "x"], path, tmp_path / "out.parquet")
    assert pl.read_parquet(tmp_path / "out.parquet")["n"].null_count() == N


@pytest.mark.parametrize(
    ("values", "plain"),
    [
        (pa.array([1.0, None, 3.0]), [1.0, None, 3.0]),
        (pa.array(["b", "a", "c"]), ["b", "a", "c"]),
        (pa.array(["b", "a", "c"]).dictionary_encode(), ["b", "a", "c"]),
    ],
)
def test_runs_of_equal_values_are_decoded(tmp_path: Path, values: pa.Array, plain: list) -> None:
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([20, 40, 60], pa.int32()), values)
    spelt = [value for value in plain for _ in range(20)]
    path = tmp_path / "runs.arrow"
    path.write_bytes(arrow_bytes(table().append_column("r", runs).select([*"rxy"])))
    options = DataOptions(missing="drop")
    found = load(path, options=options)
    told = pa.table({"r": spelt, "x": table()["x"], "y": table()["y"]})
    assert found.report.fingerprint == load(told, options=options).report.fingerprint
    for suffix in (".parquet", ".arrow", ".csv", ".ndjson"):
        out = tmp_path / f"out{suffix}"
        apply_selection(["r"], path, out)
        if suffix == ".parquet":
            assert pl.read_parquet(out)["r"].cast(pl.String).to_list() == [
                None if v is None else str(v) for v in spelt
            ]


def test_views_in_a_dictionary() -> None:
    words = pa.array(["a word of more than twelve letters", "b"], pa.string_view())
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1, 1] * 20, pa.uint16()), words)
    found = load(pa.table({"d": column, "x": table()["x"], "y": table()["y"]}))
    assert found.dataset.features[0].levels == ("a word of more than twelve letters", "b")


FLIPS = """
import random, sys, warnings
warnings.simplefilter("ignore")
from renyi.errors import RenyiError
from renyi.io import load
from pathlib import Path
folder = Path(sys.argv[1])
files = sorted(folder.iterdir())
for seed in range(int(sys.argv[2])):
    draw = random.Random(seed)
    file = files[seed % len(files)]
    raw = bytearray(file.read_bytes())
    for _ in range(draw.choice([1, 1, 2, 5])):
        raw[draw.randrange(len(raw))] ^= 1 << draw.randrange(8)
    odd = folder.parent / "odd"
    odd.write_bytes(raw)
    try:
        load(odd)
    except RenyiError:
        pass
print("done")
"""


def test_flipped_bits_end_in_a_sentence(tmp_path: Path) -> None:
    """In a process of its own: what went wrong here ended the process."""
    folder = tmp_path / "sound"
    folder.mkdir()
    for number, compression in enumerate((None, "zstd", "lz4")):
        for stream in (False, True):
            content = arrow_bytes(table(), stream=stream, compression=compression)
            (folder / f"{number}{stream}").write_bytes(content)
    pq.write_table(table(), folder / "p", compression="none")
    pl.DataFrame(pl.from_arrow(table())).write_parquet(folder / "q")
    done = subprocess.run(
        [sys.executable, "-c", FLIPS, str(folder), "160"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr[-2000:]


def test_a_panic_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def panics(values: object) -> None:
        raise pl.exceptions.PanicException("called `Option::unwrap()` on a `None` value")

    monkeypatch.setattr(pl, "from_arrow", panics)
    with pytest.raises(DataError, match="cannot be taken over"):
        load(table())
