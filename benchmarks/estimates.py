"""Set what a run is said to take beside what it takes, and write benchmarks/figures/estimates.md.

    RENYI_DATA_HOME=FOLDER python benchmarks/estimates.py [--again]

Each run is a selection by one worker in a process with one BLAS thread, and its seconds are those
of the processor, so that a busy machine does little to them. The estimate is worked out as for any
user, but by that clock, and also where the formula says that it is not worth it. What runs took is
kept in benchmarks/figures/estimates.json; `--again` measures anew. About a quarter of an hour.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any, Final

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"  # before NumPy is loaded

import numpy as np  # noqa: E402

import renyi  # noqa: E402
from renyi.api import _estimate, _search  # noqa: E402

Table = dict[str, Any]
FIGURES: Final = Path(__file__).resolve().parent / "figures"
RIGHT: Final = 2.0
"""Factor within which an estimate is right."""


def waves(rows: int) -> Table:
    """Return Breiman's waveforms, 21 columns in three classes."""
    rng, place = np.random.default_rng(1), np.arange(1, 22)
    shapes = np.array([np.maximum(6 - np.abs(place - top), 0) for top in (7, 15, 11)])
    y, mix = rng.integers(0, 3, rows), rng.random(rows)[:, None]
    first, second = np.array([0, 0, 1]), np.array([1, 2, 2])
    values = mix * shapes[first[y]] + (1 - mix) * shapes[second[y]]
    return _table(values + rng.normal(size=(rows, 21)), y.astype(str))


def linear(rows: int, columns: int) -> Table:
    """Return two classes by five linear columns and a product of two, the others noise."""
    rng = np.random.default_rng(2)
    x = rng.normal(size=(rows, columns))
    y = x[:, :5].sum(axis=1) + 2 * x[:, 5] * x[:, 6] + rng.normal(size=rows) > 0
    return _table(x, y.astype(str))


