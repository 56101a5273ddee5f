"""From what a person types to files of a known format, or one sentence that says why not."""

from __future__ import annotations

import gzip
import json
import os
import sys
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, TypeAlias, cast

from renyi import _validate
from renyi.errors import ReadError
from renyi.io._pool import check_pool

__all__ = ["SUFFIXES", "Format", "Source", "locate_source"]

Format: TypeAlias = Literal["parquet", "ipc", "ipc-stream", "csv", "ndjson"]

SUFFIXES: Final[Mapping[str, Format]] = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "ipc",
    ".feather": "ipc",
    ".ipc": "ipc",
    ".arrows": "ipc-stream",
    ".csv": "csv",
    ".tsv": "csv",
    ".ndjson": "ndjson",
    ".jsonl": "ndjson",
}
_WORDS: Final[Mapping[str, str]] = {
    "parquet": "Parquet",
    "ipc": "Arrow IPC",
    "ipc-stream": "an Arrow IPC stream",
    "csv": "text",
    "ndjson": "NDJSON",
    "json": "a JSON array",
    "feather-1": "the old Feather format (version 1)",
    "zip": "a zip archive or spreadsheet",
    "gzip": "gzip-compressed data",
    "utf-16": "text in UTF-16",
    "binary": "binary data",
}
_HINTS: Final[Mapping[str, str]] = {
    "json": "Write one object a line (.ndjson).",
    "zip": "Unpack it, or save the sheet as CSV.",
    "gzip": "Rename it to end in .gz.",
    "utf-16": "Save it as UTF-8.",
}
_KNOWN: Final = "Known are .parquet, .arrow, .feather, .ipc, .csv, .tsv, .ndjson and .jsonl."
_HEAD: Final = 1 << 16
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
    """

    name: str
    format: Format
    paths: tuple[Path, ...] = ()
    content: bytes | None = field(default=None, repr=False)
    root: Path | None = None


def locate_source(data: str | os.PathLike[str]) -> Source:
    """Find the files behind a path, a glob, a directory or `-`, and check what they hold.

    Raises
    ------
    ReadError
        If there is nothing, or nothing that is what its suffix says.
    """
    check_pool()
    text = os.fspath(data)
    if text == "-":
        return _standard_input()
    if not text:
        raise ReadError("The path of the data is empty.", "Name a file, or `-` to pipe one in.")
    path = Path(text).expanduser()
    try:
        if path.is_dir():
            return _directory(text, path)
        if path.exists():
            return _file(text, path)
        if _GLOB & set(text):
            return _glob(text, path)
    except (OSError, ValueError) as error:
        raise ReadError(
            f"`{text}` cannot be read: {_reason(error)}.", "Check the path and its permissions."
        ) from error
    raise _not_there(text, path)


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).strip().rstrip(".").lower()


def _not_there(text: str, path: Path) -> ReadError:
    if "://" in text:
        return ReadError(f"`{text}` is not a local file.", "Download it and give its path.")
    if not path.parent.is_dir():
        return ReadError(f"`{text}` is not there: no directory `{path.parent}`.", "Check the path.")
    close = _validate.nearest(path.name, [entry.name for entry in path.parent.iterdir()], 1)
    hint = f"Did you mean `{path.parent / close[0]}`?" if close else "Check the path."
    return ReadError(f"`{text}` is not there.", hint)


def _file(text: str, path: Path) -> Source:
    suffix = path.suffix.lower()
    if suffix == ".gz":
        return _compressed(text, path)
    if not path.is_file():  # a pipe, which can be read once only
        content = path.read_bytes()
        return Source(text, _checked(text, "", content[:_HEAD], content[-4:]), content=content)
    with path.open("rb") as file:
        head = file.read(_HEAD)
        file.seek(0, os.SEEK_END)
        file.seek(max(0, file.tell() - 4))
        tail = file.read()
    found = _checked(text, suffix, head, tail)
    return Source(text, found, paths=(path,))


def _compressed(text: str, path: Path) -> Source:
    packed = path.read_bytes()
    if packed and not packed.startswith(b"\x1f\x8b"):
        raise ReadError(
            f"`{text}` is named .gz, but it is not a whole gzip file: it does not begin as one.",
            "Rename it by what it holds, or compress it again.",
        )
    try:
        content = gzip.decompress(packed)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ReadError(
            f"`{text}` is not a whole gzip file: {_reason(error)}.", "Copy it again."
        ) from error
    suffix = Path(path.stem).suffix.lower()
    return Source(text, _checked(text, suffix, content[:_HEAD], content[-4:]), content=content)


def _checked(text: str, suffix: str, head: bytes, tail: bytes) -> Format:
    """Return what the bytes are, or raise if the suffix says otherwise."""
    expected = SUFFIXES.get(suffix)
    found = _sniff(head)
    if found == "empty":
        raise ReadError(f"`{text}` is empty.", "Check how it was written.")
    if found == "parquet" and tail not in {b"PAR1", b"PARE"}:
        raise ReadError(
            f"`{text}` is cut short: the end of the Parquet file is missing.",
            "Copy or write it again.",
        )
    if found not in SUFFIXES.values():
        raise ReadError(
            f"`{text}` holds {_WORDS[found]}, which is not read here.", _HINTS.get(found, _KNOWN)
        )
    if expected not in {None, found} and (expected, found) != ("ipc", "ipc-stream"):
        raise ReadError(
            f"`{text}` is named {suffix}, but it holds {_WORDS[found]}.",
            "Rename it by what it holds, or write it again.",
        )
    return cast(Format, found)


def _sniff(head: bytes) -> str:
    """Name what the first bytes say, a key of `_WORDS` or `empty`."""
    marks = {
        b"PAR1": "parquet",
        b"ARROW1": "ipc",
        b"\xff\xff\xff\xff": "ipc-stream",
        b"FEA1": "feather-1",
        b"PK\x03\x04": "zip",
        b"\x1f\x8b": "gzip",
        b"\xff\xfe": "utf-16",
        b"\xfe\xff": "utf-16",
    }
    for mark, word in marks.items():
        if head.startswith(mark):
            return word
    if b"\x00" in head:
        return "binary"
    text = head.removeprefix(b"\xef\xbb\xbf").strip()
    if not text:
        return "empty"
    if text.startswith(b"[") and text[1:].lstrip()[:1] in {b"{", b"["}:
        return "json"
    return "ndjson" if _starts_object(text) else "csv"


def _starts_object(text: bytes) -> bool:
    """Whether the first line is a JSON object, or the start of one too long to see whole."""
    if not text.startswith(b"{"):
        return False
    line, newline, _ = text.partition(b"\n")
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return text[1:].lstrip()[:1] in {b'"', b"}"} and (not newline or b'":' in line)


def _standard_input() -> Source:
    name = "standard input"
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None or sys.stdin.isatty():
        raise ReadError(
            "`-` reads standard input, and nothing is piped into it.",
            "Pipe a file into it, or name a file.",
        )
    content: bytes = stream.read()
    if content.startswith(b"\x1f\x8b"):
        try:
            content = gzip.decompress(content)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise ReadError(f"Standard input is not whole gzip data: {_reason(error)}.") from error
    return Source(name, _checked(name, "", content[:_HEAD], content[-4:]), content=content)


def _directory(text: str, path: Path) -> Source:
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
    return _parquet_parts(text, found, path)


def _glob(text: str, path: Path) -> Source:
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
        return _file(str(found[0]), found[0])
    return _parquet_parts(text, found, root)


def _parquet_parts(text: str, found: list[Path], root: Path) -> Source:
    paths = tuple(sorted(found))
    for path in paths:
        _file(str(path), path)
    return Source(text, "parquet", paths=paths, root=root)
