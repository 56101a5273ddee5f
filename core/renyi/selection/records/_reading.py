"""Records out of text that anybody may have written: whole, or one sentence on what is not."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from renyi._typing import JsonValue
from renyi.errors import OptionError, ReadError

__all__ = ["Rebuilt", "parsed"]

Record = TypeVar("Record")


def parsed(text: str | bytes, by: str) -> dict[str, Any]:
    """Return the object that a JSON text holds.

    Parameters
    ----------
    text
        JSON.
    by
        The command that writes such results.

    Raises
    ------
    ReadError
        If it is not JSON or not an object.
    OptionError
        If `text` is not text.
    """
    if not isinstance(text, str | bytes | bytearray):
        raise OptionError(
            f"`text` must be JSON text, got {type(text).__name__}.",
            "Read a file with `read_result`.",
        )
    try:
        record = json.loads(text)
    except ValueError as error:
        raise _no_result(by, _fault(error)) from error
    except RecursionError as error:
        raise _no_result(by, "it is too deeply nested") from error
    if not isinstance(record, dict):
        raise _no_result(by, "it is JSON of something else")
    return record


def _no_result(by: str, fault: str, kind: str = "a result") -> ReadError:
    way = "`renyi select DATA --output result.json` makes one."
    if by == "renyi compare":
        way = "`renyi compare DATA --output result.json` makes one."
    return ReadError(f"This is not {kind} of `{by}`: {fault}.", way)


def _fault(error: ValueError) -> str:
    """Say in plain words what is wrong with a text that should be JSON."""
    if isinstance(error, UnicodeDecodeError):
        return "it is not text"
    if not isinstance(error, json.JSONDecodeError):  # a number of thousands of digits
        return "it is not JSON"
    content = error.doc.strip()
    if not content:
        return "it is empty"
    if content[0] not in "{[":
        return "it is not JSON"
    return f"its JSON is broken or breaks off in line {error.lineno}"


def _rebuilt(
    record: Mapping[str, Any], build: Callable[[Mapping[str, Any]], Record], by: str, known: str
) -> Record:
    """Return a record of a version that is known.

    Parameters
    ----------
    record
        What was read.
    build
        Builds the record and checks it.
    by
        The command that writes such results.
    known
        Version of its schema that this program writes.

    Raises
    ------
    ReadError
        If it is not such a record, or one of a newer major version.
    """
    try:
        version = record["schema_version"]
    except (KeyError, TypeError) as error:
        raise _no_result(by, "`schema_version` is missing") from error
    if not isinstance(version, str) or not re.fullmatch(r"[0-9]{1,9}\.[0-9]{1,9}", version):
        raise _no_result(by, f'`schema_version` must be text such as "{known}"')
    if int(version.partition(".")[0]) > int(known.partition(".")[0]):
        raise ReadError(
            f"This result has schema version {version}, newer than {known}.",
            "Update renyi to read it.",
        )
    try:
        return build(record)
    except KeyError as error:
        raise _no_result(by, f"`{error.args[0]}` is missing", "a whole result") from error
    except (OptionError, TypeError, ValueError, AttributeError, RecursionError) as error:
        said = getattr(error, "message", str(error)).rstrip(".")
        raise _no_result(by, said, "a whole result") from error


class Rebuilt:
    """An answer that goes out as JSON and comes back.

    Attributes
    ----------
    WRITTEN_BY
        The command that writes it.
    SCHEMA
        Version of its schema that this program writes.
    """

    WRITTEN_BY: ClassVar[str]
    SCHEMA: ClassVar[str]

    if TYPE_CHECKING:

        def to_dict(self) -> dict[str, JsonValue]:
            """Return the answer as JSON values."""

        @classmethod
        def _from_record(cls, record: Mapping[str, Any]) -> Self:
            """Build it of JSON values, and check it."""

    def to_json(self, indent: int | None = 2) -> str:
        """Return the whole result as JSON text."""
        return json.dumps(self.to_dict(), indent=indent, allow_nan=False, ensure_ascii=False)

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Self:
        """Rebuild a result from `to_dict`.

        Raises
        ------
        ReadError
            If it is not such a record, or one of a newer major version.
        """
        return _rebuilt(record, cls._from_record, cls.WRITTEN_BY, cls.SCHEMA)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Rebuild a result from JSON text.

        Raises
        ------
        ReadError
            If it is not JSON or not such a result.
        OptionError
            If `text` is not text.
        """
        return cls.from_dict(parsed(text, cls.WRITTEN_BY))
