"""What a selection begins with: features forced in, or a result that it goes on from."""

from __future__ import annotations

import os
from typing import TypeAlias

from renyi.api.selecting._path import read_result
from renyi.errors import ColumnError, OptionError, Way
from renyi.options import DataOptions, MethodOptions
from renyi.selection import SelectionPath as PathRecord
from renyi.variables import DataReport

__all__ = ["Start", "check_limit", "check_target", "largest", "read_start"]

Start: TypeAlias = "PathRecord | str | os.PathLike[str] | None"


def read_start(start: object) -> PathRecord | None:
    """Return the result to go on from, None for none.

    Raises
    ------
    OptionError
        If it is neither a result nor the path of one, or nothing is selected in it.
    ReadError, IntegrityError
        If the file is no result, or was changed.
    """
    if start is None or start == ():
        return None
    if isinstance(start, str | os.PathLike) and isinstance(os.fspath(start), str):
        start = read_result(start)
    if not isinstance(start, PathRecord):
        raise OptionError(
            f"`start` must be a result of `select` or the path of one, got {type(start).__name__}.",
            "Force columns in by name with ",
            Way("keep", rule="NAMES"),
            ".",
        )
    if not start.selected:
        raise OptionError(
            "`start` must be a result with a selected column, and it has none.",
            "Leave ",
            Way("start"),
            " out to begin with none.",
        )
    return start


def check_target(start: PathRecord | None, report: DataReport) -> None:
    """Refuse to go on from a selection for another target.

    Raises
    ------
    ColumnError
        Naming both.
    """
    if start is not None and start.data.target != report.target:
        raise ColumnError(
            f"`start` must be a selection for the same target: it is for `{start.data.target}`, "
            f"and the target is `{report.target}`.",
            "Force its columns in by name: ",
            Way("keep", rule="NAMES"),
            ".",
        )


def largest(method: MethodOptions) -> int | None:
    """Return how many features the largest set has that is looked at, None for all."""
    return None if method.search == "backward" else method.max_features


def check_limit(options: DataOptions, method: MethodOptions) -> None:
    """Refuse to begin with more features than there may be in the end.

    Raises
    ------
    OptionError
        Naming both numbers.
    """
    limit, keep = method.max_features, options.keep
    if limit is not None and len(keep) > limit:
        raise OptionError(
            f"`max_features` must be at least the number of kept features, {len(keep)}; "
            f"got {limit}.",
            "Kept features count towards it.",
        )
    begins = options.at_hand
    if limit is not None and len(begins) > limit and method.search != "backward":
        raise OptionError(
            f"`max_features` must be at least the number of features that the search begins with, "
            f"{len(begins)}; got {limit}.",
            "To take some of them away use ",
            Way("search", "backward"),
            ".",
        )
