"""One unit of a reproduction: a set under a table's settings, or under the defaults."""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import numpy as np

from renyi._progress import CancelToken, Observer
from renyi._typing import FloatArray
from renyi._version import __version__
from renyi.api import SelectionPath, located_file, select
from renyi.evaluation import Scaling, bootstrap_scores, smallest_not_different
from renyi.io import load
from renyi.options import method_options
from renyi.transforms import standardise
from renyi.variables import Variable
from renyi_paper._printed import ALPHAS, PRINTED_CRITERIA
from renyi_paper._records import Judged, OwnUnit, TableUnit
from renyi_paper._scope import scope_of, sizes_looked_at

__all__ = ["NARROW_SIGMA", "UnitWork", "default_in_words"]

NARROW_SIGMA: Final = math.sqrt(0.5)
"""Of exp(-d^2), with which `cmi-heuristic` stops as early as printed."""


@dataclass(frozen=True, slots=True)
class UnitWork:
    """How a unit is worked out.

    Attributes
    ----------
    name
        The set.
    folder
        Where its paths are kept while they grow.
    runs, seed, jobs
        Bootstrap runs, seed of every draw, worker threads.
    progress, cancel
        Told of the selections' progress; asked for interruption.
    """

    name: str
    folder: Path
    runs: int
    seed: int
    jobs: int | None
    progress: Observer | None
    cancel: CancelToken | None

    def table(self, table: int) -> TableUnit:
        """Work out a set under the settings of Table 1 or 2.

        One path serves all criteria: each is asked at every step until all have stopped, and from
        there the path goes on without them to the sizes that are looked at.
        """
        judged = self._path(table, "judged", criterion=PRINTED_CRITERIA, stop_when="all")
        path = self._to_the_end(table, judged)
        narrow = self._path(
            table, "narrow", criterion="cmi-heuristic", bandwidth=round(NARROW_SIGMA, 4)
        )
        started = perf_counter()
        names = tuple(step.features[0] for step in path.steps)
        chosen = {criterion: _counted(judged, criterion) for criterion in PRINTED_CRITERIA}
        sizes = sizes_looked_at(len(names), [count for count, _ in chosen.values()])
        scores = self._scores(path, names, sizes)
        examined, stopped = _counted(narrow, "cmi-heuristic")
        narrow_scores = self._scores(
            narrow, [step.features[0] for step in narrow.steps], [examined]
        )
        done = perf_counter()
        return TableUnit(
            name=self.name,
            table=table,
            alpha=ALPHAS[table],
            sigma=float(path.options.bandwidth),
            standardise=path.options.standardise,
            rows=path.data.rows_used,
            candidates=path.data.features,
            seed=self.seed,
            runs=self.runs,
            version=__version__,
            target_entropy=path.steps[0].entropies.target,
            path=names,
            mi=tuple(round(step.mi, 6) for step in path.steps),
            cmi=tuple(None if step.cmi is None else round(step.cmi, 6) for step in path.steps),
            sizes=sizes,
            accuracy=_rounded(scores.mean(axis=0)),
            spread=_rounded(scores.std(axis=0, ddof=1)),
            optimal=smallest_not_different(scores, sizes),
            criteria={
                criterion: _judged(count, stopped_, scores[:, sizes.index(count)])
                for criterion, (count, stopped_) in chosen.items()
            },
            narrow_sigma=float(narrow.options.bandwidth),
            narrow=_judged(examined, stopped, narrow_scores[:, 0]),
            seconds={"paths": _seconds(judged, path, narrow), "models": round(done - started, 1)},
        )

    def own(self) -> OwnUnit:
        """Work out a set under the defaults of `renyi.select`, on the rows of Table 2."""
        path = select(
            self.name,
            rows=scope_of(self.name).rows.get(2),
            seed=self.seed,
            jobs=self.jobs,
            checkpoint=self._place("default", _short_hash(default_in_words())),
            progress=self.progress,
            cancel=self.cancel,
        )
        started = perf_counter()
        dataset = self._loaded(path)
        columns = {feature.name: feature for feature in dataset.features}
        # without a feature the most frequent class is predicted: any column will do then
        features = [columns[name] for name in path.selected] or [dataset.features[0]]
        scores = self._judge(features, dataset.target, [len(path.selected)], "zscore")
        done = perf_counter()
        return OwnUnit(
            name=self.name,
            rows=path.data.rows_used,
            seed=self.seed,
            runs=self.runs,
            version=__version__,
            options=default_in_words(),
            selected=path.selected,
            judged=_judged(len(path.selected), True, scores[:, 0]),
            seconds={"paths": _seconds(path), "models": round(done - started, 1)},
        )

    def _path(self, table: int, what: str, **options: Any) -> SelectionPath:
        scope = scope_of(self.name)
        return select(
            self.name,
            preset="paper",
            alpha=ALPHAS[table],
            rows=scope.rows.get(table),
            seed=self.seed,
            jobs=self.jobs,
            checkpoint=self._place(str(table), what),
            progress=self.progress,
            cancel=self.cancel,
            **{"max_features": scope.most[table], **options},
        )

    def _to_the_end(self, table: int, judged: SelectionPath) -> SelectionPath:
        """Follow the path beyond the step at which all criteria agreed to stop."""
        found = [step.features[0] for step in judged.steps]
        if judged.verdict.stopped != "criterion" or len(found) >= scope_of(self.name).most[table]:
            return judged
        return self._path(table, "rest", criterion="none", keep=found)

    def _place(self, unit: str, what: str) -> Path:
        return self.folder / f"{self.name}-{unit}.{what}.json"

    def _loaded(self, path: SelectionPath) -> Any:
        """Return the typed columns, the same rows as the path's."""
        source = located_file(self.name)
        return load(source, None, options=path.data_options, source_name=self.name).dataset

    def _scores(
        self, path: SelectionPath, names: Sequence[str], sizes: Sequence[int]
    ) -> FloatArray:
        """Judge the first features of a path, prepared as the path saw them.

        Binned columns go into the model as they are, a scale of their own: so the printed
        accuracies come out. Raw ones are scaled, or a linear SVM would not converge.
        """
        dataset = self._loaded(path)
        rule = path.options.standardise
        columns = {feature.name: feature for feature in dataset.features}
        features = [
            Variable.continuous(name, standardise(columns[name].values, rule))
            for name in names[: max(sizes)]
        ]
        return self._judge(features, dataset.target, sizes, "zscore" if rule == "none" else "none")

    def _judge(
        self,
        features: Sequence[Variable],
        target: Variable,
        sizes: Sequence[int],
        scaling: Scaling,
    ) -> FloatArray:
        return bootstrap_scores(
            features,
            target,
            sizes,
            runs=self.runs,
            seed=self.seed,
            scaling=scaling,
            jobs=self.jobs,
            cancel=self.cancel,
        )


