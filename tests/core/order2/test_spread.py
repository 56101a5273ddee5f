"""How a pass is cut for workers elsewhere: by its rows and columns, so that they end together."""

from __future__ import annotations

import heapq

import pytest

from renyi.factors import spans
from renyi.order2 import PASS, operations_of

# what is cut is known inside the room only
from renyi.order2._strips import MOST_OPERATIONS, grouped

PER_SECOND = 2e10
"""Multiplications of one core in single precision, about."""

HANDED_OUT = 0.004
"""Seconds that a scheduler and the way to a worker take for a task, and more."""


def cut(rows: int, columns: int):
    strips = [(slice(0, rows), some) for some in spans(0, rows, PASS.tile.rows)][::-1]
    groups, costs = grouped(strips, columns, tells=True)
    return strips, groups, costs


def efficiency(costs: list[float], workers: int) -> float:
    """Return the share of their time that workers work, each taking the next task when free."""
    free = [0.0] * workers
    for cost in costs:
        heapq.heapreplace(free, free[0] + HANDED_OUT + cost / PER_SECOND)
    return sum(costs) / PER_SECOND / (workers * max(free))


@pytest.mark.parametrize("rows", [1, 511, 5000, 20_000, 100_000])
def test_every_strip_is_in_one_task_in_order(rows: int) -> None:
    strips, groups, costs = cut(rows, 160)
    assert [(one.own, one.some) for group in groups for one in group] == strips
    assert all(group for group in groups)
    tall = [(some.stop - some.start) * some.stop for _, some in strips]
    assert sum(costs) == pytest.approx(operations_of(sum(tall), 160))
    longest = max(operations_of(entries, 160) for entries in tall)
    assert max(costs) <= max(MOST_OPERATIONS, longest)


@pytest.mark.parametrize(
    ("rows", "columns", "workers", "least"),
    [
        (20_000, 160, 2, 0.9),
        (20_000, 160, 4, 0.9),
        (20_000, 2048, 8, 0.85),
        (100_000, 160, 16, 0.95),
        (1_000_000, 480, 64, 0.9),
    ],
)
def test_workers_end_together(rows: int, columns: int, workers: int, least: float) -> None:
    costs = cut(rows, columns)[2]
    assert efficiency(costs, workers) >= least
