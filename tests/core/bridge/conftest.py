"""Another language's side of the bridge: structs of its own, and how often they were released."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pytest


class ArrowSchema(ctypes.Structure):
    """As the Arrow C data interface lays it out."""


class ArrowArray(ctypes.Structure):
    """As the Arrow C data interface lays it out."""


class ArrowArrayStream(ctypes.Structure):
    """As the Arrow C stream interface lays it out; its functions before `release` are opaque."""


ReleaseSchema = ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowSchema))
ReleaseArray = ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowArray))
ReleaseStream = ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowArrayStream))

ArrowSchema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_void_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(ArrowSchema))),
    ("dictionary", ctypes.POINTER(ArrowSchema)),
    ("release", ReleaseSchema),
    ("private_data", ctypes.c_void_p),
]
ArrowArray._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(ArrowArray))),
    ("dictionary", ctypes.POINTER(ArrowArray)),
    ("release", ReleaseArray),
    ("private_data", ctypes.c_void_p),
]
ArrowArrayStream._fields_ = [
    ("get_schema", ctypes.c_void_p),
    ("get_next", ctypes.c_void_p),
    ("get_last_error", ctypes.c_void_p),
    ("release", ReleaseStream),
    ("private_data", ctypes.c_void_p),
]


class Out:
    """Structs to be filled by the bridge."""

    def __init__(self) -> None:
        self.schema, self.array = ArrowSchema(), ArrowArray()

    @property
    def places(self) -> dict[str, str]:
        return {
            "schema": str(ctypes.addressof(self.schema)),
            "array": str(ctypes.addressof(self.array)),
        }

    @property
    def filled(self) -> bool:
        return bool(self.schema.release) or bool(self.array.release)

    def take(self) -> pa.RecordBatch:
        return pa.RecordBatch._import_from_c(
            ctypes.addressof(self.array), ctypes.addressof(self.schema)
        )


class Lender:
    """Lends Arrow data by address and counts what comes back."""

    def __init__(self) -> None:
        self.lent = self.returned = 0
        self._alive: list[Any] = []

    def array(self, values: Any, **more: Any) -> dict[str, Any]:
        """Lend an array or a batch as two structs."""
        out = Out()
        values._export_to_c(ctypes.addressof(out.array), ctypes.addressof(out.schema))
        self._count(out.schema, ReleaseSchema)
        self._count(out.array, ReleaseArray)
        self._alive.append(out)
        return out.places | more

    def table(self, table: Any, **more: Any) -> dict[str, Any]:
        """Lend a table as one struct array."""
        if isinstance(table, dict):
            table = pa.table(table)
        columns = [column.combine_chunks() for column in table.columns]
        if not columns:
            nothing = pa.StructArray.from_buffers(pa.struct([]), table.num_rows, [None])
            return self.array(nothing, **more)
        return self.array(pa.RecordBatch.from_arrays(columns, schema=table.schema), **more)

    def stream(self, reader: pa.RecordBatchReader, **more: Any) -> dict[str, Any]:
        """Lend a stream."""
        stream = ArrowArrayStream()
        reader._export_to_c(ctypes.addressof(stream))
        self._count(stream, ReleaseStream)
        self._alive.append(stream)
        return {"stream": str(ctypes.addressof(stream))} | more

    def doubles(self, values: np.ndarray[Any, Any]) -> dict[str, Any]:
        """Lend doubles that no Arrow library has touched."""
        schema, array = ArrowSchema(), ArrowArray()
        pointers = (ctypes.c_void_p * 2)(None, values.ctypes.data)
        schema.format, schema.name = b"g", b""
        array.length, array.n_buffers = len(values), 2
        array.buffers = ctypes.cast(pointers, ctypes.POINTER(ctypes.c_void_p))

        def forget(place: Any) -> None:
            self.returned += 1
            # A function pointer is NULL once nothing was put there.
            ctypes.memset(
                ctypes.addressof(place.contents) + type(place.contents).release.offset, 0, 8
            )

        schema.release, array.release = ReleaseSchema(forget), ReleaseArray(forget)
        self.lent += 2
        self._alive += [schema, array, pointers, values, schema.release, array.release]
        return {
            "schema": str(ctypes.addressof(schema)),
            "array": str(ctypes.addressof(array)),
        }

    def _count(self, struct: Any, prototype: Any) -> None:
        # A field read is a view of the field: its address now is what must be kept.
        inner = prototype(ctypes.cast(struct.release, ctypes.c_void_p).value)

        def release(place: Any) -> None:
            self.returned += 1
            inner(place)

        counted = prototype(release)
        self._alive += [inner, counted]
        struct.release = counted
        self.lent += 1

    @property
    def nothing_is_held(self) -> bool:
        return self.lent == self.returned > 0


@pytest.fixture
def lender() -> Iterator[Lender]:
    """Lend data while no garbage is collected: what is returned is returned at once."""
    gc.collect()
    gc.disable()
    yield Lender()
    gc.enable()


@pytest.fixture
def out() -> Out:
    return Out()
