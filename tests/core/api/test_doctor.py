"""`renyi.doctor` says what is there, also where things are missing or broken."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
from pathlib import Path

import numpy as np
import pytest

import renyi

# a machine that lacks what it looks for
from renyi.api import _advice, _doctor
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


def told(code: str, found: object) -> list[str]:
    assert isinstance(found, list)
    return [one["message"] for one in found if one["code"] == code]


def advised(versions: dict[str, str | None], usable: bool = True, blas: int = 1) -> object:
    return _advice.advice(versions, {"usable": usable, "reason": "no driver"}, [{}] * blas)


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "cache"))
    return tmp_path


def test_nothing_is_to_mend_where_all_is_as_tested(elsewhere: Path) -> None:
    assert advised({"numpy": "2.1.0", "polars": "1.20", "rich": "13.8.0", "scipy": None}) == []


@pytest.mark.parametrize("version", ["1.26.4", "2.0.0rc1", "2", "1.99.99.1"])
def test_what_is_older_than_asked_for_is_said(
    version: str, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_advice, "_bounds", lambda: {"numpy": "2.0"})
    found = told("older", advised({"numpy": version}))
    if version.startswith("2"):
        assert found == []
    else:
        assert found == [f"numpy {version} is older than renyi asks for: pip install 'numpy>=2.0'."]


def test_the_bounds_are_those_of_the_package() -> None:
    found = _advice._bounds()
    assert found["numpy"] == "2.0"
    assert found["scikit-learn"] == "1.6"
    assert {name.lower() for name in _doctor.PACKAGES} <= set(found)
    assert set(found) <= set(_advice._tested()) | {"cupy-cuda12x", "cupy-cuda13x"}


def test_only_a_new_major_version_is_newer_than_what_was_tested(elsewhere: Path) -> None:
    tested = _advice._tested()["polars"]
    major = int(tested.split(".")[0])
    assert told("newer", advised({"polars": f"{major}.999.0"})) == []
    (said,) = told("newer", advised({"polars": f"{major + 1}.0.0"}))
    assert f"pip install 'polars=={tested}'" in said


def test_a_gpu_library_that_cannot_work_is_said(elsewhere: Path) -> None:
    assert told("gpu", advised({"cupy-cuda12x": "13.4"})) == []
    (said,) = told("gpu", advised({"cupy-cuda12x": "13.4"}, usable=False))
    assert "no driver" in said
    (said,) = told("gpu", advised({"cupy-cuda12x": "13.4", "cupy-cuda13x": "13.6"}))
    assert "overwrite each other" in said


def test_linear_algebra_that_is_unknown_is_said(elsewhere: Path) -> None:
    assert len(told("blas", advised({}, blas=0))) == 1


def test_what_a_killed_process_left_is_said(elsewhere: Path) -> None:
    old, new = elsewhere / ".result.json.0123abcd.part", elsewhere / ".result.json.0123abce.part"
    other = elsewhere / ".of.another.program.part"
    for path in (old, new, other):
        path.touch()
    for path in (old, other):
        os.utime(path, (0, 0))
    assert told("leftover", advised({})) == [
        f"{old} was left by a process that was killed: remove it."
    ]


def test_metadata_of_another_version_are_said(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_advice.importlib.metadata, "version", lambda _: "0.0.9")
    (said,) = told("installation", advised({}))
    assert "renyi 0.0.9" in said
