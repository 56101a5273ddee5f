"""Backends by name."""

from __future__ import annotations

from renyi.backend._cupy import cupy_backend, cupy_problem
from renyi.backend._numpy import numpy_backend
from renyi.backend._record import Backend
from renyi.options import option_of

__all__ = ["get_backend"]


def get_backend(name: str = "auto") -> Backend:
    """Return the backend of that name.

    `auto` is CuPy where a CUDA device can be used, else NumPy with the reason; a backend asked
    for by name is used or refused, never replaced. A device that computes otherwise than the CPU
    is refused in both cases.

    Raises
    ------
    OptionError
        If the name is unknown.
    BackendError, MissingExtraError
        If the backend asked for cannot be used, or the device's first results are wrong.

    Examples
    --------
    >>> get_backend("numpy").name
    'numpy'
    """
    name = option_of("backend").checked(name)
    if name == "numpy":
        return numpy_backend()
    if name == "cupy":
        return cupy_backend()
    problem = cupy_problem()
    return numpy_backend(f"auto: {problem}") if problem else cupy_backend()
