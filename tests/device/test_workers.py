"""Work that is done elsewhere on devices: each worker uses its own, or says that it has none."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from renyi._progress import ignore_progress
from renyi.backend import Backend, get_backend

# whether there is a device
from renyi.backend._cupy import cupy_problem
from renyi.errors import RenyiError
from renyi.execution import crew_of, followed
from renyi.information import THRESHOLDS
from renyi.selection import Step
from renyi.variables import Dataset

Steps = Callable[..., list[Step]]
Same = Callable[..., None]


@pytest.mark.parametrize("alpha", [1.01, 2.0])
def test_workers_with_devices_give_the_same_steps(
    alpha: float, dataset: Dataset, strict_device: Backend, steps: Steps, same_steps: Same
) -> None:
    ways: dict[str, Any] = {
        "alpha": alpha,
        "thresholds": replace(THRESHOLDS, task_rows=90),
    }  # a pair a task
    here = steps(strict_device, dataset, **ways)
    with (
        ThreadPoolExecutor(1) as pool,  # one worker, as a device has
        crew_of(pool, least=0.0) as crew,
        followed(ignore_progress, None, crew),
    ):
        there = steps(strict_device, dataset, **ways)
        assert crew is not None
        assert crew.record()["tasks"]
    same_steps(there, here, 0.0)


def test_a_backend_is_sent_by_its_name() -> None:
    numpy = get_backend("numpy")
    assert pickle.loads(pickle.dumps(numpy)).name == "numpy"


@pytest.mark.skipif(not cupy_problem(), reason="there is a device")
def test_a_worker_without_a_device_says_so_when_it_is_to_use_it() -> None:
    there = pickle.loads(pickle.dumps(replace(get_backend("numpy"), name="cupy")))
    again = pickle.loads(pickle.dumps(there))  # from one worker to the next
    with pytest.raises(RenyiError, match=r"CuPy|cupy"):
        _ = again.xp
