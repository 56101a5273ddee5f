"""Files that `renyi setup` wrote, and may write again or remove: each says so in itself."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from renyi.errors import OutputError

__all__ = [
    "MARK",
    "Owned",
    "add_line",
    "config_folder",
    "data_folder",
    "owned",
    "owner",
    "remove",
    "remove_line",
    "write",
    "written_by",
]

MARK: Final = "written by `renyi setup`"
_MARKED: Final = re.compile(r"renyi (\S+), " + re.escape(MARK))


class Owned(NamedTuple):
    """A file of the program's own.

    Attributes
    ----------
    path
        Where it lies, in the home folder.
    text
        What it holds, `owner` among it.
    """

    path: Path
    text: str


def owner(version: str) -> str:
    """Return the words by which a file says whose it is."""
    return f"renyi {version}, {MARK}"


def data_folder() -> Path:
    """Return the user's folder of data that programs share."""
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return Path(local) if local else Path.home() / "AppData" / "Local"
    return _xdg("XDG_DATA_HOME", Path.home() / ".local" / "share")


def config_folder() -> Path:
    """Return the user's folder of settings."""
    return _xdg("XDG_CONFIG_HOME", Path.home() / ".config")


def _xdg(variable: str, usual: Path) -> Path:
    """Return the folder that a variable names; a relative path is no name, says the standard."""
    named = Path(os.environ.get(variable, ""))
    return named if named.is_absolute() else usual


def written_by(path: Path) -> str | None:
    """Return the version that wrote a file, None where it is not there; "" where another did."""
    try:
        found = _MARKED.search(path.read_text(encoding="utf-8", errors="replace"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        return ""
    return found[1] if found else ""


def write(files: Iterable[Owned]) -> None:
    """Write all of the files, or none where one is somebody else's.

    Raises
    ------
    OutputError
        If a file of that name was not written by this command, or cannot be written.
    """
    files = list(files)
    for file in files:
        if written_by(file.path) == "":
            raise OutputError(
                f"{file.path} is there and was not {MARK}.", "Move it away, and try again."
            )
    for file in files:
        with _told(file.path):
            file.path.parent.mkdir(parents=True, exist_ok=True)
            _replace(file.path, file.text)


def owned(files: Iterable[Owned]) -> list[Path]:
    """Return those of the files that are there and were written by this command."""
    return [file.path for file in files if written_by(file.path)]


def remove(files: Iterable[Owned]) -> list[Path]:
    """Remove those of the files that this command wrote; return their paths."""
    gone = owned(files)
    for path in gone:
        with _told(path):
            path.unlink()
    return gone


def add_line(path: Path, line: str) -> bool:
    """Add a line to the user's file unless it is there; return whether it was added."""
    with _told(path):
        text = path.read_text(encoding="utf-8", errors="surrogateescape") if path.exists() else ""
        if line in text.splitlines():
            return False
        path.parent.mkdir(parents=True, exist_ok=True)
        begin = "\n" if text and not text.endswith("\n") else ""
        with path.open("a", encoding="utf-8", newline="") as file:
            file.write(f"{begin}{line}\n")
    return True


def remove_line(path: Path, line: str) -> bool:
    """Take a line out of the user's file; return whether it was there."""
    if not path.exists():
        return False
    with _told(path):
        target = path.resolve()  # often a link into a folder of such files
        with target.open(encoding="utf-8", errors="surrogateescape", newline="") as file:
            lines = file.read().splitlines(keepends=True)
        kept = [each for each in lines if each.rstrip("\r\n") != line]
        if len(kept) < len(lines):
            _replace(target, "".join(kept))
    return len(kept) < len(lines)


def _replace(path: Path, text: str) -> None:
    """Write a file beside the old one, and put it in its place with its permissions."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            file.write(text)
        if path.exists():
            shutil.copymode(path, part)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


class _told:  # noqa: N801 - reads as a word
    """Tell an error of the system in a sentence."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if isinstance(error, OSError):
            why = error.strerror or str(error)
            raise OutputError(
                f"{self._path} cannot be written: {why}.",
                "Give yourself the right to write there, and run the command again.",
            ) from error
