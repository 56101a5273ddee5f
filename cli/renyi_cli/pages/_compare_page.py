"""A comparison as a page for a reader: a row a criterion, then what to make of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from renyi.wording import (
    comparison_sentence,
    comparison_words,
    counted,
    ends,
    predicted,
    probability,
    stop_words,
)
from renyi_cli.pages._heading import draw_heading
from renyi_cli.pages._table import Column, print_prose, print_table, wider

if TYPE_CHECKING:
    from rich.console import Console

    from renyi import Comparison, PartialComparison, SizeScore

__all__ = ["draw_comparison", "draw_partial"]


def draw_comparison(found: Comparison, console: Console) -> None:
    """Draw the whole page."""
    draw_heading(console, found.data, comparison_words(found.options, found.model, found.runs))
    console.print()
    smallest, best = found.score(found.smallest), found.score(found.best)
    rows: list[tuple[str, SizeScore]] = [(r.criterion, r.score) for r in found.results]
    rows += [
        ("smallest no worse", smallest),
        ("best of the path", best),
        (f"all {found.all_features.size}", found.all_features),
    ]
    results = len(found.results)
    blank = [""] * 3
    hidden = print_table(
        console,
        [
            Column(title="criterion", cells=[name for name, _ in rows], right=False, style="name"),
            Column(title="features", cells=[str(score.size) for _, score in rows]),
            Column(title=_title(found), cells=[_share(s.mean, found) for _, s in rows]),
            Column(title="95% interval", cells=[_ends(s, found) for _, s in rows], need=9),
            Column(title="p(best)", cells=[probability(s.p_value) for _, s in rows], need=7),
            Column(title="distance", cells=[f"{r.distance:+d}" for r in found.results] + blank),
            Column(title="rank", cells=[str(r.rank) for r in found.results] + blank, need=6),
            Column(title="p(stop)", cells=[_p(r.p_value) for r in found.results] + blank, need=5),
            Column(
                title="verdict",
                cells=[stop_words(r, found) for r in found.results] + blank,
                need=8,
                right=False,
            ),
        ],
        apart=[results],
    )
    console.print()
    print_prose(console, (comparison_sentence(found), "heading"))
    for result in found.results:
        print_prose(console, (result.criterion, "name"), f": {result.reason}", indent=2)
    console.print()
    _draw_reading(found, hidden, console)


def draw_partial(found: PartialComparison, console: Console) -> None:
    """Draw what an interrupted comparison had found."""
    draw_heading(console, found.data, comparison_words(found.options, found.model, found.runs))
    console.print()
    scores = [found.score(one.features) for one in found.results]
    print_table(
        console,
        [
            Column(
                title="criterion",
                cells=[one.criterion for one in found.results],
                right=False,
                style="name",
            ),
            Column(
                title="features",
                cells=[
                    f"{'at least ' if one.stopped == 'interrupted' else ''}{one.features}"
                    for one in found.results
                ],
            ),
            Column(
                title=_title(found),
                cells=["-" if score is None else _share(score.mean, found) for score in scores],
            ),
            Column(title="p(stop)", cells=[_p(one.p_value) for one in found.results], need=5),
        ],
    )
    console.print()
    judged = counted(len(found.curve), "number")
    print_prose(
        console,
        (f"Interrupted after {counted(len(found.steps), 'step')} of the path", "heading"),
        f", {judged} of features judged: which is best is not known.",
    )
    print_prose(console, f"Path so far: {', '.join(found.path)}", indent=2)
    for one in found.results:
        print_prose(console, (one.criterion, "name"), f": {one.reason}", indent=2)


def _title(found: Comparison | PartialComparison) -> str:
    return "R2" if found.measure == "r2" else "accuracy"


def _share(value: float, found: Comparison | PartialComparison) -> str:
    """Write a score: accuracy in percent, R squared as it is."""
    return predicted(value, found.measure)


def _ends(score: SizeScore, found: Comparison) -> str:
    return ends(score.low, score.high, found.measure)


def _p(value: float | None) -> str:
    return "-" if value is None else probability(value)


def _draw_reading(found: Comparison, hidden: list[str], console: Console) -> None:
    said = {
        "95% interval": "95% interval: of the mean, corrected for the rows that runs share",
        "p(best)": f"p(best): {found.test} t-test against the best size",
        "distance": "distance: features less the smallest number that predicts no worse",
        "p(stop)": "p(stop): of the test that stopped",
    }
    lines = [line for name, line in said.items() if name not in hidden]
    lines.append(
        "features were chosen on all rows, so scores compare numbers of features and are somewhat "
        "too good for new data"
    )
    print_prose(console, (f"How to read: {'; '.join(lines)}.{wider(hidden)}", "quiet"))
