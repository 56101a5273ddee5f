"""Rows that are alike in the selected features, as near as the target still varies among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.kernels import KernelModel, KernelPart, pack_codes
from renyi.resampling import PermutationScheme, neighbourhoods

__all__ = ["Alike", "alike_rows"]

SIZES: Final = (5, 10, 20, 40, 80)
"""Rows that a neighbourhood keeps at least, one try after the other. Five: the number of nearest
neighbours that local permutation is recommended to draw from (Runge, AISTATS 2018)."""

STRICT: Final = 2
"""Tries in which rows of different levels of a selected column are never together."""

LEAST_VARIATION: Final = 0.05
"""Share of the target's variation that there must be within neighbourhoods: with less, moving rows
in them changes next to nothing, and a test says nothing of any column."""


@dataclass(frozen=True, eq=False)
class Alike:
    """Groups of rows.

    Attributes
    ----------
    groups
        (n,) number of each row's group; None where no grouping leaves the target to vary.
    words
        What is to be said of them.
    """

    groups: IntArray | None
    words: str


def alike_rows(
    model: KernelModel, selected: Sequence[int], scheme: PermutationScheme | None = None
) -> Alike:
    """Group the rows that are alike in the selected features.

    Where the rows of all groups share the target the groups are made wider, in the end one: orders
    within them would change nothing, which is no finding about any column.

    Parameters
    ----------
    model
        The kernels.
    selected
        Column numbers.
    scheme
        Orders of which those within the groups are to be drawn: rows that it never lets change
        places are not together, and units that it moves as a whole are together or not; None for
        all orders.
    """
    parts = [model.features[j] for j in selected]
    for attempt, fewest in enumerate(SIZES):
        groups = _groups(parts, fewest, scheme, strict=attempt < STRICT)
        if _variation(model.target, groups) >= LEAST_VARIATION:
            if fewest == SIZES[0]:
                return Alike(groups, " among rows alike in the selected features")
            return Alike(
                groups,
                f" among rows roughly alike in the selected features ({fewest} and more together: "
                "nearer ones share the target)",
            )
    return Alike(
        None,
        " among all rows, since rows alike in the selected features share the target: whether it "
        "says something beyond them cannot be told here",
    )


def _groups(
    parts: Sequence[KernelPart], fewest: int, scheme: PermutationScheme | None, *, strict: bool
) -> IntArray:
    n = parts[0].n
    strata, count = np.zeros(n, dtype=np.int64), 1
    if scheme is not None and scheme.strata is not None:
        strata = np.unique(scheme.strata, return_inverse=True)[1].reshape(-1)
        count = int(strata.max()) + 1
    stacked: list[FloatArray] = []
    for part in parts:
        if strict and part.is_soft:
            strata, count = pack_codes(strata, count, part.rows, part.distinct)
            continue
        if part.codes is not None:
            strata, count = pack_codes(strata, count, part.codes, part.n_codes)
        stacked.append(part.points)
    coordinates = np.hstack(stacked) if stacked else np.empty((n, 0))
    if scheme is None or scheme.units is None:
        return neighbourhoods(coordinates, strata, fewest)
    # a unit lies in the middle of its rows, and has the levels of its first
    units, sizes = scheme.units, np.bincount(scheme.units)
    middle = np.empty((len(sizes), coordinates.shape[1]))
    for axis, column in enumerate(coordinates.T):
        middle[:, axis] = np.bincount(units, column) / sizes
    first = np.unique(units, return_index=True)[1]
    return neighbourhoods(middle, strata[first], fewest)[units]


def _variation(target: KernelPart, groups: IntArray) -> float:
    """Return the share of the target's variance, or of its Gini impurity, that is within groups."""
    sizes = np.bincount(groups).astype(np.float64)
    if target.is_label:
        rows = np.unique(np.column_stack([groups, target.rows]), axis=0, return_counts=True)
        (pairs, counts), n = rows, float(len(groups))
        within = n - float((counts**2 / sizes[pairs[:, 0]]).sum())
        overall = n - float((np.bincount(target.rows) ** 2).sum()) / n
        return within / overall if overall > 0 else 0.0
    centred = target.points - target.points.mean(axis=0)
    sums = np.stack([np.bincount(groups, column) for column in centred.T])
    total = float((centred**2).sum())
    return (total - float((sums**2 / sizes).sum())) / total if total > 0 else 0.0
