"""The hardware and the versions behind a figure."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

__all__ = ["commit_of", "describe_machine", "sentence_of"]

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("numpy", "scipy", "polars", "pyarrow")
LIBRARY = """
import json, numpy, threadpoolctl
print(json.dumps([{k: lib.get(k) for k in ("internal_api", "version", "architecture",
      "num_threads")} for lib in threadpoolctl.threadpool_info()]))
"""


def describe_machine() -> dict[str, Any]:
    """Return cores, processor, memory, system, versions and the linear algebra in use."""
    from measuring._process import measure

    library = measure([sys.executable, "-c", LIBRARY], 60).out.strip()
    return {
        "cores": len(os.sched_getaffinity(0))
        if hasattr(os, "sched_getaffinity")
        else os.cpu_count(),
        "processor": _processor(),
        "memory_gib": round(_memory() / 2**30, 1),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **{name: metadata.version(name) for name in PACKAGES},
        "linear_algebra": library,
    }


def sentence_of(machine: dict[str, Any]) -> str:
    """Return the machine in one sentence."""
    import json

    libraries = json.loads(machine["linear_algebra"] or "[]")
    blas = ", ".join(
        f"{lib['internal_api']} {lib['version']} ({lib['architecture']}, "
        f"{lib['num_threads']} threads)"
        for lib in libraries
        if lib["internal_api"] != "openmp"
    )
    versions = ", ".join(f"{name} {machine[name]}" for name in PACKAGES)
    return (
        f"{machine['cores']} cores of {machine['processor']}, {machine['memory_gib']} GiB of "
        f"memory, {machine['system']}; Python {machine['python']}, {versions}; "
        f"{blas or 'BLAS unknown'}."
    )


def commit_of() -> str:
    """Return the commit that is measured, with a + where the tree differs from it."""
    try:
        told = subprocess.run(
            ["git", "-C", str(ROOT), "describe", "--always", "--dirty=+"],
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return "no commit"
    return told.stdout.strip()


def _processor() -> str:
    """Return the model's name, with its numbers where the name says little."""
    path = Path("/proc/cpuinfo")
    if not path.exists():
        return platform.processor() or platform.machine()
    told: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        key, colon, value = line.partition(":")
        if colon:
            told.setdefault(key.strip(), value.strip())
    name = told.get("model name", platform.machine())
    numbers = [f"{key} {told[key]}" for key in ("cpu family", "model", "stepping") if key in told]
    flags = set(told.get("flags", "").split())
    vectors = [flag for flag in ("avx2", "avx512f", "amx_tile") if flag in flags]
    return f"{name} ({', '.join([*numbers, *vectors])})"


def _memory() -> int:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
