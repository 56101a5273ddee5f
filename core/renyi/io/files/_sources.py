"""From what a person types to files of a known format, or one sentence that says why not."""

from __future__ import annotations

import io
import os
import stat
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Final
from urllib.parse import unquote, urlsplit

from renyi import _validate
from renyi.errors import ReadError
from renyi.io._pool import check_pool
from renyi.io.files._contents import COMPRESSED, inflated, room, whole
from renyi.io.files._sniff import HEAD, Format, checked_format
from renyi.variables import Note

__all__ = ["Source", "locate_source"]

_PATIENCE: Final = 30.0
"""Seconds to wait for an address that does not answer."""
_GLOB: Final = frozenset("*?[")


@dataclass(frozen=True)
class Source:
    """Where a table comes from.

    Attributes
    ----------
    name
        For messages and results: the path as typed, or `standard input`.
    format
        What it holds, checked against its first bytes.
    paths
        Its files in a fixed order; empty where `content` has it all.
    content
        Standard input or a decompressed file, else None.
    root
        The directory that a directory or glob starts from, for `key=value` folders.
    limit
        Bytes that its table may take.
    rows, seed
        How many rows are asked for, None for all, and the seed of their draw.
    noticed
        Takes what is noticed while it is read.
    """

    name: str
    format: Format
    paths: tuple[Path, ...] = ()
    content: bytes | None = field(default=None, repr=False)
    root: Path | None = None
    limit: int = sys.maxsize
    rows: int | None = None
    seed: int = 0
    noticed: list[Note] = field(default_factory=list, compare=False)

    def open(self) -> IO[bytes]:
        """Open its only file, or what is in memory."""
        return self.paths[0].open("rb") if self.content is None else io.BytesIO(self.content)


def locate_source(data: str | os.PathLike[str], max_memory: int | str | None = None) -> Source:
    """Find the files behind a path, a glob, a directory or `-`, and check what they hold.

    Parameters
    ----------
    data
        As typed.
    max_memory
        Bytes that the table may take, or a share of what is free; None for the usual share.

    Raises
    ------
    ReadError
        If there is nothing, or nothing that is what its suffix says.
    MemoryBudgetError
        If what has to be read whole is too long.
    """
    check_pool()
    text = os.fspath(data)
    limit = room(max_memory)
    return replace(_located(text, limit), limit=limit)


def _located(text: str, limit: int) -> Source:
    if text == "-":
        return _standard_input(limit)
    if not text:
        raise ReadError("The path of the data is empty.", "Name a file, or `-` to pipe one in.")
    if text.lower().startswith(("http://", "https://")):
        return _address(text, limit)
    path = Path(os.path.expanduser(text))  # noqa: PTH111 - `~nobody` stays as it is
    try:
        if path.is_dir():
            return _directory(text, path, limit)
        if path.exists():
            return _file(text, path, limit)
        if _GLOB & set(text) and "://" not in text:
            return _glob(text, path, limit)
    except (OSError, ValueError) as error:
        raise ReadError(
            f"`{text}` cannot be read: {_reason(error)}.", "Check the path and its permissions."
        ) from error
    raise _not_there(text, path)


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).strip().rstrip(".").lower()


def _not_there(text: str, path: Path) -> ReadError:
    if "://" in text:
        name = urlsplit(text)._replace(netloc="...", query="", fragment="").geturl()
        return ReadError(
            f"`{name}` is no file, and no address that starts with http.",
            "Download it and give its path.",
        )
    if path.is_symlink():
        return ReadError(
            f"`{text}` is a link to `{path.readlink()}`, which is not there.",
            "Put the file there, or name another.",
        )
    if not path.parent.is_dir():
        return ReadError(f"`{text}` is not there: no directory `{path.parent}`.", "Check the path.")
    close = _validate.nearest(path.name, [entry.name for entry in path.parent.iterdir()], 1)
    hint = f"Did you mean `{path.parent / close[0]}`?" if close else "Check the path."
    return ReadError(f"`{text}` is not there.", hint)


