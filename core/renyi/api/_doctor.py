"""What this machine and installation can do, for a bug report or before a long run."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import sys
from typing import Any, Final

from renyi._typing import JsonValue
from renyi._validate import memory_bytes
from renyi._version import __version__
from renyi.api._advice import advice
from renyi.backend import get_backend
from renyi.datasets import cache_folder
from renyi.execution import default_jobs

__all__ = ["doctor"]

PACKAGES: Final = (
    "numpy",
    "scipy",
    "polars",
    "pyarrow",
    "narwhals",
    "threadpoolctl",
    "typer",
    "rich",
)
"""Distributions that are always needed."""

EXTRAS: Final = {
    "cuda12": "cupy-cuda12x",
    "cuda13": "cupy-cuda13x",
    "dask": "distributed",
    "fetch": "pooch",
    "plot": "matplotlib",
    "sheets": "fastexcel",
    "sklearn": "scikit-learn",
}
"""The distribution that an extra brings."""


def doctor() -> dict[str, JsonValue]:
    """Return versions, linear algebra libraries, cores, memory, GPU, extras and the data home.

    Returns
    -------
    dict
        JSON values: `renyi` (version); `python` (`version`, `implementation`, `platform`);
        `packages` (distribution to version, None where it is missing); `blas` (one object a
        library: `name`, `version`, `threads`, `file`); `cores` (`usable`, `present`); `memory`
        (`total`, `free`, bytes, None where unknown; `budget`, what a run takes at most unless
        told otherwise); `gpu` (`usable`, `device`, `reason`);
        `extras` (name to `installed`, `version`, `install`); `data_home` (folder or
        None); `data_cache` (folder that downloads go to); `advice` (what is outdated or in the
        way, one object each: `code`, one of `installation`, `older`, `newer`, `gpu`, `blas` and
        `leftover`, and `message`), found without a network.

    Examples
    --------
    >>> doctor()["cores"]["usable"] >= 1
    True
    """
    free = get_backend("numpy").free_memory()
    packages: dict[str, JsonValue] = {name: _version(name) for name in PACKAGES}
    extras: dict[str, JsonValue] = {name: _extra(name) for name in EXTRAS}
    brought = {distribution: _version(distribution) for distribution in EXTRAS.values()}
    blas, gpu = _blas(), _gpu()
    return {
        "renyi": __version__,
        "python": {
            "version": platform.python_version(),
            "implementation": platform.python_implementation(),
            "platform": platform.platform(),
        },
        "packages": packages,
        "blas": blas,
        "cores": {"usable": default_jobs(), "present": os.cpu_count()},
        "memory": {"total": _total_memory(), "free": free, "budget": memory_bytes(None, free)},
        "gpu": gpu,
        "extras": extras,
        "data_home": os.environ.get("RENYI_DATA_HOME") or None,
        "data_cache": str(cache_folder()),
        "advice": advice({name: _version(name) for name in PACKAGES} | brought, gpu, blas),
    }


def _version(distribution: str) -> str | None:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


def _extra(name: str) -> JsonValue:
    version = _version(EXTRAS[name])
    return {
        "installed": version is not None,
        "version": version,
        "install": f"pip install 'renyi[{name}]'",
    }


def _blas() -> list[JsonValue]:
    """Return the BLAS libraries that are loaded, those of NumPy and SciPy among them."""
    import scipy.linalg  # noqa: F401 - loads the BLAS that SciPy brings
    from threadpoolctl import threadpool_info

    loaded: list[dict[str, Any]] = threadpool_info()
    return [
        {
            "name": library["internal_api"],
            "version": library["version"],
            "threads": library["num_threads"],
            "file": library["filepath"],
        }
        for library in loaded
        if library["user_api"] == "blas"
    ]


def _total_memory() -> int | None:
    """Return the machine's memory in bytes, None where the system does not tell."""
    if sys.platform == "win32" or "SC_PHYS_PAGES" not in os.sysconf_names:
        return None
    return int(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))


def _gpu() -> dict[str, JsonValue]:
    try:
        backend = get_backend("auto")
    except Exception as error:
        return {"usable": False, "device": None, "reason": f"{type(error).__name__}: {error}"}
    usable = backend.name == "cupy"
    return {
        "usable": usable,
        "device": backend.device if usable else None,
        "reason": backend.reason.removeprefix("auto: ") or None,
    }
