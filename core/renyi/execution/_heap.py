"""What work frees and takes again at once, kept in its process meanwhile.

A pass over tiles frees a few MB a hundred times a second. Where these go back to the system each
is filled with zeros again, which takes as long as the pass itself. Dask has its workers give back
every freed block at once (`MALLOC_TRIM_THRESHOLD_`), so that their memory looks as small as it is;
elsewhere glibc gives back what threads free at the end of their heaps.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, Final

__all__ = ["kept_heap"]

ASKED: Final = "MALLOC_TRIM_THRESHOLD_"
ASKED_BLOCK: Final = "MALLOC_MMAP_THRESHOLD_"
"""The variables by which glibc is asked to give back."""

TRIM: Final = -1
"""The number of glibc's setting for bytes at the end of the heap that are given back."""

BLOCK: Final = -3
"""That for bytes of a block that is taken, and given back, by itself."""

KEPT_BYTES: Final = 2**30
LARGEST_BLOCK: Final = 2**25
"""The largest that glibc takes."""

OWN_BLOCK: Final = 2**23
OWN_BYTES: Final = 2**26
"""What is kept, and the largest block of it, where nobody asked for anything: some of the pieces
that a pass works on. With more, a run with a tight limit of memory goes over it."""

USUAL_BLOCK: Final = 2**17
"""What it takes where it was asked for the other."""


@cache
def _libc() -> Any:
    """Return the C library where it is glibc, None elsewhere."""
    try:
        library = ctypes.CDLL(None)
    except (OSError, TypeError):  # Windows
        return None
    return library if hasattr(library, "gnu_get_libc_version") else None


def _asked(variable: str) -> int | None:
    """Return from how many bytes on memory is to be given back, None where nobody asked."""
    asked = os.environ.get(variable, "")
    return int(asked) if asked.isdecimal() else None


class _Heap:
    """Who needs that memory is kept."""

    def __init__(self) -> None:
        self._lock, self._holders = threading.Lock(), 0

    def keep(self, library: Any) -> None:
        with self._lock:
            self._holders += 1
            if self._holders == 1:
                own = _asked(ASKED) is None
                library.mallopt(TRIM, OWN_BYTES if own else KEPT_BYTES)
                library.mallopt(BLOCK, OWN_BLOCK if own else LARGEST_BLOCK)

    def leave(self, library: Any) -> None:
        with self._lock:
            self._holders -= 1
            if self._holders:
                return
            asked, block = _asked(ASKED), _asked(ASKED_BLOCK)
            if asked is not None:
                library.mallopt(TRIM, min(asked, KEPT_BYTES))
                block = USUAL_BLOCK if block is None else block
            if block is not None:
                library.mallopt(BLOCK, min(block, LARGEST_BLOCK))
            library.malloc_trim(0)


_heap = _Heap()


@contextmanager
def kept_heap() -> Iterator[None]:
    """Keep what is freed until the last task ends; then give it back."""
    library = _libc()
    if library is None:
        yield
        return
    _heap.keep(library)
    try:
        yield
    finally:
        _heap.leave(library)
