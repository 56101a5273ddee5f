"""Which way is taken for which problem: the table of the architecture page, by running the plan."""

from __future__ import annotations

from pathlib import Path

import pytest

from renyi.information import WAYS, plan_of

PAGE = Path(__file__).resolve().parents[3] / "docs" / "architecture.md"
PROBLEMS = [
    # alpha, solver, rows, fits, coded target
    (2.0, "auto", 5000, True, True),
    (1.01, "auto", 150, True, True),
    (1.01, "auto", 5000, True, True),
    (1.01, "auto", 200_000, False, True),
    (0.6, "auto", 5000, True, True),
    (3.0, "auto", 5000, True, False),
    (1.01, "low-rank", 5000, True, True),
    (2.0, "tiles", 5000, True, True),
    (1.01, "dense", 5000, True, True),
]


def row(problem: tuple[float, str, int, bool, bool]) -> str:
    alpha, solver, rows, fits, coded = problem
    plan = plan_of(alpha, solver, rows, fits=fits, coded_target=coded)
    ways = ", then ".join(way.name for way in plan.ways)
    return f"| {alpha:g} | {solver} | {rows:,} | {'yes' if fits else 'no'} | {ways} |"


def test_the_page_prints_what_the_plan_says() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for problem in PROBLEMS:
        assert row(problem) in page
    for way in WAYS:
        assert f"| `{way.name}` | `{way.home}` | {way.when} | {way.why} |" in page


@pytest.mark.parametrize("problem", PROBLEMS)
def test_there_is_always_a_way(problem: tuple[float, str, int, bool, bool]) -> None:
    alpha, solver, rows, fits, coded = problem
    plan = plan_of(alpha, solver, rows, fits=fits, coded_target=coded)
    assert plan.ways
    assert plan.singly == (2 * rows > 1600 and not plan.sums)


if __name__ == "__main__":
    print(*map(row, PROBLEMS), sep="\n")
    for way in WAYS:
        print(f"| `{way.name}` | `{way.home}` | {way.when} | {way.why} |")
