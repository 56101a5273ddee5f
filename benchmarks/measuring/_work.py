"""The two programs that are compared: `renyi select` and the naive loop, each a process."""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from measuring._process import Measured, measure
from measuring._tables import Table, Tables

__all__ = ["NaiveAnswer", "Selection", "Workbench"]

ROOT = Path(__file__).resolve().parents[2]
LONG = 60.0
"""Seconds above which a run is measured once; shorter ones three times, the median counts."""


@dataclass(frozen=True)
class Selection:
    """A run of `renyi select` on a table.

    Attributes
    ----------
    table
        The data; all features continuous, the target nominal.
    options
        More words of the command line.
    """

    table: Table
    options: tuple[str, ...]

    @property
    def command(self) -> list[str]:
        """The words of the command."""
        words = [str(Path(sys.executable).with_name("renyi")), "select", str(self.table.path)]
        words += ["--target", self.table.target, "--kind", "*=continuous"]
        words += ["--kind", f"{self.table.target}=nominal", *self.options]
        return [*words, "--seed", "0", "--json", "-q"]


@dataclass(frozen=True)
class NaiveAnswer:
    """What the naive loop, or a sample of it, came to."""

    measured: Measured
    record: dict[str, Any]


class Workbench:
    """Runs both programs.

    Parameters
    ----------
    tables
        Where data come from.
    quick
        Whether this is a trial of the benchmark itself: small sizes, one run each.
    """

    def __init__(self, tables: Tables, *, quick: bool = False) -> None:
        self.tables = tables
        self.quick = quick

    def select(self, selection: Selection, most_seconds: float = 3600) -> dict[str, Any]:
        """Return a figure: seconds, peak memory and the record of the answer, or a failure."""
        return self.repeat(selection.command, most_seconds)

    def repeat(self, command: Sequence[str], most_seconds: float, runs: int = 3) -> dict[str, Any]:
        """Measure a command, short ones several times, and keep the run of median seconds."""
        found = [measure(command, most_seconds)]
        if found[0].failure:
            return {"failure": found[0].failure, "seconds": found[0].seconds}
        while len(found) < runs and found[0].seconds < LONG and not self.quick:
            found.append(measure(command, most_seconds))
        middle = statistics.median_low(run.seconds for run in found)
        chosen = next(run for run in found if run.seconds == middle)
        out = chosen.out.strip()
        return {
            "seconds": chosen.seconds,
            "all_seconds": [run.seconds for run in found],
            "peak_bytes": max(run.peak_bytes for run in found),
            "others": chosen.others,
            "answer": _shortened(json.loads(out)) if out.startswith("{") else None,
        }

    def naive(self, task: dict[str, Any], most_seconds: float = 7200) -> NaiveAnswer:
        """Run the naive loop, or the sample that the task names."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "task.json"
            path.write_text(json.dumps(task), encoding="utf-8")
            script = str(ROOT / "benchmarks" / "naive.py")
            measured = measure([sys.executable, script, str(path)], most_seconds)
        if measured.failure:
            return NaiveAnswer(measured, {"failure": measured.failure})
        return NaiveAnswer(measured, {**json.loads(measured.out), "others": measured.others})


def _shortened(record: dict[str, Any]) -> dict[str, Any]:
    """Return what the figures need of a result."""
    return {
        "rows": record["data"]["rows_used"],
        "features": sum(column["role"] == "feature" for column in record["data"]["columns"]),
        "path": [step["feature"] for step in record["steps"]],
        "selected": record["selected"],
        "mi": [step["mi"] for step in record["steps"]],
        "cmi": [step["cmi"] for step in record["steps"]],
        "tests": [
            [[report["drawn"], report["exceedances"]] for report in step["criteria"]]
            for step in record["steps"]
        ],
        "stopped": record["verdict"]["stopped"],
        "reason": record["verdict"]["reason"],
        "run": {
            key: record["run"][key]
            for key in ("seconds", "seconds_by_step", "solvers", "jobs", "peak_memory_bytes")
            if key in record["run"]
        },
    }
