"""How often noise is selected where rows belong together, with the option that says so.

    python benchmarks/together.py [--tables 200] [CASE ...]

Each case makes tables in which nothing joins the columns and y but that rows of one subject, or
rows near in time, are alike in both. A line a case: tables in which anything was selected without
the option and with it, and tables that raised a warning without it.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from typing import Any, Final

import numpy as np

import renyi

Table = dict[str, Any]
SIGNS: Final = {"repeated_subject", "alike_neighbours"}


def _of_group(rng: np.random.Generator, rows: np.ndarray, noise: float) -> np.ndarray:
    return rng.normal(size=rows.max() + 1)[rows] + noise * rng.normal(size=len(rows))


def subjects(rng: np.random.Generator) -> Table:
    """30 subjects of 6 rows, 10 columns, the class of the subject."""
    rows = np.repeat(np.arange(30), 6)
    table: Table = {f"x{j}": _of_group(rng, rows, 0.5) for j in range(10)}
    return table | {"subject": rows, "y": np.where(rows % 2 == 0, "a", "b")}


def unequal(rng: np.random.Generator) -> Table:
    """40 subjects of 2 to 7 rows, 10 columns, the class of the subject."""
    rows = np.repeat(np.arange(40), rng.integers(2, 8, 40))
    table: Table = {f"x{j}": _of_group(rng, rows, 0.5) for j in range(10)}
    return table | {"subject": rows, "y": np.where(rows % 2 == 0, "a", "b")}


def sites(rng: np.random.Generator) -> Table:
    """8 sites of 25 rows, 8 columns and a number, each with noise of 1 about the site's value."""
    rows = np.repeat(np.arange(8), 25)
    table: Table = {f"x{j}": _of_group(rng, rows, 1.0) for j in range(8)}
    return table | {"subject": rows, "y": _of_group(rng, rows, 1.0)}


def days(rng: np.random.Generator) -> Table:
    """30 days of 12 rows, 5 columns and a number, each with noise of .5 about the day's value."""
    rows = np.repeat(np.arange(30), 12)
    table: Table = {f"x{j}": _of_group(rng, rows, 0.5) for j in range(5)}
    return table | {"y": _of_group(rng, rows, 0.5)}


def series(memory: float, n: int) -> Callable[[np.random.Generator], Table]:
    """5 columns and a number, each an autoregression."""

    def made(rng: np.random.Generator) -> Table:
        values = rng.normal(size=(6, n))
        for row in range(1, n):
            values[:, row] += memory * values[:, row - 1]
        return {f"x{j}": values[j] for j in range(5)} | {"y": values[5]}

    return made


CASES: Final[dict[str, tuple[Callable[[np.random.Generator], Table], dict[str, Any]]]] = {
    "subjects": (subjects, {"groups": "subject"}),
    "unequal": (unequal, {"groups": "subject"}),
    "sites": (sites, {"groups": "subject"}),
    "days": (days, {"blocks": 12}),
    "series-95-80": (series(0.95, 80), {"blocks": "auto"}),
    "series-90-100": (series(0.9, 100), {"blocks": "auto"}),
    "series-80-200": (series(0.8, 200), {"blocks": "auto"}),
    "series-80-40": (series(0.8, 400), {"blocks": 40}),
}


def main() -> None:
    """Run the cases asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="number of the first table")
    parser.add_argument("--only-with", action="store_true", help="leave out runs without option")
    parser.add_argument("cases", nargs="*", default=[*CASES], metavar="CASE")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    for name in asked.cases:
        made, option = CASES[name]
        found = np.zeros(3, dtype=int)
        for number in range(asked.first, asked.first + asked.tables):
            table = made(np.random.default_rng([7, number]))
            known = renyi.select(table, target="y", seed=number, jobs=1, **option)
            found[1] += bool(known.selected)
            if asked.only_with:
                continue
            free = renyi.select(
                table,
                target="y",
                exclude="subject" if "subject" in table else (),
                seed=number,
                jobs=1,
                max_features=1,
            )
            found[0] += bool(free.selected)
            whole = renyi.select(table, target="y", seed=number, jobs=1, max_features=1)
            found[2] += bool(SIGNS & {note.code for note in whole.warnings})
        more = "" if asked.only_with else f", without {found[0]}, warned of {found[2]}"
        print(f"{name}: with {found[1]}{more} of {asked.tables}", flush=True)


if __name__ == "__main__":
    main()
