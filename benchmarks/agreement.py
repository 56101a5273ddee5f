"""Compare `--solver auto` with `--solver dense`: same path, same decisions, same values.

    RENYI_DATA_HOME=FOLDER python benchmarks/agreement.py [--sets NAME ...] [--alphas ALPHA ...]

600 rows and up to 40 columns of every public set at hand that has as many rows, one path a set and
alpha with all criteria along it. Each comparison is written to benchmarks/figures/agreement.json as
it ends and the page agreement.md beside it: started again, the command goes on where it stopped.
Leaves with status 1 if anything differs. Takes about an hour of one core.
"""

from __future__ import annotations

import argparse
import os
import sys
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from measuring import Store, describe_machine, sentence_of

FIGURES = Path(__file__).resolve().parent / "figures"
ROWS, COLUMNS, STEPS, PERMUTATIONS = 600, 40, 6, 39
ALPHAS = (0.6, 1.0, 1.01, 1.5, 2.0, 3.0)
CRITERIA = ("cmi-heuristic", "cmi-perm", "mi-perm", "mi-chi2")
TOLERANCE = 1e-6
"""Bits that a value may differ by: what `auto` promises."""

TOLD = f"""
Up to {ROWS} rows and {COLUMNS} columns of public sets, evenly spread, complete rows; one path a set
and alpha, up to {STEPS} features, with {{criteria}} along it (P = {PERMUTATIONS}), going on where
all of them stop, all else at the defaults. Compared are the path, the runner-up, what every
criterion decided at every step, draws, exceedances and p-values, and every value to {TOLERANCE:g}
bits. The largest difference of a value is in bits. Seconds are those of the selection, on whatever
else the machine was doing.
"""

EXACT = ("stop", "keeps_feature", "p_value", "p_upper", "drawn", "exceedances", "threshold")
"""What of a criterion's report is a decision, or counted, or computed without entropies."""


