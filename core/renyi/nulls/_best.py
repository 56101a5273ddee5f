"""The largest gain of each replicate in which all candidates are shuffled together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from renyi._typing import IntArray
from renyi.bounds import Pair, Question
from renyi.information import SetEntropies
from renyi.racing import TIE_BITS
from renyi.resampling import PermutationScheme

__all__ = ["BestGains"]

FIRST_COPIES: Final = 4
"""Candidates looked at first where each takes work of its own: under the null hypothesis any of
them may be the best, and one that does as well as the observed feature decides the replicate."""

COPY_ROWS: Final = 2**23
"""Rows of all copies that are made at once, some 200 MB."""

ROUND_COPIES: Final = 16
"""Copies that make a first round of replicates: enough to share their work."""


@dataclass(eq=False)
class BestGains:
    """The largest gain I(c; y | S') over the candidates c of each replicate.

    One order of rows shuffles all candidates together, which keeps what they have in common, and
    leaves y and S' as they are. A replicate has decided once one candidate gains as much as the
    feature did; the others are not looked at. Copies that bounds tell from the feature are not
    computed further.

    Attributes
    ----------
    entropies
        Entropies of any set.
    scheme
        Where orders of rows come from.
    given
        Features selected before (S').
    candidates
        All that could have been selected, the newest feature among them.
    newest
        The feature that was.
    pair
        Its entropies with S'.
    gain
        Its gain, bits.
    tick
        Called with (done, total) replicates, on the calling thread.
    copy_rows
        Rows of all copies that are made at once.
    error
        Largest error of a copy that bounds decided, bits.
    """

    entropies: SetEntropies
    scheme: PermutationScheme
    given: tuple[int, ...]
    candidates: tuple[int, ...]
    newest: int
    pair: Pair
    gain: float
    tick: Callable[[int, int], None]
    copy_rows: int = COPY_ROWS
    error: float = 0.0
    _values: list[float] = field(default_factory=list)
    _closest: dict[int, float] = field(default_factory=dict)

    @property
    def first_round(self) -> int:
        """How many replicates to ask for first."""
        return max(1, ROUND_COPIES // len(self.candidates))

    @property
    def count(self) -> int:
        """Number of candidates."""
        return len(self.candidates)

    def values(self, start: int, stop: int, total: int) -> list[float]:
        """Return the largest gain found in replicates start..stop-1, bits.

        It is the largest of all candidates where it is below the observed gain, and a lower bound
        on it where it is not.

        Parameters
        ----------
        start, stop
            Numbers of replicates; those before `start` have been asked for.
        total
            The most replicates there can be, for the progress.
        """
        if len(self._values) < stop:
            numbers = range(len(self._values), stop)
            for first in range(0, len(numbers), self._most_copies):
                self._values += self._found(numbers[first : first + self._most_copies], total)
            self.tick(stop, total)
        return self._values[start:stop]

    def _found(self, numbers: Sequence[int], total: int) -> list[float]:
        """Look at candidates, the likely best first, until each replicate has decided."""
        orders = {number: self.scheme.order(number) for number in numbers}
        best = dict.fromkeys(numbers, float("-inf"))
        open_ones, unclear = list(numbers), dict[int, list[int]]()
        turns = self._turns()
        start, size = 0, FIRST_COPIES if self._each_alone else len(turns)
        while open_ones and start < len(turns):
            some = turns[start : start + min(size, max(1, self._most_copies // len(open_ones)))]
            copies = [(candidate, number) for candidate in some for number in open_ones]
            pairs = self.entropies.copies(
                self.given,
                [(candidate, orders[number]) for candidate, number in copies],
                lambda _: self.tick(numbers[0], total),
                self._question,
            )
            decided = set()
            for (candidate, number), pair in zip(copies, pairs, strict=True):
                side = self._side(pair)
                self._note(candidate, number, pair, best)
                if side is None:
                    unclear.setdefault(number, []).append(candidate)
                elif side:
                    decided.add(number)
            open_ones = [number for number in open_ones if number not in decided]
            start, size = start + len(some), 2 * size
        left = [(c, number) for number in open_ones for c in unclear.get(number, ())]
        # the copies that are clearly below the observed gain are below those that are not
        best.update(self._exactly(left, orders, lambda _: self.tick(numbers[0], total)))
        return [best[number] for number in numbers]

    def _exactly(
        self,
        copies: Sequence[tuple[int, int]],
        orders: Mapping[int, IntArray],
        tick: Callable[[int], None],
    ) -> dict[int, float]:
        """Return the largest gain of each replicate over copies that no bound could tell."""
        found: dict[int, float] = {}
        if not copies:
            return found
        shuffled = [(candidate, orders[number]) for candidate, number in copies]
        pairs = self.entropies.copies(self.given, shuffled, tick, self.entropies.computation.exact)
        own = self.entropies.pair(
            {*self.given, self.newest}, self.entropies.computation.exact
        ).conditional
        for (_, number), pair in zip(copies, pairs, strict=True):
            gain = self.gain + own - pair.conditional
            found[number] = max(gain, found.get(number, gain))
        return found

    @property
    def _most_copies(self) -> int:
        """How many copies fit at once."""
        return max(1, self.copy_rows // self.entropies.computation.n)

    @property
    def _each_alone(self) -> bool:
        """Whether a copy takes work of its own, so that fewer of them are less work."""
        return self.entropies.computation.plan.factors

    @property
    def _question(self) -> Question:
        return Question(
            self.entropies.computation.tolerance,
            self.pair.upper + TIE_BITS,
            self.pair.lower - TIE_BITS,
        )

    def _side(self, copy: Pair) -> bool | None:
        """Return whether a copy gains as much, ties included; None where that is not certain."""
        if copy.exact and self.pair.exact:  # compared as they are: rounding is the same
            return copy.conditional <= self.pair.conditional + TIE_BITS
        if copy.upper <= self.pair.lower:
            return True
        return False if copy.lower > self.pair.upper + TIE_BITS else None

    def _note(self, candidate: int, number: int, pair: Pair, best: dict[int, float]) -> None:
        if not pair.exact:
            self.error = max(self.error, pair.error + self.pair.error)
        conditional = pair.conditional
        self._closest[candidate] = min(conditional, self._closest.get(candidate, conditional))
        found = self.gain + self.pair.conditional - conditional
        if found > best[number]:
            best[number] = found
            self.entropies.ledger.settle("replicates", ("best", number), pair)

    def _turns(self) -> list[int]:
        """Return the candidates in the order in which they are looked at: the likely best first.

        Those that came closest in earlier replicates, then those not yet looked at.
        """
        unseen = float("inf")
        return sorted(self.candidates, key=lambda c: (self._closest.get(c, unseen), c))
