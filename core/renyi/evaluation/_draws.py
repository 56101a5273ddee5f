"""Bootstrap draws: which rows train a model and which test it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from renyi._random import stream
from renyi._typing import FloatArray, IntArray
from renyi.errors import DataError
from renyi.variables import Kind, RowStructure, Variable

__all__ = ["Draw", "bootstrap_draw", "is_number"]

PURPOSE: Final = "bootstrap"

MOST_ATTEMPTS: Final = 1000
"""Draws tried for one that can be used. Of a table with two rows of each of two classes every
third draw can be; more misses than this say that none can be."""


@dataclass(frozen=True, eq=False)
class Draw:
    """The rows of one bootstrap run.

    Attributes
    ----------
    train
        Row numbers drawn with replacement, in the order drawn: n of them unless whole groups of
        unequal size are drawn.
    test
        Row numbers that were never drawn, ascending.
    """

    train: IntArray
    test: IntArray


def bootstrap_draw(
    target: Variable,
    seed: int,
    run: int,
    weights: FloatArray | None = None,
    structure: RowStructure | None = None,
) -> Draw:
    """Return the draw of one run: n rows with replacement train, the rows never drawn test.

    A draw that leaves no row for testing, or whose training rows all have one target value, trains
    and tests nothing: the run is drawn again from its next stream (where a number is predicted, the
    test rows must have two values as well, or R^2 is undefined). A class that merely is not
    among the training rows stays missing: its test rows count as they are predicted, wrong.

    Parameters
    ----------
    target
        What is to be predicted, n rows.
    seed
        The user's seed.
    run
        The run's number, from 0; a draw depends on (seed, run) alone.
    weights
        (n,) in proportion to which rows are drawn, None for all alike.
    structure
        Which rows belong together: as many groups as there are are then drawn with replacement,
        each with all its rows; or blocks of consecutive rows (Kuensch, Ann. Statist. 17, 1989).

    Raises
    ------
    DataError
        If the table is too small or the target too uniform for any draw.
    """
    n = target.n
    for attempt in range(MOST_ATTEMPTS):
        drawing = stream(seed, PURPOSE, run, attempt)
        train = _drawn(drawing, n, weights, structure)
        drawn = np.zeros(n, dtype=np.bool_)
        drawn[train] = True
        test = np.flatnonzero(~drawn)
        judged = target.codes[test]
        varied = np.ptp(judged) > 0 if is_number(target) and len(test) else len(test) > 0
        if varied and np.ptp(target.codes[train]) > 0:
            return Draw(train.astype(np.int64, copy=False), test.astype(np.int64, copy=False))
    raise DataError(
        f"A bootstrap of the target `{target.name}` must draw two different values and leave a row "
        f"for testing, which {n} rows with {target.distinct} distinct values did not.",
        "Use more rows.",
    )


def _drawn(
    drawing: np.random.Generator,
    n: int,
    weights: FloatArray | None,
    structure: RowStructure | None,
) -> IntArray:
    """Return the rows of one draw, in the order drawn."""
    if structure is None:
        if weights is None:
            return drawing.integers(n, size=n)
        return drawing.choice(n, size=n, p=weights / weights.sum())
    if structure.groups is not None:
        codes = structure.groups.codes
        rows = np.split(np.argsort(codes, kind="stable"), np.cumsum(np.bincount(codes))[:-1])
    else:
        length = min(structure.blocks or 1, n)
        rows = [np.arange(start, start + length) for start in range(n - length + 1)]
    size = len(rows) if structure.groups is not None else -(-n // len(rows[0]))
    if weights is None:
        come = drawing.integers(len(rows), size=size)
    else:  # by what a row of theirs counts in the mean
        means = np.array([weights[some].mean() for some in rows])
        come = drawing.choice(len(rows), size=size, p=means / means.sum())
    drawn = np.concatenate([rows[k] for k in come])
    return drawn if structure.groups is not None else drawn[:n]


def is_number(target: Variable) -> bool:
    """Whether a target is predicted as a number; the levels of any other are classes."""
    return target.kind is Kind.CONTINUOUS
