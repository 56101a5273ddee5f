"""What a comparison takes: its path, the tests of its criteria, and the models that judge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter
from typing import Final

import numpy as np

from renyi._random import stream
from renyi.api._foreseen import Seconds, changed, task_of
from renyi.api._session import Session
from renyi.errors import RenyiError, Way
from renyi.evaluation import bootstrap_scores
from renyi.options import MethodOptions
from renyi.selection import Speed, Task, seconds_of

__all__ = ["seconds_by"]

FITTED_ROWS: Final = 400
"""Rows on which two models are fitted to see what one takes; more take longer in proportion."""

FIT: Final = 100.0
"""Operations of a fit, over rows and features, that are possible."""

FEW_RUNS: Final = 20
"""Runs that are named where fewer would be faster."""


def seconds_by(
    session: Session,
    criteria: Sequence[str],
    model: str,
    runs: int,
    limit: int | None,
) -> tuple[float, Seconds, tuple[Way, Seconds]]:
    """Return the operations that a comparison may take, its seconds, and those of fewer runs.

    Parameters
    ----------
    session
        What is searched.
    criteria
        Those compared.
    model, runs
        What judges, and how often.
    limit
        Steps of the path, None for all features.
    """
    fit: list[float] = []

    def seconds(task: Task, speed: Speed, runs: int = runs) -> float:
        if not fit:
            fit.append(_fit_seconds(session, model))
        most = min(limit or task.features, task.options.max_features or task.features)
        path = changed(task, criteria=("none",), min_gain=None, max_features=most)
        found = seconds_of(path, speed)
        for name in criteria:
            found += _tests(changed(task, criteria=(name,), max_features=most), speed)
        sizes = min(most, 80) + 1
        at_once = max(1, task.jobs)
        return found + fit[0] * runs * sizes * task.rows / FITTED_ROWS / at_once

    def with_few(task: Task, speed: Speed) -> float:
        return seconds(task, speed, min(runs, FEW_RUNS))

    task = task_of(session)
    path = changed(task, criteria=("none",), max_features=limit)
    fitted = float(runs) * min(limit or task.features, 80) * task.rows * task.features * FIT
    return path.possible + task.possible + fitted, seconds, (Way("runs", FEW_RUNS), with_few)


def _tests(task: Task, speed: Speed) -> float:
    """Return the seconds of a criterion's tests alone."""
    steps = max(1, round(task.steps(speed)))
    alone: MethodOptions = replace(task.options, criteria=("none",), max_features=steps)
    return max(0.0, seconds_of(task, speed) - seconds_of(replace(task, options=alone), speed))


def _fit_seconds(session: Session, model: str) -> float:
    """Return what one model of half the features takes on a sample of the rows."""
    dataset = session.loaded.dataset
    draw = stream(session.method.seed, "sampled for an estimate of models")
    rows = np.sort(draw.permutation(dataset.n)[:FITTED_ROWS]).astype(np.int64, copy=False)
    sample = dataset.take(rows)
    half = (len(sample.features) + 1) // 2
    began = perf_counter()
    try:
        bootstrap_scores(sample.features[:half], sample.target, [half], model=model, runs=2, jobs=1)
    except RenyiError:  # a rare class that the sample lacks, say: the fits are then left out
        return 0.0
    return (perf_counter() - began) / 2 * FITTED_ROWS / len(rows)
