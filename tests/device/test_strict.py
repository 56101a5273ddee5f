"""The numeric core on a device that refuses silent conversion to NumPy."""

from __future__ import annotations

from typing import Any

import array_api_strict as strict
import numpy as np
import pytest

from renyi.backend import Backend, get_backend
from renyi.information import InformationEngine
from renyi.kernels import KernelModel
from renyi.options import method_options
from renyi.selection import ForwardSearch, Step
from renyi.variables import Dataset, Variable

DEVICE = strict.Device("device1")


def _to_device(array: np.ndarray[Any, Any]) -> Any:
    return strict.asarray(array, device=DEVICE)


def _to_host(array: Any) -> np.ndarray[Any, Any]:
    assert array.device == DEVICE  # nothing came back by itself
    return np.asarray(array.to_device(strict.Device("CPU_DEVICE")))


STRICT = Backend(
    name="strict",
    xp=strict,
    to_device=_to_device,
    to_host=_to_host,
    eigvalsh=strict.linalg.eigvalsh,
    free_memory=lambda: 2**33,
    synchronise=lambda: None,
    device="device1",
)


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


def _steps(backend: Backend, dataset: Dataset, **given: Any) -> list[Step]:
    options = method_options(
        bandwidth=1.0, criteria=("cmi-perm", "mi-perm"), permutations=19, **given
    )
    engine = InformationEngine(
        KernelModel.build(dataset, options), options.alpha, backend, solver=options.solver
    )
    return list(ForwardSearch(dataset, engine, options))


@pytest.mark.parametrize("regression", [False, True])
@pytest.mark.parametrize("label_kernel", ["delta", "onehot"])
@pytest.mark.parametrize("solver", ["auto", "dense"])
@pytest.mark.parametrize("alpha", [0.6, 1.0, 1.01, 2.0, 3.0, 5.0])
def test_device_gives_the_same_steps(
    alpha: float, solver: str, label_kernel: str, regression: bool
) -> None:
    dataset = _dataset(regression=regression)
    given = {"alpha": alpha, "solver": solver, "label_kernel": label_kernel}
    there = _steps(STRICT, dataset, **given)
    here = _steps(get_backend("numpy"), dataset, **given)
    assert [s.features for s in there] == [s.features for s in here]
    assert [s.selected for s in there] == [s.selected for s in here]
    tolerance = 1e-6 if alpha < 1 else 1e-10
    for ours, theirs in zip(there, here, strict=True):
        assert ours.mi == pytest.approx(theirs.mi, abs=tolerance)
        assert ours.cmi == pytest.approx(theirs.cmi, abs=tolerance)
