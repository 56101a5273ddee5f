"""How long a search takes, by its numbers alone: seconds of one core of a machine we measured on.

Only orders of magnitude and how they grow are meant to be right. What a table does to them, and
another machine, is told by the same search on few rows, see `renyi.api`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

__all__ = ["Plan", "seconds_of"]

Drawn = Literal["none", "copies", "all"]

PAIR: Final = 17e-9
"""Seconds a pair of rows: a kernel value at order 2, and its place in the sums of its row."""

PAIR_COLUMN: Final = 1.2e-10
"""Seconds a pair of rows and column of factors that are multiplied into it."""

ROW_COLUMN: Final = 7e-8
"""Seconds a row and column of factors, where the Gram of what is selected has a factor itself."""

NUMERIC: Final = 2.5
"""Times as long as that takes at order 2 with a target of numbers."""

FACTORED_STEPS: Final = 2.5
"""Steps whose Gram mostly has a factor: there is no pass over pairs of rows."""

SQUARE: Final = 7e-8
"""Seconds of a value of `FULL_STEPS` features at other orders, a squared row."""

CLOSE: Final = 20
FAR_SHARE: Final = 0.4
"""Candidates that may be the best, and what the others take of their time: wide bounds do."""

FULL_STEPS: Final = 6
"""Features from which the rank of a product hardly grows."""

CUBE: Final = 5e-11
"""Seconds of H(y | all features) at other orders, a cubed row."""

DENSE: Final = 1.5e-10
"""Seconds of both spectra of a value by the solvers without shortcuts, a cubed row."""

CALL: Final = 2e-4
"""Seconds a value, however small."""

COPY_CALL: Final = 4e-3
"""Seconds a draw at order 2, however small."""

LONE_CALL: Final = 8e-3
"""The same at other orders, beyond `STACKED_ROWS`: bounds by factors are many short calls."""

STACKED_ROWS: Final = 192
"""Rows up to which values are solved many at once."""

STEP: Final = 0.05
"""Seconds a step, however small."""

ALONE: Final = 0.15
"""Share of the work that further threads do not make faster."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A search in numbers.

    Attributes
    ----------
    rows
        Distinct rows, which are what a Gram has.
    columns
        Candidates of the first step.
    steps
        Steps until it ends.
    width
        Columns that the factor of a candidate has, on average.
    alpha
        Order.
    drawn
        What is shuffled in each draw: nothing, a copy of one feature, or all candidates.
    draws
        Draws of a step, on average.
    whole
        Whether H(y | all features) is asked for with every draw; at other orders that mostly is not
        needed.
    numeric
        Whether the target is one of numbers: its kernel is soft, and sums with it are others.
    shortcuts
        Whether the solver may take any.
    threads
        Worker threads.
    """

    rows: int
    columns: int
    steps: float
    width: float = 7.0
    alpha: float = 2.0
    drawn: Drawn = "none"
    draws: float = 0.0
    whole: bool = False
    numeric: bool = False
    shortcuts: bool = True
    threads: int = 1


def seconds_of(plan: Plan) -> float:
    """Return the seconds that a search takes.

    Examples
    --------
    >>> round(seconds_of(Plan(rows=10_000, columns=20, steps=20)))
    21
    """
    left = [max(plan.columns - k, 1) for k in range(max(1, round(plan.steps)))]
    share = plan.steps / len(left)
    if not plan.shortcuts:
        found = share * sum(_dense(plan, columns) for columns in left)
    elif plan.alpha == 2:
        found = share * sum(_squares(plan, k, columns) for k, columns in enumerate(left))
    else:
        found = share * sum(_others(plan, k, columns) for k, columns in enumerate(left))
        found += CUBE * float(plan.rows) ** 3
    return (found + plan.steps * STEP) * (ALONE + (1 - ALONE) / max(plan.threads, 1))


def _squares(plan: Plan, step: int, columns: int) -> float:
    """Return the seconds of a step at order 2: passes over pairs of rows, or over factors."""
    pairs = plan.rows**2 / 2
    width = plan.width * columns
    by_pairs = min(max(step + 1 - FACTORED_STEPS, 0.0), 1.0)
    shuffled = 0.0
    if plan.drawn == "copies":
        shuffled = plan.draws * plan.width
    elif plan.drawn == "all":
        shuffled = plan.draws * width
    found = by_pairs * pairs * (PAIR + PAIR_COLUMN * (width + shuffled))
    found += ROW_COLUMN * plan.rows * (width + shuffled)
    if plan.whole:  # of every copy, among all features
        found += pairs * (PAIR + PAIR_COLUMN * shuffled)
    return found * (NUMERIC if plan.numeric else 1) + CALL * columns + COPY_CALL * plan.draws


def _others(plan: Plan, step: int, columns: int) -> float:
    """Return the seconds of a step at other orders: bounds by factors of a rank that grows."""
    rank = min((step + 1) / FULL_STEPS, 1.0)
    call = LONE_CALL if plan.rows > STACKED_ROWS else CALL
    close = min(columns, CLOSE) + FAR_SHARE * max(columns - CLOSE, 0)
    square = rank * SQUARE * float(plan.rows) ** 2
    return _values(plan, columns) * call + _values(plan, close) * square


def _dense(plan: Plan, columns: int) -> float:
    """Return the seconds of a step by the eigenvalues of all that is asked."""
    return _values(plan, columns) * (DENSE * float(plan.rows) ** 3 + CALL)


def _values(plan: Plan, columns: float) -> float:
    """Return how many conditional entropies a step takes."""
    if plan.drawn == "copies":
        return columns + plan.draws
    return columns * (1 + plan.draws) if plan.drawn == "all" else columns
