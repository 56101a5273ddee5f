"""Files that are either written whole or not at all."""

from __future__ import annotations

import glob
import io
import os
import re
import secrets
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import polars as pl
import pyarrow as pa

from renyi import _validate
from renyi.errors import OptionError, OutputError, Way

__all__ = ["check_output", "parquet_bytes", "written_whole"]


def check_output(
    file: str | os.PathLike[str],
    *,
    force: bool = False,
    suffixes: Iterable[str] = (),
    source: str | os.PathLike[str] | None = None,
    name: str = "output",
) -> Path:
    """Return the path of a file that can be written, before any work is done for it.

    Parameters
    ----------
    file
        Where to write.
    force
        Whether a file that is there may be replaced.
    suffixes
        Those that are known, dots included; none for any.
    source
        What is read for it, a path, glob or directory: never replaced, whatever `force` says.
    name
        What the caller calls the file, for messages.

    Raises
    ------
    OptionError
        If the suffix is unknown, or the file is the one that is read.
    OutputError
        If the directory is not there or cannot be written to, or the file is there and `force` is
        not set.
    """
    text = os.fspath(file)
    path = Path(os.path.expanduser(text))  # noqa: PTH111 - `~nobody` stays as it is
    known = tuple(suffixes)
    if known and path.suffix.lower() not in known:
        close = _validate.nearest(path.suffix.lower(), known, 1)
        raise OptionError(
            f"`{name}` must end in {', '.join(known)}; got `{text}`.",
            f"Did you mean {close[0]}?" if close else "",
        )
    path = Path(os.path.realpath(path))  # a link stays, what it points to is replaced
    if not path.parent.is_dir():
        raise OutputError(
            f"`{text}` cannot be written: there is no directory `{path.parent}`.", "Make it first."
        )
    if path.exists() and not path.is_file():
        raise OutputError(f"`{text}` cannot be written: it is not a file.", "Name a file.")
    if source is not None and _is_read(path, source):
        raise OptionError(
            f"`output` must not be the file that is read, got `{text}`.", "Name another file."
        )
    if path.exists() and not force:
        raise OutputError(f"`{text}` is there already.", "Use ", Way("force"), " to replace it.")
    if not os.access(path.parent, os.W_OK):
        raise OutputError(
            f"`{text}` cannot be written: no permission in `{path.parent}`.",
            "Name another directory.",
        )
    return path


def _is_read(path: Path, source: str | os.PathLike[str]) -> bool:
    """Whether a file is the source, or one of its files."""
    if not path.exists():
        return False
    text = os.path.expanduser(os.fspath(source))  # noqa: PTH111 - maybe a glob
    if os.path.isdir(text):  # noqa: PTH112
        return path.is_relative_to(os.path.realpath(text))
    found = [text] if os.path.exists(text) else glob.glob(text, recursive=True)  # noqa: PTH110,PTH207
    return any(path.samefile(file) for file in found)


LEFT_SECONDS: Final = 3600
"""Age at which a part of a file is what a killed process left: writing takes seconds."""


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Yield a path to write to; it becomes `path` at the end, or is removed after an error.

    What a process that was killed left of the same file is removed, once nobody can be writing it.

    Raises
    ------
    OutputError
        If the system refuses the write, or the format has no place for what is to be written.
    """
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        _clear_left(path)
        yield part
        part.replace(path)
    except OSError as error:
        reason = error.strerror or re.sub(r" \(os error \d+\)$", "", str(error))
        raise OutputError(
            f"`{path}` cannot be written: {reason}.",
            "Look at the right to write there and at the room that is left, or name another place.",
        ) from error
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, pa.ArrowException) as error:
        reason = str(error).strip().splitlines()[0].rstrip(".")
        raise OutputError(
            f"`{path}` cannot be written: {reason}.", "Another suffix may have a place for it."
        ) from error
    finally:
        part.unlink(missing_ok=True)


def _clear_left(path: Path) -> None:
    """Remove parts of a file that are so old that nobody writes them."""
    for left in path.parent.glob(f".{glob.escape(path.name)}.{'[0-9a-f]' * 8}.part"):
        with suppress(OSError):  # another process may be first, or it is not ours to remove
            if left.stat().st_mtime < time.time() - LEFT_SECONDS:
                left.unlink()


def parquet_bytes(frame: pl.DataFrame) -> bytes:
    """Return a small table as Parquet, for a disk whose being full polars does not tell."""
    content = io.BytesIO()
    frame.write_parquet(content)
    return content.getvalue()
