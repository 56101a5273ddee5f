"""The numeric core on a CUDA device."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import renyi
from renyi.backend import Backend, get_backend

# what is told of a device that may be absent
from renyi.backend._cupy import STACKED_ROWS, cupy_problem
from renyi.errors import BackendError
from renyi.selection import Step
from renyi.variables import Dataset

pytestmark = pytest.mark.gpu

Steps = Callable[..., list[Step]]
Same = Callable[..., None]


@pytest.fixture(scope="module")
def device() -> Backend:
    problem = cupy_problem()
    if problem:
        pytest.skip(f"no CUDA device to test on: {problem}")
    return get_backend("cupy")


@pytest.fixture
def limit(device: Backend) -> Iterator[Callable[[int], None]]:
    """Limit the memory of the device, in bytes, for one test."""
    import cupy

    pool = cupy.get_default_memory_pool()
    pool.free_all_blocks()

    def set_limit(size: int) -> None:
        pool.set_limit(size=pool.used_bytes() + size)

    yield set_limit
    pool.set_limit(size=0)
    pool.free_all_blocks()


def grams(count: int, size: int) -> Any:
    draw = np.random.default_rng(size).normal(size=(count, size, 3))
    distances = ((draw[:, :, None, :] - draw[:, None, :, :]) ** 2).sum(axis=3)
    return np.exp(-0.5 * distances) / size


@pytest.mark.parametrize("count", [1, 3, 50])
@pytest.mark.parametrize("size", [1, 2, 31, 32, 33, 100, STACKED_ROWS, STACKED_ROWS + 1])
def test_eigenvalues(device: Backend, count: int, size: int) -> None:
    stack = grams(count, size)
    found = device.to_host(device.eigvalsh(device.to_device(stack)))
    assert found == pytest.approx(np.linalg.eigvalsh(stack), abs=8 * size * 2.3e-16)


@pytest.mark.parametrize("label_kernel", ["delta", "onehot"])
@pytest.mark.parametrize("solver", ["auto", "dense"])
@pytest.mark.parametrize("alpha", [0.6, 1.0, 1.01, 2.0, 3.0, 5.0])
def test_a_device_takes_the_same_steps(
    device: Backend,
    alpha: float,
    solver: str,
    label_kernel: str,
    dataset: Dataset,
    steps: Steps,
    same_steps: Same,
) -> None:
    given = {"alpha": alpha, "solver": solver, "label_kernel": label_kernel}
    there = steps(device, dataset, **given)
    here = steps(get_backend("numpy"), dataset, **given)
    same_steps(there, here, 1e-6 if alpha < 1 else 1e-9)


def test_a_stack_larger_than_the_memory(device: Backend, limit: Callable[[int], None]) -> None:
    stack = grams(64, 64)
    on_device = device.to_device(stack)
    limit(3 * 2**20)  # the stack takes 2 MiB
    found = device.to_host(device.eigvalsh(on_device))
    assert found == pytest.approx(np.linalg.eigvalsh(stack), abs=8 * 64 * 2.3e-16)


def test_a_matrix_larger_than_the_memory(device: Backend, limit: Callable[[int], None]) -> None:
    on_device = device.to_device(grams(1, 800))
    limit(2**20)
    with pytest.raises(BackendError, match="one matrix of 800 x 800"):
        device.eigvalsh(on_device)


def test_a_result_names_the_device(device: Backend) -> None:
    draw = np.random.default_rng(0)
    x = draw.normal(size=(80, 2))
    path = renyi.select(
        {"a": x[:, 0], "b": x[:, 1], "y": np.where(x[:, 0] > 0, "high", "low")},
        target="y",
        criterion="mi-perm",
        permutations=19,
        backend="cupy",
    )
    run = path.to_dict()["run"]["backend"]
    assert run == {"asked": "cupy", "effective": "cupy", "device": device.device, "reason": ""}
    assert path.selected[0] == "a"
