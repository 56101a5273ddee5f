"""Where sets lie: a folder of the user's, the cache, the package itself."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from renyi.datasets._records import Place

__all__ = ["HOME_VARIABLE", "cache_folder", "places"]

HOME_VARIABLE: Final = "RENYI_DATA_HOME"
"""Environment variable that names a folder of ``NAME.parquet`` files."""


def cache_folder() -> Path:
    """Return the folder that downloads go to, whether it is there or not."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
        return Path(base) / "renyi" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "renyi"
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "renyi"


def places() -> Iterator[tuple[Place, Path]]:
    """Yield the folders to look in, the user's own first."""
    home = os.environ.get(HOME_VARIABLE)
    if home:
        yield "RENYI_DATA_HOME", Path(os.path.expanduser(home))  # noqa: PTH111
    yield "cache", cache_folder()
    yield "bundled", _bundled_folder()


def _bundled_folder() -> Path:
    """Return the folder of the tables that travel with the package.

    A wheel carries them inside the package; a checkout has them in its data folder.
    """
    package = Path(__file__).resolve().parent
    inside = package / "bundled"
    return inside if inside.is_dir() else package.parents[2] / "data"
