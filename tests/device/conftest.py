"""Data sets, whole searches and a strict device for the tests of this folder."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import array_api_strict as strict
import numpy as np
import pytest

from renyi.backend import Backend

# a device made for a test
from renyi.backend._record import with_batches
from renyi.information import THRESHOLDS, Computation, SetEntropies, Thresholds
from renyi.kernels import KernelModel
from renyi.selection import ForwardSearch, Step
from renyi.variables import Dataset, Variable
from tables import raw_options

DEVICE = strict.Device("device1")


def _to_device(array: np.ndarray[Any, Any]) -> Any:
    return strict.asarray(array, device=DEVICE)


def _to_host(array: Any) -> np.ndarray[Any, Any]:
    assert array.device == DEVICE  # nothing came back by itself
    return np.asarray(array.to_device(strict.Device("CPU_DEVICE")))


@pytest.fixture(scope="session")
def strict_device() -> Backend:
    """A device that refuses silent conversion to NumPy."""
    plain = Backend(
        name="strict",
        xp=strict,
        to_device=_to_device,
        to_host=_to_host,
        eigvalsh=strict.linalg.eigvalsh,
        free_memory=lambda: 2**33,
        synchronise=lambda: None,
        device="device1",
    )
    return with_batches(plain, by_free_memory=True)


def _dataset(*, regression: bool) -> Dataset:
    rng = np.random.default_rng(7)
    x = rng.normal(size=(90, 3))
    features = (
        Variable.continuous("a", x[:, 0]),
        Variable.continuous("b", rng.integers(0, 4, 90)),
        Variable.nominal("c", rng.integers(0, 3, 90), ("p", "q", "r")),
        Variable.continuous("d", x[:, 1]),
    )
    signal = x[:, 0] + 0.5 * x[:, 2]
    if regression:
        return Dataset(features, (Variable.continuous("y", signal),))
    return Dataset(features, (Variable.nominal("y", signal > 0, ("no", "yes")),))


@pytest.fixture(scope="session", params=[False, True], ids=["classes", "regression"])
def dataset(request: pytest.FixtureRequest) -> Dataset:
    """Features of every kind, duplicates among them; a nominal or a continuous target."""
    return _dataset(regression=request.param)


def _steps(
    backend: Backend, dataset: Dataset, thresholds: Thresholds = THRESHOLDS, **given: Any
) -> list[Step]:
    options = raw_options(
        **{
            "bandwidth": 1.0,
            "criteria": ("cmi-perm", "mi-perm"),
            "permutations": 19,
            **given,
        }
    )
    entropies = SetEntropies(
        Computation.of(
            KernelModel.build(dataset, options),
            options.alpha,
            backend,
            solver=options.solver,
            thresholds=thresholds,
        )
    )
    return list(ForwardSearch(dataset, entropies, options))


@pytest.fixture(scope="session")
def steps() -> Callable[..., list[Step]]:
    """Run a whole search on a backend."""
    return _steps


@pytest.fixture(scope="session")
def same_steps() -> Callable[..., None]:
    """Check that two searches took the same steps with the same numbers."""

    def check(there: list[Step], here: list[Step], tolerance: float) -> None:
        assert [s.features for s in there] == [s.features for s in here]
        assert [s.selected for s in there] == [s.selected for s in here]
        for ours, theirs in zip(there, here, strict=True):
            assert ours.mi == pytest.approx(theirs.mi, abs=tolerance)
            assert ours.cmi == pytest.approx(theirs.cmi, abs=tolerance)

    return check
