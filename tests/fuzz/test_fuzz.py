"""A few dozen inputs of the harness; `python tasks.py fuzz` runs a thousand."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from fuzz import inputs

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

ROOT = Path(__file__).resolve().parents[2]


def harness(*words: str) -> subprocess.CompletedProcess[str]:
    paths = [str(ROOT / "tests"), *sys.path]
    return subprocess.run(
        [sys.executable, "-m", "fuzz", *words],
        capture_output=True,
        text=True,
        timeout=3000,
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
    )


@pytest.mark.slow
def test_a_few_dozen_inputs_end_as_they_must(tmp_path: Path) -> None:
    done = harness("--seed", "5000", "--count", "33", "--keep", str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "33 inputs" in done.stdout
    assert done.stdout.endswith("faults: 0\n")


@pytest.mark.slow
def test_killed_searches_go_on_to_the_identical_byte() -> None:
    done = harness("--kills", "6")
    assert done.stdout == "6 of 6 killed searches: identical\n", done.stdout + done.stderr


def test_an_input_is_that_of_its_seed(tmp_path: Path) -> None:
    for seed in range(len(inputs.MAKERS)):
        found = []
        for folder in (tmp_path / f"{seed}a", tmp_path / f"{seed}b"):
            folder.mkdir()
            given = inputs.build(seed, folder)
            found.append((given, {f.name: f.read_bytes() for f in folder.iterdir()}))
        assert found[0] == found[1]


@pytest.mark.parametrize("how", inputs.DAMAGE)
def test_damage_changes_bytes(how: str) -> None:
    raw = bytes(range(256)) * 4
    assert inputs.DAMAGE[how](raw, np.random.default_rng(0)) != raw
