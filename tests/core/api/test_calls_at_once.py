"""Calls from several threads at once give the answers that they give alone, to the last digit."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from threadpoolctl import ThreadpoolController

import renyi

LARGE = 1600
"""Rows with which work that stands alone has all BLAS threads."""

CALLS: tuple[tuple[int, dict[str, Any]], ...] = (
    (LARGE, {"purpose": "news", "max_features": 1}),
    (200, {"permutations": 19}),
    (200, {"alpha": 1.01}),
    (200, {"criterion": "cmi-perm", "permutations": 19}),
)


def table(rows: int) -> dict[str, Any]:
    rng = np.random.default_rng(rows)
    made = {f"x{number}": rng.normal(size=rows) for number in range(4)}
    made["word"] = rng.choice([*"abcd"], rows)
    made["y"] = np.where(made["x0"] + made["x1"] + rng.normal(size=rows) > 0, "a", "b")
    return made


def answer(call: tuple[int, dict[str, Any]]) -> str:
    rows, options = call
    path = renyi.select(table(rows), target="y", **options).to_dict()
    return json.dumps({name: part for name, part in path.items() if name != "run"})


@pytest.mark.slow
def test_eight_calls_from_four_threads_give_the_answers_of_each_alone() -> None:
    with ThreadpoolController().limit(limits=2, user_api="blas"):
        alone = [answer(call) for call in CALLS]
        with ThreadPoolExecutor(4) as pool:
            together = [*pool.map(answer, [*CALLS, *CALLS[::-1]])]
    assert together == [*alone, *alone[::-1]]
