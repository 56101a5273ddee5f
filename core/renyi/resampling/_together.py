"""Orders that keep together what belongs together: whole groups, blocks of rows, rotations."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np

from renyi._random import permutation, stream
from renyi._typing import IntArray
from renyi.resampling._neighbourhoods import LocalPermutations, packed
from renyi.resampling._permutations import PermutationScheme, PlainPermutations
from renyi.variables import RowStructure

__all__ = [
    "Rotations",
    "UnitPermutations",
    "joint_orders",
    "lowered",
    "sampled_rows",
    "scheme_of",
    "seams_of",
    "units_of",
]


@dataclass(frozen=True, slots=True)
class UnitPermutations:
    """Every order that moves units of rows as a whole among those of their kind, equally likely.

    A unit's first row, in file order, goes where the first row of another stood, and so on.

    Attributes
    ----------
    units
        (n,) unit of each row, numbers from 0.
    kinds
        (U,) kind of each unit: units of one kind have equally many rows.
    seed
        The user's seed.
    step
        The step of the search, so that steps draw independently.
    words
        How rows are permuted.
    purpose
        Of the stream of randomness.
    seams
        Share of what neighbours have in common that orders take apart.
    """

    units: IntArray
    kinds: IntArray
    seed: int
    step: int
    words: str = ""
    purpose: str = "permutation"
    seams: float = 0.0

    @property
    def free(self) -> bool:
        """No: the tails of what chance gives are not known."""
        return False

    def level(self, level: float) -> float:
        """Return a lower level where orders take neighbours apart."""
        return lowered(level, self.seams)

    @property
    def strata(self) -> IntArray:
        """(n,) what no row leaves: the kind of its unit."""
        return self.kinds[self.units]

    def within(self, groups: IntArray) -> UnitPermutations:
        """Return those of its orders that keep units within further groups (n,)."""
        first = np.unique(self.units, return_index=True)[1]
        return replace(self, kinds=packed(self.kinds, groups[first]))

    def pilot(self) -> UnitPermutations:
        """Return other orders of the same kind, independent of these."""
        return replace(self, purpose=f"{self.purpose} pilot")

    def order(self, replicate: int) -> IntArray:
        """Return the order of rows of one replicate, counted from 0, shape (n,)."""
        draw = stream(self.seed, self.purpose, self.step, replicate)
        places = np.argsort(self.kinds, kind="stable")
        come = np.empty_like(places)  # which unit comes to the place of each
        come[places] = np.lexsort((draw.random(len(places)), self.kinds))
        rows = np.argsort(self.units, kind="stable")
        sizes = np.bincount(self.units)
        starts = np.cumsum(sizes) - sizes
        order = np.empty_like(rows)
        order[rows] = rows[np.repeat(starts[come] - starts, sizes) + np.arange(len(rows))]
        return order


@dataclass(frozen=True, slots=True)
class Rotations:
    """Every order that turns the rows of each part in a circle, equally likely.

    Exact for series that are stationary on a circle; of others up to the one place where the last
    row meets the first.

    Attributes
    ----------
    parts
        (n,) part of each row, numbers from 0, each turned by itself.
    seed
        The user's seed.
    step
        The step of the search, so that steps draw independently.
    words
        How rows are permuted.
    purpose
        Of the stream of randomness.
    seams
        Share of what neighbours have in common that orders take apart.
    """

    parts: IntArray
    seed: int
    step: int
    words: str = ""
    purpose: str = "permutation"
    seams: float = 0.0

    @property
    def free(self) -> bool:
        """No: the tails of what chance gives are not known."""
        return False

    def level(self, level: float) -> float:
        """Return a lower level where orders take neighbours apart."""
        return lowered(level, self.seams)

    @property
    def strata(self) -> IntArray:
        """(n,) what no row leaves: its part."""
        return self.parts

    @property
    def units(self) -> None:
        """No units are moved among each other."""
        return None

    def within(self, groups: IntArray) -> PermutationScheme:  # noqa: ARG002 - there is none
        """Not to be asked for: no rotation keeps rows among those that are alike."""
        raise RuntimeError

    def pilot(self) -> Rotations:
        """Return other orders of the same kind, independent of these."""
        return replace(self, purpose=f"{self.purpose} pilot")

    def order(self, replicate: int) -> IntArray:
        """Return the order of rows of one replicate, counted from 0, shape (n,)."""
        draw = stream(self.seed, self.purpose, self.step, replicate)
        rows = np.argsort(self.parts, kind="stable")
        sizes = np.bincount(self.parts)
        starts = np.repeat(np.cumsum(sizes) - sizes, sizes)
        shifts = np.repeat(draw.integers(sizes), sizes)
        order = np.empty_like(rows)
        turned = (np.arange(len(rows)) - starts + shifts) % np.repeat(sizes, sizes)
        order[rows] = rows[starts + turned]
        return order


def seams_of(memory: float, length: float) -> float:
    """Return the share of the variance of a sum of products that orders take away.

    Of two series with autocorrelations whose product at lag k is r^k, the sum of products over L
    rows has a variance of L (1 + 2 sum_k (1 - k / L) r^k). Between pieces of L rows that were
    neighbours an order leaves nothing of it: about 2 sum_k k r^k of L (1 + 2 sum_k r^k) is lost.

    Parameters
    ----------
    memory
        r, below 1.
    length
        L, rows of a piece.
    """
    if memory <= 0:
        return 0.0
    r = min(memory, 0.999)
    lost, kept = 2 * r / (1 - r) ** 2, length * (1 + r) / (1 - r)
    return min(lost / kept, 1.0)


def lowered(level: float, seams: float) -> float:
    """Return the level at which a test of pieces has about the level asked for.

    By normal quantiles: z / sqrt(1 - seams) in place of z. Less than a fiftieth is let be.

    Examples
    --------
    >>> lowered(0.05, 0.0), round(lowered(0.05, 0.14), 3)
    (0.05, 0.035)
    """
    if seams >= 1:
        return 0.0
    z = NormalDist().inv_cdf(1 - level / 2)
    found = 2 * (1 - NormalDist().cdf(z / math.sqrt(1 - seams)))
    return level if found > 0.98 * level else found


def units_of(structure: RowStructure, n: int) -> tuple[IntArray, IntArray]:
    """Return the unit of each row (n,) that is moved as a whole, and the kind of each unit.

    Whole groups are of one kind where they have equally many rows. Blocks are cut from the start of
    the file, or of each group; a last one that is shorter stays where it is.
    """
    parts = structure.parts(n)
    if structure.moves_groups or structure.blocks is None:
        return parts, np.bincount(parts)
    rows = np.argsort(parts, kind="stable")
    sizes = np.bincount(parts)
    block = np.empty_like(rows)
    block[rows] = (np.arange(n) - np.repeat(np.cumsum(sizes) - sizes, sizes)) // structure.blocks
    units = packed(parts, block)
    first = np.unique(units, return_index=True)[1]
    return units, packed(parts[first], np.bincount(units))


def scheme_of(
    structure: RowStructure | None, n: int, seed: int, step: int, use: str = "permutation"
) -> PermutationScheme:
    """Return the orders that the rows allow.

    Parameters
    ----------
    structure
        Which rows belong together, None for none.
    n
        Number of rows.
    seed, step
        The user's seed, and the step of the search.
    use
        What the orders are for: others for each.
    """
    if structure is None:
        return PlainPermutations(n, seed, step, use)
    parts, words = structure.parts(n), structure.words
    if structure.rotates:
        length = n / (int(parts.max()) + 1)
        return Rotations(parts, seed, step, words, use, seams_of(structure.memory, length))
    if structure.blocks is None and not structure.moves_groups:
        return LocalPermutations(parts, seed, step, use, free=False, words=words)
    seams = 0.0
    if structure.blocks is not None and not structure.moves_groups:
        seams = seams_of(structure.memory, structure.blocks)
    return UnitPermutations(*units_of(structure, n), seed, step, words, use, seams)


def joint_orders(
    structure: RowStructure | None, n: int, seed: int, purpose: str, numbers: range
) -> list[IntArray]:
    """Return orders that the rows allow for a use beside the search, each (n,).

    Parameters
    ----------
    structure, n, seed
        As in `scheme_of`.
    purpose
        Of the stream of randomness.
    numbers
        Of the orders.
    """
    if structure is None:
        return [permutation(n, seed, purpose, number) for number in numbers]
    scheme = scheme_of(structure, n, seed, 0, purpose)
    return [scheme.order(number) for number in numbers]


def sampled_rows(
    structure: RowStructure,
    n: int,
    most: int,
    draw: np.random.Generator,
    classes: IntArray | None = None,
) -> IntArray:
    """Return some rows, in file order, that belong together as all do.

    Groups are drawn as a whole; where not even two of them fit, each loses its last rows. Of blocks
    a stretch of the file is drawn.

    Parameters
    ----------
    structure
        Which rows belong together.
    n
        Number of rows.
    most
        How many are drawn at most.
    draw
        Where chance comes from.
    classes
        (n,) class of each row, of which whole groups are drawn in proportion; None for no classes.
    """
    parts = structure.parts(n)
    if structure.groups is not None:
        sizes = np.bincount(parts)
        come = draw.permutation(len(sizes))
        if classes is not None:
            come = _in_turn(come, classes[np.unique(parts, return_index=True)[1]])
        fit, room = [], most
        for group in come.tolist():
            if sizes[group] <= room:
                fit.append(group)
                room -= int(sizes[group])
        if len(fit) > 1:
            return np.flatnonzero(np.isin(parts, fit))
        rows = np.argsort(parts, kind="stable")
        place = np.empty_like(rows)
        place[rows] = np.arange(n) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        kept = np.flatnonzero(place < max(1, most // len(sizes)))
        return kept if len(kept) <= most else np.sort(draw.permutation(kept)[:most])
    if structure.blocks is not None:
        start = int(draw.integers(n - most + 1))
        return np.arange(start, start + most)
    return np.sort(draw.permutation(n)[:most])


def _in_turn(come: IntArray, classes: IntArray) -> IntArray:
    """Return groups in another order, in which each class comes at even distances."""
    turn = np.empty(len(come))
    for level in np.unique(classes):
        of_class = classes[come] == level
        turn[of_class] = (np.arange(of_class.sum()) + 0.5) / of_class.sum()
    return come[np.argsort(turn, kind="stable")]
