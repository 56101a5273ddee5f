"""The steps of a path as a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from renyi.options import criterion_traits
from renyi.selection import SelectionPath, Step
from renyi.stopping import CriterionReport
from renyi.webpage._grid import Head
from renyi.webpage.drawing._steps import step_name
from renyi.wording import (
    ROOM_LEFT,
    amount_words,
    bits,
    draws_words,
    gap_words,
    measured,
    p_words,
    step_reading,
    widens,
    z_words,
)

__all__ = ["StepsTable", "steps_table"]


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
    add(ROOM_LEFT, lambda step: step.saturation, lambda step: bits(step.saturation))
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
    titles = {head.title.partition(" (")[0] for head in heads}
    return "; ".join(f"`{title}`: {words}" for title, words in step_reading(path, titles))


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
