"""How long a search will take, told before it begins.

Most of a search is one of two things. At order 2 it is passes over pairs of rows, whose operations
are counted. At other orders it is pairs of entropies, whose time grows with the cube of the rows,
or in proportion to them where a factor serves. What one of them takes is timed on a sample
(`_speed`). How many steps there will be is guessed from how many columns stand out alone: nobody
can know before. Constants without a source are what fits the runs of `benchmarks/estimate.py`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from renyi.information import FEWEST_LISTED
from renyi.options import CRITERIA, MethodOptions, beam_width, draw_rule
from renyi.order2 import operations_of
from renyi.selection._speed import Speed

__all__ = ["Task", "seconds_of"]

REACH: Final = {"cmi-max": 1.0, "mi-perm": 1.0, "cmi-local": 0.7, "cmi-heuristic": 0.6}
"""Share of the columns that stand out after which a criterion stops, .5 where nothing is said."""

MOST_STEPS: Final = 5.0
"""Steps over the square root of the number of columns: of many, those left soon add nothing."""

FEW: Final = 4.0
"""Columns that are taken to matter where a sample of thousands shows none."""

LONG: Final = 4096
DOUBLE: Final = 2.0
"""Rows up to which passes are in double precision, and what these take more."""

EXACT: Final = 2.0
ROUGH: Final = 0.12
CUBE: Final = 2.0
"""Of each step at another order than 2: pairs of entropies that are worked out to the end, and what
a bound on one of the others takes of that; operations of a pair, over the rows cubed."""

DRAWN: Final = 0.35
JOINT: Final = 0.9
"""What a replicate takes of a pair of entropies: bounds decide most. One of all candidates together
takes so much of that for each."""

USUAL_COLUMNS: Final = 12.0
"""Columns of a candidate's factor before anything was looked at."""

OTHERS: Final = 0.7
"""What a pass over the Gram of all others takes where one column is permuted beside them, of one
over as many that is made for its own sake."""

JUDGED: Final = 8
PLAIN: Final = 12
OPEN: Final = (12, 30, 10)
"""Replicates of the test that ends a search; of one that is passed plainly by few; and, at order 2,
of the last test of all, of that before it and of the one before that: those before are plain."""

TOGETHER: Final = 16
"""Replicates that share the making of tiles."""

UNSHARED: Final = 3.0
"""What a set of its own takes over a pass that many candidates share."""

EXPLAINED_ROWS: Final = 50_000
LISTED_SHARE: Final = 0.5
"""What a replicate with a short list takes of all products."""

SETUP: Final = 2.0
"""Rows up to which one more pass explains what is not selected; seconds of all the rest."""


COUNT: Final = 100.0
"""Operations for which counting one row of one column stands."""

COUNTED: Final = 5e-9
"""Seconds that it takes."""


@dataclass(frozen=True, slots=True)
class Task:
    """A search in numbers.

    Attributes
    ----------
    rows, features
        Of the table.
    jobs
        Workers.
    options
        The method.
    whole
        Whether H(y given all features) is computed.
    counted
        Whether everything is a matter of levels, which are counted.
    """

    rows: int
    features: int
    jobs: int
    options: MethodOptions
    whole: bool
    counted: bool = False

    @property
    def possible(self) -> float:
        """Operations that it may take, from its sizes alone: no look at the table."""
        n, f = float(self.rows), float(self.features)
        steps = min(self.options.max_features or math.inf, f, MOST_STEPS * math.sqrt(f))
        width = beam_width(self.options.search)
        more = float(sum(count for _, count in _sets(self, int(steps))))
        if self.options.alpha == 2:
            forward = 80 * steps + USUAL_COLUMNS * f * (steps + sum(OPEN))
            return n * n / 2 * (width * forward + 80 * more)
        more += (width - 1) * steps * f
        drawn = DRAWN * steps * draw_rule(self.options.permutations).most
        tests = any(CRITERIA[name].permutes for name in self.options.criteria)
        if self.counted:
            return COUNT * n * f * (steps + drawn * tests)
        return CUBE * n**3 * (steps * (EXACT + ROUGH * f) + drawn * tests + more)

    def steps(self, speed: Speed) -> float:
        """Return how many steps there will be, as far as can be guessed."""
        limit = float(min(self.options.max_features or math.inf, self.features))
        if "none" in self.options.criteria and self.options.min_gain is None:
            return limit
        share = min(REACH.get(name, 0.5) for name in (*self.options.criteria, "cmi-max"))
        found = share * max(speed.informative * self.features, min(FEW, self.features / 10))
        return max(1.0, min(found + 1, MOST_STEPS * math.sqrt(self.features), limit))


def seconds_of(task: Task, speed: Speed) -> float:
    """Return how many seconds a search will take.

    Parameters
    ----------
    task
        What is to be done.
    speed
        What was seen on a sample.
    """
    steps = max(1, round(task.steps(speed)))
    if task.counted:
        drawn = sum(_replicates(task, steps, step)[0] for step in range(1, steps + 1))
        return SETUP + COUNTED * task.rows * task.features * (steps + drawn)
    width, sets = beam_width(task.options.search), _sets(task, steps)
    if task.options.alpha == 2:
        found = width * _operations(task, speed, steps)
        each = (count * _pass(task, speed, size, speed.columns) for size, count in sets)
        found += UNSHARED * sum(each)
        return SETUP + speed.operation * found
    at_once = 1 + 0.8 * (task.jobs - 1)
    by_chance = 17.0 if task.options.rank == "chance" else 1.0
    more = sum(count * _pair(task, speed, size) * by_chance for size, count in sets)
    return SETUP + width * _of_pairs(task, speed, steps) + more / at_once


