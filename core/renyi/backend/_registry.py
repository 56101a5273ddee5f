"""Backends by name."""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from typing import Any

from renyi.backend._cupy import cupy_backend, cupy_problem
from renyi.backend._numpy import numpy_backend
from renyi.backend._record import Backend
from renyi.errors import RenyiError
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


class _Missing:
    """A backend that this machine does not have: its first use says why."""

    def __init__(self, error: RenyiError) -> None:
        self._error = error

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # asked for by who copies it
            raise AttributeError(name)
        raise self._error


def _own(name: str) -> Any:
    try:
        return get_backend(name)
    except RenyiError as error:
        return _Missing(error)


def _by_name(backend: Backend) -> tuple[Callable[[str], Any], tuple[str]]:
    """Say how a worker comes by a backend: by its own of that name, or none."""
    return _own, (backend.name,)


copyreg.pickle(Backend, _by_name)
