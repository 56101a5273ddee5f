"""What the numerics ask of an array library beyond the array standard."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, TypeVar

import numpy as np

from renyi._typing import Array, FloatArray
from renyi.backend._band import Bands
from renyi.errors import BackendError, Way

__all__ = ["Backend", "with_batches"]

Item = TypeVar("Item")
Result = TypeVar("Result")


class _ExhaustedError(BackendError):
    """Memory does not suffice for one item: of a batch within a batch, whose own may be halved."""


MEMORY_SHARE: Final = 0.5
"""Of what is free: the rest covers what the library takes besides what is counted."""

EIGEN_COPIES: Final = 3
"""Matrices that eigenvalues take besides the stack itself: its copy and the routine's workspace."""

CACHED_ROWS: Final = 128
"""Rows of a tile whose exponents are worked on at once: with 512 columns, what a cache holds."""

MOST_STACK_BYTES: Final = 2**29
"""Largest stack given to a device at once: a routine counts its workspace in 32 bits, and larger
ones gain nothing."""


def _nothing() -> None:
    return None


def _is_memory_error(error: Exception) -> bool:
    return isinstance(error, MemoryError)


@dataclass(frozen=True)
class Backend:
    """An array library with a device; the numerics are written once against it.

    Attributes
    ----------
    name
        `numpy`, `cupy`, or a stand-in's name.
    xp
        The namespace of the array standard.
    to_device, to_host
        Copy a NumPy array to the device, and back.
    eigvalsh
        Eigenvalues of a stack (k, m, m) of symmetric matrices, or of one (m, m), ascending, shape
        (k, m) or (m,). NumPy's and CuPy's work in batches where memory asks for it.
    free_memory
        Bytes that can still be allocated on the device.
    synchronise
        Wait for the device.
    device
        The device in words.
    reason
        Why this backend is in use where another one was asked for or could have been.
    out_of_memory
        Whether an error says that the device's memory is used up.
    release
        Give memory that the library keeps for later back to the device.
    turn
        Held by `guarded` work: one worker at a time where they share a device's memory. It may be
        entered again while held.
    eigh
        Eigenvalues (m,) and vectors (m, m) of a symmetric matrix; None for the namespace's own.
    bands
        Gives reductions of host matrices to bands, None where there are none.
    """

    name: str
    xp: Any
    to_device: Callable[[np.ndarray[Any, Any]], Array]
    to_host: Callable[[Array], np.ndarray[Any, Any]]
    eigvalsh: Callable[[Array], Array]
    free_memory: Callable[[], int]
    synchronise: Callable[[], None]
    device: str
    reason: str = ""
    out_of_memory: Callable[[Exception], bool] = _is_memory_error
    release: Callable[[], None] = _nothing
    turn: AbstractContextManager[Any] = nullcontext()  # noqa: RUF009 - it has no state
    eigh: Callable[[Array], tuple[Array, Array]] | None = None
    bands: Callable[[], Bands | None] = _nothing

    def dot(self, left: Array, right: Array) -> Array:
        """Return the product of two matrices or vectors; NumPy's `@` would hold other threads."""
        return np.dot(left, right) if self.xp is np else left @ right

    def exp_of_product(self, left: Array, right: Array, *, single: bool = False) -> Array:
        """Return exp(left right) of matrices, entry by entry; in single precision if asked.

        In NumPy in place.
        """
        if single and self.xp is np:
            return _single_exp_of_product(left, right)
        product = self.dot(left, right)
        if single:
            return self.single_exp(product)
        return np.exp(product, out=product) if self.xp is np else self.xp.exp(product)

    def single_exp(self, exponents: Array) -> Array:
        """Return exp of a matrix in single precision; the rounding of exponents is put right.

        At a third of the time of doubles, to within 7 units of 2**-24.
        """
        rounded = self.xp.astype(exponents, self.xp.float32)
        missing = self.xp.astype(exponents - rounded, self.xp.float32)
        found = self.xp.exp(rounded)
        return found + found * missing

    def eigenvectors(self, matrix: Array) -> tuple[Array, Array]:
        """Return the eigenvalues of a symmetric matrix (m, m), ascending, and vectors (m, m)."""
        if self.eigh is not None:
            return self.eigh(matrix)
        values, vectors = self.xp.linalg.eigh(matrix)
        return values, vectors

    def guarded(
        self,
        work: Callable[[Sequence[Item]], Sequence[Result]],
        items: Sequence[Item],
        *,
        item_bytes: int = 0,
        what: str = "one piece of the work",
    ) -> list[Result]:
        """Do work on many items in batches that the device's memory holds.

        A batch for which memory does not suffice is tried again with half as many items, down to
        one; what is done is kept.

        Parameters
        ----------
        work
            Called with some items in a row; returns a result for each. It leaves nothing half
            done where it fails.
        items
            The items.
        item_bytes
            Bytes that one takes on the device, for the size of the first batch; 0 where unknown,
            and all are tried at once.
        what
            One item in words, for the message.

        Returns
        -------
        list
            One result an item, in order.

        Raises
        ------
        BackendError
            If memory does not suffice for one item.

        Examples
        --------
        >>> from renyi.backend import get_backend
        >>> get_backend("numpy").guarded(lambda some: [2 * item for item in some], [1, 2, 3])
        [2, 4, 6]
        """
        results: list[Result] = []
        for found in _batches(self, work, items, item_bytes, what):
            results.extend(found)
        return results


