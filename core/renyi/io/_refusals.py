"""The sentences that refuse columns and missing values, each with the ways out that are open."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from renyi.errors import ColumnError, DataError, MissingValuesError, Way
from renyi.io._wording import counted, named, plural

__all__ = [
    "few_complete",
    "missing_beyond_category",
    "missing_values",
    "no_feature",
    "rows_without",
    "unfit_column",
]


def unfit_column(
    name: str, reason: str, *, target: bool, missing: Mapping[str, int], dropped: str = ""
) -> ColumnError:
    """Build the error for a column asked for that is of no use.

    Parameters
    ----------
    name, reason
        The column, and why it is of no use.
    target
        Whether it was to be the target.
    missing
        The columns for which rows were dropped, and how many values each lacks.
    dropped
        How many rows were dropped, in words, if any.
    """
    role, way = ("the target", "Name another target.") if target else ("a feature", "Leave it out.")
    if not dropped:
        return ColumnError(f"`{name}` cannot be {role}: {reason}.", way)
    others = [column for column in missing if column != name]
    if others:
        way = (
            f"Exclude {named(others, 3)}, which rows were dropped for, or {way[0].lower()}{way[1:]}"
        )
    return ColumnError(
        f"`{name}` cannot be {role}: {reason}, and {dropped} dropped for missing values in "
        f"{counted(missing)}.",
        way,
    )


def rows_without(better: tuple[str, int] | None) -> str:
    """Say how many rows are kept without the one column that costs most of them."""
    if better is None:
        return ""
    name, rows = better
    return f"; {plural(rows, 'row')} without {named([name])}: exclude it"


def missing_values(
    counts: Mapping[str, int],
    targets: Collection[str],
    complete: int,
    rows: int,
    *,
    better: tuple[str, int] | None = None,
) -> MissingValuesError:
    """Build the error for missing values under missing `error`.

    `better` is the one column to exclude, and how many rows are complete then.
    """
    message = (
        f"Columns in use must have no missing values under missing `error`; counts: "
        f"{counted(counts)}."
    )
    keeps = f" (keeps {complete} of {plural(rows, 'row')}{rows_without(better)})"
    if set(counts) <= set(targets):
        return MissingValuesError(message, "Use ", Way("missing", "drop"), f"{keeps}.")
    return MissingValuesError(
        message,
        "Use ",
        Way("missing", "level"),
        " (a missing value is a value of its own) or ",
        Way("missing", "drop"),
        f"{keeps}, or exclude the columns.",
    )


def missing_beyond_category(counts: Mapping[str, int]) -> MissingValuesError:
    """Build the error for missing values that missing `category` does not deal with."""
    return MissingValuesError(
        "Only nominal features can have missing values under missing `category`; counts in "
        f"others: {counted(counts)}.",
        "Use ",
        Way("missing", "level"),
        " for all kinds, or ",
        Way("missing", "drop"),
        " for complete rows.",
    )


def few_complete(
    counts: Mapping[str, int], targets: Collection[str], complete: int, rows: int
) -> DataError:
    """Build the error for a table of which dropping leaves next to nothing."""
    others = any(name not in targets for name in counts)
    return DataError(
        f"At least 2 rows must be complete, got {complete} of {rows}; missing values are in "
        f"{counted(counts)}.",
        "Exclude the columns with most of them." if others else "Name another target.",
    )


def no_feature(left_out: Mapping[str, tuple[str, str]]) -> DataError:
    """Build the error for a table of which every column was left out, by (code, reason)."""
    groups: dict[str, list[str]] = {}
    for name, (_, reason) in left_out.items():
        groups.setdefault(reason, []).append(name)
    why = "; ".join(f"{named(names, 3)}: {reason}" for reason, names in groups.items())
    return DataError(f"No feature is left to use ({why}).", "Give it other columns.")
