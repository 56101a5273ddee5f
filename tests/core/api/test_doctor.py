"""`renyi.doctor` says what is there, also where things are missing or broken."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform

import numpy as np
import pytest

import renyi

# a machine that lacks what it looks for
from renyi.api import _doctor
from renyi.errors import BackendError


def test_it_tells_what_is_installed() -> None:
    found = json.loads(json.dumps(renyi.doctor()))
    assert found["renyi"] == renyi.__version__
    assert found["python"]["version"] == platform.python_version()
    assert found["packages"]["numpy"] == np.__version__
    assert None not in found["packages"].values()
    assert any(library["file"] and library["threads"] >= 1 for library in found["blas"])
    assert 1 <= found["cores"]["usable"] <= found["cores"]["present"] == os.cpu_count()
    assert 0 < found["memory"]["budget"] < found["memory"]["free"]


def test_extras_are_those_of_the_package() -> None:
    offered = set(importlib.metadata.metadata("renyi").get_all("Provides-Extra") or ())
    extras = renyi.doctor()["extras"]
    assert isinstance(extras, dict)
    assert set(extras) == offered - {"all", "dev"}


def test_what_is_missing_is_said_with_the_way_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(_doctor.importlib.metadata, "version", missing)
    found = json.loads(json.dumps(renyi.doctor()))
    assert set(found["packages"].values()) == {None}
    assert found["extras"]["plot"] == {
        "installed": False,
        "version": None,
        "install": "pip install 'renyi[plot]'",
    }


def test_a_broken_gpu_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    numpy_backend = _doctor.get_backend("numpy")

    def broken(name: str) -> object:
        if name == "numpy":
            return numpy_backend
        raise BackendError("The driver is too old.")

    monkeypatch.setattr(_doctor, "get_backend", broken)
    assert renyi.doctor()["gpu"] == {
        "usable": False,
        "device": None,
        "reason": "BackendError: The driver is too old.",
    }


@pytest.mark.parametrize("home", ["", "/somewhere"])
def test_the_data_home_is_shown(home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RENYI_DATA_HOME", home)
    found = renyi.doctor()
    assert found["data_home"] == (home or None)
    assert found["data_cache"] == str(renyi.datasets.cache_folder())
