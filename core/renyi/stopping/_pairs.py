"""The largest gain of a pair in replicates that shuffle all candidates together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from renyi.information import PairSums
from renyi.resampling import PermutationScheme

__all__ = ["PairGains"]


@dataclass(eq=False)
class PairGains:
    """The largest I(a, b; y | S') over the pairs of candidates of each replicate.

    One order of rows shuffles all candidates together, as for single ones; all pairs of a replicate
    come out of one matrix product.

    Attributes
    ----------
    sums
        H(y | S', a, b) of every pair in any order.
    scheme
        Where orders of rows come from.
    gain
        I(a, b; y | S') of the pair that is judged, the best one, bits.
    tick
        Called with (done, total) replicates, on the calling thread.
    error
        Largest error of a replicate, bits: none is decided by bounds.
    """

    sums: PairSums
    scheme: PermutationScheme
    gain: float
    tick: Callable[[int, int], None]
    error: float = 0.0
    first_round: int = 4
    _values: list[float] = field(default_factory=list)

    @cached_property
    def _shift(self) -> float:
        """I(a, b; y | S') and H(y | S', a, b) from the sums: rounding is alike in a replicate."""
        return self.gain + float(self.sums.conditional([None]).min())

    @property
    def candidates(self) -> list[tuple[int, int]]:
        """All pairs."""
        return self.sums.pairs

    def values(self, start: int, stop: int, total: int) -> list[float]:
        """Return the largest gain of a pair in replicates start..stop-1, bits.

        Parameters
        ----------
        start, stop
            Numbers of replicates; those before `start` have been asked for.
        total
            The most replicates there can be, for the progress.
        """
        if len(self._values) < stop:
            numbers = range(len(self._values), stop)
            found = self.sums.conditional([self.scheme.order(number) for number in numbers])
            self._values += [self._shift - least for least in found.min(axis=1).tolist()]
            self.tick(stop, total)
        return self._values[start:stop]
