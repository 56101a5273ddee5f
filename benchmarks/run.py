"""Measure everything that docs/benchmarks.md says, and write it.

    RENYI_DATA_HOME=FOLDER python benchmarks/run.py [--only NAME ...] [--again] [--quick]

Each figure is kept in benchmarks/figures/ as soon as it is there: started again, the command goes
on where it stopped, on the same machine with the same versions. `--only` names a section (limits,
naive, growth, shares, peers) or one of its figures as SECTION/FIGURE; `--again` measures anew what
is kept; `--list` shows all names; `--page` writes the page from what there is. `--quick` is a trial
of the command itself: small sizes, its page in a temporary folder. The whole takes about two hours
on two cores; leave the machine alone meanwhile. Published programs are installed from the package
index into environments in a temporary folder.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from measuring import (
    Store,
    TableMissingError,
    Tables,
    Workbench,
    describe_machine,
    measure,
    sentence_of,
)
from sections import SECTIONS, Case, Section, prose

ROOT = Path(__file__).resolve().parents[1]
QUIET = 0.05
"""Share of the cores that other processes may take."""


def wanted(section: Section, only: list[str], quick: bool) -> Iterator[Case]:
    """Yield the cases of a section that were asked for."""
    for case in section.cases(quick):
        if not only or section.name in only or f"{section.name}/{case.name}" in only:
            yield case


def measure_section(
    section: Section, store: Store, bench: Workbench, only: list[str], again: bool
) -> None:
    """Measure what is asked for and not kept yet."""
    for case in wanted(section, only, bench.quick):
        if case.name in store.figures and not again:
            continue
        print(f"{section.name}/{case.name} ...", flush=True)
        try:
            figure = case.measure(bench)
        except TableMissingError as missing:
            print(f"  left out: {missing}")
            continue
        store.put(case.name, figure)
        print(f"  {told(figure)}{noise(figure)}", flush=True)


def told(figure: dict[str, Any]) -> str:
    """Return a figure in a few words."""
    ours = figure.get("ours", figure)
    if "skipped" in ours or "failure" in ours:
        return str(ours.get("skipped") or ours.get("failure"))
    if "seconds" in ours:
        return f"{ours['seconds']:.2f} s"
    return ", ".join(
        f"{k} {v.get('seconds', v.get('failure'))}" for k, v in ours["answers"].items()
    )


def disturbances(figure: Any) -> Iterator[float]:
    """Yield the shares of the cores that others took in the runs behind a figure."""
    if isinstance(figure, dict):
        if figure.get("others") is not None:
            yield float(figure["others"])
        for part in figure.values():
            yield from disturbances(part)


def noise(figure: dict[str, Any]) -> str:
    """Return a warning where the machine was not quiet."""
    most = max(disturbances(figure), default=0.0)
    return f"  (others took {100 * most:.0f}% of the cores)" if most > QUIET else ""


def quiet_told(stores: dict[str, Store]) -> str:
    """Say which figures were disturbed."""
    shares = {
        f"{section}/{name}": max(disturbances(figure), default=0.0)
        for section, store in stores.items()
        for name, figure in store.figures.items()
    }
    noisy = [name for name, share in shares.items() if share > QUIET]
    most, limit = 100 * max(shares.values(), default=0.0), 100 * QUIET
    told = f"Other processes took at most {most:.0f}% of the cores while these ran"
    return f"{told}; more than {limit:.0f}% in: {', '.join(noisy) or 'none'}."


def page(machine: dict[str, Any], stores: dict[str, Store]) -> str:
    """Return the whole page."""
    stamps = [figure for store in stores.values() for figure in store.figures.values()]
    commits = ", ".join(sorted({figure["commit"] for figure in stamps}))
    days = sorted({figure["measured"] for figure in stamps})
    when = " to ".join(dict.fromkeys((days[0], days[-1]))) if days else "never"
    lines = [
        "# Benchmarks",
        "",
        "Written by `python benchmarks/run.py`, which anyone can run; the figures behind it are in",
        "`benchmarks/figures/`. Every figure is measured by real processes on one machine:",
        "",
        f"> {sentence_of(machine)}",
        "",
        *prose(f"Measured {when} at commit {commits or 'none'}. {quiet_told(stores)}")[:-1],
    ]
    for section in SECTIONS:
        lines += ["", *section.page(stores[section.name].figures)]
    return "\n".join(lines) + "\n"


def show_names() -> None:
    for section in SECTIONS:
        for case in section.cases(False):
            print(f"{section.name}/{case.name}")


def known(names: list[str], quick: bool) -> list[str]:
    """Return the names as they are, or leave naming those that are none."""
    there = {section.name for section in SECTIONS}
    there |= {f"{s.name}/{case.name}" for s in SECTIONS for case in s.cases(quick)}
    wrong = [name for name in names if name not in there]
    if wrong:
        sys.exit(f"There is no figure named {', '.join(wrong)}; --list shows all names.")
    return names


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME")
    parser.add_argument("--again", action="store_true", help="measure anew what is kept")
    parser.add_argument("--quick", action="store_true", help="a trial at small sizes")
    parser.add_argument("--output", type=Path, help="folder for figures and page, for a trial")
    parser.add_argument("--list", action="store_true", help="show the names of all figures")
    parser.add_argument("--page", action="store_true", help="write the page, measure nothing")
    given = parser.parse_args()
    if given.list:
        show_names()
        return
    only = known(given.only, given.quick)
    figures, out = ROOT / "benchmarks" / "figures", ROOT / "docs" / "benchmarks.md"
    if given.quick or given.output:
        trial = given.output or Path(tempfile.mkdtemp(prefix="renyi-benchmark-"))
        trial.mkdir(parents=True, exist_ok=True)
        figures, out = trial, trial / "benchmarks.md"
    machine = describe_machine()
    stores = {s.name: Store(figures / f"{s.name}.json", machine) for s in SECTIONS}
    with tempfile.TemporaryDirectory(prefix="renyi-benchmark-data-") as folder:
        bench = Workbench(Tables(Path(folder)), quick=given.quick)
        program = str(Path(sys.executable).with_name("renyi"))
        if not given.page:  # the first start of all compiles byte code and fills the disk's cache
            measure([program, "select", str(bench.tables.own().path), "--rows", "60", "-q"], 300)
        for section in SECTIONS:
            if not given.page:
                measure_section(section, stores[section.name], bench, only, given.again)
            out.write_text(page(machine, stores), encoding="utf-8")
    print(f"Written: {out}")


if __name__ == "__main__":
    main()
