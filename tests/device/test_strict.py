"""The numeric core on a device that refuses silent conversion to NumPy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from renyi.backend import Backend, get_backend

# a device that fails the check
from renyi.backend import _check as check

# a device made for a test
from renyi.backend._record import with_batches
from renyi.bounds import StackSizes
from renyi.errors import BackendError
from renyi.information import THRESHOLDS, Thresholds
from renyi.order2 import SingleSizes
from renyi.selection import Step
from renyi.variables import Dataset

Steps = Callable[..., list[Step]]
Same = Callable[..., None]


@pytest.mark.parametrize("label_kernel", ["delta", "onehot"])
@pytest.mark.parametrize("solver", ["auto", "dense"])
@pytest.mark.parametrize("alpha", [0.6, 1.0, 1.01, 2.0, 3.0, 5.0])
def test_device_gives_the_same_steps(
    alpha: float,
    solver: str,
    label_kernel: str,
    dataset: Dataset,
    strict_device: Backend,
    steps: Steps,
    same_steps: Same,
) -> None:
    given = {"alpha": alpha, "solver": solver, "label_kernel": label_kernel}
    there = steps(strict_device, dataset, **given)
    here = steps(get_backend("numpy"), dataset, **given)
    same_steps(there, here, 1e-6 if alpha < 1 else 1e-10)


@pytest.mark.parametrize("rows", ["few", "many"])
@pytest.mark.parametrize("alpha", [1.01, 2.0])
@pytest.mark.parametrize("criterion", ["cmi-local", "cmi-max"])
def test_device_judges_the_best_alike(
    criterion: str,
    alpha: float,
    rows: str,
    dataset: Dataset,
    strict_device: Backend,
    steps: Steps,
    same_steps: Same,
) -> None:
    given: dict[str, Any] = {"alpha": alpha, "criteria": (criterion,), "significance": 0.5}
    if rows == "many":
        given["thresholds"] = Thresholds(stacks=StackSizes(rows=0), singly=SingleSizes(rows=0))
    there = steps(strict_device, dataset, **given)
    here = steps(get_backend("numpy"), dataset, **given)
    same_steps(there, here, 1e-10)
    counts = [[(r.drawn, r.exceedances) for s in run for r in s.criteria] for run in (there, here)]
    assert counts[0] == counts[1]


@pytest.mark.parametrize("columns", ["few", "many"])
@pytest.mark.parametrize("label_kernel", ["delta", "onehot"])
@pytest.mark.parametrize("permutations", ["auto:59", 39])
def test_device_takes_chance_out_alike(
    permutations: int | str,
    label_kernel: str,
    columns: str,
    dataset: Dataset,
    strict_device: Backend,
    steps: Steps,
    same_steps: Same,
) -> None:
    given = {
        "thresholds": Thresholds(few_columns=0) if columns == "many" else THRESHOLDS,
        "rank": "chance",
        "nominal": "soft",
        "class_weights": "balanced",
        "bandwidth": "steady",
        "criteria": ("cmi-max",),
        "label_kernel": label_kernel,
        "permutations": permutations,
    }
    there = steps(strict_device, dataset, **given)
    here = steps(get_backend("numpy"), dataset, **given)
    same_steps(there, here, 1e-6)
    for ours, theirs in zip(there, here, strict=True):
        for name in ("gain", "chance", "mi_chance"):
            assert getattr(ours, name) == pytest.approx(getattr(theirs, name), abs=1e-6)
        assert ours.z == pytest.approx(theirs.z, rel=1e-4, abs=1e-3)
    counts = [[(r.drawn, r.exceedances) for s in run for r in s.criteria] for run in (there, here)]
    assert counts[0] == counts[1]


def _small(backend: Backend, room: int) -> tuple[Backend, list[int]]:
    """Return the device with memory for eigenvalues of so many bytes of a stack, and a log."""
    tried: list[int] = []

    def eigvalsh(stack: Any) -> Any:
        size = 8 * int(stack.shape[0]) * int(stack.shape[1]) ** 2
        tried.append(size)
        if size > room:
            raise MemoryError
        return backend.eigvalsh(stack)

    return with_batches(replace(backend, eigvalsh=eigvalsh), by_free_memory=True), tried


@pytest.mark.parametrize("alpha", [0.6, 1.01])
def test_a_small_device_gives_the_same_steps(
    alpha: float, dataset: Dataset, strict_device: Backend, steps: Steps
) -> None:
    one_matrix = 8 * 90 * 90
    small, tried = _small(strict_device, one_matrix)
    there = steps(small, dataset, alpha=alpha)
    assert max(tried) > one_matrix  # memory did run out
    here = steps(strict_device, dataset, alpha=alpha)
    assert [s.to_dict() for s in there] == [s.to_dict() for s in here]  # to the last bit


def test_a_device_too_small_for_one_matrix_says_so(
    dataset: Dataset, strict_device: Backend, steps: Steps
) -> None:
    small, _ = _small(strict_device, 100)
    with pytest.raises(BackendError, match="memory of the device `device1`"):
        steps(small, dataset, alpha=1.01)


def test_the_comparison_with_the_cpu_runs_on_the_device(
    strict_device: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: set[tuple[str, str, str]] = set()
    monkeypatch.setattr(check, "_done", done)
    check.check_device(strict_device)
    wrong = replace(strict_device, eigvalsh=lambda stack: strict_device.eigvalsh(stack) * 1.0001)
    check.check_device(wrong)  # once per process and device
    stack = strict_device.to_device(get_backend("numpy").xp.eye(3)[None, ...])
    check.check_eigenvalues(strict_device, stack, strict_device.eigvalsh(stack), "single")
    done.clear()
    with pytest.raises(BackendError, match="`device1` computes eigenvalues otherwise"):
        check.check_device(wrong)
