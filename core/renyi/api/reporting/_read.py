"""Any result from a file: a selection or a comparison, by what it holds."""

from __future__ import annotations

import os

from renyi.api.comparing import Comparison, ScoreComparison
from renyi.api.selecting import SelectionPath
from renyi.errors import ReadError
from renyi.io import read_record
from renyi.selection import parsed

__all__ = ["answer_of", "read_answer"]

BY = "renyi select` or `renyi compare"
"""Commands that write such files."""


def read_answer(file: str | os.PathLike[str]) -> SelectionPath | Comparison | ScoreComparison:
    """Read a selection or a comparison that was written as JSON.

    Raises
    ------
    ReadError
        If it is not there, or neither.
    IntegrityError
        If it was changed after it was written.
    """
    return read_record(file, answer_of)


def answer_of(text: str) -> SelectionPath | Comparison | ScoreComparison:
    """Return the selection or the comparison that some JSON text holds.

    Raises
    ------
    ReadError
        If it is neither.
    """
    record = parsed(text, BY)
    if "comparisons" in record and "stops" in record:
        return ScoreComparison.from_dict(record)
    if "results" in record and "curve" in record:
        return Comparison.from_dict(record)
    if record.get("interrupted") is True and "path" in record:
        raise ReadError(
            "This comparison was interrupted: it holds no models to show.",
            "Run it to its end.",
        )
    return SelectionPath.from_dict(record)
