"""What must hold: seconds and memory of the whole process, and the factor over the naive loop."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from measuring import Selection, Workbench
from sections._shape import (
    Case,
    Figures,
    Section,
    bytes_told,
    factor_told,
    prose,
    seconds_told,
    table,
)

__all__ = ["LIMITS", "naive_task", "sample_for"]

STARTS = 11
"""Runs of what takes a fraction of a second."""


@dataclass(frozen=True)
class Limit:
    """One row: a run and what it may take.

    Attributes
    ----------
    name
        In the store.
    words
        What the page calls it.
    source
        A public set, or the number of generated rows.
    options
        Words of the command besides kinds, seed and `--json`.
    seconds, gib
        At most, of the whole process; `gib` None where nothing is asked.
    factor
        At least, over the naive loop; None where that cannot run.
    """

    name: str
    words: str
    source: str | int
    options: str
    seconds: float
    factor: float | None = None
    gib: float | None = None

    def selection(self, bench: Workbench) -> Selection:
        """Return the run; on little data where it is a quick trial."""
        if isinstance(self.source, int):
            table = bench.tables.generated(min(self.source, 2000) if bench.quick else self.source)
            return Selection(table, (*self.options.split(), "--exclude", "x21"))
        table = bench.tables.public(self.source)
        if not bench.quick:
            return Selection(table, tuple(self.options.split()))
        return Selection(bench.tables.first(table, *TRIAL), _short(self.options))


TRIAL = (150, 12)
"""Rows and features of a quick trial."""


def _short(options: str) -> tuple[str, ...]:
    """Return the words of a command that ends after two features."""
    words = options.split()
    if "--max-features" in words:
        words[words.index("--max-features") + 1] = "2"
        return tuple(words)
    return (*words, "--max-features", "2")


NONE = "--criterion none --max-features"
PERM = "--criterion cmi-perm --permutations 100"
ROWS = (
    Limit(
        "waveform-1.01",
        "waveform 5000 x 21, cmi-perm, P = 100, alpha 1.01, sigma 1, until it stops",
        "waveform",
        f"{PERM} --alpha 1.01 --bandwidth 1",
        60,
        100,
    ),
    Limit(
        "waveform-2", "the same at alpha 2", "waveform", f"{PERM} --alpha 2 --bandwidth 1", 8, 200
    ),
    Limit(
        "waveform-first-8",
        "waveform, first 8 features, criterion none, alpha 1.01, sigma 2",
        "waveform",
        f"{NONE} 8 --alpha 1.01 --bandwidth 2",
        90,
        20,
    ),
    Limit(
        "breast",
        "breast 569 x 30, cmi-perm, P = 100, alpha 1.01, sigma 1",
        "breast",
        f"{PERM} --alpha 1.01 --bandwidth 1",
        3,
        10,
    ),
    Limit(
        "madelon-1.01",
        "madelon 2600 x 500, 10 features, criterion none, sigma 2, alpha 1.01",
        "madelon",
        f"{NONE} 10 --alpha 1.01 --bandwidth 2",
        330,
        20,
    ),
    Limit(
        "madelon-2",
        "the same at alpha 2",
        "madelon",
        f"{NONE} 10 --alpha 2 --bandwidth 2",
        10,
        200,
    ),
    Limit(
        "lymph",
        "lymph 96 x 4026, cmi-perm, P = 100, first 20 features, alpha 1.01, sigma 1",
        "lymph",
        f"{PERM} --max-features 20 --alpha 1.01 --bandwidth 1",
        12,
        4,
    ),
    Limit(
        "semeion",
        "semeion 1593 x 256, first 20 features, criterion none, alpha 1.01, sigma 1",
        "semeion",
        f"{NONE} 20 --alpha 1.01 --bandwidth 1",
        240,
        7,
    ),
    Limit(
        "100000-mi",
        "100,000 x 20 (waveform-like), mi-perm, P = 100, alpha 2, sigma 2, first 4 features",
        100_000,
        "--criterion mi-perm --permutations 100 --max-features 4 --alpha 2 --bandwidth 2",
        60,
        gib=2,
    ),
    Limit(
        "100000-cmi",
        "the same with cmi-perm",
        100_000,
        f"{PERM} --max-features 4 --alpha 2 --bandwidth 2",
        900,
        gib=2,
    ),
    Limit(
        "1000000-2",
        "1,000,000 x 20, criterion none, alpha 2, sigma 2, first 3 features",
        1_000_000,
        f"{NONE} 3 --alpha 2 --bandwidth 2",
        180,
        gib=4,
    ),
    Limit(
        "1000000-1.01",
        "1,000,000 x 20, criterion none, alpha 1.01, sigma 2, first 2 features",
        1_000_000,
        f"{NONE} 2 --alpha 1.01 --bandwidth 2",
        240,
        gib=4,
    ),
)

BIN = Path(sys.executable)
BEGINNINGS = (
    ("help", "`renyi --help`", [str(BIN.with_name("renyi")), "--help"], 0.35),
    ("import", "`import renyi`", [str(BIN), "-c", "import renyi"], 0.15),
)


@dataclass(frozen=True)
class Printed:
    """What LRMI printed for the first ten features, minutes, and what is asked of us, seconds."""

    source: str
    exact: float
    approximation: float
    alpha: str
    seconds: float


PRINTED = (
    Printed("breast", 0.31, 0.25, "2", 2),
    Printed("semeion", 56, 44, "1.01", 20),
    Printed("madelon", 570, 39, "2", 15),
    Printed("waveform_noise", 318, 14, "2", 20),
)


def sample_for(rows: int, path: Sequence[str], *, quick: bool = False) -> dict[str, Any]:
    """Return what of the naive loop is timed: less of it the longer an entropy takes."""
    each = 1 if quick else 2 if rows >= 4000 else 3 if rows >= 1500 else 10
    return {
        "path": list(path),
        "step": (len(path) + 1) // 2,
        "candidates": each,
        "replicates": each,
    }


def naive_task(selection: Selection, sample: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the naive loop's task for a run of ours."""
    words = dict(zip(selection.options[::2], selection.options[1::2], strict=True))
    limit = words.get("--max-features")
    return {
        "file": str(selection.table.path),
        "target": selection.table.target,
        "alpha": float(words["--alpha"]),
        "sigma": float(words["--bandwidth"]),
        "criterion": words["--criterion"],
        "permutations": int(words.get("--permutations", "100")),
        "max_features": None if limit is None else int(limit),
        "sample": sample,
    }


