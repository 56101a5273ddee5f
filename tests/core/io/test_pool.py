"""A forked child works, or says at once why it cannot: it never waits for ever."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

START = """
import multiprocessing, os, sys, warnings
import polars as pl
import renyi
from renyi.errors import UsageError

FILE = sys.argv[1]
TABLE = {"a": [0.0, 0.1, 1.0, 1.1] * 10, "b": [i % 7 / 2 for i in range(40)], "y": [*"nnpp"] * 10}

def ask(what):
    ways = {
        "table": lambda: renyi.select(TABLE, target="y").selected,
        "file": lambda: renyi.select(FILE, target="y").selected,
        "kept": lambda: renyi.apply(PATH, FILE, FILE + ".tsv"),
        "values": lambda: renyi.mutual_information(TABLE["a"], TABLE["y"]) > 0,
        "write": lambda: PATH.save(FILE + ".csv", force=True) and True,
        "store": lambda: PATH.save(FILE + ".json", force=True) and True,
    }
    try:
        return ways[what]()
    except UsageError as error:
        return str(error)

def forked(wanted):
    warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 on forks beside threads
    with multiprocessing.get_context("fork").Pool(1) as pool:
        for answer in pool.map(ask, wanted):
            print(answer)
"""

READ_BEFORE = """
PATH = renyi.select(TABLE, target="y")
forked(["table", "file", "kept", "values", "write", "store"])
"""

READ_NOTHING_BEFORE = """
forked(["table", "file", "values"])
"""

OWN_POLARS_BEFORE = """
pl.DataFrame(TABLE).sort("b").filter(pl.col("a") > 0)
forked(["table", "file"])
"""


def lines(work: str, folder: Path) -> list[str]:
    file = folder / "t.csv"
    file.write_text("a,b,y\n" + "0.1,2,n\n0.2,1,n\n1.1,2,p\n1.3,1,p\n" * 10)
    done = subprocess.run(
        [sys.executable, "-c", START + work, str(file)],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.slow
def test_a_child_of_a_process_that_has_read_tables_says_so_at_once(tmp_path: Path) -> None:
    *refused, stored = lines(READ_BEFORE, tmp_path)
    assert len(refused) == 5
    for line in refused:
        assert line.startswith("A process that was forked from one in which tables were read")
        assert "multiprocessing.get_context('spawn')" in line
        assert "makePSOCKcluster" in line
    assert stored == "True"  # JSON needs none of the threads
    assert not (tmp_path / "t.csv.csv").exists()


@pytest.mark.slow
def test_a_child_of_a_process_that_has_read_nothing_works(tmp_path: Path) -> None:
    assert lines(READ_NOTHING_BEFORE, tmp_path) == ["('a',)", "('a',)", "True"]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs /proc")
def test_threads_that_the_callers_own_polars_began_are_missed_too(tmp_path: Path) -> None:
    for line in lines(OWN_POLARS_BEFORE, tmp_path):
        assert line.startswith("A process that was forked")
