"""Bytes of files, pipes and compressed files, never more of them than may be held."""

from __future__ import annotations

import codecs
import gzip
import io
import re
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import IO, Final, Protocol

import pyarrow as pa

from renyi import _validate
from renyi.backend import get_backend
from renyi.errors import MemoryBudgetError, OptionError, ReadError, Way
from renyi.io._wording import named, plural
from renyi.variables import Note

__all__ = [
    "COMPRESSED",
    "check_size",
    "chosen_part",
    "encoding_notes",
    "inflated",
    "room",
    "text_encoding",
    "whole",
]

COMPRESSED: Final[Mapping[str, tuple[bytes, str]]] = {
    ".gz": (b"\x1f\x8b", "gzip"),
    ".zst": (b"\x28\xb5\x2f\xfd", "zstd"),
}
"""Suffix -> how such a file begins, and what it is called."""
_PIECE: Final = 1 << 20
_ESCAPED: Final = re.compile("[\udc80-\udcff]")
"""How Python writes a byte that is no UTF-8."""
_BEYOND_ASCII: Final = re.compile("[^\x00-\x7f]")
_NO_WINDOWS: Final = frozenset("\udc81\udc8d\udc8f\udc90\udc9d")
"""Bytes that stand for no letter in Windows-1252."""
_LEAST: Final = 64 * 10**6
"""Bytes that are read whatever the budget: less than the libraries take that read them."""


class Readable(Protocol):
    """Whatever can be read in pieces."""

    def read(self, size: int, /) -> bytes:
        """Return at most `size` bytes, none at the end."""


def room(budget: int | str | None = None) -> int:
    """Return how many bytes a table may take under a budget, None for the share by default."""
    return max(_LEAST, _validate.memory_bytes(budget, get_backend("numpy").free_memory()))


def check_size(
    name: str, needed: int, limit: int, *, at_least: bool = False, pieces: bool = True
) -> None:
    """Raise `MemoryBudgetError` where a table needs more bytes than it may have.

    Parameters
    ----------
    name, needed, limit
        What, and how many bytes.
    at_least
        Whether it may need more.
    pieces
        Whether it can be read piece by piece.
    """
    if needed <= limit:
        return
    words = "more than" if at_least else "about"
    raise MemoryBudgetError(
        f"`{name}` does not fit: its table needs {words} {needed / 1e9:.2g} GB of memory, and "
        f"{limit / 1e9:.2g} GB may be used.",
        *(
            (
                "Use fewer columns, ",
                Way("rows", rule="N"),
                ", which reads it piece by piece, or a larger ",
            )
            if pieces
            else ("Put it into a Parquet file, or use a larger ",)
        ),
        Way("max_memory", rule="SIZE"),
        ".",
    )


def chosen_part(name: str, part: str | None, known: Sequence[str], word: str) -> str:
    """Return the part of a file that is asked for, or the only one.

    Raises
    ------
    OptionError
        If there is no such part, or several and none is asked for.
    """
    if part is not None and part in known:
        return part
    if part is None and len(known) == 1:
        return known[0]
    listed = f"{name} has {named(list(known))}" if known else f"{name} has none"
    if part is None:
        raise OptionError(
            f"`table` must say which {word} is meant: {listed}.", *_ways(list(known[:1]))
        )
    close = _validate.nearest(part, known, 1)
    raise OptionError(f"`table` must name a {word}, got `{part}`: {listed}.", *_ways(close))


def _ways(names: list[str]) -> tuple[str | Way, ...]:
    return ("Use ", Way("table", names[0]), ".") if names else ()


def whole(stream: Readable, name: str, limit: int) -> bytes:
    """Read a stream to its end, or refuse it once it is longer than `limit` bytes.

    Raises
    ------
    MemoryBudgetError
        If it is longer; what has no end is too.
    """
    out = bytearray()
    while piece := stream.read(_PIECE):
        out += piece
        if len(out) > limit:
            raise MemoryBudgetError(
                f"`{name}` is read whole, and holds more than the {limit / 1e9:.2g} GB that may "
                "be used.",
                "Put it into a Parquet file, or use a larger ",
                Way("max_memory", rule="SIZE"),
                ".",
            )
    return bytes(out)


def inflated(packed: bytes, suffix: str, name: str, limit: int) -> bytes:
    """Return what compressed bytes hold.

    Raises
    ------
    ReadError
        If they are not what the suffix says, or cut short.
    MemoryBudgetError
        If they hold more than `limit` bytes.
    """
    mark, word = COMPRESSED[suffix]
    if packed and not packed.startswith(mark):
        raise ReadError(
            f"`{name}` is named {suffix}, but it is not a whole {word} file: it does not begin as "
            "one.",
            "Rename it by what it holds, or compress it again.",
        )
    source = io.BytesIO(packed)
    try:
        if suffix == ".gz":
            return whole(gzip.GzipFile(fileobj=source), name, limit)
        return whole(pa.CompressedInputStream(source, "zstd"), name, limit) if packed else b""
    except (EOFError, OSError, zlib.error, pa.ArrowException) as error:
        reason = str(error).strip().splitlines()[0].rstrip(".").lower()
        raise ReadError(
            f"`{name}` is not a whole {word} file: {reason}.", "Copy it again."
        ) from error


def text_encoding(stream: IO[bytes], name: str) -> str:
    """Return the encoding of text: UTF-8, UTF-16 by its mark, else Windows-1252.

    Bytes that are no UTF-8 are Windows-1252 where they outnumber the letters that can be UTF-8
    only; else the text is UTF-8 and damaged.

    Raises
    ------
    ReadError
        If the text is damaged.
    """
    head = stream.read(4)
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    stream.seek(0)
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        while piece := stream.read(_PIECE):
            decoder.decode(piece)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        stream.seek(0)
        return _western(stream, name)
    return "utf-8-sig"


def _western(stream: IO[bytes], name: str) -> str:
    """Return the encoding of text that is not UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    odd: Counter[str] = Counter()
    letters, line, first = 0, 1, 0
    while piece := stream.read(_PIECE):
        text = decoder.decode(piece)
        escaped = _ESCAPED.findall(text)
        if escaped and not odd:
            first = line + text[: text.index(escaped[0])].count("\n")
        odd.update(escaped)
        letters += len(_BEYOND_ASCII.findall(text)) - len(escaped)
        line += text.count("\n")
    count = odd.total()
    if letters >= count:
        raise ReadError(
            f"`{name}` is UTF-8 text but for {plural(count, 'byte')}, the first in line {first}.",
            "Mend that line, or save the file as UTF-8.",
        )
    return "latin-1" if _NO_WINDOWS & set(odd) else "cp1252"


def encoding_notes(encoding: str) -> tuple[Note, ...]:
    """Return what a reader should know of the encoding of a text file."""
    words = {"utf-16": "UTF-16", "cp1252": "Windows-1252", "latin-1": "Latin-1"}.get(encoding)
    if words is None:
        return ()
    message = f"The text was read as {words} (save it as UTF-8 if its letters look wrong)."
    return (Note("text_encoding", message),)
