"""What a process of its own takes: many rows in little memory, and refusal before any."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow  # some ten seconds together

pytest.importorskip("resource")

ROWS = 60_000
GIB = 2**30
MADE = f"""
import json, resource, sys
import numpy as np
import renyi
from renyi.errors import MemoryBudgetError
rng = np.random.default_rng(0)
a, b = rng.normal(size=(2, {ROWS}))
made = {{"a": a, "b": b, "y": (a + b + rng.normal(size={ROWS}) > 0).astype(int)}}
def peak():
    try:  # not that of the parent before it became this program, which getrusage counts too
        status = open("/proc/self/status").read()
        return 1024 * int(status.split("VmHWM:")[1].split()[0])
    except (OSError, IndexError):
        pass
    told = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return told if sys.platform == "darwin" else 1024 * told
"""


def run(code: str) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, "-c", MADE + code],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.mark.slow
def test_twenty_thousand_rows_at_alpha_two_take_less_than_half_a_gibibyte() -> None:
    """A matrix of them would take 3 GiB."""
    found = run("""
made = {name: column[:20_000] for name, column in made.items()}
path = renyi.select(made, target="y", kind={"y": "nominal"}, alpha=2, criterion="none",
                    max_features=2, jobs=1)
print(json.dumps({"peak": peak(), "rows": path.data.rows, "mi": [s.mi for s in path.steps]}))
""")
    assert found["rows"] == 20_000
    first, both = found["mi"]  # type: ignore[misc]
    assert 0 < first < both < 1
    assert found["peak"] < GIB / 2  # type: ignore[operator]


def test_dense_refuses_before_it_takes_memory() -> None:
    """With 1 GiB to use, in a process that never came near it."""
    found = run("""
seen = []
try:
    renyi.select(made, target="y", kind={"y": "nominal"}, alpha=2, criterion="none",
                 solver="dense", max_memory="1GiB", progress=seen.append)
except MemoryBudgetError as error:
    told = {"message": error.message, "hint": error.hint}
print(json.dumps({**told, "peak": peak(), "seen": len(seen)}))
""")
    assert f"{ROWS} x {ROWS}" in str(found["message"])
    assert "1.0 GiB may be used" in str(found["message"])
    assert "`rows=N`" in str(found["hint"])
    assert found["seen"] == 0
    assert found["peak"] < GIB / 2  # type: ignore[operator]


@pytest.mark.slow
def test_factors_stay_within_the_budget() -> None:
    """Three features would take 300 MB here, two fit."""
    found = run("""
made["c"] = rng.normal(size=len(a))
made = {name: column[:24_000] for name, column in made.items()}
given = dict(target="y", kind={"y": "nominal"}, alpha=1.01, bandwidth=2, criterion="none")
renyi.select({name: column[:300] for name, column in made.items()}, **given, max_features=2)
before = peak()
try:
    renyi.select(made, **given, max_features=3, max_memory="100MB")
except MemoryBudgetError as error:
    told = error.hint
path = renyi.select(made, **given, max_features=2, max_memory="100MB")
took = peak() - before
free = renyi.select(made, **given, max_features=2, max_memory="2GB")
print(json.dumps({"told": told, "took": took, "selected": [path.selected, free.selected],
                  "apart": max(abs(s.mi - t.mi) for s, t in zip(path.steps, free.steps))}))
""")
    assert "`max_features=2`, which low rank can do" in str(found["told"])
    assert found["took"] < 100e6  # type: ignore[operator]
    once, free = found["selected"]  # type: ignore[misc]
    assert once == free
    assert found["apart"] < 2e-6  # type: ignore[operator]
