"""Tables whose truth is known: which columns matter, how much, and how much noise there is.

Sizes, effects and noise were fixed before any selection was run on them. The rule they follow: all
have 400 rows, 20 columns (XOR: 20 beside the two) and true terms each of which the *right* model,
told the columns and the form of their effects, sees at six standard errors or more
(`smallest_effect` computes it). Who looks at
such a table with the right question sees every true column at once, so a user may expect to be
told of it; far smaller effects would ask for luck, far larger ones would ask nothing. Friedman's
problem is taken as published, ten columns and a noise of 1, with 500 rows, and the waveforms with
their 19 columns of noise have 500 rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from renyi import datasets
from validity._tables import Column, Made

__all__ = ["JUDGED", "PROBLEMS", "Problem", "smallest_effect"]

Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int], "Drawn"]

COLUMNS = 20
FLIPPED = 0.1
"""Share of labels that XOR gets wrong."""


class Drawn(NamedTuple):
    """What a problem draws: its columns and the terms of the right model, (rows, terms), with their
    coefficients; or, where y is not made from terms, y itself."""

    columns: dict[str, Column]
    terms: Floats
    target: Column | None = None


@dataclass(frozen=True)
class Problem:
    """A table with known truth.

    Attributes
    ----------
    name, words
        In the store, and on the page.
    rows
        How many.
    true
        Names of the columns that y depends on.
    draw
        What is drawn from a generator and a number of rows.
    noise
        Standard deviation of normal noise around the sum of the terms; None for a binary y with
        logit P(y = 1) that sum.
    all_true
        Whether all true columns can be expected.
    options
        What the run needs beside its method's options, as `renyi.select` takes it.
    """

    name: str
    words: str
    rows: int
    true: tuple[str, ...]
    draw: Draw
    noise: float | None = None
    all_true: bool = True
    options: tuple[tuple[str, object], ...] = ()

    def table(self, rng: np.random.Generator) -> Made:
        """Return one table."""
        drawn = self.draw(rng, self.rows)
        return Made(drawn.columns, drawn.target or _target(rng, drawn.terms, self.noise))


def smallest_effect(problem: Problem, rows: int = 200_000) -> float:
    """Return the least of the right model's terms, in standard errors at the problem's size.

    By the Fisher information of the model with these terms and an intercept, averaged over many
    rows: logistic for a binary y, least squares with the true noise else.
    """
    terms = problem.draw(np.random.default_rng(0), rows).terms
    scales = np.std(terms, axis=0)
    design = np.column_stack([np.ones(rows), terms / scales])
    if problem.noise is None:
        chance = _logistic(terms.sum(axis=1))
        weights = chance * (1 - chance)
    else:
        weights = np.full(rows, problem.noise**-2)
    information = (design * weights[:, None]).T @ design / rows * problem.rows
    errors = np.sqrt(np.diag(np.linalg.inv(information)))[1:]
    return float(np.min(scales / errors))


def _target(rng: np.random.Generator, terms: Floats, noise: float | None) -> Column:
    total = terms.sum(axis=1)
    if noise is not None:
        return Column(total + noise * rng.standard_normal(len(total)))
    return Column((rng.random(len(total)) < _logistic(total)).astype(np.int64), nominal=True)


def _logistic(values: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-values)), dtype=float)


def _normals(rng: np.random.Generator, rows: int, count: int, first: int = 1) -> dict[str, Column]:
    values = rng.standard_normal((rows, count))
    return {f"x{first + j}": Column(values[:, j]) for j in range(count)}


def _linear(rng: np.random.Generator, rows: int) -> Drawn:
    columns = _normals(rng, rows, COLUMNS)
    x1, x2, x3 = (columns[f"x{j}"].values for j in (1, 2, 3))
    return Drawn(columns, np.column_stack([1.5 * x1, 1.25 * x2, 1.0 * x3]))


def _copies(rng: np.random.Generator, rows: int) -> Drawn:
    columns = _normals(rng, rows, 2)
    x1, x2 = columns["x1"].values, columns["x2"].values
    for number in range(4):
        for name, source in (("a", x1), ("b", x2)):
            noisy = source + 0.75 * rng.standard_normal(rows)  # correlation .8
            columns[f"copy{name}{number + 1}"] = Column(noisy)
    columns |= _normals(rng, rows, 10, first=3)
    return Drawn(columns, np.column_stack([1.5 * x1, 1.5 * x2]))


def _nested(rng: np.random.Generator, rows: int) -> Drawn:
    group = rng.integers(0, 2, rows)
    columns = {"group": Column(group, nominal=True), **_normals(rng, rows, COLUMNS - 1)}
    x1, x2 = columns["x1"].values, columns["x2"].values
    main = 2.0 * (group - 0.5)
    return Drawn(columns, np.column_stack([main, 2.0 * x1 * (group == 1), 2.0 * x2 * (group == 0)]))


def _interaction(rng: np.random.Generator, rows: int) -> Drawn:
    columns = _normals(rng, rows, COLUMNS)
    x1, x2 = columns["x1"].values, columns["x2"].values
    return Drawn(columns, np.column_stack([1.1 * x1, 1.1 * x2, 2.0 * x1 * x2]))


def _xor(rng: np.random.Generator, rows: int) -> Drawn:
    a, b = rng.integers(0, 2, (2, rows))
    columns = {"a": Column(a, nominal=True), "b": Column(b, nominal=True)}
    columns |= _normals(rng, rows, 20)
    sign = np.where(a == b, -1.0, 1.0)
    return Drawn(columns, np.log((1 - FLIPPED) / FLIPPED) * sign[:, None])


def _friedman(rng: np.random.Generator, rows: int) -> Drawn:
    x = rng.random((rows, 10))
    columns = {f"x{j + 1}": Column(x[:, j]) for j in range(10)}
    terms = [
        10 * np.sin(np.pi * x[:, 0] * x[:, 1]),
        20 * (x[:, 2] - 0.5) ** 2,
        10 * x[:, 3],
        5 * x[:, 4],
    ]
    return Drawn(columns, np.column_stack(terms))


def _waveform(rng: np.random.Generator, rows: int) -> Drawn:
    frame = datasets.generate("waveform_noise", rows, seed=int(rng.integers(2**31)))
    columns = {name: Column(frame[name].to_numpy()) for name in frame.columns[:-1]}
    target = Column(frame["class"].to_numpy(), nominal=True)
    return Drawn(columns, np.empty((rows, 0)), target)


JUDGED = (
    Problem(
        "linear",
        "20 standard normal columns; logit P(y = 1) = 1.5 x1 + 1.25 x2 + x3",
        400,
        ("x1", "x2", "x3"),
        _linear,
    ),
    Problem(
        "copies",
        "x1 and x2 standard normal, logit P(y = 1) = 1.5 x1 + 1.5 x2; four noisy copies of each "
        "(noise of standard deviation .75, correlation .8) and ten columns of noise. A copy that "
        "enters once x1 and x2 are in counts as false: given them it says nothing of y",
        400,
        ("x1", "x2"),
        _copies,
    ),
    Problem(
        "nested",
        "a group of two levels and 19 standard normal columns; logit P(y = 1) = 1 + 2 x1 in one "
        "group, -1 + 2 x2 in the other",
        400,
        ("group", "x1", "x2"),
        _nested,
    ),
    Problem(
        "interaction",
        "20 standard normal columns; logit P(y = 1) = 1.1 x1 + 1.1 x2 + 2 x1 x2",
        400,
        ("x1", "x2"),
        _interaction,
    ),
    Problem(
        "xor",
        "a and b are fair coins, y says whether they differ, 10% of the labels are wrong; 20 "
        "standard normal columns of noise. Neither coin says anything alone: with a look-ahead of "
        "two",
        400,
        ("a", "b"),
        _xor,
        options=(("lookahead", 2),),
    ),
    Problem(
        "friedman",
        "Friedman (1991), the first: ten uniform columns, y = 10 sin(pi x1 x2) + 20 (x3 - .5)^2 + "
        "10 x4 + 5 x5 plus normal noise of standard deviation 1",
        500,
        ("x1", "x2", "x3", "x4", "x5"),
        _friedman,
        noise=1.0,
    ),
)
"""The six that are judged by both rules: all true columns found, no false one after them."""

PROBLEMS = (
    *JUDGED,
    Problem(
        "waveform",
        "Breiman's waveforms in three classes, x2 to x20 with signal, x1, x21 and 19 further "
        "columns of noise alone. All 19 cannot be told apart at 500 rows and none is asked to be: "
        "any column of noise counts as false, whenever it enters",
        500,
        tuple(f"x{j}" for j in range(2, 21)),
        _waveform,
        all_true=False,
    ),
)
