"""A bandwidth chosen by the data, with a test that knows of the choice.

For each sigma of a grid the largest gain of the first step over all features, G(sigma), is compared
with those of shuffled copies, all features in one order of rows each. The standardised gain is
(G(sigma) - m) / s, with mean m and standard deviation s of the copies, and the sigma of the largest
is taken.

The choice has looked at the target, so a test at the chosen sigma alone would be too easy to pass.
Under the hypothesis that the features are independent of the target (given kept features: of both)
the data and the copies are exchangeable. So are the maxima over sigma of their gains standardised
over data and copies alike, and the share of copies that reach the data's maximum is a valid p-value
(Westfall and Young, Resampling-Based Multiple Testing, 1993, section 2.3, for maxima over tests;
here the tests are the bandwidths). Both ways to standardise put the bandwidths in one order: the
one is an increasing function of the other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np

from renyi._random import stream
from renyi._typing import FloatArray, IntArray
from renyi.backend import Backend
from renyi.bounds import Question
from renyi.information import Computation, SetEntropies
from renyi.kernels import KernelModel
from renyi.options import MethodOptions
from renyi.resampling import joint_orders, sampled_rows
from renyi.selection.records._bandwidth_record import BandwidthChoice, BandwidthTrial
from renyi.variables import Dataset, RowStructure

__all__ = ["choose_bandwidth"]

GRID: Final = (0.5, 1.0, 2.0, 3.0, 5.0)
"""Sigmas on standardised values: from local to nearly linear."""

COPIES: Final = 59
"""Shuffled copies: three of them may reach the data's value at level 0.05."""

MOST_ROWS: Final = 1000
"""Rows on which the choice is made: a sample of so many tells which width suits."""

GAIN_BITS: Final = 1e-5
"""Error of a gain, far below the spread of those of copies."""

TIE: Final = 0.01
"""Standardised gains that differ by less count as equal, against the data: it is above what
`GAIN_BITS` may cause."""


def choose_bandwidth(
    dataset: Dataset,
    options: MethodOptions,
    backend: Backend,
    *,
    keep: Sequence[int] = (),
    jobs: int | None = None,
    max_memory: int | None = None,
    tick: Callable[[int, int], None] = lambda done, total: None,  # noqa: ARG005
) -> BandwidthChoice:
    """Choose the bandwidth of which the first step says most.

    Parameters
    ----------
    dataset
        The typed columns.
    options
        The method; its `bandwidth` is put aside, columns with their own keep it.
    backend, jobs, max_memory
        How the work is done.
    keep
        Column numbers that are forced in: the gain is what others add to them.
    tick
        Called with (done, total) features over all bandwidths, on the calling thread.
    """
    rows = _rows(dataset.structure, dataset.n, options.seed)
    some = dataset if len(rows) == dataset.n else dataset.take(rows)
    copies = max(COPIES, math.ceil(1 / options.significance) - 1)
    orders = [np.arange(some.n)]
    orders += joint_orders(some.structure, some.n, options.seed, "bandwidth", range(copies))
    candidates = [j for j in range(len(dataset.features)) if j not in set(keep)]
    total = len(GRID) * len(candidates)
    best, leaders = [], []
    for place, sigma in enumerate(GRID):
        entropies = SetEntropies(
            Computation.of(
                KernelModel.build(some, replace(options, bandwidth=sigma)),
                options.alpha,
                backend,
                solver=options.solver,
                tolerance=options.tolerance,
                jobs=jobs,
                max_memory=max_memory,
            )
        )
        done = place * len(candidates)
        gains = _gains(entropies, keep, candidates, orders, partial(_report, tick, done, total))
        best.append(gains.max(axis=0))
        leaders.append(candidates[int(gains[:, 0].argmax())])
    return _chosen(np.stack(best), [dataset.names[j] for j in leaders], len(rows))


def _report(tick: Callable[[int, int], None], before: int, total: int, done: int) -> None:
    tick(before + done, total)


def _rows(structure: RowStructure | None, n: int, seed: int) -> IntArray:
    if n <= MOST_ROWS:
        return np.arange(n)
    draw = stream(seed, "bandwidth rows")
    if structure is not None:
        return sampled_rows(structure, n, MOST_ROWS, draw)
    drawn = draw.choice(n, MOST_ROWS, replace=False)
    return np.sort(drawn).astype(np.int64)


def _gains(
    entropies: SetEntropies,
    keep: Sequence[int],
    candidates: Sequence[int],
    orders: Sequence[IntArray],
    tick: Callable[[int], None],
) -> FloatArray:
    """Return the gain of each candidate (rows) in each order (columns), bits."""
    known = entropies.mutual_information(entropies.pair(keep)) if keep else 0.0
    question = Question(max(GAIN_BITS, entropies.computation.tolerance))
    gains = np.empty((len(candidates), len(orders)))
    for place, candidate in enumerate(candidates):
        pairs = entropies.replicates(keep, candidate, orders, _untold, question)
        gains[place] = [entropies.mutual_information(pair) - known for pair in pairs]
        tick(place + 1)
    return gains


def _untold(done: int) -> None:
    """Take a report of a few milliseconds' work."""


def _chosen(best: FloatArray, leaders: Sequence[str], rows: int) -> BandwidthChoice:
    """Choose by the largest gains (bandwidths, 1 + copies), those of the data first."""
    copies = best.shape[1] - 1
    largest = _standardised(best, best).max(axis=0)
    reached = int((largest[1:] >= largest[0] - TIE).sum())
    standardised = _standardised(best[:, :1], best[:, 1:])[:, 0]
    trials = tuple(
        BandwidthTrial(
            sigma=sigma,
            feature=leaders[k],
            gain=float(best[k, 0]),
            null_mean=float(best[k, 1:].mean()),
            null_sd=float(best[k, 1:].std()),
            standardised=float(standardised[k]),
        )
        for k, sigma in enumerate(GRID)
    )
    return BandwidthChoice(
        sigma=GRID[int(standardised.argmax())],
        trials=trials,
        p_value=(reached + 1) / (copies + 1),
        copies=copies,
        rows=rows,
    )


def _standardised(gains: FloatArray, among: FloatArray) -> FloatArray:
    """Return (gain - mean) / standard deviation, row by row; 0 where nothing varies."""
    mean, sd = among.mean(axis=1, keepdims=True), among.std(axis=1, keepdims=True)
    varies = sd > GAIN_BITS * TIE
    return np.asarray(np.where(varies, (gains - mean) / np.where(varies, sd, 1.0), 0.0))
