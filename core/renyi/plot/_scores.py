"""The figure of a comparison of scores: how well the first features of each path predict."""

from __future__ import annotations

import textwrap
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from renyi.evaluation import Comparison, ScoreComparison
from renyi.plot._letters import drawable
from renyi.plot._panels import QUIET, need_matplotlib

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["scores_figure"]

COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
"""Okabe and Ito's palette but for its yellow, which is pale on white."""

DASHES: Final = ("-", (0, (5, 1.6)), (0, (1, 1.2)), (0, (6, 1.6, 1, 1.6)), (0, (3, 1, 1, 1, 1, 1)))
"""How lines are broken: five of them and seven colours make 35 pairs, and tell the same without
colour."""

MARKS: Final = ("o", "s", "^", "D", "v", "P", "X", "h")
"""Shapes of the stops, by score."""


def scores_figure(found: ScoreComparison) -> Figure:
    """Draw the mean score of the model against the number of features, a curve a path.

    A large mark is where a criterion stops, with the 95% interval of the mean there; it is open
    where the path ended before the criterion did.

    Parameters
    ----------
    found
        What is drawn.

    Returns
    -------
    matplotlib.figure.Figure
        Not known to `pyplot`.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    need_matplotlib()
    from matplotlib.figure import Figure
    from matplotlib.text import Text

    scores = len(found.comparisons)
    figure = Figure(
        figsize=(9.0, 4.8 + 0.25 * -(-scores // 3)), layout="constrained", facecolor="white"
    )
    axes = figure.subplots()
    for number, one in enumerate(found.comparisons):
        _draw_path(axes, one, number)
    first = found.comparisons[0]
    axes.set_xlabel("number of features", fontsize=9, color=QUIET)
    axes.set_ylabel("R\N{SUPERSCRIPT TWO}" if first.measure == "r2" else "accuracy, %", fontsize=9)
    _focus(axes, found)
    axes.tick_params(labelsize=9)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=9, ncols=3, loc="lower left", bbox_to_anchor=(0.0, 1.0))
    title = (
        f"{PurePath(found.data.source).name}: where {scores} scores stop, and what that is worth"
    )
    figure.suptitle(title, x=0.012, horizontalalignment="left", fontsize=12, fontweight="bold")
    figure.supxlabel(
        textwrap.fill(_caption(found), 126), x=0.012, horizontalalignment="left", fontsize=9
    )
    for artist in figure.findobj(Text):
        if isinstance(artist, Text):
            artist.set_parse_math(False)
            artist.set_text(drawable(artist.get_text()))
    return figure


def _factor(one: Comparison) -> float:
    return 1.0 if one.measure == "r2" else 100.0


def _draw_path(axes: Axes, one: Comparison, number: int) -> None:
    """Draw one curve and a mark a criterion."""
    factor = _factor(one)
    colour = COLOURS[number % len(COLOURS)]
    stops = ", ".join(f"{result.criterion} {result.features}" for result in one.results)
    axes.plot(
        [point.size for point in one.curve],
        [factor * point.mean for point in one.curve],
        color=colour,
        linestyle=DASHES[number % len(DASHES)],
        linewidth=1.5,
        marker=MARKS[number % len(MARKS)],
        markersize=3.0,
        label=f"{one.options.score} ({stops})",
        zorder=3,
    )
    for result in one.results:
        axes.errorbar(
            [result.features],
            [factor * result.score.mean],
            yerr=factor * result.score.half_width,
            color=colour,
            marker=MARKS[number % len(MARKS)],
            markersize=10,
            markerfacecolor=colour if result.stopped == "criterion" else "white",
            markeredgewidth=1.6,
            linewidth=1.0,
            capsize=3,
            linestyle="none",
            zorder=4,
        )


def _focus(axes: Axes, found: ScoreComparison) -> None:
    """Leave out of sight how bad no feature at all is, where the rest would be flattened by it."""
    factor = _factor(found.comparisons[0])
    points = [point for one in found.comparisons for point in one.curve]
    stops = [result.score for one in found.comparisons for result in one.results]
    seen = [point.mean for point in points if point.size > 0]
    seen += [end for stop in stops if stop.size > 0 for end in (stop.low, stop.high)]
    if not seen:
        return
    low, high = min(seen), max(seen)
    margin = 0.06 * max(high - low, 1e-3)
    if min(point.mean for point in points) < low - 0.5 * (high - low):
        axes.set_ylim(factor * (low - margin), factor * (high + margin))


def _caption(found: ScoreComparison) -> str:
    one = found.comparisons[0]
    return (
        f"Target {found.data.target}, {found.data.rows_used:,} rows; model {one.model}, {one.runs} "
        "bootstrap runs, the same draws for all; large marks: where the criterion stops, with the "
        f"95% interval of the mean; open: it had not stopped; seed {one.options.seed}."
    )