def with_batches(backend: Backend, *, by_free_memory: bool) -> Backend:
    """Return the backend with an `eigvalsh` that works in batches.

    Parameters
    ----------
    backend
        Its `eigvalsh` is the library's own.
    by_free_memory
        Whether the first batch is sized by free memory; else a stack is split only if it fails.
    """
    return replace(
        backend, eigvalsh=partial(_batched_eigvalsh, backend, by_free_memory=by_free_memory)
    )


def _batched_eigvalsh(backend: Backend, stack: Array, *, by_free_memory: bool) -> Array:
    """Return the eigenvalues (k, m) of a stack (k, m, m), or (m,) of one (m, m), in batches."""
    if stack.ndim == 2:
        return _batched_eigvalsh(backend, stack[None, ...], by_free_memory=by_free_memory)[0, ...]
    size = int(stack.shape[-1])
    if stack.shape[0] == 0:
        return backend.eigvalsh(stack)

    def work(some: Sequence[int]) -> Array:
        return backend.eigvalsh(stack[some[0] : some[-1] + 1, ...])

    item_bytes = EIGEN_COPIES * 8 * size * size if by_free_memory else 0
    what = f"the eigenvalues of one matrix of {size} x {size}"
    found = list(_batches(backend, work, range(int(stack.shape[0])), item_bytes, what))
    return found[0] if len(found) == 1 else backend.xp.concat(found)


def _batches(
    backend: Backend,
    work: Callable[[Sequence[Item]], Any],
    items: Sequence[Item],
    item_bytes: int,
    what: str,
) -> Iterator[Any]:
    """Yield `work` of the items, batch by batch."""
    start, most = 0, len(items)
    if item_bytes:
        room = min(MEMORY_SHARE * backend.free_memory(), MOST_STACK_BYTES)
        most = min(most, max(int(room // item_bytes), 1))
    while start < len(items):
        some = items[start : start + most]
        with backend.turn:
            done, found = _attempt(backend, work, some)
        if done:
            yield found
            start += len(some)
            continue
        backend.release()
        if len(some) == 1:
            raise _exhausted(backend, what)
        most = len(some) // 2


def _attempt(
    backend: Backend, work: Callable[[Sequence[Item]], Any], some: Sequence[Item]
) -> tuple[bool, Any]:
    """Return whether memory sufficed, and the result.

    The error is dropped here: its traceback would hold the very arrays that are to be released.
    """
    try:
        return True, work(some)
    except Exception as error:
        if not (isinstance(error, _ExhaustedError) or backend.out_of_memory(error)):
            raise
    return False, None


def _exhausted(backend: Backend, what: str) -> BackendError:
    ways = ("Use ", Way("alpha", 2), " or fewer rows (", Way("rows", rule="N"), ")")
    numpy = () if backend.name == "numpy" else (", or ", Way("backend", "numpy"))
    return _ExhaustedError(
        f"The memory of the device `{backend.device}` does not suffice for {what}: "
        f"{backend.free_memory() / 2**30:.1f} GiB are free.",
        *ways,
        *numpy,
        ".",
    )


def _single_exp_of_product(left: FloatArray, right: FloatArray) -> np.ndarray[Any, Any]:
    """Return exp(left right) as `Backend.single_exp` does, few rows at a time: they stay cached."""
    found = np.empty((left.shape[0], right.shape[1]), np.float32)
    exact = np.empty((CACHED_ROWS, right.shape[1]))
    missing = np.empty(exact.shape, np.float32)
    for start in range(0, len(found), CACHED_ROWS):
        part = found[start : start + CACHED_ROWS]
        own, error = exact[: len(part)], missing[: len(part)]
        np.dot(left[start : start + CACHED_ROWS], right, out=own)
        part[...] = own
        own -= part
        error[...] = own
        np.exp(part, out=part)
        error *= part
        part += error
    return found
