"""Further tables in which nothing is to be found, of kinds that the grid of `_null` leaves out.

FURTHER are judged as the grid is: y is independent of all columns and rows are exchangeable.
In DEPENDENT they are not: the rows hang together, in time or in subjects, as much in the columns as
in y, and shuffled rows do not.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from validity._null import BASIC, GENERATORS, Columns, Null, Target, coin, named
from validity._tables import Column, Made

__all__ = ["DEPENDENT", "FURTHER", "KINDS", "NULLS"]

Floats = NDArray[np.float64]

SMALL = ((30, 1), (30, 5), (30, 20))
AMONG_OTHERS = ((30, 5), (100, 1), (100, 20))
"""Rows and candidates."""


def _one_of_levels(levels: int) -> Columns:
    """Return a nominal column of equally likely levels, then numbers, each third of three names."""

    def columns(rng: np.random.Generator, n: int, count: int) -> list[Column]:
        rest = [
            Column(rng.integers(0, 3, n), nominal=True)
            if j % 3 == 0
            else Column(rng.standard_normal(n))
            for j in range(1, count)
        ]
        return [Column(rng.integers(0, levels, n), nominal=True), *rest]

    return columns


def _heavy(rng: np.random.Generator, n: int, count: int) -> list[Column]:
    return [Column(values) for values in rng.standard_t(1.5, (count, n))]


def _binary(rng: np.random.Generator, n: int, count: int) -> list[Column]:
    return [Column(values.astype(float)) for values in rng.integers(0, 2, (count, n))]


def _near_copies(rng: np.random.Generator, n: int, count: int) -> list[Column]:
    """Return in turn a number, one of correlation .999 to it, another, the same to one digit."""
    found: list[Column] = []
    while len(found) < count:
        x, z, noise = rng.standard_normal((3, n))
        copy = 0.999 * x + np.sqrt(1 - 0.999**2) * noise
        found += [Column(x), Column(copy), Column(z), Column(np.round(z, 1))]
    return found[:count]


def _share(rare: float) -> Target:
    """Return classes of fixed sizes in random order: no table is without its rare class."""

    def target(rng: np.random.Generator, n: int) -> Column:
        return Column(rng.permutation(np.arange(n) < round(rare * n)).astype(np.int64), True)

    return target


KINDS: dict[str, tuple[str, Columns, Target, tuple[tuple[int, int], ...]]] = {
    **{
        f"levels-{levels}": (
            f"a nominal column of {levels} categories, other columns",
            _one_of_levels(levels),
            coin,
            AMONG_OTHERS,
        )
        for levels in (5, 15, 40)
    },
    "classes-80-20": ("classes 80 to 20", GENERATORS["mixed"], _share(0.2), AMONG_OTHERS),
    "classes-95-5": ("classes 95 to 5", GENERATORS["mixed"], _share(0.05), AMONG_OTHERS),
    "heavy": ("heavy tails", _heavy, coin, AMONG_OTHERS),
    "binary": ("zeros and ones", _binary, coin, AMONG_OTHERS),
    "near-copies": ("near copies", _near_copies, coin, ((30, 5), (100, 5), (100, 20))),
    "few-continuous": ("continuous, few rows", GENERATORS["continuous"], coin, SMALL),
    "few-mixed": ("mixed, few rows", GENERATORS["mixed"], coin, SMALL),
}
"""Name: words, columns, target, sizes."""


def _further() -> Iterator[Null]:
    for kind, (words, columns, target, sizes) in KINDS.items():
        for rows, count in sizes:
            yield _null(kind, f"{words}, {rows} rows, F = {count}", rows, count, columns, target)


def _null(kind: str, words: str, rows: int, count: int, columns: Columns, target: Target) -> Null:
    def draw(rng: np.random.Generator) -> Made:
        return named(columns(rng, rows, count), target(rng, rows))

    return Null(f"{kind}-{rows}-{count}", words, kind, rows, count, draw)


def _series(rng: np.random.Generator, n: int) -> Floats:
    """Return an autoregression of order 1 and coefficient .9, begun in its stationary law."""
    values = rng.standard_normal(n)
    for i in range(1, n):
        values[i] = 0.9 * values[i - 1] + np.sqrt(1 - 0.9**2) * values[i]
    return values


SUBJECTS, TIMES = 30, 6


def _of_subjects(rng: np.random.Generator) -> Floats:
    """Return one standard normal value a subject, each with noise of .5 at six times."""
    of_subject = np.repeat(rng.standard_normal(SUBJECTS), TIMES)
    return np.asarray(of_subject + 0.5 * rng.standard_normal(SUBJECTS * TIMES))


def _in_time(rng: np.random.Generator) -> Made:
    return named([Column(_series(rng, 100)) for _ in range(5)], Column(_series(rng, 100)))


def _in_subjects(rng: np.random.Generator) -> Made:
    return named([Column(_of_subjects(rng)) for _ in range(10)], Column(_of_subjects(rng)))


def _classes_of_subjects(rng: np.random.Generator) -> Made:
    classes = np.repeat(rng.permutation(SUBJECTS) % 2, TIMES)
    return named([Column(_of_subjects(rng)) for _ in range(10)], Column(classes, nominal=True))


DEPENDENT = (
    Null(
        "rows-in-time",
        "5 columns and y, each an autoregression of coefficient .9; 100 rows",
        "dependent",
        100,
        5,
        _in_time,
        judged=False,
    ),
    Null(
        "rows-in-subjects",
        "10 columns and y, each a value of the subject with noise of .5; 30 subjects, 6 rows each",
        "dependent",
        SUBJECTS * TIMES,
        10,
        _in_subjects,
        judged=False,
    ),
    Null(
        "classes-of-subjects",
        "the same columns, y the class of the subject",
        "dependent",
        SUBJECTS * TIMES,
        10,
        _classes_of_subjects,
        judged=False,
    ),
)

FURTHER = tuple(_further())
NULLS = (*BASIC, *FURTHER, *DEPENDENT)
