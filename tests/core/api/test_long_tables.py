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
def test_a_pass_over_many_rows_tells_how_far_it_is_and_ends_in_the_middle(long_table):
    """One of half a minute and more: its bar moves, and a token set early in it is heard."""
    token, shares = renyi.CancelToken(), []

    def watch(progress):
        if progress.phase == "prepare" and progress.share is not None:
            shares.append(progress.share)
            if len(shares) == 10:
                threading.Timer(0.05, token.cancel).start()

    x, y = long_table
    with pytest.raises(renyi.Interrupted) as stop:
        renyi.select(x[:50_000], y[:50_000], **ASKED, progress=watch, cancel=token)
    assert stop.value.path.steps == ()
    assert shares == sorted(shares)
    assert len(set(shares)) >= 3
    assert np.diff(shares).max() < 0.1  # never a dead bar
    assert shares[-1] < 0.5  # shares, not seconds: they are the same on a slow machine


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
def test_ctrl_c_in_the_middle_of_a_pass_is_not_answered_after_it(long_table, tmp_path):
    x, y = long_table
    file = tmp_path / "long.parquet"
    pl.DataFrame({**{f"x{k + 1}": x[:, k] for k in range(5)}, "y": y}).write_parquet(file)
    words = [RENYI, "select", file, "--target", "y", "--kind", "y=nominal", "--json"]
    with subprocess.Popen(
        [*words, "--criterion", "mi-perm", "--bandwidth", "0.3"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as work:
        for line in work.stderr:
            if b"Estimate" in line:
                break
        time.sleep(1)  # the pass has begun
        pressed = time.monotonic()
        work.send_signal(signal.SIGINT)
        out, rest = work.communicate(timeout=600)
        seconds = time.monotonic() - pressed
    assert work.returncode == 130, rest
    assert seconds < 30  # the pass takes minutes where cores are shared
    assert rest.endswith(b"Interrupted.\n")
    assert b"no step was finished" in rest
    assert not out
