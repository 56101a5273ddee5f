"""The largest standardised gain in replicates that put all candidates into one random order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np

from renyi._progress import Tick
from renyi._typing import FloatArray, IntArray
from renyi.information import CandidateSums, Shortlist
from renyi.nulls._tail import far_above
from renyi.order2 import Chance
from renyi.resampling import PermutationScheme

__all__ = ["StandardisedGains"]

FIRST_ROUND: Final = 4
FIRST_COLUMNS: Final = 192
"""Replicates that are drawn first, and more where their factors have no more columns than this: a
pass over the Gram costs as much whatever it is multiplied with."""

AT_ONCE: Final = 16
COLUMNS_AT_ONCE: Final = 512
"""Replicates that share their passes over the Gram, and more likewise."""

AFFORDED: Final = 1e10
"""Pairs of rows times candidates of all replicates that cost little: with some eight columns of
factors each, two seconds of one thread. It is a matter of the table's size alone, so that no
decision depends on the machine."""


@dataclass(eq=False)
class StandardisedGains:
    """The largest (gain - chance) / deviation over the candidates of each replicate.

    One order of rows shuffles all candidates together, which keeps what they have in common. Each
    is measured by what chance gives it, so that columns of any number of levels compete on one
    scale. A replicate that bounds cannot tell from the observed value is computed exactly.

    Attributes
    ----------
    sums
        H(y | S', x) of all candidates in any order.
    scheme
        Where orders of rows come from.
    place
        Which of the candidates is judged.
    chance
        What chance gives each of them in such orders.
    tick
        Called with (done, total, ahead) replicates, on the calling thread.
    note
        Called with the number of a replicate that is done.
    error
        Largest error of a replicate that bounds decided, standard deviations.
    """

    sums: CandidateSums
    scheme: PermutationScheme
    place: int
    chance: Chance
    tick: Tick
    note: Callable[[int], None] = lambda _: None
    error: float = 0.0
    _values: list[float] = field(default_factory=list)

    @cached_property
    def observed(self) -> float:
        """Standardised gain of the candidate that is judged."""
        own = self.sums.pair(self.place).conditional
        return float(self.sums.standardised(np.array([own]), [self.place], self.chance)[0])

    @property
    def first_round(self) -> int:
        """How many replicates to ask for first."""
        return max(FIRST_ROUND, self.sums.orders_of(FIRST_COLUMNS))

    @property
    def count(self) -> int:
        """Number of candidates."""
        return len(self.sums)

    @property
    def tie(self) -> float:
        """What counts as a tie with the observed value, standard deviations."""
        error = self.sums.pair(self.place).error / float(self.chance.deviation[self.place])
        return self.chance.tie + (error if self.sums.together else 0.0)

    @property
    def free(self) -> bool:
        """Whether rows move freely, so that its tails are known."""
        return self.scheme.free

    @property
    def affordable(self) -> int:
        """How many replicates cost little; none at other orders than 2."""
        if self.sums.entropies.computation.alpha != 2:
            return 0
        return int(AFFORDED / (self.sums.n**2 * len(self.sums)))

    def plain(self, level: float) -> bool | None:
        """Return whether the observed value is beyond chance, None where draws have to say.

        The tails are those of orders in which rows move freely, and are used of no others.
        """
        if not self.free:
            return None
        return far_above(self.observed, self.count, self.chance, self.sums.n, level)

    def values(self, start: int, stop: int, total: int) -> list[float]:
        """Return the largest standardised gain in replicates start..stop-1.

        Parameters
        ----------
        start, stop
            Numbers of replicates; those before `start` have been asked for.
        total
            The most replicates there can be, for the progress.
        """
        numbers = range(len(self._values), stop)
        at_once = max(AT_ONCE, self.sums.orders_of(COLUMNS_AT_ONCE))
        for some in (numbers[k : k + at_once] for k in range(0, len(numbers), at_once)):
            self.tick(some.start, total, len(some))
            self._values += self._largest([self.scheme.order(number) for number in some])
            for number in some:
                self.note(number)
            self.tick(some.stop, total)
        return self._values[start:stop]

    def _largest(self, orders: Sequence[IntArray]) -> list[float]:
        """Return the largest value of each order, exact where bounds leave its side open."""
        if self._shortlist is None:
            conditional, blur = self.sums.conditional(orders)
        else:
            conditional, blur = self.sums.listed(orders, self._shortlist.places(orders))
        values, blur = self._values_of(conditional), blur / self.chance.deviation
        # where one is certainly above, the others no longer matter
        open_ones = (values - blur).max(axis=1) < self.observed - self.tie
        unclear = (values + blur >= self.observed - self.tie) & (blur > 0) & open_ones[:, None]
        places = np.argwhere(unclear).tolist()
        if places:
            exact = self.sums.copies([(place, orders[row]) for row, place in places])
            for (row, place), one in zip(places, exact, strict=True):
                values[row, place] = self._values_of(np.array([one]), [place])[0]
                blur[row, place] = 0.0
        largest = values.max(axis=1)
        self.error = max(self.error, float(((values + blur).max(axis=1) - largest).max()))
        return [float(one) for one in largest]

    @cached_property
    def _shortlist(self) -> Shortlist | None:
        """What tells which candidates are to be looked at, None where all of them are.

        The one that is judged has to be on the list of the rows as they are: the largest value
        there is then its own.
        """
        short = self.sums.shortlist
        if short is None or self.chance is not self.sums.over_all:
            return None
        return short if self.place in short.places([np.arange(self.sums.n)])[0] else None

    def _values_of(
        self, conditional: FloatArray, places: Sequence[int] | None = None
    ) -> FloatArray:
        return self.sums.standardised(conditional, places, self.chance)
