"""Whole results of some hundred calls, to hold a rewrite to them byte for byte.

    python benchmarks/same_answers.py record FILE
    python benchmarks/same_answers.py compare FILE

`record` writes the JSON of every result without its `run` (which tells of seconds and versions), or
the message of the error; `compare` makes the calls again and prints each that differs, and where.
The calls cover all criteria, orders .6 to 3, kinds of columns and targets, bandwidth rules, public
sets that are at hand, forced columns, lookahead, stability, sensitivity, compare, measure, describe
and the bridge that R calls. Three minutes on two cores.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import renyi
from renyi import bridge

TABLES = ("numbers", "names", "mixed", "regression", "unequal", "copies")
SETS = ("heart", "sonar", "parkinsons", "lymph", "iris", "spect", "breast", "titanic")
ORDERS = (0.6, 1.0, 1.01, 1.5, 2.0, 3.0)
CRITERIA = ("cmi-heuristic", "cmi-perm", "cmi-max", "cmi-local", "mi-perm", "mi-chi2", "none")
WIDTHS: tuple[Any, ...] = (
    1.0,
    "steady:1.5",
    "growing",
    "growing:1",
    "silverman",
    "scott:joint",
    "median",
    "nearest",
    "range:0.3",
    "auto",
)


def table(kind: str, n: int = 90, seed: int = 0) -> pl.DataFrame:
    """Return a small table of one kind; its target is `y`."""
    rng = np.random.default_rng([seed, TABLES.index(kind)])
    x = rng.normal(size=(n, 6))
    score = x[:, 0] + 0.8 * x[:, 1] + 0.7 * rng.normal(size=n)
    columns: dict[str, Any] = {f"x{j}": x[:, j] for j in range(6)}
    y: Any = np.where(score > 0, "yes", "no")
    if kind == "names":
        columns = {f"x{j}": [f"v{k}" for k in np.digitize(x[:, j], [-0.5, 0.5])] for j in range(6)}
    elif kind == "mixed":
        columns["x1"] = [f"v{k}" for k in np.digitize(x[:, 1], [-0.5, 0.5])]
        columns["x4"] = rng.integers(0, 3, n)
        columns["x5"] = [f"s{k}" for k in rng.integers(0, 12, n)]
    elif kind == "regression":
        y = score
    elif kind == "unequal":
        y = np.where(score > 1.4, "rare", "common")
    elif kind == "copies":
        columns["x6"] = columns["x0"]
        columns["x7"] = x[:, 1] + 0.1 * rng.normal(size=n)
    return pl.DataFrame({**columns, "y": y})


def calls() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield (name, call) of everything that is recorded."""

    def select(name: str, data: Any, **given: Any) -> tuple[str, Callable[[], Any]]:
        given = {"progress": None, **given}
        return name, lambda: renyi.select(data, **given).to_dict()

    for kind in TABLES:
        frame = table(kind)
        yield select(f"{kind} default", frame)
        for criterion in CRITERIA:
            for alpha in ORDERS:
                most = {"max_features": 3} if criterion == "none" else {}
                yield select(
                    f"{kind} {criterion} {alpha}", frame, criterion=criterion, alpha=alpha, **most
                )
        for width in WIDTHS:
            yield select(f"{kind} bandwidth {width}", frame, bandwidth=width)
        yield select(f"{kind} keep", frame, keep=["x2"])
        yield select(f"{kind} lookahead", frame, lookahead=2)
        yield select(f"{kind} raw", frame, rank="raw")
        yield select(f"{kind} delta", frame, nominal="delta", class_weights="none")
        yield select(f"{kind} onehot", frame, label_kernel="onehot", max_features=3)
        yield select(f"{kind} chi2-gain", frame, score="chi2-gain", rank="raw")
        yield select(f"{kind} paper", frame, preset="paper")
        yield select(f"{kind} lrmi", frame, preset="lrmi", max_features=3)
        yield select(f"{kind} both", frame, criterion=["mi-perm", "cmi-perm"], stop_when="all")
        yield select(f"{kind} fdr", frame, error_rate="fdr")
        yield select(f"{kind} news", frame, purpose="news")
        yield select(f"{kind} gain", frame, min_gain="1%")
        yield select(f"{kind} chance 1.01", frame, rank="chance", alpha=1.01)
        yield select(f"{kind} draws", frame, permutations="besag-clifford:99")
        for solver in ("dense", "eigen", "low-rank", "tiles", "power"):
            alpha = 1.01 if solver in {"eigen", "low-rank"} else 2.0
            yield select(f"{kind} {solver}", frame, solver=solver, alpha=alpha, rank="raw")
        if kind in {"numbers", "mixed"}:
            yield select(f"{kind} stability", frame, stability=4)
            yield select(f"{kind} sensitivity", frame, sensitivity=True)
        for alpha in (1.01, 2.0):
            yield (
                f"{kind} measure {alpha}",
                partial(
                    _dict_of, renyi.measure, frame, x=["x0", "x1"], y="y", given="x2", alpha=alpha
                ),
            )
        yield f"{kind} describe", partial(_dict_of, renyi.describe, frame)
    frame = table("numbers")
    yield "compare", partial(_dict_of, renyi.compare, frame, runs=5, progress=None)
    options = {"criterion": "cmi-perm", "alpha": 1.01}
    yield "bridge numbers", partial(_bridged, options)
    for name in SETS:
        if renyi.datasets.locate(name) is None:
            continue
        yield select(f"{name} default", name, rows=150, missing="drop")
        yield select(f"{name} 1.01", name, rows=120, missing="drop", alpha=1.01, max_features=3)
        yield select(f"{name} paper", name, rows=120, missing="drop", preset="paper")


def _dict_of(call: Callable[..., Any], *given: Any, **named: Any) -> Any:
    return call(*given, **named).to_dict()


def _bridged(options: dict[str, Any]) -> Any:
    with_path = bridge.select("heart", {**options, "rows": 100})
    return with_path["value"]["result"] if with_path["ok"] else with_path["error"]


def result(call: Callable[[], Any]) -> Any:
    """Return what a call gives, without the record of the run; or its error in words."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = call()
        except renyi.RenyiError as error:
            return {"error": f"{type(error).__name__}: {error} | {error.hint}"}
    if isinstance(found, dict):
        found.pop("run", None)
    return json.loads(json.dumps(found))


def differences(before: Any, after: Any, where: str = "") -> Iterator[str]:
    """Yield where two results differ."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted({*before, *after}):
            yield from differences(before.get(key), after.get(key), f"{where}.{key}")
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for place, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from differences(one, other, f"{where}[{place}]")
    elif before != after:
        yield f"{where}: {before!r} -> {after!r}"


def main() -> None:
    if len(sys.argv) != 3 or sys.argv[1] not in {"record", "compare"}:
        sys.exit(__doc__)
    asked, file = sys.argv[1], Path(sys.argv[2])
    found = {name: result(call) for name, call in calls()}
    if asked == "record":
        file.write_text(json.dumps(found, indent=1), encoding="utf-8")
        print(f"{len(found)} calls recorded")
        return
    recorded = json.loads(file.read_text(encoding="utf-8"))
    changed = 0
    for name in sorted({*recorded, *found}):
        lines = [*differences(recorded.get(name), found.get(name))]
        if lines:
            changed += 1
            print(name, *lines[:6], sep="\n    ")
    print(f"{len(found)} calls, {changed} differ")
    sys.exit(changed > 0)


if __name__ == "__main__":
    main()
