"""A CuPy made of NumPy: a device of a stated memory, with the failures that real ones have."""

from __future__ import annotations

import contextlib
import importlib.machinery
import sys
import types

import numpy as np
import pytest


class DriverError(RuntimeError):
    """Stands in for CUDARuntimeError."""


class OutOfMemoryError(MemoryError):
    """Stands in for cupy.cuda.memory.OutOfMemoryError, which is a MemoryError, too."""


class Device:
    """A device with room for matrices of so many bytes in one call for eigenvalues."""

    id = 0

    def __init__(self, card):
        self.card = card

    @property
    def mem_info(self):
        return self.card.free, self.card.free

    def use(self):
        self.card.used = True

    def synchronize(self):
        pass


class Pool:
    def __init__(self, card):
        self.card = card

    def free_bytes(self):
        return 0

    def used_bytes(self):
        return 0

    def get_limit(self):
        return self.card.limit

    def free_all_blocks(self):
        self.card.released += 1


class Card:
    """What the fake device is like, and what was asked of it."""

    def __init__(self, **traits):
        self.count = 1
        self.free = 2**30
        self.limit = 0
        self.cuda = 12080
        self.room = 2**40  # bytes of a stack for which eigenvalues still find memory
        self.memory_error = OutOfMemoryError("out of memory")
        self.error = 0.0  # added to every eigenvalue of a stack
        self.single_error = 0.0  # the same for a lone matrix
        self.exp_error = 0.0  # relative
        self.product_error = 0.0
        self.diverges = False  # Jacobi's sweeps
        self.single_diverges = False
        self.broken = None  # raised by the first exponential
        self.released = 0
        self.used = False
        self.calls = []  # (shape of each call for eigenvalues)
        for name, value in traits.items():
            assert hasattr(self, name)
            setattr(self, name, value)

    def eigvalsh(self, stack):
        plain = np.asarray(stack)
        self.calls.append(plain.shape)
        if plain.nbytes > self.room:
            raise self.memory_error
        if self.diverges and plain.ndim == 3:
            raise np.linalg.LinAlgError("Error reported by syevjBatched")
        if self.single_diverges and plain.ndim == 2:
            raise np.linalg.LinAlgError("Error reported by xsyevd")
        error = self.error if plain.ndim == 3 else self.single_error
        return self.array(np.linalg.eigvalsh(plain) + error)

    def exp(self, array):
        if self.broken is not None:
            raise self.broken
        return self.array(np.exp(np.asarray(array)) * (1 + self.exp_error))

    def array(self, values):
        card = self

        class Array(np.ndarray):
            def __matmul__(self, other):
                product = np.asarray(self) @ np.asarray(other)
                return card.array(product + card.product_error)

        return np.asarray(values).view(Array)

    def module(self):
        cupy = types.ModuleType("cupy")
        cupy.__spec__ = importlib.machinery.ModuleSpec("cupy", loader=None)
        runtime = types.SimpleNamespace(
            getDeviceCount=self.devices,
            CUDARuntimeError=DriverError,
            runtimeGetVersion=lambda: self.cuda,
            getDeviceProperties=lambda _: {"name": b"Fake 100"},
        )
        cupy.cuda = types.SimpleNamespace(runtime=runtime, Device=lambda: Device(self))
        cupy.get_default_memory_pool = lambda: Pool(self)
        cupy.linalg = types.SimpleNamespace(eigvalsh=self.eigvalsh)
        cupy.asarray, cupy.asnumpy, cupy.exp = self.array, np.asarray, self.exp
        for name in ("sum", "stack", "concatenate"):  # 13.3 has neither concat, ...
            setattr(cupy, name, getattr(np, name))
        return cupy  # ... nor matrix_transpose

    def devices(self):
        if isinstance(self.count, Exception):
            raise self.count
        return self.count

    def install(self, monkeypatch):
        """Put the fake where `import cupy` finds it, and forget earlier comparisons."""
        # a device that fails the check
        from renyi.backend import _check

        cupyx = types.ModuleType("cupyx")
        cupyx.errstate = errstate
        monkeypatch.setitem(sys.modules, "cupy", self.module())
        monkeypatch.setitem(sys.modules, "cupyx", cupyx)
        monkeypatch.setattr(_check, "_done", set())
        return self


@contextlib.contextmanager
def errstate(*, linalg):
    assert linalg == "raise"  # else CuPy does not look at what the routine reports
    yield


@pytest.fixture
def card(monkeypatch):
    """Install a fake CuPy whose device has the traits given, and return it."""
    return lambda **traits: Card(**traits).install(monkeypatch)
