"""Where the system gives too little, the program ends with an answer or one sentence."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import renyi
from renyi import _validate
from renyi.errors import MemoryBudgetError

resource = pytest.importorskip("resource")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits on addresses are Linux's")

RENYI = str(Path(sys.executable).with_name("renyi"))


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("data") / "waves.parquet"
    renyi.datasets.generate("waveform", rows=120, seed=0).write_parquet(file)
    return file


def limited(kind: int, most: int, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "renyi_cli", *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
        preexec_fn=lambda: resource.setrlimit(kind, (most, most)),
    )


@pytest.mark.slow
@pytest.mark.parametrize("most", [700_000_000, 1_200_000_000, 2_000_000_000])
@pytest.mark.parametrize("command", ["select", "describe"])
def test_too_few_addresses_are_told_in_one_sentence(most: int, command: str, table: Path) -> None:
    done = limited(resource.RLIMIT_AS, most, command, str(table))
    assert done.returncode == 1
    said, hint = done.stderr.splitlines()
    assert said.startswith("Error: This process must be allowed ")
    assert hint.startswith("Hint: Raise the limit")
    assert done.stdout == ""


@pytest.mark.slow
def test_as_many_addresses_as_are_asked_for_do(table: Path) -> None:
    most = _validate.LEAST_ADDRESSES + _validate.ADDRESSES_OF_A_CORE * (os.cpu_count() or 1)
    done = limited(resource.RLIMIT_AS, most, "select", str(table), "--format", "names", "-q")
    assert done.returncode == 0, done.stderr
    path = renyi.select(table)
    assert done.stdout.split() == [*path.selected]


def test_a_limit_is_heeded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_validate, "address_limit", lambda: 10**9)
    with pytest.raises(MemoryBudgetError, match=r"is limited to 1\.0 GB"):
        _validate.address_room()
    monkeypatch.setattr(_validate, "address_limit", lambda: 10**15)
    _validate.address_room()


SMALLEST = 900
"""Bytes that a file may have under a limit; every result here is larger."""


@pytest.fixture(scope="module")
def result(table: Path) -> Path:
    renyi.select(table).save(table.with_name("result.json"))
    return table.with_name("result.json")


@contextmanager
def small_files() -> Iterator[None]:
    """Let this process write no file larger than that; the limit may be raised again."""
    before, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (SMALLEST, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (before, most))


def written(command: str, table: Path, result: Path, to: Path) -> list[str]:
    return {
        "select": ["select", str(table), "--output", str(to)],
        "checkpoint": ["select", str(table), "--checkpoint", str(to)],
        "compare": ["compare", str(table), "--runs", "2", "--output", str(to)],
        "figure": ["compare", str(table), "--runs", "2", "--plot", str(to)],
        "plot": ["plot", str(result), "--output", str(to)],
        "apply": ["apply", str(result), str(table), "--output", str(to)],
        "generate": ["datasets", "generate", "waveform", "--output", str(to)],
    }[command]


FORMS = {
    "select": ("json", "csv", "parquet"),
    "checkpoint": ("json",),
    "compare": ("json", "csv", "parquet"),
    "figure": ("svg",),
    "plot": ("png", "svg", "pdf"),
    "apply": ("parquet", "pq", "arrow", "feather", "ipc", "csv", "tsv", "ndjson", "jsonl"),
    "generate": ("parquet",),
}


def is_told(status: int, said: str, folder: Path, name: str) -> None:
    assert status == 1
    errors = [line for line in said.splitlines() if line.startswith("Error: ")]
    assert len(errors) == 1
    assert f"{name}` cannot be written: File too large" in errors[0]
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("command", "form"), [(command, form) for command, forms in FORMS.items() for form in forms]
)
def test_a_disk_that_fills_is_told_in_one_sentence_and_nothing_is_left(
    command: str, form: str, table: Path, result: Path, tmp_path: Path, run: Callable[..., Any]
) -> None:
    """A limit on the size of files fails as a full disk does, at the write that is too much."""
    words = written(command, table, result, tmp_path / f"out.{form}")
    with small_files():
        done = run(*words)
    is_told(done.exit_code, done.stderr, tmp_path, f"out.{form}")


@pytest.mark.slow
def test_a_program_on_a_full_disk_ends_as_it_does_here(table: Path, tmp_path: Path) -> None:
    words = ["select", str(table), "--output", str(tmp_path / "out.parquet")]
    done = limited(resource.RLIMIT_FSIZE, SMALLEST, *words)
    is_told(done.returncode, done.stderr, tmp_path, "out.parquet")
