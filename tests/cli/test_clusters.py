"""`--cluster`: real processes, a scheduler that is lost, Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from clusters import Cluster

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals"),
]

ROWS = 6000
"""As many as make a pass long enough to be done elsewhere."""

LONGEST = 600.0
"""Seconds that a process may take: only one that hangs takes longer."""


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    pytest.importorskip("distributed", reason="Dask is not installed")
    made = Cluster(tmp_path)
    try:
        yield made
    finally:
        made.close()


@pytest.fixture
def table(tmp_path: Path) -> Path:
    rng = np.random.default_rng(5)
    x = rng.normal(size=(ROWS, 8))
    hidden = x[:, 0] + x[:, 1] * x[:, 2] + 0.5 * x[:, 3] + rng.normal(size=ROWS)
    columns = {f"x{k}": x[:, k] for k in range(8)}
    place = tmp_path / "table.parquet"
    pl.DataFrame({**columns, "y": np.where(hidden > 0, "p", "n")}).write_parquet(place)
    return place


def started(*arguments: object) -> subprocess.Popen[str]:
    path = os.pathsep.join(str(Path(one).resolve()) for one in sys.path)
    return subprocess.Popen(
        [sys.executable, "-m", "renyi", "select", *map(str, arguments), "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
        start_new_session=True,
    )


def until(what: Any, process: subprocess.Popen[str], seconds: float = LONGEST) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.02)


def steps(checkpoint: Path) -> int:
    return len(json.loads(checkpoint.read_text("utf-8"))["steps"]) if checkpoint.exists() else 0


def answer(text: str) -> dict[str, Any]:
    told = json.loads(text)
    told.pop("run")
    return dict(told)


def test_a_checkpoint_goes_on_once_the_scheduler_is_back(
    cluster: Cluster, table: Path, tmp_path: Path
) -> None:
    cluster.scheduler()
    cluster.worker("first")
    cluster.worker("second")
    kept = tmp_path / "kept.json"
    words = (table, "--target", "y", "--cluster", cluster.address, "--checkpoint", kept)
    lost = started(*words)
    until(lambda: steps(kept), lost)
    cluster.signal("scheduler", signal.SIGKILL)
    out, err = lost.communicate(timeout=LONGEST)
    assert (lost.returncode, out) == (1, "")
    assert f"Error: The scheduler at `{cluster.address}` is gone." in err
    assert "--checkpoint FILE" in err
    assert "Traceback" not in err
    before = steps(kept)
    assert before

    port = int(cluster.address.rpartition(":")[2])
    for name in ("first", "second"):
        cluster.signal(name, signal.SIGKILL)
    cluster.scheduler(port)
    cluster.worker("third")
    again = started(*words)
    there, err = again.communicate(timeout=LONGEST)
    assert again.returncode == 0, err
    assert f"{before} finished step" in err
    here, _ = started(table, "--target", "y").communicate(timeout=LONGEST)
    assert answer(there) == answer(here)
    assert json.loads(there)["run"]["executor"]["tasks"] > 0


@pytest.mark.parametrize("count", [2, 3])
def test_ctrl_c_while_processes_start_leaves_nothing_behind(count: int, table: Path) -> None:
    pytest.importorskip("distributed", reason="Dask is not installed")
    import psutil

    process = started(table, "--target", "y", "--cluster", "local:2")
    own = psutil.Process(process.pid)
    until(lambda: len(own.children(recursive=True)) >= count, process)
    children = own.children(recursive=True)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, ""), err
    assert err.endswith("Interrupted.\n")  # nothing follows of what Python cleans up
    assert "Traceback" not in err
    _, alive = psutil.wait_procs(children, timeout=20)
    assert not alive


def test_ctrl_c_ends_the_processes_that_were_started(table: Path, tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="Dask is not installed")
    import psutil

    kept = tmp_path / "kept.json"
    words = (table, "--target", "y", "--cluster", "local:2", "--checkpoint", kept)
    process = started(*words)
    until(lambda: steps(kept), process)
    children = psutil.Process(process.pid).children(recursive=True)
    assert len(children) >= 2
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: workers must not hear it
    out, err = process.communicate(timeout=LONGEST)
    assert process.returncode == 130, err
    assert "interrupted" in answer(out)["verdict"]["reason"]
    assert "Traceback" not in err
    gone, alive = psutil.wait_procs(children, timeout=LONGEST)
    assert not alive
    assert gone


def test_no_scheduler_is_one_sentence(table: Path, run: Callable[..., Any]) -> None:
    pytest.importorskip("distributed", reason="Dask is not installed")
    done = run("select", str(table), "--target", "y", "--cluster", "tcp://127.0.0.1:9")
    assert (done.exit_code, done.stdout) == (1, "")
    first, second = done.stderr.splitlines()
    assert first.startswith("Error: --cluster must be where a scheduler answers, got tcp://")
    assert first.endswith(": none did within 10 seconds.")
    assert second.startswith("Hint: ")
    assert "--cluster local:2" in second
