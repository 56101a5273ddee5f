"""What the first bytes of a file say it is, held against its name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias, cast

from renyi.errors import ReadError

__all__ = ["HEAD", "SUFFIXES", "UTF_16", "Format", "checked_format"]

Format: TypeAlias = Literal["parquet", "ipc", "ipc-stream", "csv", "ndjson", "workbook", "database"]

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
    ".xlsx": "workbook",
    ".xlsm": "workbook",
    ".ods": "workbook",
    ".sqlite": "database",
    ".sqlite3": "database",
    ".db": "database",
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
    "workbook": "a workbook",
    "database": "an SQLite database",
    "gzip": "gzip-compressed data",
    "zstd": "zstd-compressed data",
    "binary": "binary data",
}
_HINTS: Final[Mapping[str, str]] = {
    "json": "Write one object a line (.ndjson).",
    "zip": "Unpack it, or save the sheet as CSV.",
    "gzip": "Rename it to end in .gz.",
    "zstd": "Rename it to end in .zst.",
}
_KNOWN: Final = (
    "Known are .parquet, .arrow, .feather, .ipc, .csv, .tsv, .ndjson, .jsonl, .xlsx, .ods and "
    ".sqlite."
)
HEAD: Final = 1 << 16
"""Bytes that are looked at."""


_BOOKS: Final = (b"[Content_Types].xml", b"xl/", b"opendocument.spreadsheet")
"""What the first entries of a workbook hold."""
UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
"""How text in UTF-16 marks itself."""
UTF_32: Final = b"\xff\xfe\x00\x00"


def checked_format(text: str, suffix: str, head: bytes, tail: bytes) -> Format:
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
        b"SQLite format 3\x00": "database",
        b"PK\x03\x04": "workbook" if any(mark in head for mark in _BOOKS) else "zip",
        b"\x1f\x8b": "gzip",
        b"\x28\xb5\x2f\xfd": "zstd",
    }
    for mark, word in marks.items():
        if head.startswith(mark):
            return word
    if head.startswith(UTF_16) and not head.startswith(UTF_32):
        head = head.decode("utf-16", errors="ignore").encode()
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
    except (ValueError, RecursionError):
        return text[1:].lstrip()[:1] in {b'"', b"}"} and (not newline or b'":' in line)
