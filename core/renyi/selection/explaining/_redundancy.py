"""What of each feature is left given each selected one: a matrix to look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from renyi._typing import JsonValue
from renyi.information import SetEntropies
from renyi.selection.explaining._explain import LEVEL
from renyi.selection.explaining._left import LEFT, ahead, kept_of, small_of
from renyi.selection.records._unselected import Unselected
from renyi.variables import RowStructure

__all__ = ["Redundancy", "redundancy", "worth_showing"]


ALONE: Final = 3.0
"""Standard deviations above chance from which a feature says something by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Redundancy:
    """The share of what features say of y by themselves that is left given selected ones.

    Attributes
    ----------
    given
        Selected features, the columns of the matrix, in the order they entered.
    features
        Its rows: the same ones, then others.
    left
        (rows, columns) shares, at order 2: 0 where nothing is left but what an exact copy keeps, 1
        where all of it is, more where the two say more together; None of a feature given itself.
    little
        Up to which share the given feature explains the other.
    rows
        Rows of the table that were looked at.
    """

    given: tuple[str, ...]
    features: tuple[str, ...]
    left: tuple[tuple[float | None, ...], ...]
    little: float
    rows: int

    def to_dict(self) -> dict[str, JsonValue]:
        """Return the matrix as JSON values."""
        return {
            "given": list(self.given),
            "features": list(self.features),
            "left": [list(row) for row in self.left],
            "little": self.little,
            "rows": self.rows,
        }


def worth_showing(unselected: Sequence[Unselected]) -> tuple[str, ...]:
    """Return the features not selected that say something alone, the most informative first.

    Of the others there is nothing that could be left; aliases are as what they are aliases of.
    """
    known = [why for why in unselected if why.code != "alias" and why.p_value <= LEVEL]
    return tuple(why.feature for why in sorted(known, key=lambda why: -why.mi))


def redundancy(
    names: Sequence[str],
    entropies: SetEntropies,
    given: Sequence[str],
    others: Sequence[str],
    seed: int,
    structure: RowStructure | None = None,
) -> Redundancy:
    """Return what of each feature is left given each of some.

    By the numbers, and on the rows, that say which features are redundant given which. It takes
    a pass over all pairs of these rows, at most 2,000, for each of `given`, with all features.

    Parameters
    ----------
    names
        All features, in the order of the entropies.
    entropies
        Entropies over them.
    given, others
        Selected features, and ones that are not.
    seed
        The user's seed.
    structure
        Which rows belong together.
    """
    places = {name: place for place, name in enumerate(names)}
    features = (*given, *others)
    small = small_of(entropies, seed, structure)
    asked = [places[name] for name in features]
    alone = dict(zip(asked, ahead(small, (), asked), strict=True))
    sums = small.sums((), asked)
    deviations = sums.standardised(sums.observed[0])
    says = [place for place, z in zip(asked, deviations, strict=True) if z >= ALONE]
    columns = []
    for one in given:
        rest = [place for place in says if place != places[one]]
        kept, copy = kept_of(small, alone, (places[one],), rest)
        shares = (kept - copy) / (1 - copy) if copy < 1 else kept
        found = dict(zip(rest, map(float, shares), strict=True))
        columns.append([found.get(place) for place in asked])
    return Redundancy(
        given=tuple(given),
        features=features,
        left=tuple(zip(*columns, strict=True)),
        little=LEFT,
        rows=small.n,
    )
