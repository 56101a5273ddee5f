"""Standard input and named pipes: read whole in every form, or refused in one sentence."""

from __future__ import annotations

import gzip
import io
import os
import threading
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pyarrow as pa
import pytest

from renyi.errors import MemoryBudgetError, ReadError
from renyi.io import load

GOOD = pl.DataFrame({"a": [1.5, 2.5, 0.5, 3.5] * 5, "b": [*"uvuv"] * 5, "y": [*"pqqp"] * 5})


def zstd(content: bytes) -> bytes:
    return bytes(pa.compress(content, "zstd", asbytes=True))


def parquet_bytes() -> bytes:
    buffer = io.BytesIO()
    GOOD.write_parquet(buffer)
    return buffer.getvalue()


class Piped:
    """A standard input that holds some bytes."""

    def __init__(self, content: bytes, *, terminal: bool = False) -> None:
        self.buffer = io.BytesIO(content)
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


def test_what_has_no_end_is_left_after_the_memory_it_may_take(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Endless(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, into: bytearray) -> int:  # type: ignore[override]
            into[:] = b"y" * len(into)
            return len(into)

    piped = Piped(b"")
    piped.buffer = io.BufferedReader(Endless())  # type: ignore[assignment]
    monkeypatch.setattr("sys.stdin", piped)
    with pytest.raises(MemoryBudgetError, match="read whole"):
        load("-", max_memory="100MB")
    for name, pack in (("a.csv.gz", gzip.compress), ("a.csv.zst", zstd)):
        (tmp_path / name).write_bytes(pack(b"a,y\n" + b"1,2\n" * 20_000_000))
        with pytest.raises(MemoryBudgetError, match="read whole"):
            load(tmp_path / name, max_memory=70_000_000)


@pytest.mark.parametrize(
    ("content", "terminal", "words"),
    [
        (b"", False, "is empty"),
        (b"", True, "nothing is piped"),
        (parquet_bytes()[:-8], False, "cut short"),
        (gzip.compress(b"a,y\n1,2\n", mtime=0)[:-9], False, "not a whole gzip"),
        (zstd(b"a,y\n1,2\n")[:-2], False, "not a whole zstd"),
    ],
)
def test_standard_input_that_cannot_be_read(
    monkeypatch: pytest.MonkeyPatch, content: bytes, terminal: bool, words: str
) -> None:
    monkeypatch.setattr("sys.stdin", Piped(content, terminal=terminal))
    with pytest.raises(ReadError) as caught:
        load("-")
    assert words in caught.value.message
    assert "\n" not in str(caught.value)


WRITERS: dict[str, Callable[[io.BytesIO], object]] = {
    "parquet": GOOD.write_parquet,
    "arrow": GOOD.write_ipc,
    "stream": GOOD.write_ipc_stream,
    "csv": GOOD.write_csv,
    "ndjson": GOOD.write_ndjson,
}


@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize("form", list(WRITERS))
def test_standard_input_in_every_form(
    monkeypatch: pytest.MonkeyPatch, form: str, zipped: bool
) -> None:
    buffer = io.BytesIO()
    WRITERS[form](buffer)
    content = gzip.compress(buffer.getvalue()) if zipped else buffer.getvalue()
    monkeypatch.setattr("sys.stdin", Piped(content))
    report = load("-").report
    assert report.source == "standard input"
    assert report.fingerprint == load(GOOD).report.fingerprint


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are a Unix matter")
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_named_pipe_is_read_whole(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    content = parquet_bytes() if suffix == "parquet" else GOOD.write_csv().encode()
    writer = threading.Thread(target=path.write_bytes, args=(content,))
    writer.start()
    try:
        assert load(path).dataset.n == len(GOOD)
    finally:
        writer.join()
