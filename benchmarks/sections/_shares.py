"""Where the time goes, and how far that is from what the library alone would take."""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from measuring import Workbench, measure
from sections._shape import Case, Figures, Section, prose, seconds_told, table

__all__ = ["SHARES"]

SCRIPT = Path(__file__).resolve().parents[1] / "in_child" / "profile_select.py"
KINDS = (
    "eigenvalues",
    "bands",
    "matrix products",
    "factors and systems",
    "kernel values",
    "other array work",
    "Python",
)


@dataclass(frozen=True)
class Look:
    """One run that is looked into."""

    name: str
    words: str
    source: str
    options: dict[str, Any]


NONE, PERM = {"criterion": "none"}, {"criterion": "cmi-perm", "permutations": 100}
LOOKS = (
    Look(
        "waveform-1.01",
        "waveform, cmi-perm, alpha 1.01, bandwidth 1, until it stops",
        "waveform",
        {**PERM, "alpha": 1.01, "bandwidth": 1.0},
    ),
    Look(
        "waveform-2",
        "waveform, cmi-perm, alpha 2, bandwidth 1, until it stops",
        "waveform",
        {**PERM, "alpha": 2.0, "bandwidth": 1.0},
    ),
    Look(
        "waveform-first-8",
        "waveform, first 8 features, alpha 1.01, bandwidth 2",
        "waveform",
        {**NONE, "alpha": 1.01, "bandwidth": 2.0, "max_features": 8},
    ),
    Look(
        "breast",
        "breast, cmi-perm, alpha 1.01, bandwidth 1, until it stops",
        "breast",
        {**PERM, "alpha": 1.01, "bandwidth": 1.0},
    ),
    Look(
        "madelon-1.01",
        "madelon, first 5 features, alpha 1.01, bandwidth 2",
        "madelon",
        {**NONE, "alpha": 1.01, "bandwidth": 2.0, "max_features": 5},
    ),
    Look(
        "semeion",
        "semeion, first 10 features, alpha 1.01, bandwidth 1",
        "semeion",
        {**NONE, "alpha": 1.01, "bandwidth": 1.0, "max_features": 10},
    ),
)


def _measure(look: Look, bench: Workbench) -> dict[str, Any]:
    source = bench.tables.public(look.source)
    kinds = {"*": "continuous", source.target: "nominal"}
    task = {**look.options, "data": str(source.path), "target": source.target, "kind": kinds}
    if bench.quick:
        task |= {"rows": 300, "max_features": 2}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "task.json"
        path.write_text(json.dumps(task), encoding="utf-8")
        measured = measure([sys.executable, str(SCRIPT), str(path)], 1800)
    if measured.failure:
        return {"failure": measured.failure}
    return {**json.loads(measured.out), "others": measured.others}


LOOKED = """
Shares of the time of working threads, by looking at what each of them does every two
milliseconds. Eigenvalues, reductions to bands and matrix products run at the speed of the linear
algebra library: the rest is what a better program could still save without saving computations.
Short steps of pure Python are seen less often than they run.
"""


SETTLED = """
How candidates and replicates were settled, as the result's `run` object tells: by bounds from
factors of some rank, or by which exact solver.
"""


DENSE = """
The dense eigenproblems among it (bands are none): how many were solved, rows of the largest,
seconds of all threads spent in them, and what the same ones take alone at library speed: size by
size after the run, all cores on one problem or a core each on as many as there are cores, whichever
is fastest (of more than twelve sizes, twelve are timed and the others read off between them). The
last column is the share of the run's seconds that they would take so: the rest is what a better
arrangement of the same solves could still gain.
"""


def cases(quick: bool) -> list[Case]:
    """Return every run; fewer in a quick trial."""
    return [Case(look.name, partial(_measure, look)) for look in (LOOKS[:2] if quick else LOOKS)]


def _percent(share: float) -> str:
    return f"{100 * share:.0f}%"


def _ways(counts: dict[str, int]) -> str:
    return ", ".join(f"{way} {count:,}" for way, count in counts.items())


def page(figures: Figures) -> list[str]:
    """Return the section."""
    found = [
        (look, figures[look.name])
        for look in LOOKS
        if "failure" not in figures.get(look.name, {"failure": ""})
    ]
    shares = [
        [look.words, *(_percent(figure["shares"].get(kind, 0.0)) for kind in KINDS)]
        for look, figure in found
    ]
    limits = [
        [
            look.words,
            seconds_told(figure["seconds"]),
            f"{figure['eigenproblems']:,}",
            f"{figure['largest']:,}",
            seconds_told(figure["thread_seconds"]),
            seconds_told(figure["library_seconds"]),
            _percent(figure["library_seconds"] / figure["seconds"]),
        ]
        for look, figure in found
    ]
    ways = [
        [look.words, *(_ways(figure["settled"][what]) for what in ("candidates", "replicates"))]
        for look, figure in found
    ]
    head = ["work", "seconds", "eigenproblems", "largest", "thread seconds"]
    return [
        "## Where the time goes",
        "",
        *prose(LOOKED),
        *table(["work", *KINDS], shares),
        "",
        *prose(DENSE),
        *table([*head, "at library speed", "share"], limits),
        "",
        *prose(SETTLED),
        *table(["work", "candidates", "replicates"], ways, left=3),
    ]


SHARES = Section("shares", cases, page)
