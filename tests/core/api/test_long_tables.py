"""Tables with passes of many seconds over their pairs of rows: alive, and stopped at once."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import renyi

RENYI = str(Path(sys.executable).with_name("renyi"))


@pytest.fixture(scope="module")
def long_table():
    rng = np.random.default_rng(0)
    columns = rng.standard_normal((100_000, 5))
    return columns, (columns.sum(axis=1) + rng.standard_normal(100_000) > 0).astype(int)


ASKED = {"alpha": 2, "criterion": "mi-perm", "bandwidth": 0.3}
"""A bandwidth at which no factor stands in for the pairs: CMI takes 5e9 of them before step 1."""


@pytest.mark.slow
def test_a_pass_over_many_rows_tells_how_far_it_is_and_ends_within_two_seconds(long_table):
    """One of many seconds: its bar moves, and a token set in the middle of it is heard."""
    token, seen, asked = renyi.CancelToken(), [], []

    def watch(progress):
        seen.append((time.monotonic(), progress))
        if progress.phase == "prepare" and (progress.share or 0) > 0.02 and not asked:
            asked.append(time.monotonic())
            threading.Timer(0.05, token.cancel).start()

    x, y = long_table
    with pytest.raises(renyi.Interrupted) as stop:
        renyi.select(x, y, **ASKED, progress=watch, cancel=token)
    assert time.monotonic() - asked[0] < 2
    assert stop.value.path.steps == ()
    shares = [progress.share for _, progress in seen if progress.share is not None]
    assert shares == sorted(shares)
    assert len(set(shares)) >= 3
    assert np.diff([when for when, _ in seen]).max() < 2  # never a dead bar


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
def test_ctrl_c_in_the_middle_of_a_pass_is_answered_within_two_seconds(long_table, tmp_path):
    x, y = long_table
    file = tmp_path / "long.parquet"
    pl.DataFrame({**{f"x{k + 1}": x[:, k] for k in range(5)}, "y": y}).write_parquet(file)
    words = [RENYI, "select", file, "--target", "y", "--kind", "y=nominal", "--json"]
    with subprocess.Popen(
        [*words, "--criterion", "mi-perm", "--bandwidth", "0.3"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as work:
        time.sleep(8)  # the table is read, and the pass has begun
        pressed = time.monotonic()
        work.send_signal(signal.SIGINT)
        out, rest = work.communicate(timeout=120)
        seconds = time.monotonic() - pressed
    assert work.returncode == 130, rest
    assert seconds < 2
    assert rest.endswith(b"Interrupted.\n")
    path = renyi.SelectionPath.from_json(out.decode())
    assert path.verdict.stopped == "interrupted"
    assert path.data.rows_used == 100_000
