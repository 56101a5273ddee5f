"""Eigenvalues from the LAPACK that NumPy's wheels bring along, called without the interpreter lock.

NumPy holds the interpreter lock during eigenvalues of a lone matrix of fewer than about 500 rows,
so that two threads gain nothing there; and it knows the one-stage reduction only, half of whose
operations run at memory speed. Its wheels carry an OpenBLAS whose LAPACK has the two-stage
reduction too. Where that library is not found, or does not agree with NumPy on a small matrix,
NumPy's own routine serves: the same values, later.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from renyi._typing import FloatArray

__all__ = ["AGREEMENT", "available", "check_matrix", "eigh", "eigvalsh", "libraries"]

Matrix: TypeAlias = "np.ndarray[Any, Any]"

LONE_ROWS: Final = 48
"""Rows below which a stack goes to NumPy in one call: there the calls themselves would count."""

SMALL_ROWS: Final = 192
"""The same for stacks of many: NumPy then lets other threads work too."""

TWO_STAGE_ROWS: Final = 1200
"""Rows from which the two-stage reduction is faster, on one thread."""

PLACES: Final = ("../numpy.libs", ".dylibs", ".libs")
"""Where wheels keep their libraries, seen from the package."""

CHECK_ROWS: Final = 200
"""Enough for the two-stage reduction to take its own way."""

AGREEMENT: Final = 1e-13


class _Routines(NamedTuple):
    """The routines found; `two_stage` may be absent."""

    one_stage: Any
    two_stage: Any


@cache
def _routines() -> _Routines | None:
    """Return the routines, None where they are not found or do not agree with NumPy."""
    found = _search()
    if found is None:
        return None
    try:
        return _checked(found)
    except (OSError, ValueError, np.linalg.LinAlgError):  # pragma: no cover - a foreign library
        return None


def _search(places: Sequence[str] = PLACES) -> _Routines | None:
    for library in libraries(places):
        one = getattr(library, "scipy_dsyevd_64_", None)
        if one is not None:
            return _Routines(one, getattr(library, "scipy_dsyevd_2stage_64_", None))
    return None


def libraries(places: Sequence[str] = PLACES) -> Iterator[ctypes.CDLL]:
    """Yield the libraries that NumPy's wheel brought along, as NumPy has loaded them."""
    home = Path(np.__file__).parent
    for place in places:
        for path in sorted((home / place).glob("*scipy_openblas64*")):
            try:
                yield ctypes.CDLL(str(path))  # the one that NumPy has loaded: one copy
            except OSError:  # pragma: no cover - not a library
                continue


def check_matrix() -> Matrix:
    """Return a small Gram matrix on which a library is compared with NumPy."""
    points = np.linspace(0.0, 9.0, CHECK_ROWS)
    gram: Matrix = np.exp(-0.5 * (points[:, None] - points[None, :]) ** 2)
    return gram


def _checked(found: _Routines) -> _Routines | None:
    """Return those routines that agree with NumPy on a small matrix."""
    matrix = check_matrix()
    truth = np.linalg.eigvalsh(matrix)
    values, vectors = _call(found.one_stage, matrix, vectors=True)
    again = (vectors * values) @ vectors.T
    if not (_agree(values, truth) and np.abs(again - matrix).max() <= AGREEMENT * len(matrix)):
        return None
    if found.two_stage is not None:
        values, _ = _call(found.two_stage, matrix, vectors=False)
        if _agree(values, truth):
            return found
    return _Routines(found.one_stage, None)


def _agree(values: FloatArray, truth: FloatArray) -> bool:
    return bool(np.abs(values - truth).max() <= AGREEMENT * truth.max())


def _call(routine: Any, matrix: Matrix, *, vectors: bool) -> tuple[FloatArray, FloatArray]:
    """Return eigenvalues, and eigenvectors as columns where they are asked for."""
    size = len(matrix)
    work_matrix = np.array(matrix, dtype=np.float64, order="C")  # symmetric: order is no matter
    values = np.empty(size)
    sizes = np.empty(1)
    whole = np.empty(1, dtype=np.int64)
    _enter(routine, work_matrix, values, sizes, whole, vectors=vectors, query=True)
    work = np.empty(max(1, int(sizes[0])))
    iwork = np.empty(max(1, int(whole[0])), dtype=np.int64)
    info = _enter(routine, work_matrix, values, work, iwork, vectors=vectors, query=False)
    if info != 0:
        raise np.linalg.LinAlgError(f"dsyevd: info {info}")
    return values, work_matrix.T


def _enter(
    routine: Any,
    matrix: Matrix,
    values: Matrix,
    work: Matrix,
    iwork: Matrix,
    *,
    vectors: bool,
    query: bool,
) -> int:
    size, info = ctypes.c_int64(len(matrix)), ctypes.c_int64(0)
    start = [ctypes.c_void_p(array.ctypes.data) for array in (matrix, values, work, iwork)]
    lengths = [ctypes.c_int64(-1 if query else len(array)) for array in (work, iwork)]
    one = ctypes.c_size_t(1)
    routine(
        b"V" if vectors else b"N",
        b"L",
        ctypes.byref(size),
        start[0],
        ctypes.byref(size),
        start[1],
        start[2],
        ctypes.byref(lengths[0]),
        start[3],
        ctypes.byref(lengths[1]),
        ctypes.byref(info),
        one,
        one,
    )
    return int(info.value)


def available() -> bool:
    """Return whether the library is found and agrees with NumPy."""
    return _routines() is not None


def eigvalsh(stack: Matrix) -> FloatArray:
    """Return the eigenvalues of a stack (k, m, m) or of one (m, m), ascending."""
    routines = _routines()
    size = stack.shape[-1]
    if (
        routines is None
        or size < LONE_ROWS
        or (size <= SMALL_ROWS and stack.ndim == 3 and len(stack) > 8)
    ):
        return np.asarray(np.linalg.eigvalsh(stack))
    routine = routines.one_stage
    if size >= TWO_STAGE_ROWS and routines.two_stage is not None:
        routine = routines.two_stage
    if stack.ndim == 2:
        return _call(routine, stack, vectors=False)[0]
    return np.stack([_call(routine, matrix, vectors=False)[0] for matrix in stack])


def eigh(matrix: Matrix) -> tuple[FloatArray, FloatArray]:
    """Return the eigenvalues of one (m, m), ascending, and the vectors as columns."""
    routines = _routines()
    if routines is None or len(matrix) < LONE_ROWS:
        values, vectors = np.linalg.eigh(matrix)
        return values, vectors
    return _call(routines.one_stage, matrix, vectors=True)
