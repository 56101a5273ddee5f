"""The steps of a path as a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from renyi.options import criterion_traits
from renyi.selection import SelectionPath, Step
from renyi.stopping import CriterionReport
from renyi.webpage._grid import Head
from renyi.webpage.drawing._steps import step_name
from renyi.wording import (
    amount_words,
    bits,
    draws_words,
    gap_words,
    measured,
    p_words,
    widens,
    z_words,
)

__all__ = ["StepsTable", "steps_table"]

READING: Final = {
    "MI": "MI is what the columns so far tell of the target together, bits",
    "by chance": "by chance, what they would tell of a shuffled target",
    "CMI": "CMI, what the columns left out could still add",
    "gain": "gain, what this column added",
    "chance": "chance, what it would add if it were shuffled",
    "z": "z, by how many standard deviations the gain is above that",
    "draws": "draws h/L: a shuffled column did as well in h of L draws (none: plain without)",
    "saturation": "saturation, the room left: near 0 MI says nothing",
    "gap": "gap, how far the runner-up was behind",
}


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands in a cell, and by what it is sorted where that is something else."""

    text: str
    key: Any = None


@dataclass(frozen=True, slots=True)
class Row:
    """One step; `note` says what became of what was tested and not done."""

    index: int
    done: bool
    note: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class StepsTable:
    """Heads, a row a step, and how to read it."""

    heads: tuple[Head, ...]
    rows: tuple[Row, ...]
    reading: str


def steps_table(path: SelectionPath) -> StepsTable:
    """Return the table of steps, without columns that no step has a number for."""
    steps = path.steps
    columns: list[tuple[Head, list[Cell]]] = [
        (Head("#"), [Cell(str(step.index)) for step in steps]),
        (Head("column", left=True), [Cell(_named(step)) for step in steps]),
    ]

    def add(
        title: str, value: Callable[[Step], float | None], words: Callable[[Step], str]
    ) -> None:
        if any(value(step) is not None for step in steps):
            columns.append((Head(title), [_keyed(value(step), words(step)) for step in steps]))

    add("score", lambda step: step.score, lambda step: bits(step.score))
    add("MI", lambda step: step.mi, lambda step: amount_words(step, "mi"))
    add("by chance", lambda step: step.mi_chance, lambda step: bits(step.mi_chance))
    if not widens(path):  # else it compares two widths, which says nothing to a reader
        add("CMI", lambda step: step.cmi, lambda step: amount_words(step, "cmi"))
    add("gain", lambda step: step.gain, lambda step: amount_words(step, "gain"))
    add("chance", lambda step: step.chance, lambda step: bits(step.chance))
    add("z", lambda step: step.z, z_words)
    for name in path.options.criteria:
        columns += _of_criterion(name, steps, alone=len(path.options.criteria) == 1)
    add("saturation", lambda step: step.saturation, lambda step: bits(step.saturation))
    add("gap", lambda step: None if step.runner_up is None else step.runner_up.gap, gap_words)
    if any(step.runner_up is not None for step in steps):
        rivals = [step.runner_up for step in steps]
        names = [Cell(" + ".join(rival.features) if rival else "-") for rival in rivals]
        columns.append((Head("runner-up", left=True), names))
    rows = tuple(
        Row(step.index, step.done, _outcome(step), tuple(cells[row] for _, cells in columns))
        for row, step in enumerate(steps)
    )
    heads = tuple(head for head, _ in columns)
    return StepsTable(heads, rows, _reading(heads, path))


def _reading(heads: Sequence[Head], path: SelectionPath) -> str:
    there = {head.title.partition(" (")[0] for head in heads}
    words = "; ".join(line for name, line in READING.items() if name in there)
    if any(step.errors is not None for step in path.steps):
        words += "; +- is a standard error, ? marks what it could turn"
    if widens(path):
        words += "; MI may fall where kernels are widened, and gain compares at one width"
    return f"{words}."


def _keyed(value: float | None, words: str) -> Cell:
    """Return a number in words, which is sorted by what it is."""
    return Cell(words, "" if value is None else repr(value))


def _named(step: Step) -> str:
    how = {"start": " (start)", "keep": " (kept)"}.get(step.action, "")
    return step_name(step) + how


def _outcome(step: Step) -> str:
    if step.action == "remove":
        return "taken away" if step.done else "stays"
    return "" if step.done else "tested, not selected"


def _of_criterion(
    name: str, steps: Sequence[Step], *, alone: bool
) -> list[tuple[Head, list[Cell]]]:
    """Return what a criterion compared at each step."""
    asked = [next((r for r in step.criteria if r.criterion == name), None) for step in steps]
    if not any(asked):
        return []
    suffix = "" if alone else f" ({name})"
    traits = criterion_traits(name)
    if traits.permutes:
        p_values = [_keyed(_p_value(report), p_words(report)) for report in asked]
        draws = [Cell(draws_words(report)) for report in asked]
        return [(Head(f"p{suffix}"), p_values), (Head(f"draws{suffix}"), draws)]
    if not traits.limit:
        return []
    statistic = next(report.statistic_name for report in asked if report)
    return [
        (Head(f"{title}{suffix}"), [_keyed(v, measured(v)) for v in values])
        for title, values in (
            (statistic, [report.statistic if report else None for report in asked]),
            (traits.limit, [report.threshold if report else None for report in asked]),
        )
    ]


def _p_value(report: CriterionReport | None) -> float | None:
    """Return a p-value, or the bound that is known of it."""
    if report is None:
        return None
    return report.p_upper if report.p_value is None else report.p_value
