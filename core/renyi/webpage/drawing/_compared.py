"""A comparison: how well the first columns of each path predict, and where criteria end it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from markupsafe import Markup

from renyi.evaluation import Comparison, CriterionResult, ScoreComparison, SizeScore
from renyi.webpage._grid import Grid, grid
from renyi.webpage.drawing._panels import LEFT, RIGHT, WIDTH, Panel, Rows, dot, line
from renyi.webpage.drawing._scales import Scale, span_scale
from renyi.webpage.drawing._svg import element
from renyi.wording import MEASURES, counted, ends, predicted, probability, stop_words

__all__ = ["Compared", "compared"]

MARKS: Final = "abcdefghijklmnopqrstuvwxyz"
ROOM: Final = 34.0
"""Pixels at the right for the letters of criteria."""

MOST_ROWS: Final = 60
"""Sizes that are drawn; of more, those up to there."""


@dataclass(frozen=True, slots=True)
class Compared:
    """What a comparison found, as its template writes it.

    Attributes
    ----------
    stops
        A row an end of a path.
    reading
        How to read it.
    panels
        One a path.
    reasons
        What each criterion says of its end.
    """

    stops: Grid
    reading: str
    panels: list[Panel]
    reasons: list[tuple[str, str]]


def compared(found: Comparison | ScoreComparison, name: str) -> Compared:
    """Return what a comparison found; `name` is unique on the page."""
    each = found.comparisons if isinstance(found, ScoreComparison) else (found,)
    several = isinstance(found, ScoreComparison)
    names = list(dict.fromkeys(r.criterion for one in each for r in one.results))
    marks = dict(zip(names, (*MARKS, *[""] * len(names)), strict=False))
    stops = (
        _stops_of_scores(found, marks)
        if isinstance(found, ScoreComparison)
        else _stops(found, marks)
    )
    curves = [score for one in each for score in _seen(one)]
    scale = span_scale([v for s in curves for v in (s.low, s.high)], LEFT, WIDTH - ROOM - RIGHT)
    if each[0].measure == "accuracy":  # in percent, as in the table
        ticks = tuple((value, f"{100 * value:g}%") for value, _ in scale.ticks)
        scale = replace(scale, ticks=ticks)
    panels = [_curve(one, marks, scale, f"{name}-p{k}", several) for k, one in enumerate(each)]
    reasons = [
        (f"{one.options.score} {r.criterion}" if several else r.criterion, r.reason)
        for one in each
        for r in one.results
    ]
    return Compared(stops, _reading(each[0], several), panels, reasons)


def _title(found: Comparison) -> str:
    return MEASURES[found.measure]


def _end(score: SizeScore, found: Comparison) -> tuple[str, str, str, str]:
    measure = found.measure
    return (
        str(score.size),
        predicted(score.mean, measure),
        ends(score.low, score.high, measure),
        probability(score.p_value),
    )


def _stops(found: Comparison, marks: dict[str, str]) -> Grid:
    rows = [
        (
            f"{r.criterion} ({marks[r.criterion]})",
            *_end(r.score, found),
            f"{r.distance:+d}",
            str(r.rank),
            "-" if r.p_value is None else probability(r.p_value),
            stop_words(r, found),
        )
        for r in found.results
    ]
    count = len(rows)
    for title, score in (
        ("smallest no worse", found.score(found.smallest)),
        ("best of the path", found.score(found.best)),
        (f"all {found.all_features.size}", found.all_features),
    ):
        rows.append((title, *_end(score, found), "", "", "", ""))
    heads = ["criterion", "columns", _title(found), "95% interval", "p(best)"]
    heads += ["distance", "rank", "p(stop)", "verdict"]
    return grid("Where each criterion stops", heads, rows, left=["verdict"], marked=[count])


def _stops_of_scores(found: ScoreComparison, marks: dict[str, str]) -> Grid:
    ended = [(one, r) for one in found.comparisons for r in one.results]
    rows = [
        (
            one.options.score,
            f"{r.criterion} ({marks[r.criterion]})",
            *_end(r.score, one)[:3],
            probability(stop.p_value),
            str(one.smallest),
            f"{r.distance:+d}",
        )
        for (one, r), stop in zip(ended, found.stops, strict=True)
    ]
    heads = ["score", "criterion", "columns", _title(found.comparisons[0]), "95% interval"]
    heads += ["p(best)", "smallest", "distance"]
    best = [place for place, stop in enumerate(found.stops) if stop == found.best]
    return grid("Where each score stops", heads, rows, left=["criterion"], marked=best[:1])


def _reading(found: Comparison, several: bool) -> str:
    against = "stop" if several else "size"
    return (
        "95% interval: of the mean, corrected for the rows that runs share. "
        f"p(best): {found.test} t-test against the best {against}. "
        "Distance: columns less the smallest number that predicts no worse than the best"
        f"{'' if several else ', rank: whose is least, p(stop): of the test that stopped'}. "
        "Columns were chosen on all rows, so these figures compare numbers of columns and are "
        "somewhat too good for new data."
    )


def _seen(found: Comparison) -> Sequence[SizeScore]:
    return found.curve[: MOST_ROWS + 1]


def _curve(
    found: Comparison, marks: dict[str, str], scale: Scale, name: str, several: bool
) -> Panel:
    """Return the panel of one path: a row a size, its mean with the interval, ends as letters."""
    curve, path = _seen(found), found.path
    at: dict[int, list[CriterionResult]] = {}
    for result in found.results:
        at.setdefault(result.features, []).append(result)
    names = ["none" if s.size == 0 else f"{s.size} {path[s.size - 1]}" for s in curve]
    rows = Rows(name, names, [""] * len(curve))
    inside = []
    for place, score in enumerate(curve):
        y, x = rows.middle(place), scale(score.mean)
        said = f"{counted(score.size, 'column')}: {predicted(score.mean, found.measure)}, "
        said += f"95% interval {ends(score.low, score.high, found.measure)}"
        parts = [line([(scale(score.low), y), (scale(score.high), y)], "whisker")]
        parts.append(dot(x, y, rows.size, "mi", done=score.size == found.best))
        ended = at.get(score.size, [])
        if ended:
            letters = "".join(marks[r.criterion] for r in ended)
            said += f"; {', '.join(r.criterion for r in ended)} ends here"
            parts.append(element("text", letters, class_="mark", x=WIDTH - 2, y=y + 4))
        inside.append(Markup().join([element("title", said), *parts]))
    means = [(scale(s.mean), rows.middle(k)) for k, s in enumerate(curve)]
    best = found.score(found.best)
    measure = _title(found)
    reading = (
        f"Each row: the first so many columns of the path, the last of them named. Dot: mean "
        f"{measure} of the model ({found.model}), filled for the best; bar: its 95% interval. "
        "Letters: criteria that end there, as in the table."
    )
    if len(found.curve) > len(curve):
        reading += f" Sizes beyond {curve[-1].size} are not drawn."
    return Panel(
        f"{found.options.score}: {measure}" if several else f"{measure} by number of columns",
        reading,
        rows.drawn(
            f"{measure} by number of columns",
            f"The best is {predicted(best.mean, found.measure)} with "
            f"{counted(best.size, 'column')}.",
            "curve",
            scale,
            inside,
            line(means, "mi line"),
        ),
    )
