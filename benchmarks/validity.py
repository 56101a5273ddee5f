"""See whether each criterion keeps its level, and what it finds; write docs/validity.md.

    RENYI_DATA_HOME=FOLDER python benchmarks/validity.py [--only NAME ...] [--jobs N] [--quick]

Every run of every cell has a seed of its own. Outcomes are kept in benchmarks/figures/validity/, a
file a cell, as they come: started again, the command goes on where it stopped, and a method whose
settings have changed is begun anew. `--only` names parts (null, power, truth, claims), cells as
PART/CELL, or methods as :METHOD; `--list` shows all names with what is kept of each; `--page`
writes the page from what there is. `--runs` ends every cell at so many runs. `--quick` is a trial
of the command itself: few cells, two runs, its page in a temporary folder. The whole takes some
hours of one core; it runs beside other work, since nothing in it is timed.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")  # processes share the cores, before NumPy is loaded

from measuring import describe_machine  # noqa: E402
from validity import PARTS, Asked, Cell, all_cells, do, kept, write_page  # noqa: E402

ROOT = Path(__file__).resolve().parents[1]
TRIAL = (
    "null/continuous-50-1",
    "null/mixed-50-5",
    "null/later-correlated-100",
    "power/linear-1",
    "truth/linear",
    "claims/copies",
)


def wanted(cells: list[Cell], only: list[str]) -> tuple[list[Cell], frozenset[str]]:
    """Return the cells and methods that were asked for, or leave naming what there is not."""
    methods = frozenset(name[1:] for name in only if name.startswith(":"))
    places = {name for name in only if not name.startswith(":")}
    known = {*PARTS, *(cell.key for cell in cells)}
    there = {name for cell in cells for name in cell.methods}
    wrong = sorted((places - known) | {f":{name}" for name in methods - there})
    if wrong:
        sys.exit(f"There is nothing named {', '.join(wrong)}; --list shows all names.")
    chosen = [cell for cell in cells if not places or {cell.part, cell.key} & places]
    return chosen, methods


def show(cells: list[Cell], asked: Asked) -> None:
    """Print every cell with the runs that are kept of each method."""
    for cell in cells:
        store = asked.store_of(cell)
        told = ", ".join(f"{name} {len(store.outcomes(name))}" for name in cell.methods)
        print(f"{cell.key}  {told}  of {max(cell.runs.values())}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--runs", type=int, help="end every cell at so many runs")
    parser.add_argument("--store", type=Path, help="folder of the outcomes")
    parser.add_argument("--output", type=Path, help="folder of the page and its figures")
    parser.add_argument("--quick", action="store_true", help="a trial at small sizes")
    parser.add_argument("--list", action="store_true", help="show all names, do nothing")
    parser.add_argument("--page", action="store_true", help="write the page, do no runs")
    given = parser.parse_args()
    store = given.store or ROOT / "benchmarks" / "figures" / "validity"
    output, runs = given.output or ROOT / "docs", given.runs
    cells = list(all_cells())
    if given.quick:
        trial = Path(tempfile.mkdtemp(prefix="renyi-validity-"))
        store, output, runs = given.store or trial, given.output or trial, 2
        cells = [cell for cell in cells if cell.key in TRIAL]
    chosen, methods = wanted(cells, given.only)
    asked = Asked(store, given.jobs, runs, methods)
    if given.list:
        show(chosen, asked)
        return
    if not given.page:
        do(chosen, asked, lambda words: print(words, flush=True))
    written = write_page(cells, kept(cells, asked), describe_machine(), output)
    print(f"Written: {written}")


if __name__ == "__main__":
    main()
