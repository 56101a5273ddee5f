"""Symmetric matrices reduced to a band, and determinants of bands, by the library of `_lapack`.

An orthogonal similarity to a band is the first stage of the two-stage reduction (Haidar, Ltaief and
Dongarra, SC 2011): nearly all of it matrix products. The second stage, from the band to three
diagonals, runs at memory speed and takes the larger half of the time up to some thousand rows;
determinants need no such thing: Cholesky of a band of width b takes m b^2 operations.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any, Final

import numpy as np

from renyi._typing import FloatArray
from renyi.backend import _lapack

__all__ = ["Bands", "bands"]

WIDTHS: Final = ((450, 16), (1600, 32))
"""(rows, diagonals below the main one) that are fastest below so many rows."""

WIDEST: Final = 48

CHECK_SHIFT: Final = 1e-3


class Bands:
    """The two routines.

    Parameters
    ----------
    to_band, cholesky
        LAPACK's dsytrd_sy2sb and dpbtrf.
    """

    def __init__(self, to_band: Any, cholesky: Any) -> None:
        self._to_band = to_band
        self._cholesky = cholesky

    def reduce(self, matrix: FloatArray, *, overwrite: bool = False) -> FloatArray:
        """Return a band with the eigenvalues of a symmetric (m, m), shape (m, diagonals).

        Row j holds the entries of column j from the diagonal downwards; what is beyond the last
        row is 0. With `overwrite` the matrix, contiguous doubles, is used up.
        """
        size = len(matrix)
        width = min(next((b for rows, b in WIDTHS if size < rows), WIDEST), size - 1)
        # symmetric: the order of entries is no matter
        own = matrix if overwrite else np.array(matrix, dtype=np.float64, order="C")
        band = np.zeros((size, width + 1))
        scales = np.empty(max(1, size))
        length = np.empty(1)
        self._reduce(own, band, scales, length, query=True)
        work = np.empty(max(1, int(length[0])))
        self._reduce(own, band, scales, work, query=False)
        return band

    def _reduce(
        self,
        own: FloatArray,
        band: FloatArray,
        scales: FloatArray,
        work: FloatArray,
        *,
        query: bool,
    ) -> None:
        rows, columns = band.shape
        info = ctypes.c_int64(0)
        self._to_band(
            b"L",
            _whole(rows),
            _whole(columns - 1),
            _start(own),
            _whole(rows),
            _start(band),
            _whole(columns),
            _start(scales),
            _start(work),
            _whole(-1 if query else len(work)),
            ctypes.byref(info),
            ctypes.c_size_t(1),
        )
        if info.value != 0:
            raise np.linalg.LinAlgError(f"dsytrd_sy2sb: info {info.value}")

    def log_dets(self, band: FloatArray, shifts: FloatArray) -> FloatArray:
        """Return ln det(I + B / t) of a positive semidefinite band B for each shift t > 0."""
        rows, columns = band.shape
        own = np.empty_like(band)
        diagonal = own[:, 0]
        found = np.empty(len(shifts))
        info = ctypes.c_int64(0)
        # prepared once: between calls a thread holds the interpreter lock, and others wait
        words = (
            b"L",
            _whole(rows),
            _whole(columns - 1),
            _start(own),
            _whole(columns),
            ctypes.byref(info),
            ctypes.c_size_t(1),
        )
        for place, shift in enumerate(shifts):
            np.divide(band, shift, out=own)
            diagonal += 1
            self._cholesky(*words)
            if info.value != 0:
                raise np.linalg.LinAlgError(f"dpbtrf: info {info.value}")
            found[place] = 2 * np.log(diagonal).sum()
        return found


def _whole(value: int) -> Any:
    return ctypes.byref(ctypes.c_int64(value))


def _start(array: FloatArray) -> Any:
    return ctypes.c_void_p(array.ctypes.data)


@cache
def bands() -> Bands | None:
    """Return the routines, None where they are not found or do not agree with NumPy."""
    for library in _lapack.libraries():
        to_band = getattr(library, "scipy_dsytrd_sy2sb_64_", None)
        cholesky = getattr(library, "scipy_dpbtrf_64_", None)
        if to_band is not None and cholesky is not None:
            found = Bands(to_band, cholesky)
            return found if _agrees(found) else None
    return None


def _agrees(found: Bands) -> bool:
    """Return whether a small matrix keeps its determinant and its norm."""
    matrix = _lapack.check_matrix()
    try:
        band = found.reduce(matrix)
        value = found.log_dets(band, np.array([CHECK_SHIFT]))[0]
    except (OSError, ValueError, np.linalg.LinAlgError):  # pragma: no cover - a foreign library
        return False
    truth = np.linalg.slogdet(matrix / CHECK_SHIFT + np.eye(len(matrix)))[1]
    norm = 2 * float(np.sum(band**2)) - float(np.sum(band[:, 0] ** 2))
    close = len(matrix) * _lapack.AGREEMENT
    return bool(abs(value - truth) <= close * truth and abs(norm / np.sum(matrix**2) - 1) <= close)