def _file(text: str, path: Path, limit: int) -> Source:
    suffix = path.suffix.lower()
    mode = path.stat().st_mode
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise ReadError(f"`{text}` is a device, not a file.", "Name a file, or `-` to pipe one in.")
    if suffix in COMPRESSED or not path.is_file():  # a pipe can be read once only
        with path.open("rb") as file:
            content = whole(file, text, limit)
        return _unpacked(text, path.name, content, limit)
    with path.open("rb") as file:
        head = file.read(HEAD)
        file.seek(0, os.SEEK_END)
        file.seek(max(0, file.tell() - 4))
        tail = file.read()
    return Source(text, checked_format(text, suffix, head, tail), paths=(path,))


def _address(text: str, limit: int) -> Source:
    """Fetch what somebody asked for by its address; nothing else reaches for a network.

    No name or password is taken, sent or kept; a query, which may hold a signature, is sent but
    left out of messages and results.
    """
    import http.client
    from urllib.error import HTTPError
    from urllib.request import Request, urlopen

    parts = urlsplit(text)
    if parts.username is not None or parts.password is not None:
        raise ReadError(
            "An address must hold no name or password.",
            "Fetch the file with a program that keeps them, and give its path.",
        )
    name = parts._replace(query="", fragment="").geturl()
    try:
        with urlopen(Request(text), timeout=_PATIENCE) as answer:
            content = whole(answer, name, limit)
            length = answer.headers.get("Content-Length", "")
        if length.isdecimal() and len(content) < int(length):
            raise http.client.IncompleteRead(content[:0], int(length) - len(content))
    except (OSError, ValueError, http.client.HTTPException) as error:
        if isinstance(error, HTTPError):
            error.close()
        reason = getattr(error, "reason", None) or str(error) or type(error).__name__
        raise ReadError(
            f"`{name}` cannot be fetched: {str(reason).rstrip('.')}.",
            "Download it and give its path.",
        ) from error
    return _unpacked(name, unquote(Path(parts.path).name), content, limit)


def _unpacked(text: str, file: str, content: bytes, limit: int) -> Source:
    """Return a source that is in memory, once it is decompressed as its name says."""
    stem, suffix = os.path.splitext(file.lower())  # noqa: PTH122 - a name, no path
    if suffix in COMPRESSED:
        content = inflated(content, suffix, text, limit)
        suffix = os.path.splitext(stem)[1]  # noqa: PTH122
    found = checked_format(text, suffix, content[:HEAD], content[-4:])
    return Source(text, found, content=content)


def _standard_input(limit: int) -> Source:
    name = "standard input"
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None or sys.stdin.isatty():
        raise ReadError(
            "`-` reads standard input, and nothing is piped into it.",
            "Pipe a file into it, or name a file.",
        )
    content = whole(stream, name, limit)
    packed = [end for end, (mark, _) in COMPRESSED.items() if content.startswith(mark)]
    return _unpacked(name, f"piped{''.join(packed)}", content, limit)


def _directory(text: str, path: Path, limit: int) -> Source:
    hidden = (".", "_")
    found = [
        file
        for file in path.rglob("*")
        if file.suffix.lower() in {".parquet", ".pq"}
        and file.is_file()
        and not any(part.startswith(hidden) for part in file.relative_to(path).parts)
    ]
    if not found:
        raise ReadError(
            f"`{text}` is a directory without a Parquet file.",
            "Name a file, or a directory or glob of .parquet files.",
        )
    return _parquet_parts(text, found, path, limit)


def _glob(text: str, path: Path, limit: int) -> Source:
    fixed = list(path.parts)
    first = next(i for i, part in enumerate(fixed) if _GLOB & set(part))
    root = Path(*fixed[:first])
    found = [file for file in root.glob(str(Path(*fixed[first:]))) if file.is_file()]
    if not found:
        raise ReadError(f"`{text}` matches no file.", "Check the pattern.")
    others = [file.name for file in found if file.suffix.lower() not in {".parquet", ".pq"}]
    if others and len(found) > 1:
        raise ReadError(
            f"`{text}` must match Parquet files only; it matches `{min(others)}`.",
            "End the pattern in .parquet, or name one file.",
        )
    if others:
        return _file(str(found[0]), found[0], limit)
    return _parquet_parts(text, found, root, limit)


def _parquet_parts(text: str, found: list[Path], root: Path, limit: int) -> Source:
    paths = tuple(sorted(found))
    for path in paths:
        _file(str(path), path, limit)
    return Source(text, "parquet", paths=paths, root=root)
