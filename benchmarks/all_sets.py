"""Select on every set at hand, unrestricted, at alpha 2, with each criterion.

    RENYI_DATA_HOME=FOLDER python benchmarks/all_sets.py

Runs the real command as a process of its own, so that the seconds are what a person waits. Sets of
more than 5,000 rows are sampled to 2,000. Prints a table and writes it, with what every run
answered, to benchmarks/figures/all_sets.md and all_sets.json.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
CRITERIA = ("cmi-heuristic", "cmi-perm", "mi-perm", "mi-chi2", "none")
PAPER = (
    "waveform breast heart spect ionosphere parkinsons semeion lung lymph madelon".split()  # noqa: SIM905
)
MISSING = {"adult": "drop", "titanic": "drop", "mushroom": "category"}
LONG, SAMPLE = 5000, 2000


@dataclass(frozen=True)
class Run:
    """One run of the command and what came out."""

    name: str
    criterion: str
    n: int | None
    features: int | None
    selected: int | None
    seconds: float
    stopped: str
    reason: str
    columns: tuple[str, ...] = ()


def rows_of(path: Path) -> int:
    """Rows of a Parquet file, from its footer."""
    import pyarrow.parquet as pq

    return int(pq.read_metadata(path).num_rows)


def select(path: Path, criterion: str, alpha: str, most_seconds: float) -> Run:
    """Run `renyi select` once."""
    command = [str(Path(sys.executable).with_name("renyi")), "select", str(path), "--json", "-q"]
    command += ["--criterion", criterion, "--alpha", alpha]
    if rows_of(path) > LONG:
        command += ["--rows", str(SAMPLE)]
    if path.stem in MISSING:
        command += ["--missing", MISSING[path.stem]]
    start = time.perf_counter()
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=most_seconds
        )
    except subprocess.TimeoutExpired:
        return Run(path.stem, criterion, None, None, None, most_seconds, "timeout", "too long")
    seconds = time.perf_counter() - start
    if done.returncode:
        reason = " ".join(done.stderr.split()) or f"ended with status {done.returncode}"
        return Run(path.stem, criterion, None, None, None, seconds, "error", reason)
    record = json.loads(done.stdout)
    return Run(
        name=path.stem,
        criterion=criterion,
        n=record["data"]["rows_used"],
        features=sum(column["role"] == "feature" for column in record["data"]["columns"]),
        selected=len(record["selected"]),
        seconds=seconds,
        stopped=record["verdict"]["stopped"],
        reason=record["verdict"]["reason"],
        columns=tuple(record["selected"]),
    )


HEAD = "| set | n | F | criterion | selected | seconds | stopped by | reason |"


def row(run: Run) -> str:
    """Return one line of the Markdown table."""
    cells = [run.name, run.n, run.features, run.criterion, run.selected, f"{run.seconds:.1f}"]
    cells += [run.stopped, run.reason]
    told = ["" if cell is None else str(cell).replace("|", "\\|") for cell in cells]
    return "| " + " | ".join(told) + " |"


def page(runs: list[Run], alpha: str) -> str:
    """Return all runs as a Markdown page."""
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    lines = [
        f"# Every set at alpha {alpha}, no limit on the features",
        "",
        f"Written by `python benchmarks/all_sets.py` on {machine}. Seconds are the whole process.",
        f"Sets of more than {LONG:,} rows were sampled to {SAMPLE:,}; all else at the defaults.",
        "",
        HEAD,
        "|---|---:|---:|---|---:|---:|---|---|",
        *map(row, runs),
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", nargs="*", help="names; all in RENYI_DATA_HOME by default")
    parser.add_argument("--criteria", nargs="*", default=CRITERIA)
    parser.add_argument("--alpha", default="2")
    parser.add_argument("--timeout", type=float, default=1800, help="seconds a run may take")
    parser.add_argument("--output", type=Path, default=HERE / "figures")
    given = parser.parse_args()
    home = os.environ.get("RENYI_DATA_HOME")
    if not home:
        sys.exit("Set RENYI_DATA_HOME to the folder that holds the sets as Parquet files.")
    paths = sorted(
        (
            path
            for path in Path(home).glob("*.parquet")
            if not given.sets or path.stem in given.sets
        ),
        key=lambda path: (PAPER.index(path.stem) if path.stem in PAPER else len(PAPER), path.stem),
    )
    given.output.mkdir(parents=True, exist_ok=True)
    runs: list[Run] = []
    print(HEAD, flush=True)
    for path in paths:
        for criterion in given.criteria:
            runs.append(select(path, criterion, given.alpha, given.timeout))
            print(row(runs[-1]), flush=True)
            records = json.dumps([asdict(run) for run in runs], indent=1)
            (given.output / "all_sets.json").write_text(records + "\n", encoding="utf-8")
            (given.output / "all_sets.md").write_text(page(runs, given.alpha), encoding="utf-8")
    if any(run.stopped in {"error", "timeout"} for run in runs):
        sys.exit("Some runs failed: see the table.")


if __name__ == "__main__":
    main()