def smooth(rows: int, columns: int) -> Table:
    """Return a continuous target of four columns, the others noise."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=(rows, columns))
    return _table(
        x, x[:, 0] + np.sin(2 * x[:, 1]) + x[:, 2] * x[:, 3] + 0.5 * rng.normal(size=rows)
    )


def counts(rows: int, columns: int) -> Table:
    """Return sparse counts, 40 of them informative."""
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, rows)
    x = rng.poisson(0.3, size=(rows, columns)).astype(float)
    x[:, :40] += rng.poisson(0.5 * y[:, None], size=(rows, 40))
    return _table(x, y.astype(str))


def _table(x: Any, y: Any) -> Table:
    return {f"x{j}": x[:, j] for j in range(x.shape[1])} | {"y": y.tolist()}


def public(name: str) -> str:
    """Return the file of a public set."""
    return str(Path(os.environ["RENYI_DATA_HOME"], f"{name}.parquet"))


Run = tuple[str, Callable[[], Any], dict[str, Any]]
SHANNON: Final = {"alpha": 1.01, "bandwidth": 2}
COPIES: Final = {"criterion": "cmi-perm", "permutations": 100}
SIX: Final = {"criterion": "none", "max_features": 6}

USED: Final[list[Run]] = [
    ("waveform 10,000 x 21, default", lambda: waves(10_000), {}),
    ("waveform 5,000 x 21, cmi-perm, P = 100", lambda: waves(5000), COPIES),
    ("waveform 2,000 x 21, alpha 1.01, none, 6 columns", lambda: waves(2000), SHANNON | SIX),
    (
        "waveform 700 x 21, alpha 1.01, cmi-perm, P = 100",
        lambda: waves(700),
        COPIES | {"alpha": 1.01, "bandwidth": 1},
    ),
    (
        "waveform 1,400 x 21, alpha 1.01, cmi-perm, P = 100",
        lambda: waves(1400),
        COPIES | {"alpha": 1.01, "bandwidth": 1},
    ),
    ("smooth 10,000 x 30, default", lambda: smooth(10_000, 30), {}),
    (
        "semeion 1,593 x 256, alpha 1.01, none, 10 columns",
        lambda: public("semeion"),
        {"alpha": 1.01, "bandwidth": 1, "criterion": "none", "max_features": 10},
    ),
    ("counts 200 x 2,500, default", lambda: counts(200, 2500), {}),
    ("waveform 4,000 x 21, cmi-local", lambda: waves(4000), {"criterion": "cmi-local"}),
    ("waveform 3,000 x 21, alpha 1.01, none, 6 columns", lambda: waves(3000), SHANNON | SIX),
    (
        "linear 800 x 300, alpha 1.01, none, 5 columns",
        lambda: linear(800, 300),
        SHANNON | {"criterion": "none", "max_features": 5},
    ),
    ("linear 2,000 x 400, default", lambda: linear(2000, 400), {}),
    (
        "california_housing, 8,000 rows, default",
        lambda: public("california_housing"),
        {"rows": 8000},
    ),
    (
        "lymph 96 x 4,026, alpha 1.01, cmi-perm, 20 columns",
        lambda: public("lymph"),
        COPIES | {"alpha": 1.01, "bandwidth": 1, "max_features": 20},
    ),
]
"""Runs that the constants of the formula were set by."""

UNSEEN: Final[list[Run]] = [
    ("waveform_noise 5,000 x 40, default", lambda: public("waveform_noise"), {}),
    (
        "breast 569 x 30, alpha 1.01, cmi-perm, P = 100",
        lambda: public("breast"),
        COPIES | {"alpha": 1.01, "bandwidth": 1},
    ),
    ("semeion 1,593 x 256, default", lambda: public("semeion"), {}),
]
"""Runs that had no part in it."""


class Looked(Exception):  # noqa: N818 - an event, not an error
    """The estimate is there, and no more was wanted."""


def look(data: Any, options: dict[str, Any], *, whole: bool) -> tuple[float, float, float]:
    """Return the estimate, what it took, and what the work took after it, seconds."""
    found: list[float] = []

    def noted(*given: Any) -> str:
        started = process_time()
        estimate = _estimate.estimated(*given)
        found.extend((estimate.seconds, process_time() - started, process_time()))
        if not whole:
            raise Looked
        return ""

    _search.long_note, own = noted, _search.long_note
    target = None if isinstance(data, str) else "y"
    try:
        renyi.select(data, target=target, jobs=1, **options)
    except Looked:
        pass
    finally:
        _search.long_note = own
    return found[0], found[1], process_time() - found[2]


def row(name: str, figure: dict[str, float], used: bool) -> str:
    """Return a line of the table."""
    factor = figure["estimate"] / figure["seconds"]
    right = "yes" if 1 / RIGHT <= factor <= RIGHT else "no"
    cells = [name, f"{figure['estimate']:.0f}", f"{figure['seconds']:.0f}", f"{factor:.2f}", right]
    return "| " + " | ".join([*cells, f"{figure['looked']:.1f}", "yes" if used else ""]) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--again", action="store_true", help="measure anew what is kept")
    again = parser.parse_args().again
    place = FIGURES / "estimates.json"
    kept = json.loads(place.read_text(encoding="utf-8")) if place.exists() else {}
    _estimate.TRIED = 0.0
    _estimate.perf_counter = process_time
    lines = [
        "| run | said, s | took, s | factor | within 2 | trial, s | set by it |",
        "|---|---:|---:|---:|---|---:|---|",
    ]
    for used, runs in ((True, USED), (False, UNSEEN)):
        for name, data, options in runs:
            known = kept.get(name, {})
            whole = again or "seconds" not in known
            estimate, looked, seconds = look(data(), options, whole=whole)
            figure = {"seconds": seconds if whole else known["seconds"]}
            figure = {k: round(v, 2) for k, v in figure.items()}
            kept[name] = figure | {"estimate": round(estimate, 1), "looked": round(looked, 2)}
            place.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
            lines.append(row(name, kept[name], used))
            print(lines[-1], flush=True)
    (FIGURES / "estimates.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
