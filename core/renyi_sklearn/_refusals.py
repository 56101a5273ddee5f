"""Errors of the core as scikit-learn's users expect them: a ValueError, in the words used here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from renyi.errors import (
    ColumnError,
    DataError,
    MissingValuesError,
    RenyiError,
    UsageError,
    Way,
)

__all__ = ["MissingInTableError", "TableError", "as_here"]

_HERE: Final = {
    "kind": "categorical_features",
    "score": "score_name",
    "weights": "sample_weight",
    "seed": "random_state",
    "jobs": "n_jobs",
}
"""What options of `renyi.select` are called by the estimators."""


class TableError(DataError, ValueError):
    """The table cannot be used as it is."""


class MissingInTableError(MissingValuesError, ValueError):
    """Columns have missing values and `missing` does not say what to do with them."""


@contextmanager
def as_here() -> Iterator[None]:
    """Turn errors of the core about a table into errors that are a ValueError too.

    What they say stays; an option that leads out gets the name that it has here.
    """
    try:
        yield
    except MissingValuesError as error:
        raise MissingInTableError(error.message, *_parts(error)) from None
    except (ColumnError, UsageError) as error:
        raise type(error)(_said(error), *_parts(error)) from None
    except DataError as error:
        if type(error) is not DataError:
            raise
        raise TableError(_said(error), *_parts(error)) from None


def _said(error: RenyiError) -> str:
    """Return the sentence: an option that it begins with must be something, a column cannot be."""
    return re.sub(r"^`(\w+)`(?= must| that)", lambda m: f"`{_HERE.get(m[1], m[1])}`", error.message)


def _parts(error: RenyiError) -> list[str | Way]:
    return [
        part._replace(option=_HERE.get(part.option, part.option)) if isinstance(part, Way) else part
        for part in error.parts
    ]
