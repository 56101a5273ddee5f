"""A selection as a page for a reader: what it is of, a row a step, the verdict in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from renyi.options import criterion_traits
from renyi.wording import (
    ROOM_LEFT,
    amount_words,
    bits,
    counted,
    draws_words,
    gap_words,
    measured,
    method_words,
    p_words,
    step_reading,
    widens,
    z_words,
)
from renyi_cli.pages._heading import draw_heading
from renyi_cli.pages._repeats_page import draw_repeats
from renyi_cli.pages._table import Column, print_prose, print_table, wider
from renyi_cli.pages._unselected_page import draw_aliases, draw_groups, draw_unselected

if TYPE_CHECKING:
    from rich.console import Console

    from renyi import SelectionPath, Step

__all__ = ["draw_path"]

MEANT: Final = {
    "model": "For a model: columns that help together with those before; `--for news` keeps only "
    "those that say something beyond them.",
    "news": "For news: columns that say something beyond those before; `--for model` keeps all "
    "that help together with them.",
}
"""What the verdict answers."""

MOST_NAMED: Final = 3
"""Features that a search began with, up to which they are named in its row."""

SCORED: Final = (
    "The test asks whether a column scores beyond chance, not whether those before it say the same "
    "already: a copy may pass."
)
"""What is said in its place where the score itself is judged."""


def draw_path(path: SelectionPath, console: Console) -> None:
    """Draw the whole page."""
    draw_heading(console, path.data, method_words(path))
    shown: list[str] = []
    hidden: list[str] = []
    if path.steps:
        columns = _columns(path)
        shown = [column.title for column in columns]
        console.print()
        failed = [row for row, step in enumerate(path.steps) if not step.done]
        styles = ["" if step.selected and step.done else "quiet" for step in path.steps]
        hidden = print_table(console, columns, apart=failed, styles=styles)
    console.print()
    _draw_verdict(path, console)
    draw_groups(path, console)
    draw_aliases(path, console)
    draw_unselected(path, console)
    console.print()
    _draw_reading(path, shown, hidden, console)
    draw_repeats(path, console)


def _columns(path: SelectionPath) -> list[Column]:
    steps = path.steps
    columns = [
        Column(title="#", cells=[str(step.index) for step in steps]),
        Column(
            title="feature",
            cells=[_feature(step) for step in steps],
            below=[_outcome(step) for step in steps],
            least=14,
            right=False,
            style="name",
        ),
    ]
    if any(step.score is not None for step in steps):
        columns.append(Column(title="score", cells=[bits(step.score) for step in steps]))
    columns.append(Column(title="MI", cells=[amount_words(step, "mi") for step in steps]))
    if any(step.mi_chance is not None for step in steps):
        cells = [bits(step.mi_chance) for step in steps]
        columns.append(Column(title="by chance", cells=cells, need=7))
    # where kernels widen it compares two widths, which says nothing to a reader
    if any(step.cmi is not None for step in steps) and not widens(path):
        columns.append(
            Column(title="CMI", cells=[amount_words(step, "cmi") for step in steps], need=9)
        )
    columns.append(
        Column(title="gain", cells=[amount_words(step, "gain") for step in steps], need=13)
    )
    if any(step.chance is not None for step in steps):
        columns += [
            Column(title="chance", cells=[bits(step.chance) for step in steps], need=12),
            Column(title="z", cells=[z_words(step) for step in steps], need=11),
        ]
    for name in path.options.criteria:
        columns += _criterion_columns(name, steps, alone=len(path.options.criteria) == 1)
    room = [bits(step.saturation) for step in steps]
    columns.append(Column(title=ROOM_LEFT, cells=room, need=8))
    rivals = [step.runner_up for step in steps]
    if any(rival is not None for rival in rivals):
        names = ["+".join(rival.features) if rival else "-" for rival in rivals]
        gaps = [gap_words(step) for step in steps]
        columns += [
            Column(title="gap", cells=gaps, need=5),
            Column(title="runner-up", cells=names, need=4, least=10, right=False),
        ]
    return columns


def _feature(step: Step) -> str:
    name = " + ".join(step.features)
    if step.action == "remove":
        return f"- {name}"
    if step.action == "start":
        few = len(step.features) <= MOST_NAMED
        return f"{name if few else counted(len(step.features), 'feature')} (start)"
    return f"{name} (kept)" if step.action == "keep" else name


def _outcome(step: Step) -> str:
    """Say what became of what was tested and not done."""
    return "" if step.done else "stays" if step.action == "remove" else "not selected"


def _criterion_columns(name: str, steps: Sequence[Step], *, alone: bool) -> list[Column]:
    """Return what a criterion compared at each step; `cmi-heuristic` compares the CMI shown."""
    asked = [next((r for r in step.criteria if r.criterion == name), None) for step in steps]
    if not any(asked):
        return []
    suffix = "" if alone else f"\n{name}"
    traits = criterion_traits(name)
    if traits.permutes:
        return [
            Column(title=f"p{suffix}", cells=[p_words(report) for report in asked], need=10),
            Column(title=f"draws{suffix}", cells=[draws_words(r) for r in asked], need=6),
        ]
    if traits.limit:
        statistic = next(report.statistic_name for report in asked if report)
        found = [measured(report.statistic if report else None) for report in asked]
        limits = [measured(report.threshold if report else None) for report in asked]
        return [
            Column(title=f"{statistic}{suffix}", cells=found, need=10),
            Column(title=f"{traits.limit}{suffix}", cells=limits, need=10),
        ]
    return []


def _draw_verdict(path: SelectionPath, console: Console) -> None:
    reason = path.verdict.reason
    print_prose(console, (reason[:1].upper() + reason[1:], "heading"))
    chosen = ", ".join(path.selected) or "none"
    print_prose(
        console,
        f"Selected {len(path.selected)} of {counted(path.data.features, 'feature')}: ",
        (chosen, "name"),
    )
    if path.purpose is not None:
        print_prose(console, (MEANT[path.purpose], "quiet"))
    elif any(criterion_traits(name).judges_score for name in path.options.criteria):
        print_prose(console, (SCORED, "quiet"))


def _draw_reading(
    path: SelectionPath, shown: Sequence[str], hidden: Sequence[str], console: Console
) -> None:
    """Say in a few lines what the columns mean that are shown."""
    if not shown:  # it ended before its first step
        return
    titles = {title.partition("\n")[0] for title in shown} - set(hidden)
    lines = [f"{title}: {words}" for title, words in step_reading(path, titles)]
    print_prose(console, (f"How to read, in bits. {'; '.join(lines)}.{wider(hidden)}", "quiet"))
