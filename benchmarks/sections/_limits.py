"""What must hold: seconds and memory of the whole process, and the factor over the naive loop."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from measuring import Selection, Workbench
from sections._asked import NONE, PLAIN, PRINTED, ROWS, Limit, Printed
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
    ours = bench.select(selection, most_seconds=max(4 * limit.seconds, 1500))
    figure: dict[str, Any] = {"ours": ours}
    if "failure" not in ours and limit.factor is not None:
        answer = ours["answer"]
        task = naive_task(selection, sample_for(answer["rows"], answer["path"], quick=bench.quick))
        figure["naive"] = bench.naive(task).record
    return figure


def _measure_plain(command: list[str], asked: float, bench: Workbench) -> dict[str, Any]:
    words = [*command, "--rows", "150"] if bench.quick and "select" in command else command
    return {"ours": bench.repeat(words, max(10 * asked, 60), runs=STARTS if asked < 1 else 3)}


def _measure_printed(printed: Printed, bench: Workbench) -> dict[str, Any]:
    options = f"{NONE} 10 --alpha {printed.alpha} --bandwidth 1"
    run = Limit(printed.source, printed.source, printed.source, options, printed.seconds)
    return {"ours": bench.select(run.selection(bench), most_seconds=max(10 * printed.seconds, 600))}


ASKED = """
Two cores, no BLAS variable set, seed 0, z-score, all features continuous but the target. Seconds
are the whole process from start to end, as a person waits: Python starts, the file is read, the
answer is printed; the median of three runs, or one run where it takes more than a minute
({starts} runs for what takes a fraction of one). Peak memory is the largest resident size of the
process, as the system counted it. The factor compares the work inside the processes, see below.
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
of theirs that their paper describes. Here: the same sets (waveform with 40 columns), bandwidth 1,
z-score, exact, seconds of the whole process on the machine named at the top of this page. The
machines differ, so that a factor between the columns says little; orders of magnitude do.
"""


def cases(quick: bool) -> list[Case]:
    """Return every row; the same in a quick trial, on less data."""
    _ = quick
    return [
        *(Case(limit.name, partial(_measure, limit)) for limit in ROWS),
        *(Case(name, partial(_measure_plain, command, asked)) for name, _, command, asked in PLAIN),
        *(Case(f"lrmi-{one.source}", partial(_measure_printed, one)) for one in PRINTED),
    ]


def _held(measured: float, most: float) -> str:
    return "yes" if measured <= most else f"no, {measured / most:.3g} times"


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
    for name, words, _, seconds in PLAIN:
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
