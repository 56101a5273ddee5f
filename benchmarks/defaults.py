"""How long whole commands take with the default options, on tables of several shapes.

    python benchmarks/defaults.py [--only NAME ...] [--times 3]

Each run is a process of its own, one after the other: seconds on the clock and of the processor,
peak memory, how many columns were selected. All tables are made here, but heart and breast, which
are taken from RENYI_DATA_HOME. docs/benchmarks.md quotes the table that is printed.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl

from measuring import Measured, Table, Tables, measure

PAPER = "--criterion cmi-perm --alpha 1.01"
MOST_SECONDS = 1500


def linear(rows: int = 2_000, columns: int = 2_000) -> pl.DataFrame:
    """Five columns that tell of the class by themselves, a product of two, and noise."""
    rng = np.random.default_rng(3)
    x = rng.standard_normal((rows, columns))
    score = x[:, :5].sum(axis=1) + 2 * x[:, 5] * x[:, 6] + rng.standard_normal(rows)
    return named(x, np.where(score > 0, "a", "b"))


def counts(rows: int = 200, columns: int = 10_000) -> pl.DataFrame:
    """Counts of which nine of ten are 0; forty columns have more of them in one class."""
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, rows)
    rate = np.full((rows, columns), 0.1)
    rate[:, :40] += 0.5 * y[:, None]
    return named(rng.poisson(rate), np.where(y == 1, "a", "b"))


def letters(rows: int = 1_560, columns: int = 617) -> pl.DataFrame:
    """Numbers around the centres of 26 classes, which differ in 40 hidden directions."""
    rng = np.random.default_rng(7)
    y = np.arange(rows) % 26
    hidden = rng.standard_normal((26, 40))[y] + 0.7 * rng.standard_normal((rows, 40))
    x = hidden @ rng.standard_normal((40, columns)) + 4 * rng.standard_normal((rows, columns))
    return named(x, np.array([chr(97 + k) for k in y]))


def named(x: np.ndarray, y: np.ndarray) -> pl.DataFrame:
    return pl.DataFrame({**{f"x{j}": x[:, j] for j in range(x.shape[1])}, "y": y})


MADE: dict[str, Callable[[], pl.DataFrame]] = {
    "linear": linear,
    "counts": counts,
    "letters": letters,
}

RUNS: dict[str, tuple[str, str, str, float]] = {
    "readme": ("README's first command, 5,000 x 21", "own", "", 8),
    "waveform": ("waveform 20,000 x 20", "20000", "--exclude x21", 30),
    "linear": ("2,000 x 2,000, five linear columns and a product of two", "linear", "", 30),
    "letters": ("1,560 x 617 numbers, 26 classes", "letters", "", 60),
    "counts": ("200 x 10,000 sparse counts, 40 of them informative", "counts", "", 15),
    "heart": (
        "heart, `cmi-perm`, preset `paper`, alpha 1.01",
        "heart",
        f"{PAPER} --preset paper",
        1.5,
    ),
    "breast": (
        "breast 569 x 30, `cmi-perm`, alpha 1.01, bandwidth 1, P = 100",
        "breast",
        f"{PAPER} --bandwidth 1 --permutations 100",
        3,
    ),
}
"""What the page calls a run, its table, more words of the command, and the seconds asked."""


def table_of(source: str, tables: Tables, folder: Path) -> Table:
    """Return a table, made where it is not there yet."""
    if source == "own":
        return tables.own()
    if source.isdigit():
        return tables.generated(int(source))
    if source not in MADE:
        return tables.public(source)
    path = folder / f"{source}.parquet"
    if not path.exists():
        MADE[source]().write_parquet(path)
    return Table(path, "y")


def measured(table: Table, options: str) -> Measured:
    """Run one command."""
    program = str(Path(sys.executable).with_name("renyi"))
    words = [program, "select", str(table.path), "--target", table.target, "--json", "-q"]
    found = measure([*words, *options.split()], MOST_SECONDS)
    if found.failure:
        sys.exit(f"{' '.join(words)}: {found.failure}")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", default=[*RUNS], choices=list(RUNS), metavar="NAME")
    parser.add_argument("--times", type=int, default=1, help="runs of each, the median is shown")
    asked = parser.parse_args()
    print("| work | seconds | asked | of the processor | peak memory | selected |")
    print("|---|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory(prefix="renyi-benchmark-") as name:
        folder = Path(name)
        for run in asked.only:
            words, source, options, limit = RUNS[run]
            table = table_of(source, Tables(folder), folder)
            found = [measured(table, options) for _ in range(asked.times)]
            one = sorted(found, key=lambda one: one.seconds)[(len(found) - 1) // 2]
            print(
                f"| {words} | {one.seconds:.1f} | {limit:g} | {one.processor:.1f} | "
                f"{one.peak_bytes / 2**20:.0f} MiB | {len(json.loads(one.out)['selected'])} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
