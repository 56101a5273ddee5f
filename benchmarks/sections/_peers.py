"""Published programs that do a part of the job, each in an environment of its own."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from measuring import Selection, Workbench, measure
from sections._shape import Case, Figures, Section, bytes_told, prose, seconds_told, table

__all__ = ["PEERS", "SCRIPT", "Peer", "last_line", "python_of"]

SCRIPT = Path(__file__).resolve().parents[1] / "in_child" / "run_peer.py"
ENVIRONMENTS = Path(tempfile.gettempdir()) / "renyi-benchmark-peers"
COUNT = 10
SETS = ("waveform", "madelon")


@dataclass(frozen=True)
class Peer:
    """One program: what it does, and what its environment needs."""

    name: str
    does: str
    needs: tuple[str, ...]


PROGRAMS = (
    Peer(
        "mrmr-selection",
        "greedy; F-test relevance over correlation with each selected column",
        ("mrmr-selection", "pandas", "numpy"),
    ),
    Peer("mrmrs", "the same measure, in Rust", ("mrmrs", "polars", "numpy")),
    Peer(
        "ITMO-FS",
        "greedy joint MI of pairs (JMI) on codes; here of 5 equal-width bins",
        ("ITMO-FS", "scikit-learn", "numpy"),
    ),
    Peer(
        "scikit-learn",
        "`mutual_info_classif`: nearest-neighbour MI of one column at a time; its largest",
        ("scikit-learn", "numpy"),
    ),
    Peer(
        "ennemi",
        "nearest-neighbour MI of one column at a time, `discrete_y`; its largest",
        ("ennemi", "numpy"),
    ),
    Peer(
        "pyHSICLasso",
        "HSIC Lasso: kernels of one column each, a sparse sum of them",
        ("pyHSICLasso", "numpy"),
    ),
)


def python_of(peer: Peer) -> tuple[Path | None, str]:
    """Return the Python of a peer's environment, made if need be, or None with the reason."""
    home = ENVIRONMENTS / peer.name
    python = home / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    ready = home / "ready"
    if ready.exists():
        return python, ""
    made = measure([sys.executable, "-m", "venv", "--clear", str(home)], 300)
    if made.failure:
        return None, made.failure
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    installed = measure([*pip, *peer.needs], 900)
    if installed.failure:
        return None, f"does not install: {last_line(installed.err)}"
    ready.touch()
    return python, ""


def last_line(text: str) -> str:
    """Return what a program said last, or its error."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    told = next((line for line in reversed(lines) if "rror" in line), lines[-1] if lines else "")
    return told[-200:]


def _measure(peer: Peer, bench: Workbench) -> dict[str, Any]:
    python, reason = python_of(peer)
    if python is None:
        return {"skipped": reason}
    answers: dict[str, Any] = {}
    for name in SETS[:1] if bench.quick else SETS:
        source = bench.tables.public(name)
        source = bench.tables.first(source, 400, 15) if bench.quick else source
        arrays = bench.tables.arrays(source)
        command = [str(python), str(SCRIPT), peer.name, str(arrays), str(COUNT)]
        measured = measure(command, 1200)
        if measured.failure:
            reason = "took more than 20 minutes" if measured.status is None else measured.err
            answers[name] = {"failure": last_line(reason)}
            continue
        answers[name] = {
            **json.loads(measured.out.strip().splitlines()[-1]),
            "process_seconds": measured.seconds,
            "peak_bytes": measured.peak_bytes,
            "others": measured.others,
        }
    return {"answers": answers}


def _measure_own(alpha: str, bench: Workbench) -> dict[str, Any]:
    answers: dict[str, Any] = {}
    for name in SETS[:1] if bench.quick else SETS:
        source = bench.tables.public(name)
        source = bench.tables.first(source, 400, 15) if bench.quick else source
        words = f"--criterion none --max-features {COUNT} --alpha {alpha} --bandwidth 2".split()
        ours = bench.select(Selection(source, tuple(words)))
        if "failure" in ours:
            answers[name] = {"failure": ours["failure"]}
            continue
        answers[name] = {
            "version": "this",
            "seconds": ours["answer"]["run"]["seconds"],
            "selected": ours["answer"]["selected"],
            "process_seconds": ours["seconds"],
            "peak_bytes": ours["peak_bytes"],
            "others": ours["others"],
        }
    return {"answers": answers}


def cases(quick: bool) -> list[Case]:
    """Return ours at both alphas, then every peer."""
    _ = quick
    return [
        *(Case(f"renyi-{alpha}", partial(_measure_own, alpha)) for alpha in ("2", "1.01")),
        *(Case(peer.name, partial(_measure, peer)) for peer in PROGRAMS),
    ]


CONTEXT = """
For context: the time to name {count} columns of waveform (5000 x 21) and madelon (2600 x 500, of
which 20 matter), each program in an environment of its own, in its newest version that installs.
Seconds are the call alone, peak memory that of the whole process. None of the others measures how
much several columns tell together, or says by a test where to stop: they answer an easier
question.
"""


def _cells(answer: dict[str, Any] | None) -> list[str]:
    if answer is None:
        return ["", "", ""]
    if "failure" in answer:
        return [answer["failure"], "", ""]
    return [
        seconds_told(answer["seconds"]),
        bytes_told(answer["peak_bytes"]),
        _named(answer["selected"]),
    ]


def _named(selected: Sequence[str]) -> str:
    return " ".join(selected)


def page(figures: Figures) -> list[str]:
    """Return the section."""
    listed = [
        (
            f"renyi-{alpha}",
            f"`renyi`, alpha {alpha}",
            "joint MI of all selected columns, by kernels",
        )
        for alpha in ("2", "1.01")
    ]
    listed += [(peer.name, peer.name, peer.does) for peer in PROGRAMS]
    rows: list[list[object]] = []
    skipped = []
    for key, words, does in listed:
        figure = figures.get(key)
        if figure is None:
            continue
        if "skipped" in figure:
            skipped.append(f"- {words}: {figure['skipped']}")
            continue
        for name, answer in figure["answers"].items():
            version = answer.get("version", "")
            told = words if version in {"", "this"} else f"{words} {version}"
            rows.append([told, does, name, *_cells(answer)])
    head = ["program", "what it does", "set", "seconds", "peak", f"its first {COUNT}"]
    return [
        "## Published programs that do a part of the job",
        "",
        *prose(CONTEXT, count=COUNT),
        *table(head, rows, left=3),
        *(["", "Not measured:", "", *skipped] if skipped else []),
    ]


PEERS = Section("peers", cases, page)
