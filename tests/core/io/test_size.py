"""Tables that do not fit are refused before they are read, or read piece by piece for some rows."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from renyi.errors import MemoryBudgetError, Way
from renyi.io import load
from renyi.options import DataOptions

ROWS = 2_000_000
BUDGET = 100_000_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of three columns that take about 250 MB, and have a few kilobytes in most formats."""
    place = tmp_path_factory.mktemp("large")
    y = np.arange(ROWS) % 2
    x = (np.arange(ROWS) // 1000).astype(float)
    table = pa.table({"x": x, "w": pa.repeat("word", ROWS), "y": pa.array(y)})
    table = table.set_column(1, "w", pa.array(np.where(y == 0, "word", "sign")))
    pq.write_table(table, place / "a.parquet", compression="zstd", row_group_size=200_000)
    zstd = pa.ipc.IpcWriteOptions(compression="zstd")
    for make, name in ((pa.ipc.new_file, "a.arrow"), (pa.ipc.new_stream, "a.arrows")):
        with make(str(place / name), table.schema, options=zstd) as writer:
            writer.write_table(table)  # one batch
    frame = pl.DataFrame({"x": x, "w": np.where(y == 0, "word", "sign"), "y": y})
    frame.write_csv(place / "a.csv")
    frame.write_ndjson(place / "a.ndjson")
    return place


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a.parquet", "a.arrow", "a.arrows", "a.csv", "a.ndjson"])
def test_a_table_that_does_not_fit_is_refused(folder: Path, name: str) -> None:
    with pytest.raises(MemoryBudgetError, match="does not fit") as caught:
        load(folder / name, max_memory=BUDGET)
    names = [way.option for way in caught.value.ways]
    assert names == (["max_memory"] if name == "a.ndjson" else ["rows", "max_memory"])
    assert all(isinstance(way, Way) and way.rule for way in caught.value.ways)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a.parquet", "a.csv"])
def test_some_of_its_rows_can_be_had(folder: Path, name: str) -> None:
    options = DataOptions(rows=500, seed=3)
    found = load(folder / name, options=options, max_memory=BUDGET)
    assert (found.report.rows, found.report.rows_used) == (20 * 500, 500)
    note = next(note for note in found.report.notes if note.code == "rows_read")
    assert f"10000 of {ROWS} rows" in note.message
    x = found.dataset.features[0].values[:, 0]
    assert abs(x.mean() / (ROWS / 2000) - 1) < 0.1  # from all over the file
    assert x.max() > 0.98 * ROWS / 1000
    again = load(folder / name, options=options, max_memory=2 * BUDGET)
    assert again.report.fingerprint == found.report.fingerprint
    other = load(folder / name, options=DataOptions(rows=500, seed=4), max_memory=BUDGET)
    assert other.report.fingerprint != found.report.fingerprint


@pytest.mark.slow
def test_more_rows_than_fit_are_refused_too(folder: Path) -> None:
    with pytest.raises(MemoryBudgetError, match="more than"):
        load(folder / "a.parquet", options=DataOptions(rows=90_000), max_memory=BUDGET)


@pytest.mark.slow
def test_fewer_columns_fit(folder: Path) -> None:
    found = load(folder / "a.parquet", options=DataOptions(features=("x",)), max_memory=300_000_000)
    assert found.report.rows == ROWS


def test_a_batch_says_its_rows_before_it_is_decompressed(tmp_path: Path) -> None:
    # a message of a file, before any of it is read
    from renyi.io.files._messages import ipc_rows

    table = pa.table({"d": pa.array(["a", "b"] * 500).dictionary_encode(), "x": range(1000)})
    for stream, make in ((False, pa.ipc.new_file), (True, pa.ipc.new_stream)):
        with make(str(tmp_path / "a"), table.schema) as writer:
            writer.write_table(table, max_chunksize=300)
        with pa.OSFile(str(tmp_path / "a")) as file:
            assert ipc_rows(file, stream=stream) == 1000
        raw = (tmp_path / "a").read_bytes()
        (tmp_path / "cut").write_bytes(raw[: len(raw) // 2])
        with pa.OSFile(str(tmp_path / "cut")) as file:
            assert ipc_rows(file, stream=stream) < 1000


PEAK = """
import sys
from renyi.errors import MemoryBudgetError
from renyi.io import load
def peak():  # without that of the parent, which getrusage counts too
    return int(open("/proc/self/status").read().split("VmHWM:")[1].split()[0])
before = peak()
try:
    load(sys.argv[1], max_memory="500MB")
except MemoryBudgetError:
    print((peak() - before) // 1024)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
def test_a_small_file_of_very_many_rows_takes_no_memory(tmp_path: Path) -> None:
    part = pa.table({"x": np.zeros(1_000_000), "y": np.zeros(1_000_000)})
    with pq.ParquetWriter(tmp_path / "bomb.parquet", part.schema, compression="zstd") as writer:
        for _ in range(30):
            writer.write_table(part)
    done = subprocess.run(
        [sys.executable, "-c", PEAK, str(tmp_path / "bomb.parquet")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(done.stdout) < 100
