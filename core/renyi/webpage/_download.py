"""A result within a page, to be taken out of it."""

from __future__ import annotations

import base64
import gzip
from dataclasses import dataclass
from typing import Final

__all__ = ["Download", "download_of"]

PLAIN: Final = 120_000
"""Bytes up to which a result stands in the page as it is; larger ones are compressed."""


@dataclass(frozen=True, slots=True)
class Download:
    """What a link of the page hands out, without a script or another request.

    Attributes
    ----------
    name
        Of the file.
    address
        A `data:` address with all of it.
    size
        Bytes of the result, uncompressed.
    compressed
        Whether the address holds it compressed; a script hands it out as it was.
    """

    name: str
    address: str
    size: int
    compressed: bool


def download_of(content: bytes, name: str) -> Download:
    """Return a result as a page holds it; equal results give equal text."""
    packed = len(content) > PLAIN
    held = gzip.compress(content, 9, mtime=0) if packed else content
    kind = "application/gzip" if packed else "application/json"
    text = base64.b64encode(held).decode()
    return Download(
        f"{name}.json.gz" if packed else f"{name}.json",
        f"data:{kind};base64,{text}",
        len(content),
        packed,
    )
