"""Low-order scores of counted levels, by every program that has one."""

from __future__ import annotations

import json
import statistics
import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from measuring import Workbench, measure
from sections._peers import SCRIPT, Peer, last_line, python_of
from sections._shape import Case, Figures, Section, bytes_told, prose, seconds_told, table

__all__ = ["SCORES"]

ROWS, COLUMNS, LEVELS, COUNT = 2000, 500, 5, 20
RUNS = 3

PROGRAMS = (
    Peer("ITMO-FS", "JMI on codes", ("ITMO-FS", "scikit-learn", "numpy")),
    Peer("mifspy", "JMI, by nearest neighbours", ("mifspy", "scikit-learn", "numpy")),
    Peer("feature-engine", "MRMR, difference, of codes", ("feature-engine", "pandas", "numpy")),
    Peer("mrmr-selection", "MRMR, F-test and correlation", ("mrmr-selection", "pandas", "numpy")),
)
OURS = {"renyi-jmi": "JMI on codes", "renyi-mrmr": "MRMR, difference, of codes"}


def _codes(file: Path, rows: int, columns: int) -> None:
    """Write a table of levels: twenty columns tell of the target, the others are noise."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, rows)
    x = rng.integers(0, LEVELS, (rows, columns))
    tells = min(20, columns)
    moved = np.clip(x[:, :tells] + y[:, None] * (rng.random((rows, tells)) < 0.3), 0, LEVELS - 1)
    x[:, :tells] = moved
    names = np.array([f"x{k}" for k in range(columns)])
    np.savez(file, X=x, y=y, names=names)


def _measure(program: str, needs: tuple[str, ...], bench: Workbench) -> dict[str, Any]:
    python: Path | None = Path(sys.executable)
    if needs:
        python, reason = python_of(Peer(program, "", needs))
        if python is None:
            return {"skipped": reason}
    rows, columns = (400, 30) if bench.quick else (ROWS, COLUMNS)
    found = []
    with TemporaryDirectory() as folder:
        file = Path(folder) / "codes.npz"
        _codes(file, rows, columns)
        for _ in range(1 if bench.quick else RUNS):
            measured = measure([str(python), str(SCRIPT), program, str(file), str(COUNT)], 1200)
            if measured.failure:
                told = "took more than 20 minutes" if measured.status is None else measured.err
                return {"failure": last_line(told), "others": measured.others}
            answer = json.loads(measured.out.strip().splitlines()[-1])
            found.append({**answer, "process": measured.seconds, "peak": measured.peak_bytes})
            if measured.seconds > 60:
                break
    return {
        "seconds": statistics.median(one["seconds"] for one in found),
        "process_seconds": statistics.median(one["process"] for one in found),
        "peak_bytes": max(one["peak"] for one in found),
        "version": found[0]["version"],
        "selected": found[0]["selected"],
        "others": measured.others,
    }


def cases(quick: bool) -> list[Case]:
    """Return ours, then every other."""
    _ = quick
    return [
        *(Case(name, partial(_measure, name, ())) for name in OURS),
        *(Case(peer.name, partial(_measure, peer.name, peer.needs)) for peer in PROGRAMS),
    ]


CONTEXT = """
The first {count} of {columns} columns of {levels} levels and {rows} rows, by programs that rank by
sums of low-order information. Seconds are the call alone, the median of up to three processes, with
imports that the call makes; ours read a table, choose, explain all columns that are left out, and
build the result.
"""


def page(figures: Figures) -> list[str]:
    """Return the section."""
    rows: list[list[object]] = []
    does = {**OURS, **{peer.name: peer.does for peer in PROGRAMS}}
    for name, words in does.items():
        figure = figures.get(name)
        if figure is None:
            continue
        if "seconds" not in figure:
            rows.append([name, words, figure.get("skipped") or figure["failure"], "", ""])
            continue
        told = seconds_told(figure["seconds"]), bytes_told(figure["peak_bytes"])
        first = " ".join(figure["selected"][:8])
        rows.append([f"{name} {figure['version']}", words, *told, first])
    head = ["program", "score", "seconds", "peak", "its first 8"]
    context = prose(CONTEXT, count=COUNT, columns=COLUMNS, levels=LEVELS, rows=ROWS)
    return ["## Low-order scores", "", *context, *table(head, rows, left=2)]


SCORES = Section("scores", cases, page)
