"""How a pass is cut for workers elsewhere: by its rows and columns, so that they end together."""

from __future__ import annotations

import heapq

import numpy as np
import pytest

from renyi.order2 import PASS

# what is cut is known inside the room only
from renyi.order2._strips import MOST_OPERATIONS, grouped, pieces_of

PER_SECOND = 2e10
"""Multiplications of one core in single precision, about."""

HANDED_OUT = 0.004
"""Seconds that a scheduler and the way to a worker take for a task, and more."""


def cut(rows: int, columns: int):
    pieces = pieces_of([slice(0, rows // 3), slice(rows // 3, rows)], PASS, tells=True)
    of_each = [one.operations(PASS.tile.rows, columns) for one in pieces]
    return pieces, of_each, *grouped(pieces, of_each)


def efficiency(costs: list[float], workers: int) -> float:
    """Return the share of their time that workers work, each taking the next task when free."""
    free = [0.0] * workers
    for cost in costs:
        heapq.heapreplace(free, free[0] + HANDED_OUT + cost / PER_SECOND)
    return sum(costs) / PER_SECOND / (workers * max(free))


@pytest.mark.parametrize("rows", [3, 511, 5000, 100_000, 130_000])
def test_every_pair_is_in_one_piece_and_every_piece_in_one_task_in_order(rows: int) -> None:
    pieces, of_each, groups, costs = cut(rows, 160)
    assert [one for group in groups for one in group] == pieces
    assert all(group for group in groups)
    assert sum(costs) == pytest.approx(sum(of_each))
    assert max(costs) <= max(MOST_OPERATIONS, *of_each)
    seen = np.zeros(rows, dtype=int)
    for piece in pieces:
        for some, others in piece.strips(PASS.tile.rows):
            seen[others] += some.stop - some.start
    # the strip of a row has all columns up to its own end
    assert np.all(seen >= rows - np.arange(rows))
    assert np.all(seen <= rows - np.arange(rows) + PASS.tile.rows)


def test_sums_of_a_million_rows_are_few_enough_to_travel() -> None:
    told = sum(
        16 * (place.stop - place.start)
        for piece in cut(1_000_000, 160)[0]
        for place in piece.places
    )
    assert told < 2e9


@pytest.mark.parametrize(
    ("rows", "columns", "workers", "least"),
    [
        (20_000, 160, 2, 0.9),
        (20_000, 160, 4, 0.9),
        (20_000, 2048, 8, 0.85),
        (100_000, 160, 16, 0.95),
        (130_000, 160, 16, 0.95),
        (1_000_000, 160, 64, 0.95),
        (1_000_000, 480, 64, 0.9),
    ],
)
def test_workers_end_together(rows: int, columns: int, workers: int, least: float) -> None:
    costs = cut(rows, columns)[3]
    assert efficiency(costs, workers) >= least
