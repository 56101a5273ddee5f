"""The one forward search, as an iterator of steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from time import perf_counter

from renyi.bounds import Pair, Question
from renyi.information import CandidateSums, proxies
from renyi.racing import TIE_BITS, best_two, race
from renyi.selection._base import UNTESTED, Search
from renyi.selection._choice import Choice
from renyi.selection._lookahead import BestPair, find_pair
from renyi.selection._ranking import rank_above_chance
from renyi.selection._verdicts import full, rejected_pair
from renyi.selection.records._records import RunnerUp, Step
from renyi.stopping import Judgement, judge_all

__all__ = ["ForwardSearch"]


class ForwardSearch(Search):
    """Greedy forward selection: iterate it for its `Step`s, then read `verdict`.

    Each step takes the candidate with the best score, by default the largest joint MI
    I({S', x}; y); features of `keep` enter first, in order, and are never tested.
    """

    _sums: CandidateSums | None = None  # of the last step, which has begun the next one's

    def _steps(self) -> Iterator[Step]:
        yield from self._known_steps()
        if self.verdict is None and len(self._selected) < self._limit:
            self._prepare()
        yield from self._first_steps()
        while self.verdict is None:
            self._cancel.check()
            start = perf_counter()
            removed = self._removal(start)
            if removed is not None:
                yield removed
                continue
            if len(self._selected) >= self._limit:
                self.verdict = full(len(self._selected), len(self._dataset.features), self._count)
                return
            yield self._judged(self._choose(), start)

    def _removal(self, start: float) -> Step | None:  # noqa: ARG002 - of searches that go back
        """Return a step that takes a feature away again, None where there is none."""
        return None

    def _judged(self, choice: Choice, start: float) -> Step:
        """Judge the newest feature, and make the step's record."""
        view, judgement = self._view(choice), UNTESTED
        if self._criteria:
            judgement = judge_all(self._criteria, self._options.stop_when, view)
        choice, judgement = self._with_pair(choice, judgement)
        view = self._view(choice) if choice.found else view
        return self._finish(choice, "add", start, judgement, view)

    def _choose(self) -> Choice:
        """Return the candidate with the best score and the runner-up."""
        candidates = self._candidates
        if self._scores is None:
            by_chance = self._options.rank == "chance"
            return self._rank(candidates) if by_chance else self._race(candidates)
        scores = self._scores.of_all(self._selected, candidates).tolist()
        best, second = best_two(scores)
        leaders = [candidates[best]] if second is None else [candidates[best], candidates[second]]
        pairs = self._pairs(leaders, self._entropies.computation.known)
        gap = 0.0 if second is None else scores[best] - scores[second]
        choice = self._choice(leaders, pairs[0], pairs[-1].conditional, gap)
        return replace(choice, score=scores[best])

    def _rank(self, candidates: Sequence[int]) -> Choice:
        """Return the candidate with the largest gain above chance and the runner-up."""
        self._report("candidates", 0, len(candidates), ahead=len(candidates))
        self._sums = sums = self._sums_of(self._selected, candidates, self._sums)
        ranked = rank_above_chance(sums)
        for place, candidate in enumerate(candidates):
            self._entropies.ledger.settle("candidates", candidate, sums.way(place))
        leaders = [candidates[k] for k in (ranked.best, ranked.second) if k is not None]
        runner_up = (ranked.second_conditional, ranked.gap)
        choice = replace(self._choice(leaders, sums.pair(ranked.best), *runner_up), sums=sums)
        self._report("candidates", len(candidates), len(candidates))
        return choice

    def _race(self, candidates: Sequence[int]) -> Choice:
        """Return the candidate with the largest joint MI and the runner-up."""
        by = self._entropies.computation
        rough = by.plan.factors or by.plan.loosens(len(candidates))
        first = Question(by.tolerance, rough=True) if rough else by.known
        self._report("candidates", 0, len(candidates), ahead=len(candidates) * by.plan.sums)
        winners = race(
            proxies(self._entropies, self._selected, candidates) or self._pairs(candidates, first),
            by.tolerance,
            lambda places, bar, expected: self._pairs(
                [candidates[k] for k in places],
                Question(by.tolerance, above=bar) if by.plan.factors else by.known,
                expected,
            ),
            lambda places: self._pairs([candidates[k] for k in places], by.exact),
        )
        places = [winners.best] if winners.second is None else [winners.best, winners.second]
        pairs = [winners.pairs[k] for k in places]
        gap = pairs[-1].conditional - pairs[0].conditional
        return self._choice([candidates[k] for k in places], pairs[0], pairs[-1].conditional, gap)

    def _choice(
        self, leaders: Sequence[int], pair: Pair, second_conditional: float, gap: float
    ) -> Choice:
        runner_up = None
        if len(leaders) > 1:
            runner_up = self._runner_up(leaders[1:2], second_conditional, gap)
        return Choice((leaders[0],), pair, runner_up)

    def _with_pair(self, single: Choice, judgement: Judgement) -> tuple[Choice, Judgement]:
        """Look at pairs where the best single feature failed; return what the step is then."""
        passed = bool(self._criteria) and (not judgement.stop or judgement.keeps_feature)
        room = min(self._limit - len(self._selected), len(self._candidates))
        if self._options.lookahead == 1 or passed or room < 2:
            return single, judgement
        found = find_pair(self._entropies, self._selected, self._candidates)
        pair = self._entropies.pair({*self._selected, *found.features})
        choice = Choice(found.features, pair, self._second_pair(found), found)
        if not self._criteria:  # no test to fail: two places go to what gains more than twice
            alone, both = self._gain(single.pair), self._gain(pair)
            return (choice if both > 2 * alone + TIE_BITS else single), judgement
        said = judge_all(self._criteria, self._options.stop_when, self._view(choice))
        if not said.stop:
            said = self._both_needed(choice, said)
        if said.stop:
            return single, rejected_pair(judgement, self._names(choice.columns), said)
        return choice, said

    def _second_pair(self, found: BestPair) -> RunnerUp | None:
        if found.runner_up is None:
            return None
        pair = self._entropies.pair({*self._selected, *found.runner_up})
        names = self._names(found.runner_up)
        return RunnerUp(
            features=names, mi=self._entropies.mutual_information(pair), gap=max(found.gap, 0.0)
        )

    def _both_needed(self, choice: Choice, said: Judgement) -> Judgement:
        """Have each of a pair judged given the other: noise must not ride on a feature."""
        first, other = choice.columns
        for given, newest in ((first, other), (other, first)):
            before = self._entropies.pair({*self._selected, given}).conditional
            view = replace(
                self._view(Choice((given, newest), choice.pair, None)),
                gain=before - choice.pair.conditional,
            )
            judged = judge_all(self._criteria, self._options.stop_when, view)
            if judged.stop:
                return judged
        return said

    def _gain(self, pair: Pair) -> float:
        return self._entropies.mutual_information(pair) - self._mi

    def _pairs(
        self, candidates: Sequence[int], question: Question, expected: Sequence[float] = ()
    ) -> list[Pair]:
        """Return the entropies of what is selected with each candidate added."""
        pairs = self._entropies.candidates(
            self._selected,
            candidates,
            lambda done: self._report("candidates", done, len(candidates)),
            question,
            expected,
        )
        for candidate, pair in zip(candidates, pairs, strict=True):
            self._entropies.ledger.settle("candidates", candidate, pair)
        return pairs
