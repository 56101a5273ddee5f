"""Tables in which nothing is to be found: y is independent of every candidate.

Columns, of which the first F are taken:

continuous  independent standard normal.
discrete    independent nominal columns of 2, 3, 4, 5, 2, ... levels; level k has a chance in
            proportion to 1 / k.
mixed       in turn: standard normal, exponential, nominal with chances 1/2, 1/3, 1/6, and Poisson
            counts of mean 2, taken as numbers.
correlated  standard normal, each with correlation .9 to the one before it.

The target is a fair coin. Further cells have other targets, or a step that is not the first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from validity._tables import Column, Made

__all__ = [
    "BASIC",
    "COUNTS",
    "GENERATORS",
    "LATER",
    "OTHER_TARGETS",
    "ROWS",
    "Columns",
    "Null",
    "Target",
    "coin",
    "named",
]

COUNTS = (1, 5, 20, 50, 200)
ROWS = (50, 100, 400)

Columns = Callable[[np.random.Generator, int, int], list[Column]]
Target = Callable[[np.random.Generator, int], Column]


def _continuous(rng: np.random.Generator, n: int, count: int) -> list[Column]:
    return [Column(values) for values in rng.standard_normal((count, n))]


def _discrete(rng: np.random.Generator, n: int, count: int) -> list[Column]:
    return [_levels(rng, n, 1 / np.arange(1, 3 + j % 4)) for j in range(count)]


def _mixed(rng: np.random.Generator, n: int, count: int) -> list[Column]:
    kinds = (
        lambda: Column(rng.standard_normal(n)),
        lambda: Column(rng.exponential(size=n)),
        lambda: _levels(rng, n, np.array([3.0, 2.0, 1.0])),
        lambda: Column(rng.poisson(2, n).astype(float)),
    )
    return [kinds[j % 4]() for j in range(count)]


def _correlated(rng: np.random.Generator, n: int, count: int) -> list[Column]:
    values = rng.standard_normal((count, n))
    for j in range(1, count):
        values[j] = 0.9 * values[j - 1] + np.sqrt(1 - 0.9**2) * values[j]
    return [Column(row) for row in values]


def _levels(rng: np.random.Generator, n: int, weights: np.ndarray) -> Column:
    return Column(rng.choice(len(weights), n, p=weights / weights.sum()), nominal=True)


GENERATORS: dict[str, Columns] = {
    "continuous": _continuous,
    "discrete": _discrete,
    "mixed": _mixed,
    "correlated": _correlated,
}


def coin(rng: np.random.Generator, n: int) -> Column:
    """Return n tosses of a fair coin."""
    return Column(rng.integers(0, 2, n), nominal=True)


OTHER_TARGETS: dict[str, tuple[str, Target]] = {
    "three": (
        "three classes, chances .5, .3, .2",
        lambda rng, n: _levels(rng, n, np.array([5.0, 3, 2])),
    ),
    "rare": (
        "two classes, one with a chance of .1",
        lambda rng, n: _levels(rng, n, np.array([9.0, 1])),
    ),
    "normal": ("a standard normal target", lambda rng, n: Column(rng.standard_normal(n))),
    "heavy": (
        "a target of Student's t with 3 degrees of freedom",
        lambda rng, n: Column(rng.standard_t(3, n)),
    ),
}


@dataclass(frozen=True)
class Null:
    """A table without a false hypothesis at the step that is looked at.

    Attributes
    ----------
    name, words
        In the store, and on the page.
    kind
        The generator's name, or what makes the cell a further one.
    rows, count
        Rows and candidates.
    draw
        Makes the table.
    keep
        Columns forced in before the step that is looked at.
    judged
        Whether it is one of the cells that the promise is about.
    """

    name: str
    words: str
    kind: str
    rows: int
    count: int
    draw: Callable[[np.random.Generator], Made]
    keep: tuple[str, ...] = ()
    judged: bool = field(default=True)


def _first_step(kind: str, rows: int, count: int) -> Null:
    def draw(rng: np.random.Generator) -> Made:
        return named(GENERATORS[kind](rng, rows, count), coin(rng, rows))

    words = f"{kind}, {rows} rows, F = {count}"
    return Null(f"{kind}-{rows}-{count}", words, kind, rows, count, draw)


def _other_target(kind: str, rows: int, count: int) -> Null:
    words, target = OTHER_TARGETS[kind]

    def draw(rng: np.random.Generator) -> Made:
        return named(_mixed(rng, rows, count), target(rng, rows))

    told = f"{words}; {count} mixed columns, {rows} rows"
    return Null(f"target-{kind}", told, kind, rows, count, draw, judged=False)


def _later_step(kind: str, rows: int, count: int) -> Null:
    """Return a table in which y depends on x1 alone, and x1 is in."""

    def draw(rng: np.random.Generator) -> Made:
        x1 = rng.standard_normal(rows)
        rest = rng.standard_normal((count, rows))
        if kind == "correlated":
            rest = 0.8 * x1 + 0.6 * rest
        y = rng.random(rows) < 1 / (1 + np.exp(-2 * x1))
        target = Column(y.astype(np.int64), nominal=True)
        return named([Column(x1), *map(Column, rest)], target)

    words = f"{count} columns {LATER[kind]}, {rows} rows"
    name = f"later-{kind}-{rows}"
    return Null(name, words, kind, rows, count, draw, keep=("x1",), judged=False)


def named(columns: list[Column], target: Column) -> Made:
    """Return a table of columns x1, x2, ..."""
    return Made({f"x{j}": column for j, column in enumerate(columns, start=1)}, target)


LATER = {
    "independent": "independent of x1 and of y",
    "correlated": "that are x1 with noise (correlation .8), independent of y given x1",
}


def _all() -> Iterator[Null]:
    for count in COUNTS:
        for rows in ROWS:
            for kind in GENERATORS:
                yield _first_step(kind, rows, count)
    for kind in OTHER_TARGETS:
        yield _other_target(kind, 100, 20)
    for kind in LATER:
        for rows in (100, 400):
            yield _later_step(kind, rows, 20)


BASIC = tuple(_all())
