"""The check for a machine with a GPU, on an image that holds NumPy and SciPy only."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import scipy

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "benchmarks" / "gpu_check.py"
Bare = Callable[..., "subprocess.CompletedProcess[str]"]

# What a device that is off by a millionth in its eigenvalues would give.
WRONG_DEVICE = f"""
import runpy, sys
from dataclasses import replace
sys.path.insert(0, {str(ROOT / "core")!r})
import renyi.backend as door
found = door.get_backend

def get_backend(name="auto"):
    right = found("numpy")
    if name != "cupy":
        return right
    return replace(right, eigvalsh=lambda stack: right.eigvalsh(stack) * (1 + 1e-6))

door.get_backend = get_backend
sys.argv = ["gpu_check.py", *sys.argv[1:]]
runpy.run_path({str(SCRIPT)!r}, run_name="__main__")
"""


@pytest.fixture
def bare(tmp_path: Path) -> Bare:
    """Run Python where nothing but its own library, NumPy and SciPy can be imported."""
    image = tmp_path / "image"
    image.mkdir()
    for package in (np, scipy):
        folder = Path(package.__file__).parent
        for name in (folder.name, f"{folder.name}.libs"):  # wheels keep their BLAS beside them
            if (folder.parent / name).exists():
                (image / name).symlink_to(folder.parent / name)

    def run(*arguments: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-S", *map(str, arguments)],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(image)},
        )

    return run


def test_the_image_is_bare(bare: Bare) -> None:
    modules = "polars pyarrow typer rich threadpoolctl narwhals cupy renyi"
    code = textwrap.dedent(f"""
        import importlib.util
        import numpy, scipy
        print([name for name in {modules!r}.split() if importlib.util.find_spec(name)])
    """)
    assert bare("-c", code).stdout.strip() == "[]"


@pytest.mark.slow
def test_one_command_checks_and_times(bare: Bare, tmp_path: Path) -> None:
    output = tmp_path / "here" / "figures"
    done = bare(SCRIPT, "--backend", "numpy", "--quick", "--output", output)
    assert done.returncode == 0, done.stderr
    assert "numpy on cpu" in done.stdout
    assert "agrees with the CPU" in done.stdout
    record = json.loads((output / "gpu_check.json").read_text(encoding="utf-8"))
    assert record["agrees"] is True
    assert record["machine"]["cores"] == os.cpu_count()
    agreement = record["agreement"]
    assert len({entry["name"] for entry in agreement}) == 6
    assert {entry["alpha"] for entry in agreement} == {0.6, 1.0, 1.01, 2.0, 3.0}
    assert {entry["criterion"] for entry in agreement} == {"cmi-max", "cmi-perm+mi-perm"}
    assert all(entry["agrees"] and entry["steps"] >= 1 for entry in agreement)
    works = {timing["work"] for timing in record["timings"]}
    assert len(works) == 4
    assert all(timing["device"] > 0 and timing["cpu"] > 0 for timing in record["timings"])


@pytest.mark.slow
def test_a_device_that_differs_ends_with_status_1(bare: Bare, tmp_path: Path) -> None:
    done = bare("-c", WRONG_DEVICE, "--quick", "--output", tmp_path)
    assert done.returncode == 1, done.stderr
    assert "DIFFERS FROM the CPU" in done.stdout
    record = json.loads((tmp_path / "gpu_check.json").read_text(encoding="utf-8"))
    wrong = [entry for entry in record["agreement"] if not entry["agrees"]]
    assert {entry["name"] for entry in wrong} >= {"continuous", "regression"}
    assert all(entry["agrees"] for entry in record["agreement"] if entry["alpha"] in {2.0, 3.0})


def test_no_gpu_is_one_sentence(bare: Bare, tmp_path: Path) -> None:
    done = bare(SCRIPT, "--output", tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("The backend `cupy` needs CuPy.")
    assert len(done.stderr.splitlines()) == 1
    assert not list(tmp_path.glob("*.json"))


@pytest.fixture
def timing(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(SCRIPT.parent))
    from gpu_check import timing

    return timing


def test_what_would_take_too_long_is_left_out(timing: ModuleType) -> None:
    series = timing._Series(timing.Budget(1000), power=3)
    taken = [series.measure(rows, lambda: 6.0) for rows in (1000, 1500, 3000)]
    assert taken == [6.0, 6.0, None]  # 48 s are expected for the last
    spent = timing.Budget(0)
    assert timing._Series(spent, 3).measure(10, lambda: 1.0) is None
    left_out = timing.Timing("work", 10, 1, 2.0, None, timing._left_out(2.0, None))
    assert left_out.factor is None
    assert left_out.note == "CPU left out: too long"
