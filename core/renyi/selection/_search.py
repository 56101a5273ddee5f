"""The one forward search, as an iterator of steps."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from time import perf_counter

from renyi._progress import CancelToken, Observer, Phase, Progress, ignore_progress
from renyi.bounds import Pair, Question
from renyi.information import CandidateSums, SetEntropies, chance_information, proxies, sums_of
from renyi.options import MethodOptions
from renyi.racing import TIE_BITS, best_two, race
from renyi.resampling import PermutationScheme, scheme_of
from renyi.scores import ranking_scores
from renyi.selection._choice import Choice
from renyi.selection._cmi import cheap_criteria, check_cmi
from renyi.selection._lookahead import BestPair, check_pairs, find_pair, step_level
from renyi.selection._ranking import by_chance, rank_above_chance
from renyi.selection._verdicts import full, interrupted, rejected_pair, stopped
from renyi.selection.records._bandwidth_record import BandwidthChoice
from renyi.selection.records._records import Entropies, RunnerUp, Step, Verdict
from renyi.selection.records._work import StepWork
from renyi.shannon import ChiSquareModel
from renyi.stopping import Judgement, SearchStep, build_criteria, combine, judge_all, with_choice
from renyi.variables import Dataset

__all__ = ["ForwardSearch"]


class ForwardSearch:
    """Greedy forward selection: iterate it for its `Step`s, then read `verdict`.

    Each step takes the candidate with the best score, by default the largest joint MI
    I({S', x}; y); features of `keep` enter first, in order, and are never tested.

    Parameters
    ----------
    dataset
        The typed columns.
    entropies
        Entropies over their kernels.
    options
        The method.
    keep
        Column numbers forced in.
    choice
        How the data chose the bandwidth, which the first test has to count; None where it was
        given.
    finished
        Steps that an earlier search of the same data and options finished: they come first, as
        they are, and the search goes on from there.
    observer, cancel
        Told of progress and asked for interruption, on the calling thread.

    Attributes
    ----------
    verdict
        Why the search ended, None before it has.
    view
        The newest feature as criteria see it, for a caller that judges for itself; there from the
        first step that was worked out here.
    work
        What each step took that was worked out here.
    cmi_problem
        Why CMI is not computed, in one sentence; empty where it is.

    Raises
    ------
    MemoryBudgetError
        If a criterion needs CMI and it cannot be computed, before any work.
    """

    def __init__(
        self,
        dataset: Dataset,
        entropies: SetEntropies,
        options: MethodOptions,
        *,
        keep: Sequence[int] = (),
        choice: BandwidthChoice | None = None,
        finished: Sequence[Step] = (),
        observer: Observer = ignore_progress,
        cancel: CancelToken | None = None,
    ) -> None:
        self._dataset = dataset
        self._entropies = entropies
        self._options = options
        self._keep = tuple(keep)
        self._finished = tuple(finished)
        self._observer = observer
        self._cancel = cancel or CancelToken()
        check_pairs(options, entropies)
        self._criteria = build_criteria(replace(options, significance=step_level(options)))
        if choice is not None:
            self._criteria = with_choice(
                self._criteria, choice.p_value, options.significance, len(self._keep)
            )
        self.cmi_problem: str = entropies.everything_problem
        check_cmi(options.criteria, self.cmi_problem)
        self._chi_square = ChiSquareModel(
            dataset, options.bins, options.binning, options.significance
        )
        tick = partial(self._report, "candidates", total=len(dataset.features))
        self._scores = ranking_scores(options, entropies, self._chi_square, dataset, tick)
        self._selected: list[int] = []
        self._count = 0  # steps finished
        self._mi = 0.0
        self._sums: CandidateSums | None = None  # of the last step, which has begun the next one's
        self._limit = min(options.max_features or len(dataset.features), len(dataset.features))
        self.verdict: Verdict | None = None
        self.view: SearchStep
        self.work: list[StepWork] = []
        self._yielded = 0  # steps that the caller has: an interruption may come before it gets one

    @property
    def interrupted(self) -> Verdict:
        """The verdict of a search that was stopped from outside."""
        return interrupted(self._yielded)

    def __iter__(self) -> Iterator[Step]:
        """Run the search; the verdict is set when it ends."""
        for step in self._steps():
            self._yielded += 1
            yield step  # before it is told of: an interruption must not lose a finished step
            self._report("step", step.index, self._limit, feature=step.features[0])

    def _steps(self) -> Iterator[Step]:
        for step in self._finished:
            self._cancel.check()
            self._take_over(step)
            yield step
        kept = sum(step.action == "keep" for step in self._finished)
        if self.verdict is None and len(self._selected) < self._limit:
            self._prepare()
        for newest in self._keep[kept:]:
            self._cancel.check()
            start = perf_counter()
            with_newest = self._entropies.pair({*self._selected, newest})
            yield self._finish(Choice((newest,), with_newest, None), "keep", start)
        while self.verdict is None:
            self._cancel.check()
            if len(self._selected) >= self._limit:
                self.verdict = full(len(self._selected), len(self._dataset.features), self._count)
                return
            start = perf_counter()
            yield self._finish(self._choose(), "add", start)

    def _prepare(self) -> None:
        """Compute what every step needs."""
        self._report("prepare", 0, 1, ahead=1)
        _ = self._entropies.target
        if self._entropies.computation.everything and not self.cmi_problem:
            self._entropies.pair(self._entropies.computation.everything)
        self._report("prepare", 1, 1)

    def _take_over(self, step: Step) -> None:
        """Stand where the search stood after a step, which tells all that is needed."""
        self._count += 1
        self._mi = step.mi
        if step.selected:
            self._selected += map(self._dataset.names.index, step.features)
        judgement = combine(step.criteria, self._options.stop_when)
        if judgement.stop:
            self.verdict = stopped(step, judgement)

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

    @property
    def _candidates(self) -> list[int]:
        chosen = set(self._selected)
        return [j for j in range(len(self._dataset.features)) if j not in chosen]

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
            runner_up = RunnerUp(
                features=(self._dataset.names[leaders[1]],),
                mi=self._entropies.target.value - second_conditional,
                gap=gap,
            )
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

    def _names(self, columns: Sequence[int]) -> tuple[str, ...]:
        return tuple(self._dataset.names[column] for column in columns)

    def _gain(self, pair: Pair) -> float:
        return self._entropies.mutual_information(pair) - self._mi

    def _gain_of(self, choice: Choice) -> float:
        """Return the gain of a choice: at one width, also where this step's are wider."""
        widens = self._entropies.computation.model.widens(len(self._selected) + 1)
        if choice.sums is None or not widens:
            return self._gain(choice.pair)
        return choice.sums.before - choice.pair.conditional

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

    def _finish(self, choice: Choice, action: str, start: float) -> Step:
        """Judge the newest feature, and make the step's record."""
        view = self._view(choice)
        whole = None if self.cmi_problem else view.everything
        judgement = Judgement(False, True, ())
        if action == "add" and self._criteria:
            judgement = judge_all(self._criteria, self._options.stop_when, view)
        if action == "add":
            choice, judgement = self._with_pair(choice, judgement)
            view = self._view(choice) if choice.found else view
        self.view = view
        step = Step(
            index=self._count + 1,
            action="keep" if action == "keep" else "add",
            features=self._names(choice.columns),
            selected=judgement.keeps_feature,
            mi=view.mi,
            cmi=None if whole is None else view.cmi,
            cmi_code="cmi_not_computed" if whole is None else None,
            gain=view.gain,
            **self._by_chance(choice, view),
            score=choice.score,
            entropies=Entropies(
                selected=choice.pair.features.value,
                joint=choice.pair.joint.value,
                target=self._entropies.target.value,
                conditional_all=None if whole is None else whole.conditional,
            ),
            saturation=math.log2(self._entropies.computation.n) - choice.pair.features.value,
            runner_up=choice.runner_up,
            criteria=judgement.reports,
            would_stop=cheap_criteria(self._options, view, self.cmi_problem),
            error_bound=choice.pair.error
            + max(self._entropies.target.error, 0.0 if whole is None else whole.error),
        )
        self._mi = view.mi
        self._count += 1
        if step.selected:
            self._selected += choice.columns
        if judgement.stop:
            self.verdict = stopped(step, judgement)
        settled = self._entropies.ledger.take_settled()
        ways = (settled.get(what, {}) for what in ("candidates", "replicates"))
        self.work.append(StepWork(perf_counter() - start, *ways))
        return step

    def _by_chance(self, choice: Choice, view: SearchStep) -> dict[str, float | None]:
        """Return what chance gives the gain, and MI as a whole where there is a closed form."""
        closed = self._entropies.computation.alpha == 2
        told = closed and self._dataset.structure is None
        mi_chance = chance_information(self._entropies, choice.pair) if told else None
        if choice.found is not None or not (closed or self._options.rank == "chance"):
            return {"mi_chance": mi_chance}
        sums = choice.sums or self._sums_of(view.given, choice.columns)
        return {"mi_chance": mi_chance, **by_chance(sums, choice.columns[-1], view.gain)}

    def _sums_of(
        self, given: Sequence[int], candidates: Sequence[int], last: CandidateSums | None = None
    ) -> CandidateSums:
        tick = partial(self._report, "candidates")
        return sums_of(self._entropies, given, candidates, self._scheme.pilot(), tick, last)

    @property
    def _scheme(self) -> PermutationScheme:
        n, structure = self._dataset.n, self._dataset.structure
        return scheme_of(structure, n, self._options.seed, self._count + 1)

    def _view(self, choice: Choice) -> SearchStep:
        *before, newest = choice.columns
        name = " + ".join(self._names(choice.columns))
        tick = partial(self._report, "permutations", feature=name)
        return SearchStep(
            pairs=None if choice.found is None else choice.found.sums,
            entropies=self._entropies,
            chi_square=self._chi_square,
            scheme=self._scheme,
            name=name,
            given=(*self._selected, *before),
            newest=newest,
            remaining=tuple(j for j in self._candidates if j not in choice.columns),
            pair=choice.pair,
            sums=choice.sums,
            gain=self._gain_of(choice),
            forced=len(self._keep),
            scored=choice.score,
            nulls=self._scores.null(self._selected, tick) if self._scores else None,
            tick=tick,
        )

    def _report(
        self, phase: Phase, done: int, total: int, ahead: int = 0, feature: str | None = None
    ) -> None:
        self._cancel.check()
        step = self._count + (phase != "step")
        self._observer(Progress(phase, step, done, total, feature, self._limit, ahead))
