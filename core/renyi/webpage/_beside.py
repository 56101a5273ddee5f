"""Several results beside each other: verdicts, options that differ, columns selected in each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from renyi.evaluation import Comparison, ScoreComparison
from renyi.selection import SelectionPath
from renyi.webpage._grid import Grid, grid
from renyi.webpage._part import Answer, Part
from renyi.wording import counted

__all__ = ["Beside", "beside"]


@dataclass(frozen=True, slots=True)
class Beside:
    """What a page of several results opens with.

    Attributes
    ----------
    headline
        In a sentence.
    verdicts
        (link, name, what was found, why it ended) of each.
    options
        Those that differ; None where none does.
    columns
        Place of each column in each answer.
    """

    headline: str
    verdicts: list[tuple[str, str, str, str]]
    options: Grid | None
    columns: Grid


def beside(answers: Sequence[Answer], parts: Sequence[Part], names: Sequence[str]) -> Beside:
    """Return several results side by side.

    Parameters
    ----------
    answers, parts
        The results, and what the page shows of each.
    names
        What they are called.
    """
    verdicts = [
        (part.id, name, part.headline, part.reason) for part, name in zip(parts, names, strict=True)
    ]
    ranks = [_ranks(answer) for answer in answers]
    found = dict.fromkeys(name for rank in ranks for name in rank)
    shared = [name for name in found if all(name in rank for rank in ranks)]
    order = sorted(found, key=lambda name: -sum(name in rank for rank in ranks))  # stable
    rows = [(name, *(str(rank[name]) if name in rank else "-" for rank in ranks)) for name in order]
    every = "both" if len(answers) == 2 else f"all {len(answers)}"
    if not found:
        headline = f"No column is selected in any of {len(answers)} results"
    elif not shared:
        headline = f"None of {counted(len(found), 'column')} is selected in {every} results"
    else:
        are = "is" if len(shared) == 1 else "are"
        headline = f"{len(shared)} of {counted(len(found), 'column')} {are} selected in {every} "
        headline += "results"
    columns = grid(
        "Place of each column in each answer",
        ["column", *names],
        rows,
        marked=[place for place, name in enumerate(order) if name in shared],
    )
    return Beside(headline, verdicts, _options(parts, names), columns)


def _ranks(answer: Answer) -> dict[str, int]:
    """Return the place of each column that an answer selects."""
    if isinstance(answer, SelectionPath):
        return {name: place for place, name in enumerate(answer.selected, 1)}
    chosen = answer
    if isinstance(answer, ScoreComparison):
        chosen = answer.comparison(answer.best.score)
    assert isinstance(chosen, Comparison)
    return {name: place for place, name in enumerate(chosen.path[: chosen.smallest], 1)}


def _options(parts: Sequence[Part], names: Sequence[str]) -> Grid | None:
    """Return what differs between the results: the table, its size, every option."""
    each = [
        {"source": part.source, "size": part.rows}
        | {option.name: option.value for option in part.how.options}
        for part in parts
    ]
    known = dict.fromkeys(name for one in each for name in one)
    rows = [
        (name, *(one.get(name, "-") for one in each))
        for name in known
        if len({one.get(name) for one in each}) > 1
    ]
    if not rows:
        return None
    return grid("Options that differ", ["option", *names], rows, left=names)
