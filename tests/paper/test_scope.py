"""How far a set is followed."""

from __future__ import annotations

import pytest

# records of sets that are not at hand
from renyi.datasets._registry import REGISTRY
from renyi_paper import ALPHAS, printed_tables, scope_of, sizes_looked_at
from renyi_paper._scope import SCOPES


@pytest.mark.parametrize("name", printed_tables().sets)
def test_what_is_less_than_all_is_said_and_true(name: str) -> None:
    scope, record = scope_of(name), REGISTRY[name]
    assert set(scope.most) == set(ALPHAS)
    assert set(scope.rows) <= set(ALPHAS)
    assert all(rows < record.rows for rows in scope.rows.values())
    most = {number for number in scope.most.values() if number < record.features}
    assert bool(scope.rows or most) == bool(scope.why)
    assert all(f"{number:,}" in scope.why for number in most | set(scope.rows.values()))


def test_scopes_are_of_known_sets() -> None:
    assert set(SCOPES) <= set(printed_tables().sets)


@pytest.mark.parametrize(
    ("length", "wanted", "tail"),
    [
        (5, (), (3, 4, 5)),
        (5, (4, 9), (3, 4, 5)),
        (2, (0,), (0, 1, 2)),
        (80, (), (78, 79, 80)),
        (95, (), (80, 90, 95)),
        (120, (101,), (101, 110, 120)),
    ],
)
def test_sizes(length: int, wanted: tuple[int, ...], tail: tuple[int, ...]) -> None:
    sizes = sizes_looked_at(length, wanted)
    assert set(range(1, min(length, 80) + 1)) <= set(sizes)
    assert sizes[-3:] == tail
    assert list(sizes) == sorted(set(sizes))
