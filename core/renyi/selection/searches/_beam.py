"""Beam search: the best few sets of each size, each extended by its best few candidates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any, Final

from renyi.options import beam_width
from renyi.racing import best_few
from renyi.selection._base import UNTESTED
from renyi.selection._choice import Choice
from renyi.selection._ranking import few_above_chance
from renyi.selection._verdicts import full
from renyi.selection.records._records import RunnerUp, Step
from renyi.selection.searches._removing import TAKEN_AWAY, Removing
from renyi.selection.searches._weakest import Weakest
from renyi.stopping import Judgement, judge_all

__all__ = ["BeamSearch"]

ACTIONS: Final = frozenset({"add", "remove"})
"""Of the steps that lead from the best set of a size to that of the next."""


class BeamSearch(Removing):
    """Beam search: iterate it for its `Step`s, then read `verdict`.

    Each of the K best sets of a size is extended by its K best candidates, ranked as in a forward
    search; the K best of these sets stay. Sets of one size are compared by MI, less what chance
    gives it where candidates are ranked so and it has a closed form; ties go to the lowest columns.
    The steps lead from the best set of each size to that of the next, which may take features away.

    A best set is judged by its weakest feature given the others: one that came in with a set that
    was not the best was never judged. A step has as many tests as sets that it extends, and each
    has that share of the level.
    """

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        self._width = beam_width(self._options.search)
        self._size = 0  # of the sets that are looked at

    @property
    def _most_steps(self) -> int:
        return max(self._limit, self._count + 1)

    @property
    def _turn(self) -> int:
        """Draws are those of a size: a search that goes on may stand between two steps of it."""
        return self._size

    def _steps(self) -> Iterator[Step]:
        yield from self._known_steps()
        if self.verdict is None and self._untested < self._limit:
            self._prepare()
        yield from self._first_steps()
        current: tuple[int, ...] = (*self._keep, *self._start)
        sets = [current]
        known = sum(step.action in ACTIONS for step in self._finished)
        while self.verdict is None:
            self._cancel.check()
            if len(current) >= self._limit:
                self.verdict = full(len(current), len(self._dataset.features), self._count)
                return
            start = perf_counter()
            self._size = len(current) + 1
            sets, before = self._extended(sets), current
            current = sets[0]
            gone = [column for column in before if column not in current]
            if known > len(gone):  # this size was finished before
                known -= len(gone) + 1
                continue
            yield from self._led_on(before, sets, gone[known:], start)
            known = 0

    def _led_on(
        self,
        before: Sequence[int],
        sets: Sequence[tuple[int, ...]],
        gone: Sequence[int],
        start: float,
    ) -> Iterator[Step]:
        """Yield the steps from the best set of a size to that of the next, as far as is left."""
        best = sets[0]
        judgement = self._judged(best)
        if judgement.keeps_feature:
            for column in gone:
                yield self._left_behind(column, start)
                start = perf_counter()
        new = tuple(column for column in best if column not in before)
        pair, sums = self._entropies.pair(best), None
        if self._options.rank == "chance" and len(new) == 1:
            sums = self._sums_of([one for one in best if one not in new], new)
        choice = Choice(new, pair, self._second(before, sets), sums=sums)
        view = replace(self._view(choice), given=tuple(c for c in best if c != new[-1]))
        yield self._finish(choice, "add", start, judgement, view)

    def _extended(self, sets: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """Return the best sets of one feature more, the very best first."""
        found: dict[frozenset[int], tuple[int, ...]] = {}
        for members in sets:
            rest = [j for j in range(len(self._dataset.features)) if j not in set(members)]
            for place in self._best_of(members, rest):
                larger = (*members, rest[place])
                found.setdefault(frozenset(larger), larger)
        larger_ones = sorted(found.values(), key=sorted)  # ties go to the lowest columns
        values = self._values_of(larger_ones, self._width)
        return [larger_ones[place] for place in best_few(values, self._width)]

    def _best_of(self, members: Sequence[int], rest: Sequence[int]) -> list[int]:
        """Return the places of the best candidates of a set."""
        count = len(rest)
        self._report("candidates", 0, count, ahead=count * self._entropies.computation.plan.sums)
        if self._options.rank == "chance":
            return few_above_chance(self._sums_of(members, rest), self._width)
        pairs = self._entropies.candidates(
            members, rest, lambda done: self._tick(done, count), self._entropies.computation.known
        )
        return best_few([-pair.conditional for pair in pairs], self._width)

    def _judged(self, best: Sequence[int]) -> Judgement:
        """Judge a set by its weakest feature."""
        if not self._criteria:
            return UNTESTED
        stay = {*self._keep, *self._start}
        found = self._weakest(best, [column for column in best if column not in stay])
        view = self._given_others(best, found.column, found.gain)
        judgement = judge_all(self._criteria, self._options.stop_when, view)
        names = ", ".join(f"`{name}`" for name in self._names(best))
        weak = self._names((found.column,))[0]
        said = f"of the best {len(best)} features together, {names}, `{weak}` tells the least: "
        if len(best) == 1:
            return judgement
        reports = tuple(
            replace(report, reason=f"{said}{report.reason}") for report in judgement.reports
        )
        return replace(judgement, reports=reports)

    def _left_behind(self, column: int, start: float) -> Step:
        """Take away a feature that the best set of the next size is without."""
        pair = self._entropies.pair(set(self._selected) - {column})
        gain = pair.conditional - self._entropies.pair(self._selected).conditional
        found = Weakest(column, pair, gain, None, pair, 0.0)
        view = self._given_others(self._selected, column, gain)
        return self._finish(self._removed(found), "remove", start, TAKEN_AWAY, view)

    def _second(self, before: Sequence[int], sets: Sequence[tuple[int, ...]]) -> RunnerUp | None:
        """Return the second best set, by what it has that the set before has not."""
        if len(sets) == 1:
            return None
        first, other = (self._entropies.pair(members) for members in sets[:2])
        new = [column for column in sets[1] if column not in before]
        gap = self._value_of(first) - self._value_of(other)
        return self._runner_up(new, other.conditional, max(gap, 0.0))
