"""NumPy on the CPU."""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np

from renyi import _validate
from renyi.backend import _lapack
from renyi.backend._band import bands
from renyi.backend._record import Backend, with_batches

__all__ = ["numpy_backend"]

UNKNOWN_MEMORY = 4 * 2**30
"""Bytes assumed free where the system does not tell."""


def _free_memory() -> int:
    """Bytes that can be allocated without swapping, and within the limit on addresses."""
    limit, used = _validate.address_limit(), Path("/proc/self/statm")
    if limit is None or not used.exists():
        return _free_in_all()
    pages = int(used.read_text(encoding="ascii").split()[0])
    return max(0, min(_free_in_all(), limit - pages * os.sysconf("SC_PAGE_SIZE")))


def _free_in_all() -> int:
    """Return what the machine has left, or a cautious guess where unknown."""
    meminfo = Path("/proc/meminfo")
    if meminfo.exists():
        for line in meminfo.read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    if sys.platform == "win32":
        return _free_of_windows()
    if "SC_PHYS_PAGES" in os.sysconf_names:
        return int(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")) // 2
    return UNKNOWN_MEMORY


class _MemoryStatus(ctypes.Structure):
    """MEMORYSTATUSEX of the Windows API: its size, the load, and seven counts of bytes."""

    _fields_ = (
        ("size", ctypes.c_uint32),
        ("load", ctypes.c_uint32),
        ("total", ctypes.c_uint64),
        ("free", ctypes.c_uint64),
        ("others", ctypes.c_uint64 * 5),
    )


def _free_of_windows() -> int:
    status = _MemoryStatus(size=ctypes.sizeof(_MemoryStatus))
    kernel: Any = getattr(ctypes, "windll").kernel32  # noqa: B009 - of Windows alone
    told = kernel.GlobalMemoryStatusEx(ctypes.byref(status))
    return int(status.free) if told else UNKNOWN_MEMORY


def _same(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return array


def _nothing() -> None:
    return None


def numpy_backend(reason: str = "") -> Backend:
    """Build the NumPy backend; `reason` says why it is used."""
    backend = Backend(
        name="numpy",
        xp=np,
        to_device=_same,
        to_host=_same,
        eigvalsh=_lapack.eigvalsh,
        eigh=_lapack.eigh,
        bands=bands,
        free_memory=_free_memory,
        synchronise=_nothing,
        device="cpu",
        reason=reason,
    )
    # a stack is solved matrix by matrix, whatever its size: it need not be split beforehand
    return with_batches(backend, by_free_memory=False)