def _measure(limit: Limit, bench: Workbench) -> dict[str, Any]:
    selection = limit.selection(bench)
    ours = bench.select(selection, most_seconds=max(4 * limit.seconds, 600))
    figure: dict[str, Any] = {"ours": ours}
    if "failure" not in ours and limit.factor is not None:
        answer = ours["answer"]
        task = naive_task(selection, sample_for(answer["rows"], answer["path"], quick=bench.quick))
        figure["naive"] = bench.naive(task).record
    return figure


def _measure_beginning(command: list[str], bench: Workbench) -> dict[str, Any]:
    return {"ours": bench.repeat(command, 60, runs=STARTS)}


def _measure_printed(printed: Printed, bench: Workbench) -> dict[str, Any]:
    options = f"{NONE} 10 --alpha {printed.alpha} --bandwidth 1"
    run = Limit(printed.source, printed.source, printed.source, options, printed.seconds)
    return {"ours": bench.select(run.selection(bench), most_seconds=max(10 * printed.seconds, 600))}


ASKED = """
Two cores, no BLAS variable set, seed 0, z-score, all features continuous but the target. Seconds
are the whole process from start to end, as a person waits: Python starts, the file is read, the
answer is printed; the median of three runs, or one run where it takes more than a minute
({starts} runs for the last two rows). Peak memory is the largest resident size of the process, as
the system counted it. The factor compares the work inside the processes, see below.
"""


NAIVE = """
`benchmarks/naive.py` is what a careful reader of the paper writes: one dense Gram a feature,
`numpy.linalg.eigvalsh` for every entropy, all entropies of every MI (three) and CMI (four)
computed anew, all P permutations drawn, NumPy with its own choice of threads. At these sizes it
would run for minutes to days: some MI and CMI are timed at a middle step of the same path, right
after our run and on the same machine, and scaled by the exact number of MI and CMI that the loop
computes on the way to the same stop. The last columns are how far its MI and CMI of that step are
from ours, bits.
"""


BESIDE = """
Dong, Gong, Yu, Chen and Li (AAAI 2023) printed the minutes that the first ten features took with
the exact entropy of the same kind (alpha 2) and with their low-rank approximation, on a machine
of theirs that their paper describes. Here: the same sets (waveform with 40 columns), sigma 1,
z-score, exact, seconds of the whole process on the machine named at the top of this page. The
machines differ, so that a factor between the columns says little; orders of magnitude do.
"""


def cases(quick: bool) -> list[Case]:
    """Return every row; the same in a quick trial, on less data."""
    _ = quick
    return [
        *(Case(limit.name, partial(_measure, limit)) for limit in ROWS),
        *(Case(name, partial(_measure_beginning, command)) for name, _, command, _ in BEGINNINGS),
        *(Case(f"lrmi-{one.source}", partial(_measure_printed, one)) for one in PRINTED),
    ]


