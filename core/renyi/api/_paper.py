"""What the preset `paper` means for the sets that the paper itself used."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final

from renyi.errors import UsageError
from renyi.variables import Note

__all__ = ["SetChoices", "choices_for"]

PREPARED: Final = {
    "bins:5": "columns of more than 5 distinct values are cut into 5 bins of equal width",
    "none": "values are taken as they are",
}
"""What is said of a standardisation."""


@dataclass(frozen=True, slots=True)
class SetChoices:
    """Choices that come with the name of a set; those of the caller go before them.

    Attributes
    ----------
    standardise
        The caller's, else the set's; None where there is neither.
    kinds
        (column or glob, kind) pairs.
    notes
        What is said of them.
    """

    standardise: str | None = None
    kinds: tuple[tuple[str, str], ...] = ()
    notes: tuple[Note, ...] = ()


def choices_for(preset: str | None, data: object, standardise: str | None = None) -> SetChoices:
    """Return what the preset `paper` adds for a set of the paper that is asked for by name.

    Parameters
    ----------
    preset
        The preset's name; none but `paper` adds anything.
    data
        What the caller gave: the name of a set; an existing file of that name wins.
    standardise
        What the caller asks for, None for nothing: it stays, and is not spoken of.
    """
    if preset != "paper" or not isinstance(data, str) or os.path.exists(data):  # noqa: PTH110
        return SetChoices(standardise)
    from renyi import datasets

    try:
        record = datasets.find_record(data)
    except UsageError:
        return SetChoices(standardise)  # a path or a glob
    settings = record.paper_settings
    if settings is None:
        return SetChoices(standardise)
    prepared = "" if standardise is not None else f"{PREPARED[settings.standardise]}, and "
    message = (
        f"Preset paper on its own set `{data}`: {prepared}every column but the target is taken as "
        "numbers. The paper states neither; these come closest to its Table 1."
    )
    return SetChoices(
        standardise=settings.standardise if standardise is None else standardise,
        kinds=(("*", "continuous"), (record.target, "nominal")),
        notes=(Note("paper_settings", message),),
    )