def _sets(task: Task, steps: int) -> list[tuple[int, int]]:
    """Return the sizes of the sets that a search looks at besides forward steps, and how many.

    Floating and a beam look at each set without each of its features, backward at all features and
    down from there.
    """
    name, largest = task.options.search.partition(":")[0], task.features
    if name == "forward":
        return []
    if name == "backward":
        return [(size - 1, size) for size in range(max(steps - 1, 1), largest + 1)]
    width = beam_width(task.options.search)
    each = [(size - 1, size) for size in range(2, steps + 1)]
    return each + ([(size, width**2) for size in range(1, steps + 1)] if width > 1 else [])


def _replicates(task: Task, steps: int, step: int) -> tuple[float, str]:
    """Return how many replicates a step's test takes, and what a criterion permutes."""
    drawn, permutes = 0.0, ""
    rule = draw_rule(task.options.permutations)
    for name in task.options.criteria:
        traits = CRITERIA[name]
        if not traits.permutes:
            continue
        permutes = str(traits.permutes)
        # of one column alone no draw is spared, nor at other orders than 2
        spares = rule.name == "auto" and traits.purpose and task.options.alpha == 2
        passed = PLAIN if spares else rule.most
        drawn += passed if step < steps else min(JUDGED, rule.most)
    return drawn, permutes


def _operations(task: Task, speed: Speed, steps: int) -> float:
    """Return the operations of a search at order 2."""
    n = float(task.rows)
    double = 1.0 if n > LONG else DOUBLE
    found = 0.0
    for step in range(1, steps + 1):
        left = task.features - step + 1
        columns = left * speed.columns * (1 - speed.slow)
        found += double * _pass(task, speed, step - 1, columns)
        found += 2 * DOUBLE * left * speed.slow * _pass(task, speed, step - 1, 0.0)
        if n <= LONG:  # the best two to the end
            found += DOUBLE * _pass(task, speed, step - 1, 2 * speed.columns)
        found += _of_replicates(task, speed, steps, step, columns)
    if n > LONG:  # what the last step adds comes out of the pass after it
        found += _pass(task, speed, steps, (task.features - steps) * speed.columns)
    if task.whole:
        share = task.options.pairs or 1.0
        found += 2 * DOUBLE * operations_of(int(share * n * n / 2), 0)
    if task.options.pairs is None and n <= EXPLAINED_ROWS and steps < task.features:
        found += _pass(task, speed, steps, (task.features - steps) * speed.columns)
    return found


def _of_replicates(task: Task, speed: Speed, steps: int, step: int, columns: float) -> float:
    """Return the operations of a step's replicates."""
    drawn, permutes = _replicates(task, steps, step)
    if not drawn:
        return 0.0
    alone = any(CRITERIA[name].needs_cmi or name == "mi-perm" for name in task.options.criteria)
    if alone:  # the column itself is permuted, given those before and given all others
        rounds, columns = drawn / TOGETHER, TOGETHER * speed.columns
        found = _pass(task, speed, step - 1, columns)
        if task.whole and "cmi-perm" in task.options.criteria:
            found += OTHERS * _pass(task, speed, task.features - 1, columns)
        return rounds * found
    if permutes and draw_rule(task.options.permutations).name == "auto":
        drawn = float(OPEN[steps - step]) if steps - step < len(OPEN) else 0.0
    left = task.features - step + 1
    if step > 1 and left >= FEWEST_LISTED and task.options.pairs is None:
        drawn *= LISTED_SHARE
    return drawn / TOGETHER * _pass(task, speed, step - 1, TOGETHER * columns)


def _pass(task: Task, speed: Speed, size: int, columns: float) -> float:
    """Return the operations of one pass over the Gram of so many features."""
    n = float(task.rows)
    rows = min(n, math.prod(speed.distinct[:size]) if size <= 8 else n)
    tiles = operations_of(int(rows * rows / 2), round(columns))
    share = task.options.pairs
    if share is not None:  # W and W Y are multiplied, and no factor is looked for
        return (
            2 * n * columns
            if size == 0
            else operations_of(int(share * n * n / 2), round(2 * columns))
        )
    if size == 0:
        return 2 * n * columns
    rank = speed.ranks[size - 1] if size <= len(speed.ranks) else math.inf
    if math.isinf(rank):
        return tiles
    return min(tiles, DOUBLE * 2 * rows * rank * (rank + columns))


def _of_pairs(task: Task, speed: Speed, steps: int) -> float:
    """Return the seconds of a search at another order than 2."""
    found = _pair(task, speed, task.features) if task.whole else 0.0
    at_once = 1 + 0.8 * (task.jobs - 1)
    by_chance = 17.0 if task.options.rank == "chance" else 0.0
    for step in range(1, steps + 1):
        one, left = _pair(task, speed, step), task.features - step + 1
        candidates = min(EXACT, left) + ROUGH * max(left - EXACT, 0) + by_chance * left
        drawn, permutes = _replicates(task, steps, step)
        of_all = 1.0 if not permutes or "perm" in "".join(task.options.criteria) else JOINT * left
        found += one * (candidates + DRAWN * drawn * max(of_all, 1.0)) / at_once
    return found


def _pair(task: Task, speed: Speed, size: int) -> float:
    """Return the seconds of both entropies of a set, read off from those of sets about as large."""
    below = max((one for one in speed.pairs if one[0] <= size), default=speed.pairs[0])
    _, seconds, power = below
    return float(seconds * (task.rows / speed.pair_rows) ** power)
