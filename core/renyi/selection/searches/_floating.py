"""Floating search: forward, and back again where that leads to a better set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from renyi.racing import TIE_BITS, best_two
from renyi.selection._search import ForwardSearch
from renyi.selection.records._step import Step
from renyi.selection.searches._removing import TAKEN_AWAY, Removing
from renyi.selection.searches._weakest import Weakest, weakest

__all__ = ["FloatingSearch"]


class FloatingSearch(ForwardSearch, Removing):
    """Sequential floating forward selection: iterate it for its `Step`s, then read `verdict`.

    After each forward step features are taken away again, the least needed first, as long as what
    is left is a better set of its size than any before (Pudil, Novovicova and Kittler, Pattern
    Recognition Letters 15, 1994): each time a size has a better set, so that it ends. The newest
    feature and those of `keep` stay, and no set becomes smaller than what the search began with.
    Sets of one size are compared by MI, less what chance gives it where features are ranked so and
    it has a closed form. Criteria judge forward steps, as in a forward search.
    """

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        self._best: dict[int, float] = {}  # of the sets of a size
        self._newest: Sequence[int] = ()
        self._settled = True  # whether nothing is to be taken away

    @property
    def _most_steps(self) -> int:
        return max(self._limit, self._count + 1)

    def _follow(self, step: Step, columns: Sequence[int]) -> None:
        super()._follow(step, columns)
        if not step.done:
            return
        size, value = len(self._selected), self._value(step.mi, step.mi_chance)
        self._best[size] = max(value, self._best.get(size, value))
        if step.action != "remove":
            self._newest = columns
        self._settled = step.action in {"keep", "start"}

    def _removal(self, start: float) -> Step | None:
        """Take away the feature whose lack leaves a better set of its size than any before."""
        bar = self._best.get(len(self._selected) - 1)
        stay = {*self._keep, *self._newest}
        removable = [column for column in self._selected if column not in stay]
        if self._settled or bar is None or not removable:
            return None
        found = self._least_needed(removable, bar)
        if found is None:
            self._settled = True
            return None
        column, gain, sums = found.column, found.gain, None
        if self._options.rank == "chance":
            others = [one for one in self._selected if one != column]
            sums = self._sums_of(others, (column,))
            if self._entropies.computation.model.widens(len(self._selected)):
                gain += sums.before - found.pair.conditional  # at the width of the larger set
        view = self._given_others(self._selected, column, gain)
        choice = replace(self._removed(found), sums=sums)
        return self._finish(choice, "remove", start, TAKEN_AWAY, view)

    def _least_needed(self, removable: Sequence[int], bar: float) -> Weakest | None:
        """Return the feature without which the others are best, None where that is no better."""
        entropies, selected = self._entropies, self._selected
        if not entropies.computation.plan.sums:
            found = weakest(entropies, selected, removable, self._tick)
            error = found.pair.error if entropies.computation.plan.factors else 0.0
            better = self._value_of(found.pair) > bar + TIE_BITS + 2 * error
            return found if better else None
        order = sorted(removable, reverse=True)
        sets = [frozenset(selected) - {column} for column in order]
        if max(self._values_of(sets, 1, bar)) <= bar + TIE_BITS:
            return None
        values = self._values_of(sets, 2)
        best, second = best_two(values)
        pair, other = entropies.pair(sets[best]), best if second is None else second
        return Weakest(
            order[best],
            pair,
            pair.conditional - entropies.pair(selected).conditional,
            None if second is None else order[second],
            entropies.pair(sets[other]),
            values[best] - self._value_of(entropies.pair(sets[other])),
        )
