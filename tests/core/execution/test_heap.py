"""What a task frees is kept while it runs, where a worker was asked to give it back."""

from __future__ import annotations

import os
import platform
import subprocess
import sys

import pytest

resource = pytest.importorskip("resource")

PROGRAM = """
import resource
import numpy as np
from renyi.execution._heap import kept_heap

def faults(kept):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    if kept:
        with kept_heap():
            work()
    else:
        work()
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

def work():
    for _ in range(100):
        np.ones(2**17)  # from 4 MB on NumPy asks for large pages

print(faults(True), faults(False), faults(True))
"""


@pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="another C library has no such setting"
)
@pytest.mark.parametrize("asked", ["65536", ""])
def test_memory_is_kept_during_tasks_and_given_back_after_them(asked: str) -> None:
    given = {**os.environ, "MALLOC_TRIM_THRESHOLD_": asked}
    if not asked:
        del given["MALLOC_TRIM_THRESHOLD_"]
    told = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=given, capture_output=True, text=True, check=True
    )
    first, between, last = map(int, told.stdout.split())
    of_each = 2**17 * 8 // resource.getpagesize()
    if asked:
        assert max(first, last) < 5 * of_each  # once or twice, not a hundred times
        assert between > 50 * of_each  # as was asked
    else:
        assert between < 5 * of_each  # nobody asked: what is kept stays
