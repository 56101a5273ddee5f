"""How well models predict from the first features of a path, over bootstrap runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np

from renyi import _validate
from renyi._progress import CancelToken
from renyi._typing import FloatArray
from renyi.errors import OptionError
from renyi.evaluation._design import Design
from renyi.evaluation._draws import bootstrap_draw, is_number
from renyi.evaluation._models import Model, find_model
from renyi.execution import run as run_tasks
from renyi.variables import Variable

__all__ = ["Scaling", "bootstrap_scores"]

Scaling: TypeAlias = Literal["zscore", "none"]


def bootstrap_scores(  # noqa: PLR0913 - one keyword for each choice, none hidden
    features: Sequence[Variable],
    target: Variable,
    sizes: Sequence[int],
    *,
    model: str | None = None,
    runs: int = 100,
    seed: int = 0,
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
    scaling
        `zscore`: each column, indicators of nominal levels included, loses the mean of the training
        rows and is divided by their standard deviation. `none`: as it is.
    jobs
        Worker threads; None for one per core.
    tick
        Called with (done, runs) after each run, on the calling thread.
    cancel
        Asked for interruption after each run.

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
    """
    wanted = _checked_sizes(sizes, len(features))
    _validate.positive_integer("runs", runs)
    _validate.choice("scaling", scaling, ("zscore", "none"))
    chosen = find_model(model, number=is_number(target))
    design = Design.of(features[: max(1, *wanted)])
    work = partial(_one_run, design, target, wanted, chosen, seed, scaling)
    scores = np.empty((runs, len(wanted)))
    for number, row in enumerate(run_tasks(work, range(runs), rows=target.n, jobs=jobs)):
        scores[number] = row
        if cancel is not None:
            cancel.check()
        if tick is not None:
            tick(number + 1, runs)
    return scores


def _checked_sizes(sizes: Sequence[int], most: int) -> list[int]:
    wanted = [_validate.whole_number("sizes", size, 0) for size in sizes]
    if not wanted or max(wanted) > most:
        raise OptionError(
            f"`sizes` must be numbers of features from 0 to {most}, got {list(sizes)!r}."
        )
    return wanted


def _one_run(
    design: Design,
    target: Variable,
    sizes: Sequence[int],
    model: Model,
    seed: int,
    scaling: Scaling,
    run: int,
) -> FloatArray:
    """Return the scores of one run, (len(sizes),)."""
    draw = bootstrap_draw(target, seed, run)
    matrix = design.scaled(draw.train) if scaling == "zscore" else design.matrix
    y = target.values[:, 0] if model.predicts_number else target.codes
    taught, asked = y[draw.train], y[draw.test]
    found = np.empty(len(sizes))
    for place, size in enumerate(sizes):
        if size == 0:
            told = np.full(len(asked), _constant(taught, number=model.predicts_number))
        else:
            columns = matrix[:, : design.ends[size]]
            told = model.predict(columns[draw.train], taught, columns[draw.test], run)
        found[place] = _judged(told, asked, number=model.predicts_number)
    return found


def _constant(taught: Any, *, number: bool) -> Any:
    """Return the best prediction without features: the mean, or the most frequent class."""
    return taught.mean() if number else np.bincount(taught).argmax()


def _judged(told: Any, asked: Any, *, number: bool) -> float:
    if not number:
        return float(np.mean(told == asked))
    return float(1.0 - np.sum((asked - told) ** 2) / np.sum((asked - asked.mean()) ** 2))
