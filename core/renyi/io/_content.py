"""The content hash: what a table says, whatever the file format that carries it.

SHA-256 over the columns in order. A column is its name and then its values, row by row: numbers as
little-endian float64 (missing: the quiet NaN 0x7ff8000000000000; zero without a sign), everything
else as text. A name or text is its length in bytes as a little-endian unsigned 32-bit integer, and
then its UTF-8 bytes; missing text is the length 0xffffffff alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeAlias

import numpy as np
import polars as pl

from renyi._typing import FloatArray, IntArray
from renyi.errors import DataError
from renyi.io._pool import check_pool
from renyi.io.columns._column import Family, column_from_polars
from renyi.io.columns._levels import as_numbers, level_names
from renyi.variables import Dataset, Kind, Variable

__all__ = ["content_hash", "dataset_hash"]

Content: TypeAlias = "FloatArray | tuple[IntArray, tuple[str, ...]]"

_MISSING_TEXT: Final = b"\xff\xff\xff\xff"
_CHUNK: Final = 1 << 18
"""Rows joined at a time, so that the text of a long column is never held twice."""


def content_hash(frame: pl.DataFrame) -> str:
    """Return the hash of a table as it is, ``sha256:`` and 64 hexadecimal digits.

    Numbers, dates and times count as numbers; text, booleans and categories as text.

    Parameters
    ----------
    frame
        The table; the order of its columns and rows counts.

    Raises
    ------
    DataError
        If a column is nested or binary.

    Examples
    --------
    >>> whole = content_hash(pl.DataFrame({"x": [1, 2]}))
    >>> whole == content_hash(pl.DataFrame({"x": [1.0, 2.0]}))
    True
    """
    check_pool()
    return _digest((series.name, _raw(series)) for series in frame)


def dataset_hash(dataset: Dataset, offsets: Mapping[str, str] | None = None) -> str:
    """Return the hash of the columns in use: of features, targets, groups of rows, then weights.

    A column whose numbers are counted from an offset has that after its name.
    """
    offsets = offsets or {}
    groups = dataset.structure.groups if dataset.structure is not None else None
    named = (*dataset.columns, *dataset.targets, *(() if groups is None else (groups,)))
    used: list[tuple[str, Content]] = [(v.name + offsets.get(v.name, ""), _typed(v)) for v in named]
    if dataset.weights is not None:
        used.append(("", dataset.weights))
    return _digest(used)


def _raw(series: pl.Series) -> Content:
    family = column_from_polars(series.name, series).family
    if family in {Family.NESTED, Family.BINARY}:
        raise DataError(
            f"Column `{series.name}` holds {family.value}, which have no content hash.",
            "Leave the column out.",
        )
    if family in {Family.TEXT, Family.BOOLEAN, Family.CATEGORY}:
        return level_names(series)
    return as_numbers(series)


def _typed(variable: Variable) -> Content:
    if variable.kind is Kind.CONTINUOUS:
        if variable.missing is None:
            return variable.values
        return np.where(variable.missing[:, None], np.nan, variable.values)
    # a missing step has the code after the last, and the name of none
    missing = variable.codes >= len(variable.levels)
    return np.where(missing, -1, variable.codes), variable.levels


def _digest(columns: Iterable[tuple[str, Content]]) -> str:
    hasher = hashlib.sha256()
    for name, content in columns:
        hasher.update(_text(name))
        for piece in _pieces(content):
            hasher.update(piece)
    return f"sha256:{hasher.hexdigest()}"


def _pieces(content: Content) -> Iterator[bytes]:
    if isinstance(content, np.ndarray):
        yield np.ascontiguousarray(content, dtype="<f8").tobytes()
        return
    codes, names = content
    tokens = [*map(_text, names), _MISSING_TEXT]  # code -1 finds the last one
    for start in range(0, len(codes), _CHUNK):
        yield b"".join([tokens[code] for code in codes[start : start + _CHUNK].tolist()])


def _text(text: str) -> bytes:
    encoded = text.encode()
    return len(encoded).to_bytes(4, "little") + encoded
