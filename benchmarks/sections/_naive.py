"""Against the naive loop, run to its end where that is possible."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

from measuring import Selection, Workbench
from sections._limits import naive_task, sample_for
from sections._shape import Case, Figures, Section, factor_told, prose, seconds_told, table

__all__ = ["AGAINST_NAIVE"]

STEPS = 4
LARGE = 5000
TIE_BITS = 1e-6


@dataclass(frozen=True)
class Duel:
    """One size at which both programs run."""

    alpha: str
    rows: int
    features: int
    steps: int = STEPS
    permutations: int = 100

    @property
    def name(self) -> str:
        return f"alpha-{self.alpha}-{self.rows}x{self.features}"

    def selection(self, bench: Workbench) -> Selection:
        cut = bench.tables.first(bench.tables.own(), self.rows, self.features)
        words = f"--criterion cmi-perm --permutations {self.permutations} --alpha {self.alpha}"
        return Selection(
            cut, (*words.split(), *f"--bandwidth 2 --max-features {self.steps}".split())
        )


ALPHAS = ("0.6", "1.01", "2")
WHOLE = tuple(Duel(*sizes) for sizes in product(ALPHAS, (500, 1000), (10, 20)))
SCALED = tuple(Duel(*sizes) for sizes in product(("1.01", "2"), (LARGE,), (10, 20)))
QUICK = (Duel("1.01", 120, 5, 2, 19), Duel("2", 120, 5, 2, 19))


WHOLE_TOLD = """
The first rows and columns of `data/waveform.parquet`, cmi-perm with P = 100, bandwidth 2, up to
{steps} features. Both programs run to their end, one after the other; seconds are the work inside
the process. "naive, scaled" is what the sample used above would have said: how far to trust the
scaling. "same" says whether path, decisions and the comparison of every replicate that both drew
agree, and the largest difference of MI and CMI, bits.
"""


STEP_TOLD = """
One step at n = {rows}, where the loop would take a day: a stated number of its entropies is timed
at that step and scaled by the exact count of the step, 3 (F - k + 1) + 4 (P + 1). Ours is that
step of a whole run, to a millisecond.
"""


def _measure_whole(duel: Duel, bench: Workbench) -> dict[str, Any]:
    """Run both to the end, and the sample besides: how good is the scaling?"""
    selection = duel.selection(bench)
    ours = bench.select(selection)
    if "failure" in ours:
        return {"ours": ours}
    naive = bench.naive(naive_task(selection)).record
    answer = ours["answer"]
    sample = sample_for(duel.rows, answer["path"], quick=bench.quick)
    scaled = bench.naive(naive_task(selection, sample)).record
    return {"ours": ours, "naive": naive, "scaled": scaled, "same": _same(answer, naive)}


def _same(answer: dict[str, Any], naive: dict[str, Any]) -> dict[str, Any]:
    """Compare the answers: path, decisions, values, and the replicates that both drew."""
    if "failure" in naive:
        return {}
    counts = []
    for exceeded, tests in zip(naive["exceeded"], answer["tests"], strict=False):
        drawn, exceedances = tests[0]
        counts.append(sum(exceeded[:drawn]) == exceedances)
    paired = [*zip(naive["mi"], answer["mi"], strict=False)]
    paired += zip(naive["cmi"], answer["cmi"], strict=False)
    selected = [name for name, kept in zip(naive["path"], naive["selected"], strict=True) if kept]
    return {
        "path": naive["path"] == answer["path"],
        "decisions": selected == answer["selected"],
        "replicates": all(counts),
        "largest_difference": max((abs(a - b) for a, b in paired if b is not None), default=0.0),
    }


def _measure_step(duel: Duel, bench: Workbench) -> dict[str, Any]:
    """Run ours to the end; of the naive loop time a sample of each of two steps."""
    selection = duel.selection(bench)
    ours = bench.select(selection)
    if "failure" in ours:
        return {"ours": ours}
    path = ours["answer"]["path"]
    steps = {}
    for step in dict.fromkeys((1, len(path))):
        sample = {**sample_for(duel.rows, path, quick=bench.quick), "step": step}
        steps[str(step)] = bench.naive(naive_task(selection, sample)).record
    return {"ours": ours, "steps": steps}


def cases(quick: bool) -> list[Case]:
    """Return every size."""
    if quick:
        whole, step = QUICK
        return [
            Case(whole.name, partial(_measure_whole, whole)),
            Case(step.name, partial(_measure_step, step)),
        ]
    return [
        *(Case(duel.name, partial(_measure_whole, duel)) for duel in WHOLE),
        *(Case(duel.name, partial(_measure_step, duel)) for duel in SCALED),
    ]


def _whole_row(duel: Duel, figure: dict[str, Any]) -> list[object]:
    ours, naive, same = figure["ours"], figure["naive"], figure["same"]
    work = ours["answer"]["run"]["seconds"]
    agree = all(same[key] for key in ("path", "decisions", "replicates"))
    return [
        duel.alpha,
        f"{duel.rows:,}",
        duel.features,
        f"{naive['entropies']:,}",
        seconds_told(naive["seconds"]),
        seconds_told(figure["scaled"].get("seconds")),
        seconds_told(work),
        factor_told(naive["seconds"] / work),
        ("yes" if agree else "NO") + f", {same['largest_difference']:.0e}",
    ]


def _step_rows(duel: Duel, figure: dict[str, Any]) -> list[list[object]]:
    rows: list[list[object]] = []
    for step, naive in figure.get("steps", {}).items():
        if "failure" in naive:
            continue
        work = figure["ours"]["answer"]["run"]["seconds_by_step"][int(step) - 1]
        rows.append(
            [
                duel.alpha,
                f"{duel.rows:,}",
                duel.features,
                step,
                naive["entropies_timed"],
                seconds_told(naive["seconds_of_step"]),
                seconds_told(work),
                factor_told(naive["seconds_of_step"] / max(work, 1e-3)),
            ]
        )
    return rows


def _told(duels: tuple[Duel, ...], figures: Figures, key: str) -> list[tuple[Duel, dict[str, Any]]]:
    found = [(duel, figures[duel.name]) for duel in duels if duel.name in figures]
    return [
        (duel, figure)
        for duel, figure in found
        if "failure" not in figure.get(key, {"failure": ""})
    ]


def page(figures: Figures) -> list[str]:
    """Return the section."""
    whole = [_whole_row(*pair) for pair in _told((*WHOLE, *QUICK), figures, "naive")]
    steps = [
        row for pair in _told((*SCALED, *QUICK), figures, "steps") for row in _step_rows(*pair)
    ]
    first = ["alpha", "n", "F", "entropies", "naive", "naive, scaled", "ours", "factor", "same"]
    second = ["alpha", "n", "F", "step", "timed", "naive step, scaled", "ours", "factor"]
    return [
        "## Against the naive loop, by alpha, n and F",
        "",
        *prose(WHOLE_TOLD, steps=STEPS),
        *table(first, whole, left=0),
        "",
        *prose(STEP_TOLD, rows=f"{LARGE:,}"),
        *table(second, steps, left=0),
    ]


AGAINST_NAIVE = Section("naive", cases, page)
