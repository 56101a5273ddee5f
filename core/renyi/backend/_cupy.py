"""CuPy on a CUDA device; the only module that imports it."""

from __future__ import annotations

import importlib.util

from renyi.backend._record import Backend
from renyi.errors import BackendError, MissingExtraError

__all__ = ["cupy_backend", "cupy_problem"]


def cupy_problem() -> str:
    """Return why CuPy cannot be used here, or an empty string if it can."""
    if importlib.util.find_spec("cupy") is None:
        return "CuPy is not installed"
    import cupy

    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        return f"CUDA is not usable ({error})"
    return "" if count else "no CUDA device is visible"


def cupy_backend() -> Backend:
    """Build the CuPy backend on the current device.

    Raises
    ------
    MissingExtraError
        If CuPy is not installed.
    BackendError
        If no CUDA device can be used.
    """
    if importlib.util.find_spec("cupy") is None:
        raise MissingExtraError(
            "The backend `cupy` needs CuPy.",
            "Install it: pip install 'renyi[cuda12]' (or cuda13), or use --backend numpy.",
        )
    problem = cupy_problem()
    if problem:
        raise BackendError(f"The backend `cupy` cannot be used: {problem}.", "Use --backend numpy.")
    import array_api_compat.cupy as xp
    import cupy

    def free_memory() -> int:
        pool = cupy.get_default_memory_pool()
        return int(cupy.cuda.runtime.memGetInfo()[0]) + int(pool.free_bytes())

    device = cupy.cuda.Device()
    name = cupy.cuda.runtime.getDeviceProperties(device.id)["name"].decode()
    return Backend(
        name="cupy",
        xp=xp,
        to_device=cupy.asarray,
        to_host=cupy.asnumpy,
        eigvalsh=cupy.linalg.eigvalsh,
        free_memory=free_memory,
        synchronise=device.synchronize,
        device=name,
    )
