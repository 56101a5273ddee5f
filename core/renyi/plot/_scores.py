"""The figure of a comparison of scores: how well the first features of each path predict."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from renyi.evaluation import Comparison, ScoreComparison
from renyi.plot._comparison import focus, unit_of
from renyi.plot._looks import DASHES, MARKS
from renyi.plot._page import Page, Words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

__all__ = ["scores_figure"]

MARGIN: Final = 0.75
"""Inches beside the panel that its numbers take, about."""


def scores_figure(
    found: ScoreComparison,
    *,
    size: str | None = None,
    style: str = "plain",
    axes: Axes | None = None,
) -> Figure:
    """Draw the mean score of the model against the number of features, a curve a path.

    A large mark is where a criterion stops, with the 95% interval of the mean there; it is open
    where the path ended before the criterion did.

    Parameters
    ----------
    found
        What is drawn.
    size, style
        As in `path_figure`.
    axes
        Where to draw, in the caller's look; None for a figure of its own.

    Returns
    -------
    matplotlib.figure.Figure
        Not known to `pyplot`. That of `axes` where they are given.

    Raises
    ------
    OptionError
        If size or style are unknown, or the size has no room for the figure.
    MissingExtraError
        If matplotlib is not installed.
    """
    page = Page.of(size, style, axes)
    with page.drawing():
        return _drawn(found, page)


def _drawn(found: ScoreComparison, page: Page) -> Figure:
    from matplotlib.ticker import MaxNLocator

    width = page.width(9.0)
    heights = (min(3.6, max(2.0, 0.5 * width)),)
    figure, (panel,) = page.begin(heights)
    most = max(one.curve[-1].size for one in found.comparisons)
    mark = page.mark((width - MARGIN) / (most + 1))
    handles = [
        _draw_path(panel, one, number, page, mark) for number, one in enumerate(found.comparisons)
    ]
    factor, label = unit_of(found.comparisons[0].measure)
    panel.xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
    panel.set_xlabel("number of features")
    panel.set_ylabel(label)
    points = [point for one in found.comparisons for point in one.curve]
    stops = [result.score for one in found.comparisons for result in one.results]
    seen = [point.mean for point in points if point.size > 0]
    seen += [end for stop in stops if stop.size > 0 for end in (stop.low, stop.high)]
    focus(panel, min(point.mean for point in points), seen, factor)
    scores = len(found.comparisons)
    title = (
        f"{PurePath(found.data.source).name}: where {scores} scores stop, and what that is worth"
    )
    words = Words(title, _caption(found))
    page.end(figure, handles, words, width, heights, 2.5 * page.line)
    return page.finish(figure)


def _draw_path(axes: Axes, one: Comparison, number: int, page: Page, mark: float) -> Line2D:
    """Draw one curve and a mark a criterion; return the curve."""
    factor, _ = unit_of(one.measure)
    series = page.look.series
    colour, marker = series[number % len(series)], MARKS[number % len(MARKS)]
    stops = ", ".join(f"{result.criterion} {result.features}" for result in one.results)
    (curve,) = axes.plot(
        [point.size for point in one.curve],
        [factor * point.mean for point in one.curve],
        color=colour,
        linestyle=DASHES[number % len(DASHES)],
        linewidth=1.5 * page.stroke,
        marker=marker,
        markersize=0.6 * mark,
        label=f"{one.options.score} ({stops})",
        zorder=3,
    )
    for result in one.results:
        axes.errorbar(
            [result.features],
            [factor * result.score.mean],
            yerr=factor * result.score.half_width,
            color=colour,
            marker=marker,
            markersize=10 * page.stroke,
            markerfacecolor=colour if result.stopped == "criterion" else page.look.paper,
            markeredgewidth=1.6 * page.stroke,
            linewidth=page.stroke,
            capsize=3 * page.stroke,
            linestyle="none",
            zorder=4,
        )
    return curve


def _caption(found: ScoreComparison) -> str:
    one = found.comparisons[0]
    return (
        f"Target {found.data.target}, {found.data.rows_used:,} rows; model {one.model}, {one.runs} "
        "bootstrap runs, the same draws for all; large marks: where the criterion stops, with the "
        f"95% interval of the mean; open: it had not stopped; seed {one.options.seed}."
    )
