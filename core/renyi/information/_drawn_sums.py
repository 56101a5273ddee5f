"""All candidates of a step at other orders than 2: what chance gives is told by a few draws."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Final

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.bounds import Approach, how
from renyi.execution import lone
from renyi.information._candidate_sums import CandidateSums
from renyi.information._entropies import SetEntropies
from renyi.information._estimated import EstimatedEntropies
from renyi.information._estimated_sums import EstimatedSums
from renyi.information._general import solve_pairs
from renyi.order2 import CandidateStack, Chance
from renyi.resampling import PermutationScheme

__all__ = ["DrawnSums", "sums_of"]

PILOT_ORDERS: Final = 16
"""Orders that tell what chance gives, apart from those of a test: any centre and scale leave it
valid, good ones give it power. With as many again the error of both falls by a third."""


class DrawnSums(CandidateSums):
    """H(y | S', x) of any order for every candidate x of a step, each value to the end.

    What chance gives is the mean of a few orders of the rows, brought nearer by the gains of order
    2 in the same orders, whose mean is known.

    Parameters
    ----------
    entropies
        Entropies of any set.
    given
        Features selected before (S').
    candidates
        The others.
    pilot
        Orders of rows that no test draws from.
    tick
        Called with (done, total) candidates measured by chance, on the calling thread.
    squared
        Entropies of order 2 over the same kernels; None to make them.
    """

    def __init__(
        self,
        entropies: SetEntropies,
        given: Sequence[int],
        candidates: Sequence[int],
        pilot: PermutationScheme,
        tick: Callable[[int, int], None],
        squared: SetEntropies | None = None,
    ) -> None:
        super().__init__(entropies, given, candidates)
        self._pilot = pilot
        self._tick = tick
        self.squared = squared or SetEntropies(entropies.computation.squared())

    @cached_property
    def before(self) -> float:
        """H(y | S') at the widths of this step, bits."""
        by = self.entropies.computation
        base = by.model.product(self.given, size=self._size)
        own = lone(lambda: solve_pairs(by, [(base, Approach())], by.exact), self.n)
        return own[0].conditional

    @cached_property
    def chance(self) -> Chance:
        """What chance gives each candidate."""
        orders = [self._pilot.order(number) for number in range(PILOT_ORDERS)]
        control = self._control
        gains, controls = np.empty((2, len(orders), len(self)))
        for place in range(len(self)):
            asked = [(place, order) for order in orders]
            gains[:, place] = self.before - self.copies(asked)
            if self._pilot.free:
                controls[:, place] = control.before - control.copies(asked)
            self._tick(place + 1, len(self))
        if not self._pilot.free:  # what chance gives the controls is known for all orders only
            return Chance.of_draws(gains, control.chance)
        return Chance.by_control(gains, controls, control.chance)

    @cached_property
    def _control(self) -> CandidateSums:
        return CandidateSums(self.squared, self.given, self.candidates)

    @cached_property
    def over_all(self) -> Chance:
        """That of order 2, which leads to expect which candidates vary much."""
        return self._control.chance

    def conditional(self, orders: Sequence[IntArray]) -> tuple[FloatArray, FloatArray]:
        """Return H(y | S', x) of each candidate in each order of their rows, and no error."""
        copies = [(place, order) for order in orders for place in range(len(self))]
        found = self.copies(copies).reshape(len(orders), len(self))
        return found, np.zeros_like(found)

    def way(self, place: int) -> str:
        """Say how a candidate was found."""
        return how(self.pair(place))

    @property
    def together(self) -> bool:
        """No: there is no pass that tells all."""
        return False

    @cached_property
    def _made(self) -> CandidateStack:
        return CandidateStack((), 0.0, None, ())


def sums_of(
    entropies: SetEntropies,
    given: Sequence[int],
    candidates: Sequence[int],
    pilot: PermutationScheme,
    tick: Callable[[int, int], None],
    last: CandidateSums | None = None,
) -> CandidateSums:
    """Return the sums of a step: by passes over a Gram at order 2, else one by one.

    Parameters
    ----------
    entropies, given, candidates, pilot, tick
        As in `DrawnSums`.
    last
        The sums of the step before, which may have begun this one's; None for none.
    """
    if entropies.computation.alpha == 2:
        estimated = isinstance(entropies, EstimatedEntropies)
        kind = EstimatedSums if estimated else CandidateSums
        sums = (last or kind(entropies, given, candidates)).after(given, candidates)
        sums.pilot = pilot
        return sums
    squared = last.squared if isinstance(last, DrawnSums) else None
    return DrawnSums(entropies, given, candidates, pilot, tick, squared)