def cut(path: Path, rows: int, columns: int) -> Any:
    """Return rows and features of a table, both evenly spread, and the target.

    Incomplete rows and what is constant on those left are left out; the target is the last column.
    """
    import polars as pl

    frame = pl.read_parquet(path)
    *names, target = frame.columns
    step = max(1, len(names) // columns)
    frame = frame.select(*names[::step][:columns], target).drop_nulls()
    frame = frame.gather_every(max(1, frame.height // rows)).head(rows)
    varied = [name for name in frame.columns if frame[name].n_unique() > 1]
    return frame.select(varied)


def select(table: Any, alpha: float, solver: str, *, steps: int, permutations: int) -> list[Any]:
    """Return a path with all criteria along it, in pieces.

    A piece ends where all criteria stop; the next keeps what was found, the rejected feature too,
    and goes on. Every step up to the last is so tested by every criterion in one of them.
    """
    import renyi

    pieces: list[Any] = []
    keep: list[str] = []
    while True:
        path = renyi.select(
            table,
            target=table.columns[-1],
            alpha=alpha,
            solver=solver,
            criterion=CRITERIA,
            stop_when="all",
            permutations=permutations,
            max_features=steps,
            keep=keep,
        )
        pieces.append(path)
        keep = [step.features[0] for step in path.steps]
        features = sum(column.role == "feature" for column in path.data.columns)
        if len(keep) >= min(steps, features):
            return pieces


def tested(pieces: Sequence[Any]) -> list[Any]:
    """Return the steps that the criteria judged, one piece after another."""
    return [step for path in pieces for step in path.steps if step.action == "add"]


def all_differences(autos: Sequence[Any], denses: Sequence[Any]) -> list[str]:
    """Return what of two paths in pieces is not the same, in words."""
    if len(autos) != len(denses):
        return [f"all criteria stop {len(autos) - 1} times and {len(denses) - 1} times"]
    pairs = zip(autos, denses, strict=True)
    return [text for one, other in pairs for text in differences(one, other)]


def differences(auto: Any, dense: Any, tolerance: float = TOLERANCE) -> list[str]:
    """Return what of two paths is not the same, in words; values may differ by the tolerance."""
    found = []
    for name in ("stopped", "step", "criteria"):
        one, other = getattr(auto.verdict, name), getattr(dense.verdict, name)
        if one != other:
            found.append(f"verdict {name}: {one} and {other}")
    if [step.features for step in auto.steps] != [step.features for step in dense.steps]:
        paths = [[step.feature for step in path.steps] for path in (auto, dense)]
        return [*found, f"path: {paths[0]} and {paths[1]}"]
    if auto.selected != dense.selected:
        found.append(f"selected: {auto.selected} and {dense.selected}")
    for one, other in zip(auto.steps, dense.steps, strict=True):
        found += [f"step {one.index}, {text}" for text in _of_step(one, other, tolerance)]
    return found


def largest_difference(auto: Any, dense: Any) -> float:
    """Return how far any value of two equal paths is apart, bits."""
    pairs = zip(auto.steps, dense.steps, strict=False)
    apart = [abs(a - b) for one, other in pairs for _, a, b in _values(one, other)]
    return max(apart, default=0.0)


def _of_step(one: Any, other: Any, tolerance: float) -> Iterator[str]:
    for name, a, b in _values(one, other):
        if not abs(a - b) <= tolerance:
            yield f"{name}: {a} and {b}"
    if (one.cmi is None, one.cmi_code) != (other.cmi is None, other.cmi_code):
        yield f"cmi: {one.cmi_code} and {other.cmi_code}"
    if (one.runner_up is None) != (other.runner_up is None):
        yield "only one has a runner-up"
    elif one.runner_up is not None and one.runner_up.features != other.runner_up.features:
        yield f"runner-up: {one.runner_up.features} and {other.runner_up.features}"
    if dict(one.would_stop) != dict(other.would_stop):
        yield f"would stop: {dict(one.would_stop)} and {dict(other.would_stop)}"
    for report, same in zip(one.criteria, other.criteria, strict=True):
        yield from (f"{report.criterion} {text}" for text in _of_report(report, same, tolerance))


def _of_report(one: Any, other: Any, tolerance: float) -> Iterator[str]:
    for name in EXACT:
        if getattr(one, name) != getattr(other, name):
            yield f"{name}: {getattr(one, name)} and {getattr(other, name)}"
    if one.statistic is not None and not abs(one.statistic - other.statistic) <= tolerance:
        yield f"statistic: {one.statistic} and {other.statistic}"
    if one.null_quantiles is not None:
        allowed = tolerance + (one.null_error or 0.0) + (other.null_error or 0.0)
        for a, b in zip(one.null_quantiles, other.null_quantiles, strict=True):
            if not abs(a - b) <= allowed:
                yield f"null quantile: {a} and {b}, allowed {allowed}"


def _values(one: Any, other: Any) -> Iterator[tuple[str, float, float]]:
    """Yield every number in bits that both steps have."""
    for name in ("mi", "cmi", "gain", "saturation"):
        yield from _pair(name, getattr(one, name), getattr(other, name))
    for name in ("selected", "joint", "target", "conditional_all"):
        a, b = getattr(one.entropies, name), getattr(other.entropies, name)
        yield from _pair(f"entropy {name}", a, b)
    if one.runner_up is not None and other.runner_up is not None:
        for name in ("mi", "gap"):
            a, b = getattr(one.runner_up, name), getattr(other.runner_up, name)
            yield from _pair(f"runner-up {name}", a, b)


def _pair(name: str, one: float | None, other: float | None) -> Iterator[tuple[str, float, float]]:
    if one is not None and other is not None:
        yield name, one, other


def compare(path: Path, alpha: float) -> dict[str, Any]:
    """Return the figure of one set and alpha."""
    table = cut(path, ROWS, COLUMNS)
    paths, seconds = {}, {}
    for solver in ("auto", "dense"):
        start = perf_counter()
        paths[solver] = select(table, alpha, solver, steps=STEPS, permutations=PERMUTATIONS)
        seconds[solver] = perf_counter() - start
    autos, denses = paths["auto"], paths["dense"]
    steps = tested(autos)
    reports = [report for step in steps for report in step.criteria]
    auto = autos[0]
    return {
        "set": path.stem,
        "alpha": alpha,
        "rows": auto.data.rows_used,
        "features": sum(column.role == "feature" for column in auto.data.columns),
        "path": [step.feature for step in steps],
        "decisions": len(reports),
        "stops": sum(report.stop for report in reports),
        "replicates": sum(report.drawn or 0 for report in reports),
        "largest_difference": max(map(largest_difference, autos, denses)),
        "differences": all_differences(autos, denses),
        "seconds": seconds,
    }


def page(figures: dict[str, dict[str, Any]], machine: dict[str, Any]) -> str:
    """Return all comparisons as a Markdown page."""
    differ = [name for name, figure in figures.items() if figure["differences"]]
    result = f"{len(differ)} of {len(figures)} differ: {', '.join(differ)}."
    lines = [
        "# `auto` beside `dense`",
        "",
        "Written by `python benchmarks/agreement.py`:",
        "",
        f"> {sentence_of(machine)}",
        "",
        *textwrap.wrap(" ".join(TOLD.split()).format(criteria=", ".join(CRITERIA)), 100),
        "",
        f"**{result if differ else f'All {len(figures)} comparisons agree.'}**",
        "",
        "| set | n | F | alpha | steps | decisions | stops | draws | largest difference | same "
        "| auto | dense |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---|---:|---:|",
        *map(_row, sorted(figures.values(), key=lambda f: (f["set"], f["alpha"]))),
    ]
    for name in differ:
        lines += ["", f"{name}:", "", *(f"- {text}" for text in figures[name]["differences"])]
    return "\n".join(lines) + "\n"


def _row(figure: dict[str, Any]) -> str:
    cells = [figure["set"], figure["rows"], figure["features"], f"{figure['alpha']:g}"]
    cells += [len(figure["path"]), figure["decisions"], figure["stops"], figure["replicates"]]
    cells += [f"{figure['largest_difference']:.0e}", "NO" if figure["differences"] else "yes"]
    cells += [f"{figure['seconds'][solver]:.1f} s" for solver in ("auto", "dense")]
    return "| " + " | ".join(map(str, cells)) + " |"


def paths_at_hand(names: Sequence[str]) -> list[Path]:
    """Return the sets that have enough complete rows, or leave with the reason."""
    home = os.environ.get("RENYI_DATA_HOME")
    if not home:
        sys.exit("Set RENYI_DATA_HOME to the folder that holds the sets as Parquet files.")
    found = sorted(Path(home).glob("*.parquet"))
    if names:
        return [path for path in found if path.stem in names]
    return [path for path in found if cut(path, ROWS, 1).height >= ROWS]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", nargs="*", default=[], help="names; all of 600 rows by default")
    parser.add_argument("--alphas", nargs="*", type=float, default=ALPHAS)
    parser.add_argument("--again", action="store_true", help="compare anew what is kept")
    parser.add_argument("--output", type=Path, default=FIGURES)
    given = parser.parse_args()
    machine = describe_machine()
    store = Store(given.output / "agreement.json", machine)
    for path in paths_at_hand(given.sets):
        for alpha in given.alphas:
            name = f"{path.stem} at alpha {alpha:g}"
            if name in store.figures and not given.again:
                continue
            store.put(name, compare(path, alpha))
            print(_row(store.figures[name]), flush=True)
            text = page(store.figures, machine)
            (given.output / "agreement.md").write_text(text, encoding="utf-8")
    if any(figure["differences"] for figure in store.figures.values()):
        sys.exit("Some paths differ: see agreement.md.")


if __name__ == "__main__":
    main()
