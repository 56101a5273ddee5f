"""A table into a file."""

from __future__ import annotations

import os
from pathlib import Path

import polars as pl

from renyi.io.files._apply import APPLY_SUFFIXES, write_batches
from renyi.io.files._arrow import TARGET_KEY
from renyi.io.files._output import check_output

__all__ = ["write_table"]


def write_table(
    frame: pl.DataFrame,
    file: str | os.PathLike[str],
    *,
    target: str | None = None,
    force: bool = False,
) -> Path:
    """Write a table: Parquet, Arrow IPC, CSV, TSV or NDJSON by suffix.

    Parameters
    ----------
    frame
        The table.
    file
        Where to write.
    target
        Its target, noted in the metadata of Parquet and Arrow files, where `load` finds it.
    force
        Whether a file that is there may be replaced.

    Returns
    -------
    Path
        Where it is.

    Raises
    ------
    OptionError
        If its suffix is unknown.
    OutputError
        If it cannot be written there; nothing is left half-written.
    """
    place = check_output(file, force=force, suffixes=APPLY_SUFFIXES)
    table = frame.to_arrow()
    schema = table.schema
    if target is not None:
        schema = schema.with_metadata({TARGET_KEY: target.encode()})
    write_batches(schema, table.to_batches(), place)
    return place
