"""How many rows an Arrow IPC file says that it holds, before any of them is decompressed."""

from __future__ import annotations

import struct
from typing import Final

import pyarrow as pa

__all__ = ["ipc_rows"]

_MAGIC: Final = 8
"""Bytes before the first message of a file."""
_HEADER_TYPE, _HEADER = 1, 2
"""Fields of a message."""
_RECORD_BATCH: Final = 3
"""The header type of a batch, whose first field is its number of rows."""


def ipc_rows(file: pa.NativeFile, *, stream: bool) -> int:
    """Return the rows of all batches of Arrow IPC data; 0 where that cannot be told.

    A message is a flatbuffer, see the columnar format of Apache Arrow, "Encapsulated message
    format": of it only the one number is read, within the bounds of its buffer.
    """
    if not stream:
        file.seek(_MAGIC)
    rows = 0
    try:
        while True:
            message = pa.ipc.read_message(file)
            if message is None:
                return rows
            if message.type == "record batch":
                rows += max(0, _rows(message.metadata.to_pybytes()))
    except (pa.ArrowException, EOFError, OSError, struct.error):
        return rows  # the end, or damage, which reading will tell of


def _rows(metadata: bytes) -> int:
    (root,) = struct.unpack_from("<I", metadata, 0)
    kind = _field(metadata, root, _HEADER_TYPE)
    place = _field(metadata, root, _HEADER)
    if not kind or not place or metadata[kind] != _RECORD_BATCH:
        return 0
    (offset,) = struct.unpack_from("<I", metadata, place)
    length = _field(metadata, place + offset, 0)
    return int(struct.unpack_from("<q", metadata, length)[0]) if length else 0


def _field(metadata: bytes, table: int, number: int) -> int:
    """Return where a field of a table is; 0 where it has its default."""
    (back,) = struct.unpack_from("<i", metadata, table)
    (size,) = struct.unpack_from("<H", metadata, table - back)
    place = 4 + 2 * number
    if place >= size:
        return 0
    (offset,) = struct.unpack_from("<H", metadata, table - back + place)
    return table + int(offset) if offset else 0
