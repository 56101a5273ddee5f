"""What other searches than forward cost, and how often they select a false column.

    python benchmarks/searches.py time [--rows N] [--columns F] [--parts K]
    python benchmarks/searches.py level [--tables N] [--only SEARCH ...]

`time` compares seconds of the processor on one table: K of its F columns make up the target, as
many are mixtures of these, the rest is noise. `level` counts the tables of eight normal columns,
100 rows and two classes in which `cmi-max` at level 0.05 selects a column that says nothing: of
pure noise, and where the target hangs on two of the columns. docs/guide.md and docs/theory.md quote
both. A few minutes and half an hour on two cores.
"""

from __future__ import annotations

import argparse
from time import process_time

import numpy as np
import polars as pl

import renyi

SEARCHES = ("forward", "floating", "beam:2", "beam:4", "backward")
SLOW = {"beam:4"}
"""Searches that are not timed unless they are asked for."""


def mixtures(rows: int, columns: int, parts: int) -> pl.DataFrame:
    """Return a table whose target is the sign of a sum of its first columns."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(rows, columns))
    for j in range(parts, min(2 * parts, columns)):
        noise = 0.5 * rng.normal(size=rows)
        x[:, j] = x[:, j - parts] + x[:, (j - parts + 1) % parts] + noise
    total = x[:, :parts].sum(1) + 0.5 * rng.normal(size=rows)
    named = {f"x{j}": x[:, j] for j in range(columns)}
    return pl.DataFrame({**named, "y": np.where(total > 0, "a", "b")})


def normal(seed: int, *, informative: bool) -> pl.DataFrame:
    """Return eight normal columns and a target of two classes, which may hang on the first two."""
    rng = np.random.default_rng([seed, 5])
    x = rng.normal(size=(8, 100))
    if informative:
        y = (x[0] + x[1] + 0.7 * rng.normal(size=100) > 0).astype(int)
    else:
        y = rng.integers(0, 2, size=100)
    return pl.DataFrame({**{f"x{j}": x[j] for j in range(8)}, "y": [f"c{k}" for k in y]})


def tell_time(rows: int, columns: int, parts: int, searches: list[str]) -> None:
    """Print what each search takes, beside forward."""
    table, forward = mixtures(rows, columns, parts), 0.0
    for search in searches:
        began = process_time()
        path = renyi.select(table, target="y", search=search)
        seconds = process_time() - began
        forward = forward or seconds
        count = len(path.selected)
        print(f"{search:9} {seconds:7.1f} s, {seconds / forward:5.2f} x, {count} selected")


def tell_level(tables: int, searches: list[str]) -> None:
    """Print in how many tables a false column is selected, and a true one missed."""
    for informative in (False, True):
        true = {"x0", "x1"} if informative else set()
        for search in searches:
            found = [
                set(
                    renyi.select(
                        normal(seed, informative=informative),
                        target="y",
                        search=search,
                        bandwidth=2,
                        seed=seed,
                        jobs=1,
                    ).selected
                )
                for seed in range(tables)
            ]
            false = sum(bool(chosen - true) for chosen in found)
            missed = sum(bool(true - chosen) for chosen in found)
            kind = "two matter" if informative else "noise"
            print(f"{kind:10} {search:9} false {false} of {tables}, missed {missed}")


def main() -> None:
    """Run what is asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("time", "level"))
    parser.add_argument("--rows", type=int, default=5000)
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--parts", type=int, default=5)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--only", nargs="+", default=None)
    asked = parser.parse_args()
    if asked.what == "time":
        searches = asked.only or [one for one in SEARCHES if one not in SLOW]
        tell_time(
            asked.rows,
            asked.columns,
            asked.parts,
            ["forward", *(s for s in searches if s != "forward")],
        )
    else:
        tell_level(asked.tables, asked.only or list(SEARCHES))


if __name__ == "__main__":
    main()
