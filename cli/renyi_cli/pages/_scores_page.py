"""A comparison of scores as a page: a row a stop, the paths side by side, how to read them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from renyi.wording import counted, ends, kernel_words, predicted, probability, scores_sentence
from renyi_cli.pages._heading import draw_heading
from renyi_cli.pages._table import Column, print_prose, print_table, wider

if TYPE_CHECKING:
    from rich.console import Console

    from renyi import Comparison, CriterionResult, ScoreComparison

__all__ = ["draw_scores"]

MOST_PLACES: Final = 40
"""Rows of paths that a page shows; a longer list is better read from a file."""

MARKS: Final = "abcdefghijklmnopqrstuvwxyz"


def draw_scores(found: ScoreComparison, console: Console) -> None:
    """Draw the whole page."""
    first = found.comparisons[0]
    runs = f"model {first.model}, {first.runs} bootstrap runs, seed {first.options.seed}"
    draw_heading(console, found.data, runs)
    for words, scores in _by_kernels(found).items():
        print_prose(console, (f"{', '.join(scores)}: {words}", "quiet"))
    console.print()
    hidden = _draw_stops(found, console)
    console.print()
    if found.unfinished:
        missing = ", ".join(found.unfinished)
        print_prose(console, (f"Interrupted: nothing is known of {missing}.", "heading"))
    print_prose(console, (scores_sentence(found), "heading"))
    for one, result in _ends_of(found):
        name = f"{one.options.score} {result.criterion}"
        print_prose(console, (name, "name"), f": {result.reason}", indent=2)
    console.print()
    hidden += _draw_paths(found, console)
    console.print()
    _draw_reading(found, hidden, console)


def _ends_of(found: ScoreComparison) -> Iterator[tuple[Comparison, CriterionResult]]:
    """Yield every end of a path, in the order of `stops`."""
    for one in found.comparisons:
        for result in one.results:
            yield one, result


def _by_kernels(found: ScoreComparison) -> dict[str, list[str]]:
    """Group scores by what they start from."""
    groups: dict[str, list[str]] = {}
    for one in found.comparisons:
        groups.setdefault(kernel_words(one.options), []).append(one.options.score)
    return groups


def _draw_stops(found: ScoreComparison, console: Console) -> list[str]:
    rows, measure = list(_ends_of(found)), found.comparisons[0].measure
    scores = [result.score for _, result in rows]
    starts = [place for place, ((one, _), (two, _)) in enumerate(pairwise(rows), 1) if one != two]
    return print_table(
        console,
        [
            Column(
                title="score", cells=[o.options.score for o, _ in rows], right=False, style="name"
            ),
            Column(title="criterion", cells=[r.criterion for _, r in rows], right=False),
            Column(title="features", cells=[str(score.size) for score in scores]),
            Column(
                title="R2" if measure == "r2" else "accuracy",
                cells=[predicted(score.mean, measure) for score in scores],
            ),
            Column(
                title="95% interval",
                cells=[ends(score.low, score.high, measure) for score in scores],
                need=9,
            ),
            Column(title="p(best)", cells=[probability(stop.p_value) for stop in found.stops]),
            Column(title="smallest", cells=[str(one.smallest) for one, _ in rows], need=7),
            Column(title="distance", cells=[f"{r.distance:+d}" for _, r in rows], need=8),
        ],
        apart=starts if len(rows) > len(found.comparisons) else (),
    )


def _draw_paths(found: ScoreComparison, console: Console) -> list[str]:
    """Draw the features of each path down to the last stop and one more."""
    wanted = max(max(r.features, one.smallest) for one, r in _ends_of(found)) + 1
    longest = max(len(one.path) for one in found.comparisons)
    last = min(wanted, longest, MOST_PLACES)
    first = min(1, *(result.features for _, result in _ends_of(found)))
    places = range(first, last + 1)
    marks = _marks(found)
    columns = [Column(title="", cells=[str(place) for place in places], style="quiet")]
    for number, one in enumerate(found.comparisons):
        at: dict[int, list[str]] = {}
        for result in one.results:
            at.setdefault(result.features, []).append(marks[result.criterion])
        names = ["none", *one.path, *[""] * (last - len(one.path))]
        cells = [
            f"{names[place]} *{','.join(at[place])}" if place in at else names[place]
            for place in places
        ]
        need = 0 if number == 0 else len(found.comparisons) - number
        title = one.options.score
        columns.append(Column(title=title, cells=cells, need=need, least=10, right=False))
    hidden = print_table(console, columns)
    more = longest - last
    if more > 0:
        print_prose(console, (f"{counted(more, 'further place')} in --json", "quiet"))
    return hidden


def _marks(found: ScoreComparison) -> dict[str, str]:
    """Return what tells criteria apart behind a star: nothing where each score has but one."""
    names = list(dict.fromkeys(stop.criterion for stop in found.stops))
    if len(found.stops) == len(found.comparisons):
        return dict.fromkeys(names, "")
    return dict(zip(names, MARKS, strict=False))


def _draw_reading(found: ScoreComparison, hidden: list[str], console: Console) -> None:
    by_mark = {mark: name for name, mark in _marks(found).items() if mark}
    which = (
        f" of {', '.join(f'{mark} {name}' for mark, name in by_mark.items())}" if by_mark else ""
    )
    said = {
        "95% interval": "95% interval: of the mean, corrected for the rows that runs share",
        "p(best)": f"p(best): {found.comparisons[0].test} t-test against the best stop, run by run "
        "on the same draws; it does not count how many scores were tried",
        "smallest": "smallest: the fewest features of the same path that predict no worse than its "
        "best number",
        "distance": "distance: features less that number",
    }
    lines = [line for name, line in said.items() if name not in hidden]
    lines.append(f"*: the last feature before the stop{which}")
    lines.append(
        "features were chosen on all rows, so accuracies compare paths and are somewhat too good "
        "for new data"
    )
    print_prose(console, (f"How to read: {'; '.join(lines)}.{wider(hidden)}", "quiet"))
