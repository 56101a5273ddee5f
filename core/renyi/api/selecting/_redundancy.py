"""The table of a selection, read again for what its result does not hold."""

from __future__ import annotations

from typing import Final

from renyi.api._session import Session, open_session, read_again
from renyi.errors import ColumnError, DataError, UsageError, Way
from renyi.options import RunOptions
from renyi.selection import Redundancy, SelectionPath, redundancy, worth_showing

__all__ = ["redundancy_of"]

MOST_GIVEN: Final = 40
MOST_OTHERS: Final = 20
"""Columns of the matrix of redundancy, and rows of columns that are not selected, at most: 2,400
cells with 2,000 rows of the table are 5e9 pairs, some ten seconds on two cores, whatever the
number of columns of the table."""


def _session_of(path: SelectionPath, data: object, y: object, weights: object) -> Session:
    """Open the table that a result is of, as it was read then.

    Parameters
    ----------
    path
        The result.
    data, y, weights
        The table, and the target and weights where they are no columns of it.

    Raises
    ------
    DataError
        If it is another table.
    """
    other = DataError(
        "The table must be that of the selection, and its content is another.",
        f"The selection was of {path.data.source}.",
    )
    try:
        read = read_again(path.data, path.data_options, data, y, weights)
    except ColumnError as error:
        raise other from error
    if read.report.fingerprint != path.data.fingerprint:
        raise other
    return open_session(
        data,
        y,
        path.data_options,
        path.options,
        RunOptions(),
        one_of_each=True,
        about_rows=False,
        read=read,
    )


def redundancy_of(
    path: SelectionPath, data: object, y: object = None, weights: object = None
) -> Redundancy:
    """Return what columns leave of each other in the table of a selection.

    Raises
    ------
    UsageError
        If there is no table, or nothing was selected.
    DataError
        If it is another table.
    """
    if data is None:
        raise UsageError(
            "The figure `redundancy` needs the table of the selection.",
            "Give it with ",
            Way("data", rule="FILE"),
            f": it was {path.data.source}.",
        )
    if not path.selected:
        raise UsageError(
            "The figure `redundancy` needs a selected column, and there is none.",
            "Draw ",
            Way("figure", "path"),
            ".",
        )
    session = _session_of(path, data, y, weights)
    dataset = session.loaded.dataset
    given = [name for name in path.selected if name in dataset.names][:MOST_GIVEN]
    others = [name for name in worth_showing(path.unselected) if name in dataset.names]
    return redundancy(
        dataset.names,
        session.entropies,
        given,
        others[:MOST_OTHERS],
        path.options.seed,
        dataset.structure,
    )
