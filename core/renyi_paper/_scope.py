"""How far each set is followed, so that the whole takes hours and not days."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

__all__ = ["Scope", "scope_of", "sizes_looked_at"]

EVERY_SIZE: Final = 80
"""Up to here every number of features is judged, then every tenth."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What of a set is looked at.

    Attributes
    ----------
    most
        Table -> most features of the path.
    rows
        Table -> size of a stratified sample of the rows; all of them where a table is not named.
    why
        The reason for what is less than all, empty where nothing is.
    """

    most: Mapping[int, int]
    rows: Mapping[int, int] = field(default_factory=dict)
    why: str = ""


WHOLE: Final = Scope({1: 325, 2: 325})
SCOPES: Final[Mapping[str, Scope]] = {
    "waveform": Scope(
        {1: 21, 2: 21},
        {1: 1000, 2: 1000},
        "1,000 of its 5,000 rows, spread over the classes: the printed spread of the accuracy, 1.8 "
        "points, is that of about so many rows, and alpha 1.01 takes hours with all of them",
    ),
    "semeion": Scope(
        {1: 22, 2: 80},
        {},
        "22 of its 256 features at alpha 1.01, where later steps take minutes, and 80 at alpha 2",
    ),
    "lymph": Scope(
        {1: 250, 2: 120}, {}, "250 of its 4,026 features at alpha 1.01, and 120 at alpha 2"
    ),
    "madelon": Scope(
        {1: 6, 2: 10},
        {1: 1300},
        "6 of its 500 features and 1,300 of its 2,600 rows at alpha 1.01, where a step takes most "
        "of an hour with all rows, and 10 features at alpha 2; its printed sizes are 1 to 4",
    ),
}  # fmt: skip


def scope_of(name: str) -> Scope:
    """Return what of a set is looked at; all of it where nothing else is said."""
    return SCOPES.get(name, WHOLE)


def sizes_looked_at(length: int, wanted: Sequence[int] = ()) -> tuple[int, ...]:
    """Return the numbers of features that are judged on a path of `length`.

    Every one to 80, then every tenth, the last one, and those wanted besides, 0 among them.

    Examples
    --------
    >>> sizes_looked_at(104, [93])[78:]
    (79, 80, 90, 93, 100, 104)
    """
    sizes = {*range(1, min(length, EVERY_SIZE) + 1), *range(EVERY_SIZE, length + 1, 10)}
    return tuple(sorted((sizes | {length} | set(wanted)) & set(range(length + 1))))