def _held(measured: float, most: float) -> str:
    return "yes" if measured <= most else f"no, {measured / most:.2g} times"


def _row(limit: Limit, figure: dict[str, Any] | None) -> list[str]:
    asked = [f"{limit.seconds:g} s", "" if limit.factor is None else f"{limit.factor:g}x"]
    asked.append("" if limit.gib is None else f"{limit.gib:g} GiB")
    if figure is None or "failure" in figure["ours"]:
        reason = "not measured" if figure is None else figure["ours"]["failure"]
        return [limit.words, asked[0], reason, asked[1], "", asked[2], "", "no answer"]
    ours = figure["ours"]
    factor = _factor(figure)
    held = [_held(ours["seconds"], limit.seconds)]
    if limit.factor is not None and factor is not None and factor < limit.factor:
        held.append(f"factor {factor / limit.factor:.2g} of it")
    if limit.gib is not None:
        held += [] if ours["peak_bytes"] <= limit.gib * 2**30 else ["too much memory"]
    return [
        limit.words,
        asked[0],
        seconds_told(ours["seconds"]),
        asked[1],
        factor_told(factor),
        asked[2],
        bytes_told(ours["peak_bytes"]),
        ", ".join(dict.fromkeys(held)),
    ]


def _factor(figure: dict[str, Any]) -> float | None:
    naive = figure.get("naive")
    if naive is None or "failure" in naive:
        return None
    return float(naive["seconds"]) / float(figure["ours"]["answer"]["run"]["seconds"])


def _naive_row(limit: Limit, figure: dict[str, Any]) -> list[object]:
    naive, answer = figure["naive"], figure["ours"]["answer"]
    step = naive["step"] - 1
    cmi = answer["cmi"][step]
    apart = abs(naive["mi"] - answer["mi"][step])
    return [
        limit.words,
        f"{naive['entropies']:,}",
        naive["entropies_timed"],
        naive["step"],
        seconds_told(naive["seconds_an_entropy"]),
        seconds_told(naive["seconds"]),
        seconds_told(answer["run"]["seconds"]),
        f"{apart:.0e}",
        "" if cmi is None else f"{abs(naive['cmi'] - cmi):.0e}",
    ]


def _answers(figures: Figures) -> list[str]:
    lines = []
    for limit in ROWS:
        ours = figures.get(limit.name, {}).get("ours", {})
        if ours.get("answer"):
            answer = ours["answer"]
            count = len(answer["selected"])
            lines.append(f"- {limit.words}: {count} selected; {answer['reason']}.")
    return lines


def page(figures: Figures) -> list[str]:
    """Return the section."""
    rows = [_row(limit, figures.get(limit.name)) for limit in ROWS]
    for name, words, _, seconds in BEGINNINGS:
        limit = Limit(name, words, "", "", seconds)
        rows.append(_row(limit, figures.get(name)))
    head = ["work", "asked", "seconds", "asked", "factor", "asked", "peak memory", "holds"]
    lines = [
        "## What was asked, and what is",
        "",
        *prose(ASKED, starts=STARTS),
        *table(head, rows),
        "",
        "What came out:",
        "",
        *_answers(figures),
        "",
        "### The naive loop beside it",
        "",
        *prose(NAIVE),
    ]
    compared = [
        _naive_row(limit, figures[limit.name])
        for limit in ROWS
        if _has_naive(figures.get(limit.name))
    ]
    head = ["work", "entropies", "timed", "at step", "each", "naive, scaled", "ours", "MI", "CMI"]
    return [*lines, *table(head, compared), "", *_printed_page(figures)]


def _has_naive(figure: dict[str, Any] | None) -> bool:
    return figure is not None and "naive" in figure and "failure" not in figure["naive"]


def _printed_page(figures: Figures) -> list[str]:
    rows = []
    for one in PRINTED:
        ours = figures.get(f"lrmi-{one.source}", {}).get("ours", {"failure": "not measured"})
        measured = ours.get("failure") or seconds_told(ours["seconds"])
        peak = bytes_told(ours.get("peak_bytes"))
        asked = f"{one.seconds:g} s"
        rows.append(
            [
                *(one.source, f"{one.exact:g} min", f"{one.approximation:g} min"),
                *(one.alpha, asked, measured, peak),
            ]
        )
    head = ["set", "LRMI, exact", "LRMI, its approximation", "alpha here", "asked", "here, exact"]
    return [
        "### Beside printed times",
        "",
        *prose(BESIDE),
        *table([*head, "peak memory"], rows),
    ]


LIMITS = Section("limits", cases, page)
