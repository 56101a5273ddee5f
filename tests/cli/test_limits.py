"""Where the system gives too little, the program ends with an answer or one sentence."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

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
        timeout=120,
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
