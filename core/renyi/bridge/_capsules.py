"""Structs of the Arrow C data interface, known by their addresses."""

from __future__ import annotations

import ctypes
import re
from dataclasses import dataclass
from typing import Any, Final, cast

import pyarrow as pa

from renyi.errors import DataError, UsageError

__all__ = ["Place", "address", "export_table", "import_array", "import_table", "out_place"]

_SCHEMA: Final = b"arrow_schema"
_ARRAY: Final = b"arrow_array"
_STREAM: Final = b"arrow_array_stream"
"""Names that the PyCapsule interface prescribes; a capsule points to them, so they must live on."""

# A prototype of our own: the functions of `ctypes.pythonapi` are shared with all who set types.
_new_capsule: Final = ctypes.PYFUNCTYPE(
    ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p
)(("PyCapsule_New", ctypes.pythonapi))


@dataclass(frozen=True, slots=True)
class Place:
    """Two structs to fill.

    Attributes
    ----------
    schema, array
        Their addresses.
    """

    schema: int
    array: int


class _GivenArray:
    """An array in structs of the caller, as the PyCapsule interface hands it over.

    The capsules have no destructor: the structs are the caller's, and what is not taken over stays.
    """

    def __init__(self, schema: int, array: int) -> None:
        self._schema, self._array = schema, array

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        return _new_capsule(self._schema, _SCHEMA, None), _new_capsule(self._array, _ARRAY, None)


class _GivenStream:
    """A stream in a struct of the caller, likewise."""

    def __init__(self, stream: int) -> None:
        self._stream = stream

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return _new_capsule(self._stream, _STREAM, None)


def address(argument: str, value: object) -> int:
    """Return an address that was given as a decimal string.

    Raises
    ------
    UsageError
        If it is none.
    """
    if isinstance(value, str) and re.fullmatch(r"[0-9]{1,20}", value):
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 1 << 64:
        return value
    raise UsageError(f"`{argument}` must be an address as a decimal string, got {value!r}.")


def import_array(name: str, schema: int, array: int) -> pa.Array[Any]:
    """Take over one array; `name` is what messages call it.

    Raises
    ------
    DataError
        If it is not valid.
    """
    given: Any = _GivenArray(schema, array)
    try:
        found: pa.Array[Any] = pa.array(given)
    except (pa.ArrowException, ValueError) as error:
        raise _refusal(error) from error
    _check_values(name, found)
    return found


def import_table(place: Place | int) -> pa.Table:
    """Take over a struct array, or a stream of them, as a table.

    Raises
    ------
    DataError
        If it is not valid.
    """
    try:
        if isinstance(place, int):
            table = pa.table(_GivenStream(place))
        else:
            batch = pa.record_batch(_GivenArray(place.schema, place.array))
            table = pa.Table.from_batches([batch])
    except (pa.ArrowException, ValueError) as error:
        raise _refusal(error) from error
    for name, column in zip(table.column_names, table.columns, strict=True):
        _check_values(name, column)
    return table


def _check_values(name: str, values: pa.Array[Any] | pa.ChunkedArray[Any]) -> None:
    """Look at the content: text that is no UTF-8 or codes without a level would end the process."""
    try:
        values.validate(full=True)
    except pa.ArrowException as error:
        reason = _reason(error).rpartition("Invalid: ")[2]
        raise DataError(f"Column `{name}` is not valid Arrow data: {reason}.") from error


def _refusal(error: Exception) -> DataError:
    return DataError(f"The Arrow data cannot be taken over: {_reason(error)}.")


def _reason(error: Exception) -> str:
    return str(error).strip().splitlines()[0].rstrip(".")


def out_place(out: object) -> Place | None:
    """Return where a table shall be exported to, None for nowhere.

    Raises
    ------
    UsageError
        If `out` does not say it.
    """
    if out is None:
        return None
    if not isinstance(out, dict) or set(out) != {"schema", "array"}:
        raise UsageError("`out` must be a dict of the addresses `schema` and `array`.")
    return Place(address("out schema", out["schema"]), address("out array", out["array"]))


def export_table(table: pa.Table, place: Place) -> None:
    """Fill the caller's structs with a table as one struct array, its text as large_utf8."""
    wide = pa.schema([field.with_type(_wide(field.type)) for field in table.schema])
    wide = wide.with_metadata(table.schema.metadata)
    # Before the chunks are joined: text of more than 2 GiB in one array needs the wide offsets.
    joined = table.cast(wide).unify_dictionaries().combine_chunks()
    columns: list[pa.Array[Any]] = [
        column.chunk(0) if column.num_chunks else pa.array([], type=column.type)
        for column in cast("list[Any]", joined.columns)
    ]
    batch = pa.RecordBatch.from_arrays(columns, schema=joined.schema)
    batch._export_to_c(place.array, place.schema)  # noqa: SLF001 - documented for this use


def _wide(kind: pa.DataType) -> pa.DataType:
    return pa.large_string() if str(kind) in {"string", "string_view"} else kind
