"""Seconds on the device and on the CPU, within a budget."""

from __future__ import annotations

import importlib.util
import multiprocessing
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from gpu_check.made import wide_table
from renyi.backend import Backend, get_backend
from renyi.execution import leave_blas_threads
from renyi.information import Computation, SetEntropies
from renyi.kernels import KernelModel
from renyi.options import method_options

__all__ = ["Budget", "Timing", "time_all"]

ROWS = (500, 1000, 2000, 5000, 10_000)
STACKS = ((16, 1024), (32, 1024), (64, 512), (128, 128), (256, 48), (512, 16))
STEP_GIVEN, STEP_CANDIDATES = 4, 4
PASS_FEATURES = 20
MOST_SECONDS = 40.0
"""The most that one figure may take: its side is left out if it would take longer."""

ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"), "1")


class Budget:
    """Time left for all figures."""

    def __init__(self, seconds: float) -> None:
        self._start = time.perf_counter()
        self._seconds = seconds

    @property
    def spent(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self._start

    def allows(self, seconds: float) -> bool:
        """Whether a figure that takes so long may start."""
        return seconds <= min(MOST_SECONDS, self._seconds - self.spent)


@dataclass(frozen=True)
class Timing:
    """One kind of work at one size; None where a side was left out."""

    work: str
    rows: int
    count: int
    device: float | None
    cpu: float | None
    note: str = ""

    @property
    def factor(self) -> float | None:
        """How many times longer the CPU takes."""
        return self.cpu / self.device if self.cpu and self.device else None

    def to_dict(self) -> dict[str, Any]:
        """Return the figure as JSON values."""
        return {**asdict(self), "factor": self.factor}


def _seconds(
    work: Callable[..., object], backend: Backend, prepare: Callable[[], Any] | None = None
) -> float:
    """Return the shortest of up to three runs; the first may load libraries.

    `prepare` makes what `work` is called with, afresh and untimed, so that nothing is remembered.
    """
    best = float("inf")
    for _ in range(3):
        given = () if prepare is None else (prepare(),)
        start = time.perf_counter()
        work(*given)
        backend.synchronise()
        last = time.perf_counter() - start
        best = min(best, last)
        if last > 1:
            break
    return best


class _Series:
    """One side of one kind of work for growing n, left out once it would take too long."""

    def __init__(self, budget: Budget, power: int) -> None:
        self._budget = budget
        self._power = power
        self._last: tuple[int, float] | None = None

    def measure(self, rows: int, work: Callable[[], float]) -> float | None:
        """Return the seconds of `work`, or None if it would take too long by its growth."""
        expected = 0.0
        if self._last is not None:
            expected = self._last[1] * (rows / self._last[0]) ** self._power
        if not self._budget.allows(expected):
            return None
        seconds = work()
        self._last = (rows, seconds)
        return seconds


def _gram(rows: int) -> np.ndarray:
    """Return a Gaussian Gram of four coordinates over its trace."""
    points = np.random.default_rng(rows).normal(size=(rows, 4))
    squares = np.sum(points * points, axis=1)
    logs = points @ points.T - 0.5 * squares[:, None] - 0.5 * squares[None, :]
    return np.asarray(np.exp(np.minimum(logs, 0.0)) / rows)


def _left_out(device: float | None, cpu: float | None) -> str:
    sides = [name for name, side in (("device", device), ("CPU", cpu)) if side is None]
    return f"{' and '.join(sides)} left out: too long" if sides else ""


def time_all(backend: Backend, budget: Budget, *, quick: bool) -> list[Timing]:
    """Time every kind of work."""
    rows = (100, 200) if quick else ROWS
    stacks = ((16, 64), (64, 8)) if quick else STACKS
    with _single_threaded_workers() as workers:
        return [
            *_eigenvalues(backend, budget, rows),
            *_passes(backend, budget, rows),
            *_steps(backend, budget, rows, workers),
            *_stacks(backend, budget, stacks),
        ]


def _eigenvalues(backend: Backend, budget: Budget, sizes: tuple[int, ...]) -> Iterator[Timing]:
    """Time all eigenvalues of one matrix; the matrix is made beforehand."""
    cpu = get_backend("numpy")
    there, here = _Series(budget, 3), _Series(budget, 3)
    for rows in sizes:
        gram = _gram(rows)
        on_device = backend.to_device(gram)
        device = there.measure(
            rows, lambda gram=on_device: _seconds(lambda: backend.eigvalsh(gram), backend)
        )
        del on_device
        own = here.measure(rows, lambda gram=gram: _seconds(lambda: cpu.eigvalsh(gram), cpu))
        yield Timing("eigenvalues", rows, 1, device, own, _left_out(device, own))


def _stacks(
    backend: Backend, budget: Budget, stacks: tuple[tuple[int, int], ...]
) -> Iterator[Timing]:
    """Time stacks of small matrices, and on CUDA also both routines by themselves."""
    cpu = get_backend("numpy")
    for rows, count in stacks:
        stack = np.stack([_gram(rows)] * count)
        on_device = backend.to_device(stack)
        device = own = None
        notes = []
        if budget.allows(0.0):
            device = _seconds(lambda stack=on_device: backend.eigvalsh(stack), backend)
            own = _seconds(lambda stack=stack: cpu.eigvalsh(stack), cpu)
            for name, routine in _routines(backend):
                alone = _seconds(lambda solve=routine, stack=on_device: solve(stack), backend)
                notes.append(f"{name} {alone:.4f}")
        yield Timing(
            "eigenvalues of a stack",
            rows,
            count,
            device,
            own,
            "; ".join(notes) or _left_out(device, own),
        )


def _routines(backend: Backend) -> list[tuple[str, Callable[[Any], object]]]:
    """Return CuPy's two ways with a stack, whichever the backend takes at that size."""
    if backend.name != "cupy":
        return []
    import cupy

    return [
        ("at once", cupy.linalg.eigvalsh),
        ("one by one", lambda stack: [cupy.linalg.eigvalsh(matrix) for matrix in stack]),
    ]


def _entropies(rows: int, features: int, alpha: float, backend: Backend) -> SetEntropies:
    options = method_options(alpha=alpha, bandwidth=1.0, solver="auto" if alpha == 2 else "dense")
    model = KernelModel.build(wide_table(rows, features), options)
    return SetEntropies(Computation.of(model, alpha, backend, solver=options.solver))


def _passes(backend: Backend, budget: Budget, sizes: tuple[int, ...]) -> Iterator[Timing]:
    """Time one pass at alpha 2 for all candidates of a third step."""
    cpu = get_backend("numpy")
    there, here = _Series(budget, 2), _Series(budget, 2)
    for rows in sizes:
        device, own = (
            series.measure(rows, lambda side=side, rows=rows: _pass_seconds(rows, side))
            for series, side in ((there, backend), (here, cpu))
        )
        note = _left_out(device, own)
        yield Timing("alpha 2, all candidates", rows, PASS_FEATURES - 2, device, own, note)


def _pass_seconds(rows: int, backend: Backend) -> float:
    candidates = range(2, PASS_FEATURES)
    return _seconds(
        lambda entropies: entropies.candidates((0, 1), candidates, lambda _: None),
        backend,
        lambda: _entropies(rows, PASS_FEATURES, 2.0, backend),
    )


def _steps(
    backend: Backend, budget: Budget, sizes: tuple[int, ...], workers: ProcessPoolExecutor | None
) -> Iterator[Timing]:
    """Time the candidates of a fifth step at alpha 1.01 by dense eigenproblems, two for each."""
    there, here = _Series(budget, 3), _Series(budget, 3)
    for rows in sizes:
        device = there.measure(rows, lambda rows=rows: _step_seconds(rows, backend))
        own = here.measure(rows, lambda rows=rows: _cpu_step_seconds(rows, workers))
        note = _left_out(device, own)
        yield Timing("alpha 1.01, a dense step", rows, 2 * STEP_CANDIDATES, device, own, note)


def _step_seconds(rows: int, backend: Backend) -> float:
    features = STEP_GIVEN + STEP_CANDIDATES
    candidates = range(STEP_GIVEN, features)
    return _seconds(
        lambda entropies: entropies.candidates(range(STEP_GIVEN), candidates, lambda _: None),
        backend,
        lambda: _entropies(rows, features, 1.01, backend),
    )


def _cpu_step_seconds(rows: int, workers: ProcessPoolExecutor | None) -> float:
    if workers is None:
        return _step_seconds(rows, get_backend("numpy"))
    return workers.submit(_alone_step_seconds, rows).result()


def _alone_step_seconds(rows: int) -> float:
    leave_blas_threads()  # one each, by the environment
    return _step_seconds(rows, get_backend("numpy"))


@contextmanager
def _single_threaded_workers() -> Iterator[ProcessPoolExecutor | None]:
    """A process whose BLAS has one thread, where threadpoolctl cannot see to that; else None.

    `renyi` gives each of its worker threads one BLAS thread. A bare image lacks what that takes,
    and the CPU's side would be slower than it is in use.
    """
    if importlib.util.find_spec("threadpoolctl") is not None:
        yield None
        return
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as workers:
        before = dict(os.environ)
        os.environ.update(ONE_THREAD)
        try:
            workers.submit(int).result()  # it starts now, with this environment
        finally:
            os.environ.clear()
            os.environ.update(before)
        yield workers
