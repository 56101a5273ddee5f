"""What a table far larger than any that was measured would cost, from runs that were measured.

    python benchmarks/on_paper.py measure     run what is not in figures/on_paper.json yet, and fit
    python benchmarks/on_paper.py             fit, foretell runs held out, print the page's tables

Each run selects some columns of `rows x features` normal ones, all informative, by one thread at
the defaults. Its processor seconds are fitted by what it has to do: products of pairs of rows and
factor columns in each step, rows times columns in each step, rows, and tiles, which are small where
pairs are drawn. Runs that are `held` take no part in the fit. To fit another state of the program,
delete the figures and measure again: some ten minutes of one core.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

FIGURES = Path(__file__).resolve().parent / "figures" / "on_paper.json"

TILE_COST, FACTOR_COLUMNS = 80, 8.4
"""What a tile costs, in columns; columns of the factor of a normal column."""

DRAWN_COLUMNS = 25.0
"""The same where pairs are drawn: factors are closer, and W counts twice, with the target too."""

EXACT_STEPS = 2
"""Steps of a search over all pairs whose sums come from factors: their time grows as the rows."""

LAGS, TALL = 25, 512
"""Blocks that a block meets where pairs are drawn: it has so many rows the fewer, and at most."""

PRICE = 0.05
"""Dollars for an hour of a core that is hired, with 4 GB of memory: about what clouds ask."""

SELECTED = 10


class Run(NamedTuple):
    """A run that is measured: its sizes, the share of pairs, and whether it is held out."""

    rows: int
    features: int
    share: float = 1.0
    steps: int = 4
    held: bool = False

    @property
    def name(self) -> str:
        return f"{self.rows} x {self.features}, {self.share:g} of pairs, {self.steps} steps"

    @property
    def products(self) -> float:
        """Multiplications of one step over pairs of rows, and for each column of factors."""
        columns = DRAWN_COLUMNS if self.share < 1 else FACTOR_COLUMNS
        return self.share * self.rows**2 / 2 * (TILE_COST + columns * self.features)

    @property
    def work(self) -> list[float]:
        """What seconds are proportional to."""
        steps = self.steps - (EXACT_STEPS if self.share == 1 else 0)
        block = TALL if self.share == 1 else min(self.rows * self.share / LAGS, TALL)
        tiles = self.share * self.rows**2 / 2 / block**2
        each = [steps * self.products, self.steps * self.rows * self.features, self.rows]
        return [*each, steps * tiles] if self.share < 1 else each


RUNS = [
    Run(10_000, 20),
    Run(20_000, 20),
    Run(10_000, 60),
    Run(20_000, 20, steps=8),
    Run(30_000, 20, held=True),
    Run(20_000, 20, 0.1),
    Run(50_000, 20, 0.02),
    Run(50_000, 20, 0.05),
    Run(100_000, 60, 0.005),
    Run(100_000, 20, 0.005, held=True),
]

ASKED = [
    Run(1_000_000, 20, steps=SELECTED),
    Run(10_000_000, 1000, steps=SELECTED),
    Run(100_000_000, 100, steps=SELECTED),
    Run(1_000_000, 20, 1e-3, steps=SELECTED),
    Run(10_000_000, 1000, 1e-4, steps=SELECTED),
    Run(100_000_000, 100, 1e-5, steps=SELECTED),
]
"""Of the share of pairs so much that each row meets a thousand others."""


def one(rows: int, features: int, share: float, steps: int) -> None:
    """Select, and print what it took."""
    import numpy as np

    import renyi

    rng = np.random.default_rng(0)
    x = rng.normal(size=(rows, features))
    y = (x[:, :steps].sum(axis=1) + rng.normal(size=rows) > 0).astype(int)
    pairs = None if share == 1 else share
    began = process_time()
    path = renyi.select(x, y, jobs=1, max_features=steps, pairs=pairs)
    told = {
        "seconds": process_time() - began,
        "peak_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        "selected": len(path.selected),
    }
    print(json.dumps(told))


def measure() -> None:
    from measuring import Store, describe_machine

    store = Store(FIGURES, describe_machine())
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    for run in RUNS:
        if run.name in store.figures:
            continue
        sizes = [str(run.rows), str(run.features), str(run.share), str(run.steps)]
        command = [sys.executable, __file__, "one", *sizes]
        told = subprocess.run(command, env=os.environ | threads, stdout=subprocess.PIPE, check=True)
        store.put(run.name, json.loads(told.stdout))
        print(run.name, store.figures[run.name], flush=True)


def fitted(figures: dict[str, Any], runs: Sequence[Run], product: float | None) -> list[float]:
    """Return the seconds of each sort of work, by least squares of shares.

    Where the seconds of a product are told, they are no part of the fit.
    """
    import numpy as np
    from scipy.optimize import nnls

    measured = np.array([figures[run.name]["seconds"] for run in runs])
    work = np.array([run.work for run in runs]) / measured[:, None]
    known = 0 if product is None else 1
    left = 1.0 - (product or 0.0) * work[:, 0] * known
    scale = work.max(axis=0)
    rest = nnls((work / scale)[:, known:], left)[0] / scale[known:]
    return [*[product or 0.0] * known, *rest.tolist()]


def foretold(run: Run, each: Sequence[float]) -> float:
    return sum(seconds * times for seconds, times in zip(each, run.work, strict=True))


def tell() -> None:
    figures = json.loads(FIGURES.read_text(encoding="utf-8"))["figures"]
    models: dict[bool, list[float]] = {}
    for drawn in (False, True):
        some = [run for run in RUNS if (run.share < 1) is drawn]
        # of drawn pairs there are too few in such runs to tell what a product takes
        product = models[False][0] if drawn else None
        each = models[drawn] = fitted(figures, [run for run in some if not run.held], product)
        print("seconds of a product, of a row and column in a step, of a row, of a tile:", each)
        for run in some:
            took, said = figures[run.name]["seconds"], foretold(run, each)
            print(
                f"| {run.name}{', held' * run.held} | {took:.1f} | {said:.1f} | {said / took:.2f} |"
            )
    for run in ASKED:
        drawn = run.share < 1
        hours = foretold(run, models[drawn]) / 3600
        here = hours - run.work[0] * models[drawn][0] / 3600
        factors = run.rows * run.features * 4 * (DRAWN_COLUMNS / 2 if drawn else FACTOR_COLUMNS)
        step = models[drawn][0] * run.products / 3600
        print(
            f"| {run.rows:.0e} x {run.features} | {run.share:g} | {run.products:.1e} | "
            f"{step:,.1f} | {hours:,.1f} | {here:,.1f} | {PRICE * hours:,.2f} | "
            f"{factors / 1e9:,.1f} GB |"
        )


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("what", nargs="?", default="fit", choices=("fit", "measure", "one"))
    asked.add_argument("sizes", nargs="*", type=float)
    given = asked.parse_args()
    if given.what == "one":
        rows, features, share, *steps = given.sizes
        one(int(rows), int(features), share, int(*steps or [4]))
        return
    if given.what == "measure":
        measure()
    tell()


if __name__ == "__main__":
    main()
