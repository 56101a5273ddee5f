"""`auto` answers as `dense` does, on public sets, for six orders, with every criterion.

Six sets of every kind of column each time, for three orders each; all six orders, and fourteen more
sets, in the studies.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack
from functools import cache
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from lanes import every_other
from renyi.execution import Crew, crew_of

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
ROWS, COLUMNS, STEPS, PERMUTATIONS = 150, 12, 4, 19
ALPHAS = [0.6, 1.0, 1.01, 1.5, 2.0, 3.0]
SETS = ["adult", "heart", "iris", "lymph", "mushroom", "sonar"]
MORE = [
    "breast",
    "bike_hour",
    "california_housing",
    "credit_g",
    "diabetes_reg",
    "digits",
    "ionosphere",
    "krvskp",
    "lung",
    "parkinsons",
    "semeion",
    "spect",
    "titanic",
    "waveform",
]


@cache
def agreement() -> ModuleType:
    """The comparison that `benchmarks/agreement.py` makes on more rows."""
    spec = importlib.util.spec_from_file_location("agreement", BENCHMARKS / "agreement.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(BENCHMARKS))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(BENCHMARKS))
    return module


@cache
def table(path: Path, rows: int = ROWS, columns: int = COLUMNS) -> Any:
    return agreement().cut(path, rows, columns)


def select(path: Path, alpha: float, solver: str) -> list[Any]:
    found: list[Any] = agreement().select(
        table(path), alpha, solver, steps=STEPS, permutations=PERMUTATIONS
    )
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "alpha"),
    [
        *every_other(SETS, ALPHAS),
        *(pytest.param(*case, marks=pytest.mark.study) for case in product(MORE, ALPHAS)),
    ],
)
def test_auto_is_dense(name: str, alpha: float, data_set: Callable[[str], Path]) -> None:
    path = data_set(name)
    auto, dense = select(path, alpha, "auto"), select(path, alpha, "dense")
    assert agreement().all_differences(auto, dense) == []
    steps = agreement().tested(auto)
    features = sum(column.role == "feature" for column in auto[0].data.columns)
    assert len(steps) == min(STEPS, features)
    assert all([r.criterion for r in step.criteria] == list(agreement().CRITERIA) for step in steps)
    assert all(set(piece.run["solvers"]) == {"dense"} for piece in dense)


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_auto_is_dense_by_default(name: str, data_set: Callable[[str], Path]) -> None:
    """Gains above chance, with every option as it is where nothing is asked for."""
    import renyi

    data = table(data_set(name))
    auto, dense = (
        renyi.select(data, target=data.columns[-1], solver=solver, max_features=STEPS)
        for solver in ("auto", "dense")
    )
    found = agreement().differences(auto, dense)
    # without draws it is no count but a function of z
    assert [text for text in found if "p_upper" not in text] == []
    for one, other in zip(auto.steps, dense.steps, strict=True):
        for report, same in zip(one.criteria, other.criteria, strict=True):
            close = 1e-6 if report.drawn == 0 else 0.0
            assert report.p_upper == pytest.approx(same.p_upper, rel=close, abs=0.0)
        for value in ("chance", "mi_chance", "above_chance"):
            assert getattr(one, value) == pytest.approx(getattr(other, value), abs=1e-6)
        assert one.z == pytest.approx(other.z, rel=1e-4, abs=1e-3)


@pytest.fixture(scope="module")
def crews() -> Iterator[list[Crew]]:
    """Workers that are threads, processes, and those of a scheduler: all work is theirs."""
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    with ExitStack() as stack:
        cluster = distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=":0")
        processes = ProcessPoolExecutor(2, get_context("spawn"))
        executors = [
            stack.enter_context(ThreadPoolExecutor(2)),
            stack.enter_context(processes),
            stack.enter_context(distributed.Client(stack.enter_context(cluster))),
        ]
        yield [stack.enter_context(crew_of(one, least=0.0)) for one in executors]


@pytest.mark.slow
@pytest.mark.xdist_group("crews")  # one worker starts them once
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize(
    ("name", "alpha"), [*((name, 2.0) for name in [*SETS, *MORE]), *((name, 1.01) for name in SETS)]
)
def test_auto_is_dense_through_every_executor(
    name: str, alpha: float, data_set: Callable[[str], Path], crews: list[Crew]
) -> None:
    """On few rows, which is enough for all sorts of tasks; the answer is that of threads here."""
    import renyi

    data = table(data_set(name), 60, 5)

    def path(solver: str, executor: object) -> Any:
        return renyi.select(
            data,
            target=data.columns[-1],
            alpha=alpha,
            solver=solver,
            criterion=["cmi-perm", "mi-perm"],
            stop_when="all",
            permutations=19,
            max_features=2,
            executor=executor,
        )

    def told(found: Any) -> dict[str, Any]:
        return {**json.loads(found.to_json()), "run": None}

    here = path("auto", None)
    for crew in crews:
        before = crew.record()["tasks"]
        auto, dense = path("auto", crew), path("dense", crew)
        assert agreement().differences(auto, dense) == []
        assert told(auto) == told(here)
        # small matrices in stacks are threads' at other orders
        assert alpha != 2.0 or auto.run["executor"]["tasks"] > before


def test_a_difference_is_found() -> None:
    """The comparison itself: another seed gives other replicates, another sigma other values."""
    frame = {"a": [0.0, 1.0, 2.0, 3.5] * 8, "b": [k % 7 for k in range(32)], "y": [0, 1] * 16}

    def path(**changed: Any) -> Any:
        import renyi

        options = {"alpha": 2.0, "criterion": "mi-perm", "permutations": 19, **changed}
        return renyi.select(frame, target="y", **options)

    differences = agreement().differences
    assert differences(path(), path()) == []
    assert differences(path(), path(bandwidth=2.001)) != []
    assert differences(path(), path(seed=1)) != []