def _counted(path: SelectionPath, criterion: str) -> tuple[int, bool]:
    """Return the number of features up to the first stop, and whether there was one.

    Counted as printed: of a permutation criterion with the feature whose test failed, of `mi-chi2`
    without it. A criterion that takes every feature there is has stopped there.
    """
    for step in path.steps:
        if any(report.criterion == criterion and report.stop for report in step.criteria):
            return step.index - (criterion == "mi-chi2"), True
    return len(path.steps), path.verdict.stopped == "exhausted"


def _judged(count: int, stopped: bool, runs: FloatArray) -> Judged:
    return Judged(
        features=count,
        stopped=stopped,
        accuracy=round(float(runs.mean()), 6),
        spread=round(float(runs.std(ddof=1)), 6),
        runs=_rounded(runs),
    )


def _seconds(*paths: SelectionPath) -> float:
    """Return what all steps took, those from before an interruption too."""
    different = {id(path): path for path in paths}.values()
    return round(sum(sum(path.run["seconds_by_step"]) for path in different), 1)


def _rounded(values: FloatArray) -> tuple[float, ...]:
    return tuple(float(value) for value in np.round(values, 6))


def default_in_words() -> str:
    """Return the defaults of `renyi.select` that decide what it selects."""
    chosen = method_options()
    sigma = chosen.bandwidth
    width = sigma if isinstance(sigma, str) else f"sigma {sigma:g}"
    more = "" if chosen.min_gain is None else f", min-gain {chosen.min_gain}"
    more += "" if chosen.lookahead == 1 else f", lookahead {chosen.lookahead}"
    return (
        f"{', '.join(chosen.criteria)}, rank {chosen.rank}, alpha {chosen.alpha:g}, "
        f"{chosen.standardise}, {width}, nominal {chosen.nominal}, "
        f"class weights {chosen.class_weights}, "
        f"permutations {chosen.permutations}, level {chosen.significance:g}{more}"
    )


def _short_hash(words: str) -> str:
    """Return what tells paths under other defaults apart."""
    return f"path-{zlib.crc32(words.encode()):08x}"
