"""`renyi.apply`: the selected columns of a file."""

from __future__ import annotations

import os
from pathlib import Path

from renyi.api._session import located_file
from renyi.api.selecting._path import read_result
from renyi.errors import UsageError
from renyi.io import apply_selection
from renyi.selection import SelectionPath as PathRecord

__all__ = ["apply"]


def apply(
    result: PathRecord | str | os.PathLike[str],
    data: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    force: bool = False,
    target: bool = True,
) -> Path:
    """Write the selected columns of a file to another, in the order they were selected.

    Parameters
    ----------
    result
        A result, or the path of one written as JSON.
    data
        A file, glob or directory, or the name of a known data set.
    output
        Its suffix says the format.
    force
        Whether a file that is there may be replaced.
    target
        Whether the target is kept, as the last column.

    Returns
    -------
    Path
        Where it is.

    Raises
    ------
    ColumnError
        If a selected column is not in the data.
    UsageError
        If nothing was selected, the suffix is unknown, or `output` is a file of `data`.
    ReadError, OutputError
        If a file cannot be read or written; nothing is half-written.
    """
    path = result if isinstance(result, PathRecord) else read_result(result)
    if not path.selected:
        raise UsageError("The result has no selected column to apply.", "Nothing was written.")
    source = located_file(data)
    kept = path.data.target if target else None
    return apply_selection(
        path.selected,
        source,
        output,
        force=force,
        keep_target=kept,
        options=path.data_options,
    )
