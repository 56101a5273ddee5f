"""Records out of text that anybody may have written: whole, or one sentence on what is not."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from renyi.errors import OptionError, ReadError

__all__ = ["parsed", "rebuilt"]

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


def rebuilt(
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
