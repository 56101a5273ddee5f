"""The largest gain in replicates that shuffle all candidates together, each of them computed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from renyi.order2 import PairSums, SingleSums
from renyi.resampling import PermutationScheme

__all__ = ["AllGains"]


@dataclass(eq=False)
class AllGains:
    """The largest I(c; y | S') over the candidates c of each replicate, pairs or single ones.

    One order of rows shuffles all candidates together. Those of a replicate come out of one matrix
    product, so that all are looked at, whatever the first ones say.

    Attributes
    ----------
    sums
        H(y | S', c) of every candidate in any order.
    candidates
        All that could have been selected.
    scheme
        Where orders of rows come from.
    gain
        The gain of the one that is judged, bits.
    tick
        Called with (done, total) replicates, on the calling thread.
    judged
        Its number; None for the best one.
    note
        Called with the number of a replicate that is done.
    error
        Largest error of a replicate, bits: none is decided by bounds.
    """

    sums: PairSums | SingleSums
    candidates: Sequence[object]
    scheme: PermutationScheme
    gain: float
    tick: Callable[[int, int], None]
    judged: int | None = None
    note: Callable[[int], None] = lambda _: None
    error: float = 0.0
    first_round: int = 4
    _values: list[float] = field(default_factory=list)

    @cached_property
    def _shift(self) -> float:
        """Gain and H(y | S', c) of the judged from the sums: rounding is alike in a replicate."""
        own = self.sums.conditional([None])[0]
        return self.gain + float(own.min() if self.judged is None else own[self.judged])

    @property
    def count(self) -> int:
        """Number of candidates."""
        return len(self.candidates)

    def values(self, start: int, stop: int, total: int) -> list[float]:
        """Return the largest gain in replicates start..stop-1, bits.

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
            for number in numbers:
                self.note(number)
            self.tick(stop, total)
        return self._values[start:stop]
