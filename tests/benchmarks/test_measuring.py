"""Processes are measured as they are, figures are kept, and the page is made of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from renyi import datasets

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
PYTHON = sys.executable


def test_a_process_is_measured() -> None:
    resource = pytest.importorskip("resource", reason="only Unix counts the memory of children")
    from measuring import measure

    program = "import time; block = bytearray(300 * 2**20); time.sleep(0.2); print('done')"
    found = measure([PYTHON, "-c", program], 600)
    assert (found.out.strip(), found.failure) == ("done", None)
    assert 0.2 < found.seconds < 600
    # what this process held when it started the other is counted as that one's
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    assert 300 * 2**20 < found.peak_bytes < max(600 * 2**20, own + 2**26)


def test_a_disturbance_is_seen() -> None:
    """A core kept busy by another process while an idle one is measured."""
    from measuring import measure

    if not Path("/proc/stat").exists():
        pytest.skip("the system does not tell how busy its cores are")
    busy = subprocess.Popen([PYTHON, "-c", "while True: pass"])
    try:
        found = measure([PYTHON, "-c", "import time; time.sleep(1)"], 600)
    finally:
        busy.kill()
        busy.wait()
    assert found.others is not None
    assert found.others > 0.3 / (os.cpu_count() or 1)


def test_what_fails_or_takes_too_long_says_so() -> None:
    from measuring import measure

    failed = measure([PYTHON, "-c", "raise SystemExit('no such thing')"], 600)
    assert failed.failure == "no such thing"
    late = measure([PYTHON, "-c", "import time; time.sleep(600)"], 0.5)
    assert late.status is None
    assert late.failure is not None
    assert late.failure.startswith("stopped after")


def test_children_see_no_tuning(monkeypatch: pytest.MonkeyPatch) -> None:
    from measuring import clean_environment

    tuning = ("OPENBLAS_NUM_THREADS", "OPENBLAS_CORETYPE", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
    for name in tuning:
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("RENYI_DATA_HOME", "somewhere")
    seen = clean_environment()
    assert not set(tuning) & set(seen)
    assert seen["RENYI_DATA_HOME"] == "somewhere"


def test_figures_are_kept_for_one_machine(tmp_path: Path) -> None:
    from measuring import Store

    path = tmp_path / "section.json"
    Store(path, {"cores": 2}).put("a", {"seconds": 1.5})
    again = Store(path, {"cores": 2})
    assert again.figures["a"]["seconds"] == 1.5
    again.put("b", {"seconds": 2.5})
    assert set(json.loads(path.read_text())["figures"]) == {"a", "b"}
    assert Store(path, {"cores": 64}).figures == {}


def test_of_three_runs_the_median_counts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import measuring._work as work
    from measuring import Measured, Tables, Workbench

    seconds = iter([3.0, 1.0, 2.0, 90.0])
    monkeypatch.setattr(work, "measure", lambda *_: Measured(next(seconds), 10, 0, "no object", ""))
    bench = Workbench(Tables(tmp_path))
    assert bench.repeat(["x"], 60)["seconds"] == 2.0
    assert bench.repeat(["x"], 60)["all_seconds"] == [90.0], "a long one is run once"


@pytest.mark.parametrize("power", [1.0, 2.0, 3.0])
def test_a_slope_is_the_power_of_growth(power: float) -> None:
    from sections import slope

    assert slope([(n, 0.01 * n**power) for n in (100, 200, 400)]) == pytest.approx(power)
    assert slope([(100, 1.0)]) is None


def test_time_is_filed_under_what_a_thread_does(tmp_path: Path) -> None:
    """One program that multiplies and one that solves, each filed under its own word."""
    script = tmp_path / "look.py"
    script.write_text(
        "import sys, time\n"
        f"sys.path.insert(0, {str(BENCHMARKS / 'in_child')!r})\n"
        "import numpy as np\n"
        "from profile_select import Watcher\n"
        "a = np.random.default_rng(0).normal(size=(400, 400))\n"
        "def multiply():\n"
        "    a @ a\n"
        "def eigen():\n"
        "    np.linalg.eigvalsh(a)\n"
        "def kernel():\n"
        "    np.exp(a)\n"
        "for work in (multiply, eigen, kernel):\n"
        "    watcher = Watcher()\n"
        "    watcher.start()\n"
        "    until = time.monotonic() + 300\n"
        "    while watcher.seen.total() < 40 and time.monotonic() < until:\n"
        "        work()\n"
        "    watcher.stop()\n"
        "    print(watcher.seen.most_common(1)[0][0])\n"
    )
    done = subprocess.run([PYTHON, script], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:3] == ["matrix products", "eigenvalues", "kernel values"]


@pytest.mark.slow
def test_eigenproblems_are_counted_where_the_backend_solves_them(tmp_path: Path) -> None:
    script = BENCHMARKS / "in_child" / "profile_select.py"
    task = {"data": str(BENCHMARKS.parent / "data" / "waveform.parquet"), "rows": 60}
    task |= {"alpha": 1.01, "solver": "dense", "criterion": "none", "max_features": 2}
    path = tmp_path / "task.json"
    path.write_text(json.dumps(task))
    done = subprocess.run([PYTHON, script, path], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    # H(y), both of all 21 features, both of every candidate of two steps; then why the other 19 are
    # not selected: alone, and beside the two
    assert found["eigenproblems"] == 1 + 2 + 2 * (21 + 20) + 2 * 19 + 2 * (1 + 19)
    assert found["largest"] == 60
    assert found["library_seconds"] > 0
    assert sum(found["shares"].values()) == pytest.approx(1)


@pytest.mark.slow
def test_tables_are_cut_and_widened(tmp_path: Path) -> None:
    import polars as pl

    from measuring import Tables

    tables = Tables(tmp_path)
    cut = tables.first(tables.own(), 30, 4)
    assert pl.read_parquet(cut.path).equals(
        pl.read_parquet(tables.own().path).select("x1", "x2", "x3", "x4", "class").head(30)
    )
    wide = pl.read_parquet(tables.wide(40, 50).path)
    assert wide.shape == (40, 51)
    assert wide["class"].equals(datasets.generate("waveform", 40)["class"])


def test_a_set_that_is_not_at_hand_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from measuring import TableMissingError, Tables

    monkeypatch.setenv("RENYI_DATA_HOME", str(tmp_path))
    with pytest.raises(TableMissingError, match=r"madelon\.parquet"):
        Tables(tmp_path).public("madelon")
    assert Tables(tmp_path).public("waveform").target == "class"


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [PYTHON, str(BENCHMARKS / "run.py"), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_every_figure_has_a_name_of_its_own() -> None:
    names = run("--list").stdout.split()
    assert len(set(names)) == len(names) > 50
    assert {name.partition("/")[0] for name in names} == {
        *("limits", "naive", "growth", "shares", "peers", "scores")
    }
    wrong = run("--only", "limits/nothing")
    assert wrong.returncode == 1
    assert "limits/nothing" in wrong.stderr


@pytest.mark.slow
def test_the_command_measures_and_goes_on(tmp_path: Path) -> None:
    """One figure of each kind at small sizes; the second time nothing is measured."""
    out = ["--output", str(tmp_path), "--quick"]
    only = ["--only", "limits/import", "limits/waveform-1.01", "naive/alpha-1.01-120x5"]
    first = run(*out, *only)
    assert first.returncode == 0, first.stderr
    assert first.stdout.count(" ...") == 3
    record: dict[str, Any] = json.loads((tmp_path / "naive.json").read_text())["figures"]
    same = record["alpha-1.01-120x5"]["same"]
    assert (same["path"], same["decisions"], same["replicates"]) == (True, True, True)
    assert same["largest_difference"] < 1e-6
    page = (tmp_path / "benchmarks.md").read_text()
    assert "`import renyi`" in page
    assert all(len(line) <= 100 for line in page.splitlines() if line and line[0] not in "|>-")
    again = run(*out, *only)
    assert again.stdout.count(" ...") == 0
    assert (tmp_path / "benchmarks.md").read_text() == page
