"""The first results of a device against the CPU's: a wrong device must not give quiet answers.

Compared are the operations that the numerics consist of, on a small Gram of known content, and the
first eigenvalues of the run itself. Once per process and device: a device that computes wrongly (a
faulty library, memory or overclocked card) mostly does so from the start, and a comparison of
everything would cost what the device saves.
"""

from __future__ import annotations

import threading
from typing import Any, Final

import numpy as np

from renyi._typing import Array, FloatArray
from renyi.backend._record import Backend
from renyi.errors import BackendError, Way

__all__ = ["check_device", "check_eigenvalues"]

EPS: Final = float(np.finfo(np.float64).eps)

EXP_ULPS: Final = 8
"""Units in the last place between two exponentials of the same number: each library promises 1 to
4 of them (CUDA 1, vectorised NumPy 4)."""

EIGEN_ROUNDINGS: Final = 8
"""Times m eps |A|: the error of a backward stable solver is a small multiple of it (Golub and Van
Loan, Matrix Computations, 8.3), mostly far below; single precision would show at 1e8 times that."""

PROBE_ROWS: Final = (24, 320)
"""Sizes of the known Grams, one on each side of the size up to which CuPy solves stacks at once."""

MOST_ROWS: Final = 512
"""Rows of the run's own first matrix that the CPU solves, too: 0.1 s."""

_lock = threading.Lock()
_done: set[tuple[str, str, str]] = set()


def _first(backend: Backend, what: str) -> bool:
    """Return whether this process has not compared that on that device yet."""
    key = (backend.name, backend.device, what)
    with _lock:
        if key in _done:
            return False
        _done.add(key)
        return True


def _require(backend: Backend, what: str, there: Any, here: Any, tolerance: Any) -> None:
    """Refuse a device whose numbers differ from the CPU's by more than rounding can.

    A failure is not remembered as done: the next attempt fails, too.
    """
    difference = np.abs(there - here)
    if bool(np.all(difference <= tolerance)):  # False for NaN
        return
    with _lock:
        _done.difference_update({key for key in _done if key[:2] == (backend.name, backend.device)})
    raise BackendError(
        f"The device `{backend.device}` computes {what} otherwise than the CPU: they differ by "
        f"{float(np.max(difference)):.1e}, which rounding cannot explain.",
        "Use ",
        Way("backend", "numpy"),
        ", and check the driver and the device.",
    )


def check_device(backend: Backend) -> None:
    """Compare matrix products, exponentials and eigenvalues of known Grams, once.

    Parameters
    ----------
    backend
        A backend on a device of its own.

    Raises
    ------
    BackendError
        If the device's numbers are not the CPU's.
    """
    if not _first(backend, "operations"):
        return
    for size in PROBE_ROWS:
        _check_operations(backend, size)


def _check_operations(backend: Backend, size: int) -> None:
    xp = backend.xp
    left, right = _log_factors(size)
    there = backend.to_device(left) @ backend.to_device(right)
    logs = backend.to_host(there)
    # a sum of k products is off by at most k eps of the sum of their sizes, on either side
    bound = 2 * left.shape[1] * EPS * (np.abs(left) @ np.abs(right))
    _require(backend, "a matrix product", logs, left @ right, bound)

    tile = backend.to_host(xp.exp(there))
    kernel = np.exp(logs)  # of the device's own logarithms: only the exponential is compared
    _require(backend, "exponentials", tile, kernel, EXP_ULPS * EPS * kernel)

    gram = (kernel + kernel.T) / (2 * size)
    stack = np.stack([gram, gram @ gram, np.eye(size) / size])
    on_device = backend.to_device(stack)
    found = backend.to_host(backend.eigvalsh(on_device))
    _require_eigenvalues(backend, found, stack)
    there_sum, here_sum = float(xp.sum(on_device * on_device)), float(np.sum(stack * stack))
    _require(backend, "a sum", there_sum, here_sum, 2 * stack.size * EPS * here_sum)


def _log_factors(size: int) -> tuple[FloatArray, FloatArray]:
    """Factors of -|u_i - u_j|^2 / 2 for a spiral u: a Gram with a full range of values."""
    turn = np.linspace(0.1, 6.0, size)
    points = np.column_stack((turn * np.cos(3 * turn), turn * np.sin(3 * turn), turn / 2))
    half, ones = -0.5 * np.sum(points * points, axis=1), np.ones(size)
    return np.column_stack((points, half, ones)), np.vstack((points.T, ones, half))


def check_eigenvalues(backend: Backend, stack: Array, found: Array, routine: str) -> None:
    """Compare a run's first eigenvalues by one routine with the CPU's, once a routine.

    Of a matrix beyond 512 rows, the leading block is solved on both.

    Parameters
    ----------
    backend
        Its `eigvalsh` is the library's own.
    stack
        (k, m, m), on the device.
    found
        (k, m), their eigenvalues.
    routine
        A word that names the routine.

    Raises
    ------
    BackendError
        If the device's numbers are not the CPU's.
    """
    if not _first(backend, routine):
        return
    leading, values = stack[:1, ...], found[:1, ...]
    if stack.shape[-1] > MOST_ROWS:
        leading = leading[:, :MOST_ROWS, :MOST_ROWS]
        values = backend.eigvalsh(leading)
    _require_eigenvalues(backend, backend.to_host(values), backend.to_host(leading))


def _require_eigenvalues(backend: Backend, found: FloatArray, stack: FloatArray) -> None:
    truth = np.linalg.eigvalsh(stack)
    norms = np.abs(truth).max(axis=1, keepdims=True)
    tolerance = EIGEN_ROUNDINGS * stack.shape[-1] * EPS * norms
    _require(backend, "eigenvalues", found, truth, tolerance)
