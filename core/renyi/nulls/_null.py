"""What all nulls answer, whatever they draw."""

from __future__ import annotations

from typing import Protocol

__all__ = ["Null", "ScoreNull", "StandardisedNull"]


class Null(Protocol):
    """The largest gain of all candidates, in replicates that break their tie to the target.

    Which orders of the rows are drawn is its scheme's matter: all of them, those among rows that
    are alike, or those of whole groups. One order moves all candidates together, which keeps what
    they have in common.

    Attributes
    ----------
    error
        Largest error of a replicate that bounds decided, in the unit of the gain.
    """

    error: float

    @property
    def count(self) -> int:
        """Number of candidates."""
        ...

    @property
    def first_round(self) -> int:
        """How many replicates to ask for first."""
        ...

    def values(self, start: int, stop: int, total: int) -> list[float]:
        """Return the largest gain in replicates start..stop-1.

        Parameters
        ----------
        start, stop
            Numbers of replicates; those before `start` have been asked for.
        total
            The most replicates there can be, for the progress.
        """
        ...


class StandardisedNull(Null, Protocol):
    """The same in standard deviations above chance."""

    @property
    def observed(self) -> float:
        """That of the newest feature."""
        ...

    @property
    def free(self) -> bool:
        """Whether rows move freely, so that its tails are known."""
        ...

    @property
    def tie(self) -> float:
        """What counts as a tie."""
        ...

    @property
    def affordable(self) -> int:
        """How many replicates cost little."""
        ...

    def plain(self, level: float) -> bool | None:
        """Return whether the observed value is beyond chance, None where draws have to say."""
        ...


class ScoreNull(Null, Protocol):
    """The largest score in replicates, in the unit of the score."""

    @property
    def free(self) -> bool:
        """Whether its tails are known."""
        ...

    @property
    def unit(self) -> float:
        """What scores of shuffled candidates differ by among themselves, once some are drawn."""
        ...
