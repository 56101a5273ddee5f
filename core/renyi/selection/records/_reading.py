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
        raise ReadError(f"This is not JSON: {error}.") from error
    except RecursionError as error:
        raise ReadError(f"This is not a result of `{by}`: too deeply nested.") from error
    if not isinstance(record, dict):
        raise ReadError(f"This is not a result of `{by}`: the JSON is not an object.")
    return record


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
        raise ReadError(f"This is not a result of `{by}`: `schema_version` is missing.") from error
    if not isinstance(version, str) or not re.fullmatch(r"[0-9]{1,9}\.[0-9]{1,9}", version):
        raise ReadError(
            f'This is not a result of `{by}`: `schema_version` must be text such as "{known}".'
        )
    if int(version.partition(".")[0]) > int(known.partition(".")[0]):
        raise ReadError(
            f"This result has schema version {version}, newer than {known}.",
            "Update renyi to read it.",
        )
    not_whole = f"This is not a whole result of `{by}`"
    try:
        return build(record)
    except KeyError as error:
        raise ReadError(f"{not_whole}: `{error.args[0]}` is missing.") from error
    except (OptionError, TypeError, ValueError, AttributeError, RecursionError) as error:
        said = getattr(error, "message", str(error)).rstrip(".")
        raise ReadError(f"{not_whole}: {said}.") from error


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
