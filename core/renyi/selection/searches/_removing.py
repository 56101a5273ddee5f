"""What searches have in common that take features away."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from renyi.bounds import Pair
from renyi.information import rough_pair
from renyi.racing import TIE_BITS
from renyi.selection._base import Search
from renyi.selection._choice import Choice
from renyi.selection.searches._weakest import Weakest, weakest, weakest_above_chance
from renyi.stopping import Judgement, SearchStep

__all__ = ["TAKEN_AWAY", "Removing"]

TAKEN_AWAY = Judgement(False, False, ())
"""Of a step that takes a feature away and that no criterion judges."""


class Removing(Search):
    """A search that looks at features given all others of a set."""

    def _weakest(self, members: Sequence[int], removable: Sequence[int]) -> Weakest:
        """Return the feature that tells the least given the others, as features are ranked."""
        self._report("candidates", 0, len(removable))
        if self._options.rank == "chance":
            return weakest_above_chance(
                self._entropies, members, removable, self._sums_of, self._tick
            )
        return weakest(self._entropies, members, removable, self._tick)

    def _tick(self, done: int, total: int) -> None:
        """Tell how many features were looked at."""
        self._report("candidates", done, total)

    def _removed(self, found: Weakest) -> Choice:
        """Return what is taken away from the selected features, as a choice."""
        runner_up = None
        if found.second is not None:
            conditional = found.second_pair.conditional
            runner_up = self._runner_up((found.second,), conditional, found.gap)
        return Choice((found.column,), found.pair, runner_up)

    def _given_others(self, members: Sequence[int], column: int, gain: float) -> SearchStep:
        """Return one feature of a set as criteria see one that would be added to the others.

        The candidates that it is the best of are those that are not in the set, and itself.
        """
        others = tuple(one for one in members if one != column)
        count = len(self._dataset.features)
        remaining = tuple(j for j in range(count) if j not in set(members))
        sums = None
        if self._options.rank == "chance":
            sums = self._sums_of(others, sorted((column, *remaining)))
        view = self._view(Choice((column,), self._entropies.pair(members), None))
        return replace(view, given=others, remaining=remaining, gain=gain, sums=sums)

    def _value(self, mi: float, chance: float | None) -> float:
        """Return what sets of one size are compared by: MI, less what chance gives, bits."""
        return mi - (chance or 0.0) if self._options.rank == "chance" else mi

    def _values_of(
        self, sets: Sequence[Collection[int]], few: int, bar: float = -math.inf
    ) -> list[float]:
        """Return what sets are compared by, as exactly as it takes to tell the best few.

        At order 2 a pass in single precision tells which may be among them and above the bar.
        """
        count = len(sets)
        values, errors = np.empty(count), np.zeros(count)
        sums = self._entropies.computation.plan.sums
        for place, members in enumerate(sets):
            pair = rough_pair(self._entropies, members) if sums else self._entropies.pair(members)
            values[place] = self._value_of(pair)
            errors[place] = 2 * pair.error if sums else 0.0  # chance adds less than as much
            self._tick(place + 1, count)
        least = max(np.sort(values - errors)[-few:][0], bar) - TIE_BITS
        for place in np.flatnonzero((values + errors >= least) & (errors > 0)).tolist():
            values[place] = self._value_of(self._entropies.pair(sets[place]))
        return [float(value) for value in values]

    def _value_of(self, pair: Pair) -> float:
        return self._value(self._entropies.mutual_information(pair), self._mi_chance(pair))
