"""The formula of how long a search takes: how it grows."""

from dataclasses import replace

import pytest

from renyi.information import Plan, seconds_of

PLANS = [
    Plan(rows=3000, columns=30, steps=8.0, alpha=alpha, drawn=drawn, draws=20.0, whole=whole)
    for alpha in (0.6, 1.01, 2.0)
    for drawn, whole in (("none", False), ("copies", False), ("copies", True), ("all", False))
]
PLANS += [replace(plan, shortcuts=False) for plan in PLANS[:4]]


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize(
    "more", [{"rows": 3001}, {"rows": 60_000}, {"columns": 31}, {"columns": 9000}, {"steps": 9.5}]
)
def test_more_to_do_takes_longer(plan, more):
    assert seconds_of(replace(plan, **more)) > seconds_of(plan) > 0


@pytest.mark.parametrize("plan", [plan for plan in PLANS if plan.drawn != "none"])
def test_more_draws_take_longer(plan):
    assert seconds_of(replace(plan, draws=21.0)) > seconds_of(plan)


@pytest.mark.parametrize("plan", PLANS)
def test_more_threads_take_less_but_no_thread_takes_all(plan):
    found = [seconds_of(replace(plan, threads=threads)) for threads in (1, 2, 16, 10_000)]
    assert found == sorted(found, reverse=True)
    assert len(set(found)) == 4
    assert found[0] < 10 * found[-1]


def test_twice_the_rows_take_four_times_as_long_where_pairs_of_rows_count():
    plan = Plan(rows=50_000, columns=20, steps=20.0)
    assert seconds_of(replace(plan, rows=100_000)) / seconds_of(plan) == pytest.approx(4, rel=0.05)


def test_the_solver_without_shortcuts_takes_longest():
    plan = Plan(rows=3000, columns=20, steps=5.0, alpha=1.01)
    assert seconds_of(replace(plan, shortcuts=False)) > 3 * seconds_of(plan)
    assert seconds_of(replace(plan, alpha=2.0)) < seconds_of(plan) / 3
