"""Backends by name: used or refused, never replaced."""

import importlib.util
import sys
import types

import numpy as np
import pytest

from renyi.backend import get_backend
from renyi.errors import BackendError, MissingExtraError, OptionError

no_cupy = pytest.mark.skipif(
    importlib.util.find_spec("cupy") is not None, reason="CuPy is installed here"
)


def test_numpy():
    backend = get_backend("numpy")
    assert (backend.name, backend.device, backend.reason) == ("numpy", "cpu", "")
    assert backend.free_memory() > 2**20
    array = np.eye(3)
    assert backend.to_host(backend.to_device(array)) is array
    assert backend.eigvalsh(np.stack([array, 2 * array])).tolist() == [[1, 1, 1], [2, 2, 2]]
    backend.synchronise()


@no_cupy
def test_auto_says_why_it_is_numpy():
    backend = get_backend()
    assert backend.name == "numpy"
    assert backend.reason == "auto: CuPy is not installed"


@no_cupy
def test_cupy_by_name_is_refused_with_the_way_out():
    with pytest.raises(MissingExtraError, match="needs CuPy") as caught:
        get_backend("cupy")
    assert "renyi[cuda12]" in caught.value.hint


def test_an_unknown_name_gets_the_nearest():
    with pytest.raises(OptionError, match=r"`backend` must be one of auto, numpy, cupy") as caught:
        get_backend("numpi")
    assert caught.value.hint == "Did you mean `numpy`?"


class NoDriverError(Exception):
    """Stands in for CuPy's CUDARuntimeError."""


def fake_cupy(device_count):
    """A CuPy whose runtime answers with `device_count()`."""
    runtime = types.SimpleNamespace(getDeviceCount=device_count, CUDARuntimeError=NoDriverError)
    module = types.ModuleType("cupy")
    module.cuda = types.SimpleNamespace(runtime=runtime)
    module.__spec__ = importlib.util.spec_from_loader("cupy", loader=None)
    return module


def no_driver():
    raise NoDriverError("no driver")


@pytest.mark.parametrize(
    ("device_count", "reason"),
    [(lambda: 0, "no CUDA device is visible"), (no_driver, r"CUDA is not usable \(no driver\)")],
)
def test_cupy_without_a_device_is_refused_and_auto_falls_to_numpy(
    device_count, reason, monkeypatch
):
    monkeypatch.setitem(sys.modules, "cupy", fake_cupy(device_count))
    with pytest.raises(BackendError, match=reason) as caught:
        get_backend("cupy")
    assert "backend='numpy'" in caught.value.hint
    assert get_backend("auto").name == "numpy"


def test_free_memory_is_guessed_where_the_system_does_not_tell(monkeypatch):
    # a system that does not tell its memory
    from renyi.backend import _numpy

    monkeypatch.setattr(_numpy.Path, "exists", lambda _: False)
    assert get_backend("numpy").free_memory() > 2**20
    monkeypatch.setattr(_numpy.os, "sysconf_names", {})
    assert get_backend("numpy").free_memory() == _numpy.UNKNOWN_MEMORY
