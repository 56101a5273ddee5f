"""What of an installation is outdated or in the way, found without a network."""

from __future__ import annotations

import importlib.metadata
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from renyi._typing import JsonValue
from renyi._version import __version__

__all__ = ["advice"]

LEFT_SECONDS: Final = 3600
"""Age at which a part of a file is what a killed process left: writing takes seconds."""

_PACKAGE: Final = Path(__file__).resolve().parent.parent
_LOCKS: Final = (_PACKAGE / "constraints.txt", _PACKAGE.parents[1] / "constraints.txt")
"""The versions that renyi was tested with: as a wheel carries them, and as a checkout does."""


def advice(
    versions: Mapping[str, str | None], gpu: Mapping[str, JsonValue], blas: Sequence[object]
) -> list[JsonValue]:
    """Return what should be mended, each as `code` and `message`.

    Parameters
    ----------
    versions
        Distributions and their versions, None where one is not installed.
    gpu
        What was found of the GPU: `usable` and `reason`.
    blas
        The BLAS libraries that tell of themselves.
    """
    found = [
        *_of_renyi(),
        *_of_versions(versions),
        *_of_gpu(versions, gpu),
        *_of_blas(blas),
        *_left_behind((Path.cwd(), _cache())),
    ]
    return [{"code": code, "message": message} for code, message in found]


def _cache() -> Path:
    from renyi.datasets import cache_folder

    return cache_folder()


def _of_renyi() -> Iterator[tuple[str, str]]:
    try:
        told = importlib.metadata.version("renyi")
    except importlib.metadata.PackageNotFoundError:
        return  # run from its sources: nothing was installed
    if told != __version__:
        yield (
            "installation",
            f"renyi {__version__} is run, but renyi {told} was installed: install it again.",
        )


def _of_versions(versions: Mapping[str, str | None]) -> Iterator[tuple[str, str]]:
    least, tested = _bounds(), _tested()
    for name, version in versions.items():
        if version is None:
            continue
        bound, known = least.get(_plain(name)), tested.get(_plain(name))
        if bound and _numbers(version) < _numbers(bound):
            message = (
                f"{name} {version} is older than renyi asks for: pip install '{name}>={bound}'."
            )
            yield "older", message
        elif known and _numbers(version)[:1] > _numbers(known)[:1]:
            yield (
                "newer",
                f"{name} {version} is newer than what renyi {__version__} was tested with "
                f"({known}): if something fails, pip install '{name}=={known}', or update renyi.",
            )


def _of_gpu(
    versions: Mapping[str, str | None], gpu: Mapping[str, JsonValue]
) -> Iterator[tuple[str, str]]:
    installed = [name for name in ("cupy-cuda12x", "cupy-cuda13x") if versions.get(name)]
    if len(installed) > 1:
        yield (
            "gpu",
            f"{' and '.join(installed)} are both installed and overwrite each other: "
            "pip uninstall both, and install the one of your driver.",
        )
    elif installed and not gpu["usable"]:
        yield "gpu", f"{installed[0]} is installed, but no GPU can be used: {gpu['reason']}"


def _of_blas(blas: Sequence[object]) -> Iterator[tuple[str, str]]:
    if not blas:
        yield (
            "blas",
            "NumPy has no linear algebra library that tells of itself (OpenBLAS, MKL, BLIS): "
            "its threads cannot be limited, and the reference library would be many times slower.",
        )


def _left_behind(folders: Sequence[Path]) -> Iterator[tuple[str, str]]:
    """Yield the parts of files that no process can be writing any more."""
    for folder in dict.fromkeys(folders):
        try:
            parts = sorted(path for path in folder.glob(".*.part") if _is_left(path))
        except OSError:  # a folder that may not be read
            continue
        for path in parts:
            yield "leftover", f"{path} was left by a process that was killed: remove it."


def _is_left(path: Path) -> bool:
    if not re.search(r"\.[0-9a-f]{8}\.part$", path.name):
        return False
    try:
        return time.time() - path.stat().st_mtime > LEFT_SECONDS
    except OSError:  # gone meanwhile
        return False


@cache
def _bounds() -> dict[str, str]:
    """Return the lowest version of each distribution that renyi asks for."""
    try:
        asked = importlib.metadata.requires("renyi") or []
    except importlib.metadata.PackageNotFoundError:
        return {}
    found = (re.match(r"([\w.-]+)\s*>=\s*([\d.]+)", line) for line in asked)
    return {_plain(match[1]): match[2] for match in found if match}


@cache
def _tested() -> dict[str, str]:
    for path in _LOCKS:
        if path.is_file():
            lines = path.read_text(encoding="utf-8").splitlines()
            pins = (line.split("==") for line in lines if "==" in line and line[0] != "#")
            return {_plain(name): version for name, version in pins}
    return {}


def _plain(name: str) -> str:
    """Return the name of a distribution as all its spellings are compared."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _numbers(version: str) -> tuple[int, ...]:
    """Return the numbers that a version begins with: of 3.1rc1 they are 3 and 1."""
    found = re.match(r"\d+(?:\.\d+)*", version)
    numbers = [int(part) for part in found[0].split(".")] if found else []
    while numbers and not numbers[-1]:  # 2 and 2.0 are the same
        numbers.pop()
    return tuple(numbers)
