"""Tables into typed variables, results into files."""

from renyi.io._content import content_hash
from renyi.io._frames import NamedColumn, NamedTable
from renyi.io._given import typed_variables
from renyi.io._load import load
from renyi.io._open import read_frame
from renyi.io._pool import check_pool
from renyi.io._reports import Loaded
from renyi.io._roles import unknown_column
from renyi.io.files._apply import APPLY_SUFFIXES, apply_selection, read_selection
from renyi.io.files._output import check_output, parquet_bytes, written_whole
from renyi.io.files._results import (
    RESULT_SUFFIXES,
    read_record,
    read_result,
    result_bytes,
    steps_frame,
    write_answer,
    write_result,
)
from renyi.io.files._sniff import SUFFIXES as TABLE_SUFFIXES
from renyi.io.files._write import write_table

__all__ = [
    "APPLY_SUFFIXES",
    "RESULT_SUFFIXES",
    "TABLE_SUFFIXES",
    "Loaded",
    "NamedColumn",
    "NamedTable",
    "apply_selection",
    "check_output",
    "check_pool",
    "content_hash",
    "load",
    "parquet_bytes",
    "read_frame",
    "read_record",
    "read_result",
    "read_selection",
    "result_bytes",
    "steps_frame",
    "typed_variables",
    "unknown_column",
    "write_answer",
    "write_result",
    "write_table",
    "written_whole",
]
