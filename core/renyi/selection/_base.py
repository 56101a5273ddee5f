"""What every search has in common: where it stands, what it tells, the record of a step."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from time import perf_counter

from renyi._progress import CancelToken, Observer, Phase, Progress, ignore_progress
from renyi.bounds import Pair
from renyi.information import (
    CandidateSums,
    EstimatedEntropies,
    SetEntropies,
    chance_information,
    sums_of,
)
from renyi.options import MethodOptions
from renyi.resampling import PermutationScheme, scheme_of
from renyi.scores import ranking_scores
from renyi.selection._choice import Choice
from renyi.selection._cmi import cheap_criteria, check_cmi, unsaid
from renyi.selection._lookahead import check_pairs, step_level
from renyi.selection._ranking import by_chance
from renyi.selection._standard_errors import standard_errors
from renyi.selection._verdicts import interrupted, stopped
from renyi.selection.records._bandwidth_record import BandwidthChoice
from renyi.selection.records._records import Entropies, RunnerUp, Step, Verdict
from renyi.selection.records._step import Action
from renyi.selection.records._work import StepWork
from renyi.shannon import ChiSquareModel
from renyi.stopping import Judgement, SearchStep, build_criteria, combine, with_choice
from renyi.variables import Dataset

__all__ = ["UNTESTED", "Search"]

UNTESTED = Judgement(False, True, ())
"""Of a step that no criterion judges."""


class Search(ABC):
    """A search of sets of features: iterate it for its `Step`s, then read `verdict`.

    Features of `keep` enter first, in order, and are never tested nor taken away.

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
    start
        Column numbers that it begins with besides, in order.
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

    def __init__(  # noqa: PLR0913 - one keyword for each thing that it is told
        self,
        dataset: Dataset,
        entropies: SetEntropies,
        options: MethodOptions,
        *,
        keep: Sequence[int] = (),
        start: Sequence[int] = (),
        choice: BandwidthChoice | None = None,
        finished: Sequence[Step] = (),
        observer: Observer = ignore_progress,
        cancel: CancelToken | None = None,
    ) -> None:
        self._dataset = dataset
        self._entropies = entropies
        self._options = options
        self._keep = tuple(keep)
        self._start = tuple(column for column in start if column not in self._keep)
        self._finished = tuple(finished)
        self._observer = observer
        self._cancel = cancel or CancelToken()
        check_pairs(options, entropies)
        self._criteria = build_criteria(replace(options, significance=step_level(options)))
        if choice is not None:
            self._criteria = with_choice(
                self._criteria, choice.p_value, options.significance, self._untested
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
            self._report("step", step.index, self._most_steps, feature=step.features[0])

    @abstractmethod
    def _steps(self) -> Iterator[Step]:
        """Yield the steps that are known, then those that are to be worked out."""

    @property
    def _most_steps(self) -> int:
        """The largest number of steps that there can be."""
        return self._limit

    @property
    def _untested(self) -> int:
        """How many features the search begins with, which it does not test."""
        return len(self._keep) + len(self._start)

    @property
    def _candidates(self) -> list[int]:
        chosen = set(self._selected)
        return [j for j in range(len(self._dataset.features)) if j not in chosen]

    def _known_steps(self) -> Iterator[Step]:
        """Yield the finished steps, and stand where the last of them leads."""
        for step in self._finished:
            self._cancel.check()
            self._take_over(step)
            yield step

    def _first_steps(self) -> Iterator[Step]:
        """Take in what the search begins with, as far as the finished steps have not."""
        actions = [step.action for step in self._finished]
        for newest in self._keep[actions.count("keep") :]:
            self._cancel.check()
            start = perf_counter()
            with_newest = self._entropies.pair({*self._selected, newest})
            yield self._finish(Choice((newest,), with_newest, None), "keep", start)
        if self._start and "start" not in actions:
            self._cancel.check()
            start = perf_counter()
            together = self._entropies.pair({*self._selected, *self._start})
            yield self._finish(Choice(self._start, together, None), "start", start)

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
        self._follow(step, tuple(map(self._dataset.names.index, step.features)))
        judgement = self._judged_before(step)
        if judgement.stop:
            self.verdict = stopped(step, judgement)

    def _judged_before(self, step: Step) -> Judgement:
        """Return what the criteria said together at a finished step."""
        return combine(step.criteria, self._options.stop_when)

    def _follow(self, step: Step, columns: Sequence[int]) -> None:
        """Have selected what is selected after a step."""
        if step.done and step.action == "remove":
            self._selected = [column for column in self._selected if column not in columns]
        elif step.done:
            self._selected += columns

    def _finish(
        self,
        choice: Choice,
        action: Action,
        start: float,
        judgement: Judgement = UNTESTED,
        view: SearchStep | None = None,
    ) -> Step:
        """Make the record of a step, and go on from it."""
        view = view or self._view(choice)
        self.view = view
        step = self._record(choice, action, judgement, view)
        self._mi = step.mi
        self._count += 1
        self._follow(step, choice.columns)
        if judgement.stop:
            self.verdict = stopped(step, judgement)
        settled = self._entropies.ledger.take_settled()
        ways = (settled.get(what, {}) for what in ("candidates", "replicates"))
        self.work.append(StepWork(perf_counter() - start, *ways))
        return step

    def _record(
        self, choice: Choice, action: Action, judgement: Judgement, view: SearchStep
    ) -> Step:
        pair, entropies = choice.pair, self._entropies
        whole = None if self.cmi_problem else view.everything
        enters = action in {"keep", "add"}
        sums = self._telling(choice, view)
        said = cheap_criteria(self._options, view, self.cmi_problem) if enters else unsaid()
        return Step(
            index=self._count + 1,
            action=action,
            features=self._names(choice.columns),
            selected=judgement.keeps_feature,
            mi=entropies.mutual_information(pair),
            cmi=None if whole is None else pair.conditional - whole.conditional,
            cmi_code="cmi_not_computed" if whole is None else None,
            gain=view.gain,
            **self._by_chance(choice, view, sums),
            score=choice.score,
            entropies=Entropies(
                selected=pair.features.value,
                joint=pair.joint.value,
                target=entropies.target.value,
                conditional_all=None if whole is None else whole.conditional,
            ),
            saturation=math.log2(entropies.computation.n) - pair.features.value,
            runner_up=choice.runner_up,
            criteria=judgement.reports,
            would_stop=said,
            error_bound=pair.error
            + max(entropies.target.error, 0.0 if whole is None else whole.error),
            errors=None
            if not isinstance(entropies, EstimatedEntropies)
            else standard_errors(
                entropies,
                self._options,
                choice,
                self._selected,
                judgement.reports,
                sums,
                with_cmi=whole is not None,
            ),
        )

    def _mi_chance(self, pair: Pair) -> float | None:
        """Return what chance gives MI, None where there is no closed form."""
        told = self._entropies.computation.alpha == 2 and self._dataset.structure is None
        return chance_information(self._entropies, pair) if told else None

    def _telling(self, choice: Choice, view: SearchStep) -> CandidateSums | None:
        """Return the sums that tell what chance gives the newest feature, None where none do."""
        closed = self._entropies.computation.alpha == 2
        if len(choice.columns) > 1 or not (closed or self._options.rank == "chance"):
            return None
        return choice.sums or self._sums_of(view.given, choice.columns)

    def _by_chance(
        self, choice: Choice, view: SearchStep, sums: CandidateSums | None
    ) -> dict[str, float | None]:
        """Return what chance gives the gain, and MI as a whole where there is a closed form."""
        mi_chance = self._mi_chance(choice.pair)
        if sums is None:
            return {"mi_chance": mi_chance}
        return {"mi_chance": mi_chance, **by_chance(sums, choice.columns[-1], view.gain)}

    def _names(self, columns: Sequence[int]) -> tuple[str, ...]:
        return tuple(self._dataset.names[column] for column in columns)

    def _runner_up(self, columns: Sequence[int], conditional: float, gap: float) -> RunnerUp:
        """Return the record of the second best, by H(y | Z) of the set that it would lead to."""
        mi = self._entropies.target.value - conditional
        return RunnerUp(features=self._names(columns), mi=mi, gap=gap)

    def _gain_of(self, choice: Choice) -> float:
        """Return the gain of a choice: at one width, also where this step's are wider."""
        by = self._entropies.computation
        # nor from MI of the step before where it was told by other pairs, or by all
        apart = by.pairs is not None or by.model.widens(len(self._selected) + 1)
        if choice.sums is None or not apart:
            return self._entropies.mutual_information(choice.pair) - self._mi
        return choice.sums.before - choice.pair.conditional

    def _sums_of(
        self, given: Sequence[int], candidates: Sequence[int], last: CandidateSums | None = None
    ) -> CandidateSums:
        tick = partial(self._report, "candidates")
        return sums_of(self._entropies, given, candidates, self._scheme.pilot(), tick, last)

    @property
    def _scheme(self) -> PermutationScheme:
        n, structure = self._dataset.n, self._dataset.structure
        return scheme_of(structure, n, self._options.seed, self._turn)

    @property
    def _turn(self) -> int:
        """The number of the step that draws are for.

        As if what the search begins with had entered in a step each: it then goes on as the search
        would have gone on that selected them.
        """
        return self._count + max(len(self._start), 1)

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
            forced=self._untested,
            scored=choice.score,
            nulls=self._scores.null(self._selected, tick) if self._scores else None,
            tick=tick,
        )

    def _report(
        self, phase: Phase, done: int, total: int, ahead: int = 0, feature: str | None = None
    ) -> None:
        self._cancel.check()
        step = self._count + (phase != "step")
        self._observer(Progress(phase, step, done, total, feature, self._most_steps, ahead))
