"""The memory budget reaches the work, is kept, and is told."""

from __future__ import annotations

import numpy as np
import pytest

import renyi
from renyi.errors import MemoryBudgetError


@pytest.fixture
def table() -> dict[str, object]:
    rng = np.random.default_rng(0)
    return {"a": rng.normal(size=300), "b": rng.normal(size=300), "y": rng.normal(size=300)}


def test_too_small_a_budget_is_refused_before_any_work(table: dict[str, object]) -> None:
    seen: list[renyi.Progress] = []
    with pytest.raises(MemoryBudgetError):
        renyi.select(table, solver="dense", max_memory="100kB", progress=seen.append)
    assert not seen
    with pytest.raises(MemoryBudgetError):
        renyi.measure(table, x="a", y="y", solver="dense", max_memory=100_000)
    codes = {note.code for note in renyi.describe(table, solver="dense", max_memory=1e5).notes}
    assert "entropies_skipped" in codes


def test_a_budget_that_suffices_changes_no_number(table: dict[str, object]) -> None:
    free = renyi.select(table, criterion="none")
    assert renyi.select(table, criterion="none", max_memory="100MB") == free


@pytest.mark.parametrize("asked", ["200MB", 2e8])
def test_the_budget_is_in_the_run(asked: object, table: dict[str, object]) -> None:
    path = renyi.select(table, alpha=2, criterion="none", max_memory=asked)  # type: ignore[arg-type]
    assert path.run["max_memory_bytes"] == 200_000_000
    peak = path.run["peak_memory_bytes"]
    assert peak is None or peak > 2**20


def test_a_share_is_of_what_is_free(table: dict[str, object]) -> None:
    told = [
        renyi.select(table, alpha=2, criterion="none", max_memory=share).run["max_memory_bytes"]
        for share in (None, "10%")
    ]
    assert 4 < told[0] / told[1] < 16


def test_tolerance_and_solver_are_told(table: dict[str, object]) -> None:
    found = renyi.measure(table, x="a", y="y", solver="dense", tolerance=1e-9).to_dict()["options"]
    assert isinstance(found, dict)
    assert (found["solver"], found["tolerance"]) == ("dense", 1e-9)
    described = renyi.describe(table, solver="eigen").to_dict()["options"]
    assert isinstance(described, dict)
    assert (described["solver"], described["tolerance"]) == ("eigen", 1e-6)
