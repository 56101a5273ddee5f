"""A selection by workers elsewhere is the same selection."""

from __future__ import annotations

import json
import multiprocessing
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np
import polars as pl
import pytest

import renyi
from renyi.errors import MissingExtraError, OptionError
from renyi.execution import Crew, crew_of

pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.xdist_group("executors"),  # one worker starts the processes once
]


def table(rows: int, *, mixed: bool = False) -> pl.DataFrame:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(rows, 5))
    signal_ = x[:, 0] + x[:, 1] * x[:, 2] + rng.normal(size=rows)
    columns = {f"x{k}": x[:, k] for k in range(5)}
    if mixed:
        columns["level"] = np.round(2 * x[:, 3])
        columns["name"] = np.array(["a", "b", "c"])[rng.integers(0, 3, rows)]
    return pl.DataFrame({**columns, "y": np.where(signal_ > 0, "p", "n")})


CASES: dict[str, tuple[pl.DataFrame, dict[str, Any]]] = {
    "numbers": (table(1200), {}),
    "levels": (table(1200, mixed=True), {"kind": {"level": "ordinal"}}),
    "equality": (table(900, mixed=True), {"nominal": "delta", "permutations": 59}),
    "other kernels": (table(700), {"kernel": "laplacian", "permutations": 20}),
    "weights": (table(900), {"weights": "x4", "kind": {}}),
    "one-hot": (table(700), {"label_kernel": "onehot"}),
    "order 1.01": (table(300, mixed=True), {"alpha": 1.01, "criterion": "cmi-perm"}),
    "dense": (table(250), {"alpha": 3, "solver": "dense", "permutations": 39}),
    "number target": (table(700), {"target": "x0", "exclude": "y"}),
}
CASES["weights"] = (CASES["weights"][0].with_columns(pl.col("x4").abs()), {"weights": "x4"})


def answer(path: renyi.SelectionPath) -> dict[str, Any]:
    told = json.loads(path.to_json())
    told.pop("run")
    return dict(told)


def selected(case: str, executor: object) -> renyi.SelectionPath:
    data, options = CASES[case]
    return renyi.select(data, **{"target": "y", **options}, executor=executor)


@cache
def here(case: str) -> dict[str, Any]:
    """Return the answer without an executor, which no case computes twice."""
    return answer(selected(case, None))


@pytest.fixture(scope="module")
def crew() -> Iterator[Crew]:
    pool = ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn"))
    with pool, crew_of(pool, least=0.0) as found:
        assert found is not None
        yield found


@pytest.mark.parametrize("case", ["numbers", "levels"])
def test_threads_that_are_given_give_the_same_answer(case: str) -> None:
    with ThreadPoolExecutor(2) as pool, crew_of(pool, least=0.0) as crew:
        there = selected(case, crew)
    assert answer(there) == here(case)
    assert there.run["executor"]["tasks"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_processes_give_the_same_answer(case: str, crew: Crew) -> None:
    there = selected(case, crew)
    assert answer(there) == here(case)
    assert there.run["executor"]["workers"]


def test_short_work_is_done_here_and_the_run_says_who_did_it() -> None:
    with ThreadPoolExecutor(1) as pool:
        told = selected("numbers", pool).run
    assert told["executor"]["tasks"] == 0
    assert told["backend"]["effective"] == "numpy"
    assert selected("numbers", None).run["executor"] is None


@pytest.mark.parametrize(
    ("executor", "rule"),
    [
        ("host:8786", "`executor` must be an address such as"),
        ("local:", "`executor` must be an address such as"),
        ("local:0", "`executor` must be an address such as"),
        ("tcp://", "`executor` must be an address such as"),
        ("tcp://127.0.0.1", "`executor` must be an address such as"),
        ("http://host:1", "`executor` must be an address such as"),
        ("local:100000", "`executor` local:N must start at most"),
        (4, "`executor` must be an address, a client of Dask or an executor"),
    ],
)
def test_a_wrong_executor_is_refused(executor: object, rule: str) -> None:
    with pytest.raises(OptionError, match=rule):
        selected("numbers", executor)


def test_without_dask_an_address_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match="needs the extra `dask`"):
        selected("numbers", "local:2")
