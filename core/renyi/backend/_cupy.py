"""CuPy on a CUDA device; the only module that imports it.

It needs CuPy 13 or newer and no other package: names of the array standard that only later versions
have are added here.
"""

from __future__ import annotations

import importlib
import importlib.util
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from renyi._typing import Array
from renyi.backend._check import check_device, check_eigenvalues
from renyi.backend._record import Backend, with_batches
from renyi.errors import BackendError, MissingExtraError, Way

__all__ = ["cupy_backend", "cupy_problem"]

NUMPY: Final = ("Use ", Way("backend", "numpy"), ".")

STACKED_ROWS: Final = 256
"""Rows up to which a stack is solved by one call.

For stacks CuPy calls cuSOLVER's syevjBatched, which works on all matrices at once; for a single
matrix syevd, which leaves a large device idle below some hundred rows. 500 matrices of 100 rows
took 8 ms stacked and 914 ms one by one (pytorch issue 174674), and 16 of 48 rows half the time
(NVIDIA/cudaq-algorithms pull request 18). Jacobi's sweeps cost several times the operations of
syevd, though, so that large matrices are better off alone. `benchmarks/gpu_check.py` times both."""

STACKED_CUDA: Final = 12000
"""CUDA version from which stacks are solved by one call: before 11.3.1 syevjBatched sometimes
returned the diagonal (cupy issue 4847)."""

MEMORY_WORDS: Final = ("ALLOC_FAILED", "cudaErrorMemoryAllocation")
"""How cuBLAS, cuSOLVER and the runtime name it; CuPy's own allocator raises a `MemoryError`."""

_turn = threading.RLock()
"""One worker at a time: workers share the device's memory, and it runs their kernels in turn."""


def _brief(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:200] if lines else type(error).__name__


def cupy_problem() -> str:
    """Return why CuPy cannot be used here, or an empty string if it can.

    A small computation is tried: libraries that CuPy loads at first use may be missing.
    """
    if importlib.util.find_spec("cupy") is None:
        return "CuPy is not installed"
    try:
        import cupy
    except Exception as error:  # whatever a broken installation raises
        return f"CuPy cannot be imported ({_brief(error)})"

    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        return f"CUDA is not usable ({_brief(error)})"
    if not count:
        return "no CUDA device is visible"
    try:
        square = cupy.exp(cupy.asarray(np.eye(2)) @ cupy.asarray(np.eye(2)))
        cupy.asnumpy(cupy.linalg.eigvalsh(square))
    except Exception as error:  # whatever a missing or unfit library raises
        return f"CuPy does not work on this device ({_brief(error)})"
    return ""


class _Namespace:
    """CuPy's namespace with the names of the array standard that version 13 lacks."""

    def __init__(self, cupy: Any) -> None:
        self._cupy = cupy

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cupy, name)

    def concat(self, arrays: Sequence[Array], axis: int = 0) -> Array:
        return self._cupy.concatenate(arrays, axis=axis)

    def astype(self, array: Array, dtype: Any) -> Array:
        return array.astype(dtype)

    def matrix_transpose(self, array: Array) -> Array:
        return array.swapaxes(-1, -2)


@dataclass(frozen=True)
class _Eigenvalues:
    """Eigenvalues on the device by the routine that suits the size.

    The choice depends on the size alone, never on how many matrices a batch holds, so that free
    memory, which splits stacks, does not choose the routine.

    Attributes
    ----------
    cupy
        The library.
    stacked_rows
        Rows up to which a stack is solved by one call.
    check
        Called with a stack, its eigenvalues and the routine's name.
    """

    cupy: Any
    stacked_rows: int
    check: Callable[[Array, Array, str], None] | None = None

    def __call__(self, stack: Array) -> Array:
        """Return the eigenvalues (k, m) of a stack (k, m, m)."""
        cupy = self.cupy
        errors = np.linalg.LinAlgError
        with importlib.import_module("cupyx").errstate(linalg="raise"):
            if stack.shape[-1] <= self.stacked_rows:
                try:
                    return self._checked(stack, cupy.linalg.eigvalsh(stack), "stacked")
                except errors:  # Jacobi's sweeps did not converge: the other routine decides
                    pass
            try:
                values = cupy.stack([cupy.linalg.eigvalsh(matrix) for matrix in stack])
            except errors as error:
                raise BackendError(
                    f"Eigenvalues of {stack.shape[-1]} x {stack.shape[-1]} did not converge on "
                    f"the device ({_brief(error)}).",
                    *NUMPY,
                ) from None
        return self._checked(stack, values, "single")

    def _checked(self, stack: Array, values: Array, routine: str) -> Array:
        if self.check is not None:
            self.check(stack, values, routine)
        return values


def _is_memory_error(error: Exception) -> bool:
    return isinstance(error, MemoryError) or any(word in str(error) for word in MEMORY_WORDS)


def cupy_backend() -> Backend:
    """Build the CuPy backend on the current device, and compare it with the CPU once.

    Raises
    ------
    MissingExtraError
        If CuPy is not installed.
    BackendError
        If no CUDA device can be used, or it computes wrongly.
    """
    if importlib.util.find_spec("cupy") is None:
        raise MissingExtraError(
            "The backend `cupy` needs CuPy.",
            "Install it: pip install 'renyi[cuda12]' (or cuda13), or use ",
            Way("backend", "numpy"),
            ".",
        )
    problem = cupy_problem()
    if problem:
        raise BackendError(f"The backend `cupy` cannot be used: {problem}.", *NUMPY)
    return _backend()


def _backend() -> Backend:
    import cupy

    device = cupy.cuda.Device()
    pool = cupy.get_default_memory_pool()

    def to_device(array: np.ndarray[Any, Any]) -> Array:
        device.use()  # each thread has a current device of its own, the first one at its start
        return cupy.asarray(array)

    def free_memory() -> int:
        free = int(device.mem_info[0]) + int(pool.free_bytes())
        limit = int(pool.get_limit())  # 0 for none, see CUPY_GPU_MEMORY_LIMIT
        return min(free, max(limit - int(pool.used_bytes()), 0)) if limit else free

    stacks = cupy.cuda.runtime.runtimeGetVersion() >= STACKED_CUDA
    routine = _Eigenvalues(cupy, STACKED_ROWS if stacks else 0)
    name = cupy.cuda.runtime.getDeviceProperties(device.id)["name"]
    plain = Backend(
        name="cupy",
        xp=_Namespace(cupy),
        to_device=to_device,
        to_host=cupy.asnumpy,
        eigvalsh=routine,
        free_memory=free_memory,
        synchronise=device.synchronize,
        device=name.decode() if isinstance(name, bytes) else str(name),
        out_of_memory=_is_memory_error,
        release=pool.free_all_blocks,
        turn=_turn,
    )

    def compare(_: Sequence[None]) -> Sequence[None]:
        check_device(plain)
        return [None]

    def check(stack: Array, values: Array, which: str) -> None:
        check_eigenvalues(plain, stack, values, which)

    plain.guarded(compare, [None], what="the first comparison with the CPU")

    return with_batches(replace(plain, eigvalsh=replace(routine, check=check)), by_free_memory=True)
