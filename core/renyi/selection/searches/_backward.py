"""Backward elimination: from all features down to those that are needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any

from renyi.information import SetEntropies
from renyi.options import MethodOptions
from renyi.selection._base import UNTESTED
from renyi.selection._verdicts import bare, full
from renyi.selection.records._records import Step, Verdict
from renyi.selection.searches._removing import TAKEN_AWAY, Removing
from renyi.stopping import Judgement, judge_all
from renyi.variables import Dataset

__all__ = ["BackwardSearch"]


class BackwardSearch(Removing):
    """Backward elimination: iterate it for its `Step`s, then read `verdict`.

    It begins with all features in use, or those of `start`, and each step takes away the one that
    tells the least given the others, as long as a criterion does not find that beyond chance: as
    it would judge the feature if it were to be added to the others, the best of those that were
    taken away and itself (Marill and Green, IEEE Trans. Information Theory 9, 1963). Features of
    `keep` stay.
    """

    def __init__(
        self,
        dataset: Dataset,
        entropies: SetEntropies,
        options: MethodOptions,
        *,
        start: Sequence[int] = (),
        **given: Any,
    ) -> None:
        begins = start or range(len(dataset.features))
        super().__init__(dataset, entropies, options, start=begins, **given)

    def _steps(self) -> Iterator[Step]:
        yield from self._known_steps()
        if self.verdict is None and (self._count == 0 or self._over is None):
            self._prepare()
        yield from self._first_steps()
        while self.verdict is None:
            self._cancel.check()
            self.verdict = self._over
            if self.verdict is None:
                yield self._taken_away(perf_counter())

    @property
    def _removable(self) -> list[int]:
        return [column for column in self._selected if column not in self._keep]

    @property
    def _over(self) -> Verdict | None:
        """Why nothing more is taken away whatever a test would say, None where something may be."""
        count = len(self._selected)
        if count <= self._limit and not self._criteria:
            return full(count, len(self._dataset.features), self._count)
        return None if self._removable else bare(count, self._count)

    @property
    def _most_steps(self) -> int:
        return self._untested + 1

    def _taken_away(self, start: float) -> Step:
        """Take the weakest feature away, unless it is needed."""
        found = self._weakest(self._selected, self._removable)
        view = self._given_others(self._selected, found.column, found.gain)
        judgement = TAKEN_AWAY
        if len(self._selected) <= self._limit:
            judgement = _turned(judge_all(self._criteria, self._options.stop_when, view))
        choice = replace(self._removed(found), sums=view.sums)
        return self._finish(choice, "remove", start, judgement, view)

    def _judged_before(self, step: Step) -> Judgement:
        if step.action != "remove" or step.done:
            return UNTESTED
        return Judgement(True, True, step.criteria)


def _turned(judgement: Judgement) -> Judgement:
    """Return the judgement of a feature that would enter as that of taking it away.

    What would leave it out says nothing against taking it away; what would let it in stops that.
    """
    reports = tuple(
        replace(report, stop=not report.stop, keeps_feature=not report.stop)
        for report in judgement.reports
    )
    return Judgement(not judgement.stop, not judgement.stop, reports)
