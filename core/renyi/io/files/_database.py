"""Tables and queries of SQLite databases, which are only read."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any, Final
from urllib.parse import quote

from renyi.errors import ReadError
from renyi.io._frames import column_of
from renyi.io.columns._column import Column, Table
from renyi.io.files._contents import check_size, chosen_part, whole
from renyi.io.files._sources import Source
from renyi.io.files.text._untyped import timed_column

__all__ = ["open_database"]

_ROWS: Final = 10_000
"""Rows fetched at a time."""
_STEPS: Final = 100_000
"""Steps of SQLite after which Python may hear Ctrl-C."""
_VALUE: Final = 64
"""Bytes of a value as an object of Python, beside those of its text."""
_READING: Final = frozenset(
    {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
)
"""What a statement may do: nothing is written, attached, or set."""
_FORBIDDEN: Final = frozenset({"load_extension", "readfile", "writefile", "edit", "fts3_tokenizer"})


def open_database(source: Source, part: str | None) -> Table:
    """Describe a table of a database, or what a query gives.

    Parameters
    ----------
    source
        Of format `database`.
    part
        A table, a view, or a query that begins with SELECT or WITH; None for the only table.

    Raises
    ------
    ReadError
        If the database is damaged, or the query fails.
    OptionError
        If there are several tables and none is named, or it has no such table.
    """
    with _connected(source) as connection:
        kinds = dict(
            connection.execute(
                "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') "
                "AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY rowid"
            )
        )
        query = part
        if part is None or not part.lstrip().lower().startswith(("select ", "with ")):
            tables = [name for name, kind in kinds.items() if kind == "table"]
            name = chosen_part(source.name, part, tables if part is None else list(kinds), "table")
            query = f"SELECT * FROM {_quoted(name)}"
        with closing(connection.execute(f"SELECT * FROM ({query}) LIMIT 0")) as cursor:
            names = tuple(column[0] for column in cursor.description)

    def read(wanted: Sequence[str]) -> list[Column]:
        chosen = ", ".join(map(_quoted, wanted))
        with _connected(source) as connection:
            values = _fetched(connection, f"SELECT {chosen} FROM ({query})", source)
        return [timed_column(column_of(n, v)) for n, v in zip(wanted, values, strict=True)]

    return Table(source=source.name, names=names, read=read)


def _fetched(connection: sqlite3.Connection, query: str, source: Source) -> list[list[Any]]:
    """Return the columns of a query, as long as they fit."""
    held = 0
    with closing(connection.execute(query)) as cursor:
        columns: list[list[Any]] = [[] for _ in cursor.description]
        while rows := cursor.fetchmany(_ROWS):
            for column, values in zip(columns, zip(*rows, strict=True), strict=True):
                column.extend(values)
                held += sum(_VALUE + (len(v) if isinstance(v, str | bytes) else 0) for v in values)
            check_size(source.name, held, source.limit, at_least=True, pieces=False)
    return columns


@contextmanager
def _connected(source: Source) -> Iterator[sqlite3.Connection]:
    """Open a database that cannot be changed, and turn what goes wrong into one sentence."""
    try:
        with closing(_open(source)) as connection:
            for statement in ("trusted_schema = OFF", "cell_size_check = ON", "query_only = ON"):
                connection.execute(f"PRAGMA {statement}")
            connection.set_authorizer(_authorised)
            connection.set_progress_handler(_go_on, _STEPS)
            yield connection
    except (sqlite3.Error, sqlite3.Warning, OverflowError, UnicodeDecodeError) as error:
        reason = str(error).strip().rstrip(".") or "damaged"
        raise ReadError(f"`{source.name}` cannot be read: {reason}.", "Check the query.") from error


def _open(source: Source) -> sqlite3.Connection:
    if source.content is None:
        place = quote(str(source.paths[0].resolve()))
        return sqlite3.connect(f"file:{place}?mode=ro", uri=True)
    connection = sqlite3.connect(":memory:")
    with source.open() as stream:
        connection.deserialize(whole(stream, source.name, source.limit))
    return connection


def _authorised(action: int, _: str | None, function: str | None, *__: str | None) -> int:
    allowed = action in _READING and (function or "").lower() not in _FORBIDDEN
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def _go_on() -> int:
    return 0


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
