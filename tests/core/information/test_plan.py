"""Which routes are open to which problem: the architecture page says what the plan does."""

from __future__ import annotations

from pathlib import Path

from renyi.information import ROUTES, plan_of

PAGE = Path(__file__).resolve().parents[3] / "docs" / "architecture.md"
PROBLEMS = [
    # alpha, solver, rows, fits, coded target
    (2.0, "auto", 5000, True, True),
    (1.01, "auto", 150, True, True),
    (1.01, "auto", 5000, True, True),
    (1.01, "auto", 200_000, False, True),
    (1.5, "auto", 5000, True, True),
    (0.6, "auto", 5000, True, True),
    (3.0, "auto", 5000, True, False),
    (1.01, "low-rank", 5000, True, True),
    (2.0, "tiles", 5000, True, True),
    (1.01, "dense", 5000, True, True),
]


def row(problem: tuple[float, str, int, bool, bool]) -> str:
    alpha, solver, rows, fits, coded = problem
    plan = plan_of(alpha, solver, rows, fits=fits, coded_target=coded)
    routes = ", then ".join(route.name for route in plan.routes)
    return f"| {alpha:g} | {solver} | {rows:,} | {'yes' if fits else 'no'} | {routes} |"


def test_the_page_prints_what_the_plan_says() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for problem in PROBLEMS:
        assert row(problem) in page
    for route in ROUTES:
        assert f"| `{route.name}` | `{route.home}` | {route.when} | {route.why} |" in page


def test_what_does_not_fit_has_factors_first_and_values_of_distinct_rows() -> None:
    def names(alpha: float, solver: str = "auto") -> list[str]:
        plan = plan_of(alpha, solver, 10**6, fits=False, coded_target=True)
        return [route.name for route in plan.routes]

    assert names(1.01) == names(1.01, "low-rank") == ["counts", "factors", "values"]
    assert names(0.6) == names(3.0) == names(1.01, "eigen") == ["counts", "values"]


if __name__ == "__main__":
    print(*map(row, PROBLEMS), sep="\n")
    for route in ROUTES:
        print(f"| `{route.name}` | `{route.home}` | {route.when} | {route.why} |")
