"""How well models predict from the first features of a path, over bootstrap runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from renyi import _validate
from renyi._progress import CancelToken
from renyi._typing import FloatArray
from renyi.errors import Interrupted, OptionError
from renyi.evaluation._design import Design
from renyi.evaluation._draws import Draw, bootstrap_draw, is_number
from renyi.evaluation._folds import Fold
from renyi.evaluation._models import Model, find_model
from renyi.execution import run as run_tasks
from renyi.variables import RowStructure, Variable

__all__ = ["Scaling", "bootstrap_scores"]

Scaling: TypeAlias = Literal["zscore", "none"]

CHUNK_BYTES: Final = 16 << 20
"""Of the columns of the runs that are judged together, each pair of classes counted: more stacks
save no time and leave the cache."""

MOST_RUNS: Final = 25
"""Runs judged together at most: several tasks a size, for several threads."""


def bootstrap_scores(  # noqa: PLR0913 - one keyword for each choice, none hidden
    features: Sequence[Variable],
    target: Variable,
    sizes: Sequence[int],
    *,
    model: str | None = None,
    runs: int = 100,
    seed: int = 0,
    weights: FloatArray | None = None,
    structure: RowStructure | None = None,
    scaling: Scaling = "zscore",
    jobs: int | None = None,
    tick: Callable[[int, int], None] | None = None,
    cancel: CancelToken | None = None,
) -> FloatArray:
    """Return how well a model predicts from the first features, for several numbers of them.

    The protocol of Yu and Principe (2019): in each run n rows drawn with replacement train a model
    and the rows never drawn test it. A run uses one draw for all sizes, so that sizes can be
    compared run by run. Run r depends on (seed, r) alone: more runs or sizes, or another number of
    threads, change no score.

    Parameters
    ----------
    features
        Typed columns in the order of a path, F of them.
    target
        What is predicted: the class of a nominal or ordinal target, the number of a continuous one.
    sizes
        Numbers of features, 0 to F; with 0 the most frequent class, or the mean, of the training
        rows is predicted.
    model
        `svm` (linear, C = 1), `logistic`, `knn`, `forest` or, for a number, `ridge`; None for
        `svm`, or `ridge` for a number.
    runs
        Bootstrap runs.
    seed
        Seed of every draw.
    weights
        (n,) how much each row counts: rows are drawn in proportion, and their predictions judged
        so; None where all count alike.
    structure
        Which rows belong together, see `bootstrap_draw`; None for none.
    scaling
        `zscore`: each column, indicators of nominal levels included, loses the mean of the training
        rows and is divided by their standard deviation. `none`: as it is.
    jobs
        Worker threads; None for one per core.
    tick
        Called with (done, total) models judged, on the calling thread.
    cancel
        Asked for interruption as often.

    Returns
    -------
    numpy.ndarray
        (runs, len(sizes)) float64: accuracy, or R^2 for a number, as shares of 1.

    Raises
    ------
    OptionError
        If an option breaks its rule.
    DataError
        If no draw can be used, see `bootstrap_draw`.
    MissingExtraError
        If the model needs scikit-learn and that is not installed.
    Interrupted
        On Ctrl-C; its `.path` is a dict from each size judged in all runs to its (runs,) scores.
    """
    wanted = _checked_sizes(sizes, len(features))
    _validate.positive_integer("runs", runs, "100 is usual.")
    _validate.choice(
        "scaling", scaling, ("zscore", "none"), *_validate.left_out("scaling", "zscore")
    )
    chosen = find_model(model, number=is_number(target))
    work = _Work(
        design=Design.of(features[: max(1, *wanted)]),
        target=target,
        model=chosen,
        draws=tuple(bootstrap_draw(target, seed, run, weights, structure) for run in range(runs)),
        scaling=scaling,
        weights=weights,
    )
    tasks = [(size, chunk) for size in wanted for chunk in work.chunks(size)]
    scores = np.empty((runs, len(wanted)))
    places = {size: [k for k, other in enumerate(wanted) if other == size] for size in wanted}
    done, judged = 0, dict.fromkeys(wanted, 0)
    try:
        for (size, chunk), found in zip(
            tasks, run_tasks(work, tasks, rows=target.n, jobs=jobs), strict=True
        ):
            scores[np.ix_(list(chunk), places[size])] = found[:, None]
            done += len(chunk)
            judged[size] += len(chunk)
            if cancel is not None:
                cancel.check()
            if tick is not None:
                tick(done, runs * len(wanted))
    except KeyboardInterrupt:
        whole = [size for size in wanted if judged[size] >= runs]
        raise Interrupted({size: scores[:, places[size][0]] for size in whole}) from None
    return scores


def _checked_sizes(sizes: Sequence[int], most: int) -> list[int]:
    wanted = [_validate.whole_number("sizes", size, 0, "0 is none.") for size in sizes]
    if not wanted or max(wanted) > most:
        raise OptionError(
            f"`sizes` must be numbers of features from 0 to {most}, got {list(sizes)!r}.",
            "Give at least one, and none beyond the features that there are.",
        )
    return wanted


@dataclass(frozen=True)
class _Work:
    """What all tasks share; a task is one number of features in some of the runs."""

    design: Design
    target: Variable
    model: Model
    draws: tuple[Draw, ...]
    scaling: Scaling
    weights: FloatArray | None

    def chunks(self, size: int) -> list[range]:
        """Return the runs in parts, each of which fits into `CHUNK_BYTES` at a size."""
        row = 8 * (int(self.design.ends[size]) + 2)
        pairs = max(1, self.target.distinct - 1) if not self.model.predicts_number else 1
        step = max(1, min(MOST_RUNS, CHUNK_BYTES // (row * self.target.n * pairs)))
        return [
            range(start, min(start + step, len(self.draws)))
            for start in range(0, len(self.draws), step)
        ]

    def __call__(self, task: tuple[int, range]) -> FloatArray:
        """Return the scores of the task's runs."""
        size, runs = task
        number = self.model.predicts_number
        weights = self.weights
        y = self.target.values[:, 0] if number else self.target.codes
        if size == 0:
            told = [_constant(y[self.draws[run].train], number=number) for run in runs]
        else:
            part = self.design.first(size)
            folds = []
            for run in runs:
                draw = self.draws[run]
                matrix = (
                    part.scaled(draw.train) if self.scaling == "zscore" else part.filled(draw.train)
                )
                folds.append(Fold(matrix, y, draw, run))
            told = self.model.predict(folds)
        tests = [self.draws[run].test for run in runs]
        return np.array(
            [
                _judged(one, y[test], None if weights is None else weights[test], number=number)
                for one, test in zip(told, tests, strict=True)
            ]
        )


def _constant(taught: Any, *, number: bool) -> Any:
    """Return the best prediction without features: the mean, or the most frequent class."""
    return taught.mean() if number else np.bincount(taught).argmax()


def _judged(told: Any, asked: Any, weights: FloatArray | None, *, number: bool) -> float:
    if weights is not None:
        if not number:
            return float(np.average(told == asked, weights=weights))
        about = asked - np.average(asked, weights=weights)
        return float(1.0 - np.sum(weights * (asked - told) ** 2) / np.sum(weights * about**2))
    if not number:
        return float(np.mean(told == asked))
    return float(1.0 - np.sum((asked - told) ** 2) / np.sum((asked - asked.mean()) ** 2))
