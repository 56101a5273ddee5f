"""How time and memory grow with rows and with features."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from measuring import Selection, Workbench
from sections._shape import Case, Figures, Section, bytes_told, prose, seconds_told, table

__all__ = ["GROWTH", "slope"]

ALPHAS = ("2", "1.01")
ROWS = (2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000)
FEATURES = (20, 40, 80, 160, 320, 640)
FIXED_ROWS, FIXED_FEATURES = 1_000, 20
MOST_SECONDS = 300
EMPTY_ROWS = 60
"""Rows of a run whose memory is that of the program alone."""


@dataclass(frozen=True)
class Size:
    """One run of a series."""

    series: str
    alpha: str
    rows: int
    features: int
    steps: int

    @property
    def name(self) -> str:
        return f"{self.series}-alpha-{self.alpha}-{self.rows}x{self.features}"

    @property
    def along(self) -> int:
        """What grows."""
        return self.rows if self.series == "rows" else self.features

    def selection(self, bench: Workbench) -> Selection:
        made = bench.tables.wide(self.rows, self.features)
        words = f"--criterion none --max-features {self.steps} --alpha {self.alpha} --bandwidth 2"
        return Selection(made, tuple(words.split()))


def sizes(quick: bool) -> list[Size]:
    """Return both series at both alphas."""
    rows = (100, 200, 400) if quick else ROWS
    features = (20, 40) if quick else FEATURES
    fixed = 100 if quick else FIXED_ROWS
    found = [Size("empty", alpha, EMPTY_ROWS, FIXED_FEATURES, 2) for alpha in ALPHAS]
    for alpha in ALPHAS:
        found += [Size("rows", alpha, n, FIXED_FEATURES, 2) for n in rows]
        found += [Size("features", alpha, fixed, count, 4) for count in features]
    return found


TOLD = """
Generated waveforms, criterion none, bandwidth 2. Rows: 20 features, the first 2 selected. Features:
{rows} rows, the first 4 selected; columns beyond 21 are those of other waveform tables, noise for
this target. Seconds are the work inside the process. "above empty" is the peak memory less that
of the same program on {empty} rows. Slopes are those of log time and log memory above empty over
log size, least squares over the three largest sizes that gave an answer: 1 is linear, 2 what a
dense matrix takes, 3 what its eigenvalues cost. A run ends without an answer after {most} s or
with the sentence that the program says. At alpha 1.01 CMI has one term without low rank, that of
all features: where its matrix fits into memory it is solved (`band`) and takes nearly all of the
time, where it does not CMI is left out with a reason, and the rest takes seconds.
"""


def _measure(size: Size, bench: Workbench) -> dict[str, Any]:
    figure = bench.select(size.selection(bench), MOST_SECONDS)
    return {"series": size.series, "alpha": size.alpha, "along": size.along, "ours": figure}


def cases(quick: bool) -> list[Case]:
    """Return every size."""
    return [Case(size.name, partial(_measure, size)) for size in sizes(quick)]


def slope(points: Sequence[tuple[float, float]]) -> float | None:
    """Return the least-squares slope of log y over log x; None below two points.

    1 is linear growth, 3 that of dense eigenvalues.
    """
    logs = [(math.log(x), math.log(y)) for x, y in points if x > 0 and y > 0]
    if len(logs) < 2:
        return None
    middle = sum(x for x, _ in logs) / len(logs)
    spread = sum((x - middle) ** 2 for x, _ in logs)
    return sum((x - middle) * y for x, y in logs) / spread if spread else None


def _series(figures: Figures, series: str, alpha: str) -> list[dict[str, Any]]:
    found = [f for f in figures.values() if f["series"] == series and f["alpha"] == alpha]
    return sorted(found, key=lambda figure: figure["along"])


def _rows(figures: Figures, series: str, alpha: str) -> tuple[list[list[object]], list[object]]:
    empty = _series(figures, "empty", alpha)
    base = empty[0]["ours"].get("peak_bytes", 0) if empty else 0
    rows: list[list[object]] = []
    times: list[tuple[float, float]] = []
    memory: list[tuple[float, float]] = []
    for figure in _series(figures, series, alpha):
        ours, along = figure["ours"], figure["along"]
        if "failure" in ours:
            rows.append([alpha, f"{along:,}", ours["failure"], "", "", ""])
            continue
        answer = ours["answer"]
        work = answer["run"]["seconds"]
        more = max(ours["peak_bytes"] - base, 0)
        times.append((along, work))
        memory.append((along, more))
        solvers = ", ".join(
            f"{name} {count}" for name, count in answer["run"].get("solvers", {}).items()
        )
        rows.append(
            [
                *(alpha, f"{along:,}", seconds_told(work), bytes_told(ours["peak_bytes"])),
                *(bytes_told(more), solvers),
            ]
        )
    return rows, [alpha, *(_told(points[-3:]) for points in (times, memory))]


def _told(points: Sequence[tuple[float, float]]) -> str:
    found = slope(points)
    return "" if found is None else f"{found:.2f}"


def page(figures: Figures) -> list[str]:
    """Return the section."""
    lines = [
        "## Growth with rows and features",
        "",
        *prose(TOLD, rows=f"{FIXED_ROWS:,}", empty=EMPTY_ROWS, most=MOST_SECONDS),
    ]
    for series, grows in (("rows", "n"), ("features", "F")):
        rows: list[list[object]] = []
        slopes: list[list[object]] = []
        for alpha in ALPHAS:
            some, fitted = _rows(figures, series, alpha)
            rows += some
            slopes.append(fitted)
        lines += [f"### {series.capitalize()}", ""]
        lines += table(["alpha", grows, "seconds", "peak", "above empty", "solvers"], rows, left=0)
        lines += ["", *table(["alpha", "slope of time", "slope of memory"], slopes, left=0), ""]
    return lines[:-1]


GROWTH = Section("growth", cases, page)
