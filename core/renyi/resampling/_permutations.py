"""Orders of rows for permutation tests."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from renyi._random import permutation
from renyi._typing import IntArray
from renyi.resampling._neighbourhoods import LocalPermutations

__all__ = ["PermutationScheme", "PlainPermutations"]


class PermutationScheme(Protocol):
    """Where a criterion gets its orders from.

    An order depends on the replicate's number alone: not on those asked for before, nor on who
    asks.
    """

    @property
    def free(self) -> bool:
        """Whether rows move freely enough that the tails of what chance gives are known."""
        ...

    @property
    def words(self) -> str:
        """How rows are permuted, to be said of what is shuffled; empty for all rows."""
        ...

    @property
    def strata(self) -> IntArray | None:
        """(n,) numbers of groups that no row leaves, None for one."""
        ...

    @property
    def units(self) -> IntArray | None:
        """(n,) numbers of units that are moved as a whole, None where rows are moved."""
        ...

    def order(self, replicate: int) -> IntArray:
        """Return the order of rows of one replicate, counted from 0, shape (n,)."""
        ...

    def level(self, level: float) -> float:
        """Return the level to test at so that it is kept: lower where neighbours are parted."""
        ...

    def pilot(self) -> PermutationScheme:
        """Return other orders of the same kind, independent of these."""
        ...

    def within(self, groups: IntArray) -> PermutationScheme:
        """Return those of its orders that keep rows within groups (n,)."""
        ...


@dataclass(frozen=True, slots=True)
class PlainPermutations:
    """Every order equally likely: tests x independent of all else.

    Attributes
    ----------
    n
        Number of rows.
    seed
        The user's seed.
    step
        The step of the search, so that steps draw independently.
    purpose
        Of the stream of randomness.
    """

    n: int
    seed: int
    step: int
    purpose: str = "permutation"

    @property
    def free(self) -> bool:
        """Yes."""
        return True

    @property
    def words(self) -> str:
        """Nothing to say."""
        return ""

    @property
    def strata(self) -> None:
        """One for all rows."""
        return None

    @property
    def units(self) -> None:
        """Each row by itself."""
        return None

    def level(self, level: float) -> float:
        """Return the level: orders take nothing apart."""
        return level

    def pilot(self) -> PlainPermutations:
        """Return other orders of the same kind, independent of these."""
        return replace(self, purpose="pilot")

    def order(self, replicate: int) -> IntArray:
        """Return the order of rows of one replicate, counted from 0, shape (n,)."""
        return permutation(self.n, self.seed, self.purpose, self.step, replicate)

    def within(self, groups: IntArray) -> LocalPermutations:
        """Return the scheme that keeps rows within their groups (n,)."""
        return LocalPermutations(groups, self.seed, self.step)
