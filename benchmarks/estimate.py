"""How long runs are said to take before they begin, and how long they take.

    python benchmarks/estimate.py [--only NAME ...] [--again] [--share S] [--processor]

Each run is a process of its own, one after the other, seconds on the clock. What is said is what
the result keeps under `run.estimate_seconds`. The figures go to benchmarks/figures/estimate.json as
they come; docs/benchmarks.md quotes them. `--share .5` takes half of the rows. `--processor` has
one worker and counts seconds of the processor, both in what is said and in what is taken: for a
machine that others use.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

import renyi
from renyi.api import _foreseen
from renyi.api.comparing import _seconds
from renyi.selection import _speed

FIGURES = Path(__file__).parent / "figures" / "estimate.json"
RIGHT = 2.0
"""Factor within which an estimate is called right."""

CASES: dict[str, tuple[str, Any, dict[str, Any]]] = {
    "long": ("select", ("waveform", 9_000, 20), {}),
    "long, mixed": ("select", ("mixed", 15_000, 15), {}),
    "long, mi-perm": (
        "select",
        ("waveform", 30_000, 20),
        {"criterion": "mi-perm", "max_features": 5},
    ),
    "long, cmi-perm": (
        "select",
        ("waveform", 12_000, 20),
        {"criterion": "cmi-perm", "max_features": 5},
    ),
    "long, none": (
        "select",
        ("normal", 25_000, 12),
        {"criterion": "none", "max_features": 8},
    ),
    "wide": ("select", ("normal", 800, 1_200), {}),
    "wide, none": (
        "select",
        ("normal", 1_500, 400),
        {"criterion": "none", "max_features": 15},
    ),
    "alpha 1.01, none": (
        "select",
        ("waveform", 1_800, 21),
        {"alpha": 1.01, "criterion": "none", "max_features": 6, "bandwidth": 2},
    ),
    "alpha 1.01, cmi-perm": (
        "select",
        ("waveform", 700, 21),
        {"alpha": 1.01, "criterion": "cmi-perm", "permutations": 100, "bandwidth": 1},
    ),
    "alpha 0.6, none": (
        "select",
        ("normal", 1_000, 12),
        {"alpha": 0.6, "criterion": "none", "max_features": 5},
    ),
    "compare": ("compare", ("waveform", 2_500, 20), {}),
    "sensitivity": ("select", ("waveform", 700, 20), {"sensitivity": True}),
    "stability": ("select", ("waveform", 3_000, 20), {"stability": 20}),
}


def table(design: str, rows: int, features: int) -> Any:
    """Make a table of a design."""
    if design == "waveform":
        frame = renyi.datasets.generate("waveform", rows=rows, seed=1)
        return frame.select([*frame.columns[:features], "class"])
    import polars as pl

    rng = np.random.default_rng(3)
    x = rng.standard_normal((rows, features))
    score = x[:, :4].sum(axis=1) + x[:, 4] * x[:, 5] + rng.standard_normal(rows)
    columns: dict[str, Any] = {f"x{j}": x[:, j] for j in range(features)}
    if design == "mixed":
        names = rng.integers(0, 12, (rows, features // 3))
        for j in range(features // 3):
            columns[f"x{j}"] = pl.Series(names[:, j]).cast(pl.String)
        score = score + (names[:, 0] % 3)
    y = np.where(score > np.median(score), "a", "b")
    return pl.DataFrame({**columns, "y": y})


def measured(name: str, share: float, processor: bool) -> dict[str, Any]:
    """Run one case in this process."""
    verb, (design, rows, features), options = CASES[name]
    data = table(design, round(rows * share), features)
    clock = perf_counter
    if processor:
        clock = _speed.perf_counter = _seconds.perf_counter = process_time
        options = {**options, "jobs": 1}
    _foreseen.FASTEST = 0.0  # shorter ones are looked at too: a list of minutes takes hours
    began = clock()
    found = getattr(renyi, verb)(data, **options)
    seconds = clock() - began
    told = found.run.get("estimate_seconds")
    return {
        "seconds": round(seconds, 1),
        "share": share,
        "processor": processor,
        "told": told,
        "selected": len(getattr(found, "selected", ())),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", default=[], choices=list(CASES), metavar="NAME")
    parser.add_argument("--again", action="store_true", help="measure anew what is kept")
    parser.add_argument("--share", type=float, default=1.0, help="of the rows")
    parser.add_argument("--processor", action="store_true", help="count its seconds, one worker")
    parser.add_argument("--child", choices=list(CASES), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.child:
        print(json.dumps(measured(asked.child, asked.share, asked.processor)))
        return
    kept = json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.exists() else {}
    for name in asked.only or CASES:
        if name not in kept or asked.again:
            words = [sys.executable, __file__, "--child", name, "--share", str(asked.share)]
            words += ["--processor"] * asked.processor
            done = subprocess.run(words, check=True, capture_output=True, text=True)
            kept[name] = json.loads(done.stdout)
            FIGURES.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")
        print(line(name, kept[name]), flush=True)
    print(f"within a factor of {RIGHT:g}: {sum(map(right, kept.values()))} of {len(kept)}")


def right(figure: dict[str, Any]) -> bool:
    """Return whether an estimate was within the factor."""
    if figure["told"] is None:
        return False
    share = figure["told"] / figure["seconds"]
    return bool(1 / RIGHT <= share <= RIGHT)


def line(name: str, figure: dict[str, Any]) -> str:
    """Return one run as a row of a table."""
    told = figure["told"]
    share = "-" if told is None else f"{told / figure['seconds']:.2f}"
    said = "-" if told is None else f"{told:.0f} s"
    return f"| {name} | {said} | {figure['seconds']:.0f} s | {share} |"


if __name__ == "__main__":
    main()
