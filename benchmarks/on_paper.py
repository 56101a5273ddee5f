"""What a table far larger than any that was measured would cost, from runs that were measured.

    python benchmarks/on_paper.py measure     run what is not in figures/on_paper.json yet
    python benchmarks/on_paper.py             fit, foretell runs held out, print the page's tables

Each run selects four columns of `ROWS x FEATURES` normal ones by one thread, at the defaults; its
processor seconds are fitted by what it has to do: pairs of rows, pairs times columns, rows times
columns. Runs that are `held` take no part in the fit. Takes some half an hour of one core.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

FIGURES = Path(__file__).resolve().parent / "figures" / "on_paper.json"
STEPS = 4


class Run(NamedTuple):
    """A run that is measured: its sizes, the share of pairs, and whether it is held out."""

    rows: int
    features: int
    share: float = 1.0
    held: bool = False

    @property
    def name(self) -> str:
        return f"{self.rows} x {self.features}, {self.share:g} of pairs"


RUNS = [
    Run(10_000, 20),
    Run(20_000, 20),
    Run(10_000, 60),
    Run(30_000, 20, held=True),
    Run(50_000, 20, 0.02),
    Run(100_000, 20, 0.005),
    Run(100_000, 60, 0.005),
    Run(200_000, 20, 0.0025),
    Run(300_000, 20, 0.002, held=True),
]


def one(rows: int, features: int, share: float) -> None:
    """Select, and print what it took."""
    import numpy as np

    import renyi

    rng = np.random.default_rng(0)
    x = rng.normal(size=(rows, features))
    y = (x[:, :STEPS].sum(axis=1) + rng.normal(size=rows) > 0).astype(int)
    began = process_time()
    path = renyi.select(x, y, jobs=1, max_features=STEPS, pairs=None if share == 1 else share)
    print(
        json.dumps(
            {
                "seconds": process_time() - began,
                "peak_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
                "drawn": [step.criteria[0].drawn for step in path.steps],
                "selected": list(path.selected),
            }
        )
    )


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("what", nargs="?", default="fit", choices=("fit", "measure", "one"))
    asked.add_argument("sizes", nargs="*", type=float)
    given = asked.parse_args()
    if given.what == "one":
        rows, features, share = given.sizes
        one(int(rows), int(features), share)
    elif given.what == "measure":
        measure()


def measure() -> None:
    from measuring import Store, describe_machine

    store = Store(FIGURES, describe_machine())
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    for run in RUNS:
        if run.name in store.figures:
            continue
        sizes = [str(run.rows), str(run.features), str(run.share)]
        told = subprocess.run(
            [sys.executable, __file__, "one", *sizes],
            env=os.environ | threads,
            capture_output=True,
            check=True,
        )
        figure: dict[str, Any] = {**run._asdict(), **json.loads(told.stdout)}
        store.put(run.name, figure)
        print(run.name, figure, flush=True)


if __name__ == "__main__":
    main()
