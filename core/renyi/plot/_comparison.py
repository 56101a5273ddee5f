"""The figure of a comparison: where criteria stop, how well models predict, what it is in bits."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from renyi.evaluation import Comparison, CriterionResult, SizeScore
from renyi.plot._letters import inches
from renyi.plot._looks import MARKS
from renyi.plot._names import Names, placed
from renyi.plot._page import Page, Words

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["comparison_figure", "focus", "unit_of"]

LONGEST_NAME: Final = 1.6
"""Inches of a feature's name under the axis; longer ones lose their middle."""

MARGIN: Final = 1.0
"""Inches beside the panels that numbers and names of criteria take, about."""


def comparison_figure(
    comparison: Comparison,
    *,
    size: str | None = None,
    style: str = "plain",
    axes: Axes | None = None,
) -> Figure:
    """Draw, one above the other, the stops, the scores and the information against the size.

    Above, a lane a criterion ends where it stops, with the score of its features. In the middle the
    mean score of the first k features with its 95% interval, the best size, and the smallest that
    predicts no worse, as Figure 1 of Yu and Principe (2019) has the accuracy. Below, MI and CMI.

    Parameters
    ----------
    comparison
        What is drawn.
    size, style
        As in `path_figure`.
    axes
        Where to draw the scores alone, in the caller's look; None for a figure of its own.

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
        return _drawn(comparison, page)


def _drawn(comparison: Comparison, page: Page) -> Figure:
    lanes, most = len(comparison.results), comparison.curve[-1].size
    width = page.width(min(13.0, max(8.0, 3.2 + 0.24 * most)))
    high = min(2.6, max(1.5, 0.36 * width))
    heights = (0.2 + 1.9 * page.line * lanes, high, 0.65 * high) if page.axes is None else (high,)
    figure, panels = page.begin(heights)
    scores, last = panels[0] if page.axes is not None else panels[1], panels[-1]
    mark = page.mark((width - MARGIN) / (most + 1))
    handles = _draw_scores(scores, comparison, page, mark)
    if page.axes is None:
        _draw_lanes(panels[0], comparison, page, width)
        handles += _draw_information(last, comparison, page, mark)
    for panel in {scores, last}:
        for size in sorted({result.features for result in comparison.results}):
            panel.axvline(size, color=page.look.ink, linewidth=0.8, linestyle=(0, (1, 2)), zorder=1)
    last.set_xlim(-0.4, most + 0.6)
    last.set_xlabel("number of features, and the one that entered")
    names = _names(comparison, (width - MARGIN) / (most + 1), page)
    names.put(last, page)
    title = (
        f"{PurePath(comparison.data.source).name}: where {lanes} "
        f"{'criteria stop' if lanes > 1 else 'criterion stops'}, and what that is worth"
    )
    words = Words(title, _caption(comparison))
    page.end(figure, handles, words, width, heights, names.deep + 2 * page.line)

    def again() -> None:
        room = last.get_window_extent().width / figure.dpi
        _names(comparison, room / (most + 1), page).put(last, page)

    return page.finish(figure, again)


def _names(comparison: Comparison, gap: float, page: Page) -> Names:
    names = [f"{k} {name}" for k, name in enumerate(comparison.path, start=1)]
    return placed(["0", *names], gap, LONGEST_NAME * page.points / 9, page, first=0)


def _draw_lanes(axes: Axes, comparison: Comparison, page: Page, width: float) -> None:
    """Draw a line a criterion to where it stops, and write the score of its features there."""
    results = comparison.results
    most = comparison.curve[-1].size
    for lane, result in enumerate(results):
        axes.plot(
            [0, result.features],
            [lane, lane],
            color=page.look.mi,
            linewidth=2.2 * page.stroke,
            alpha=0.5,
            zorder=2,
        )
        stopped = result.stopped == "criterion"
        axes.plot(
            [result.features],
            [lane],
            marker=MARKS[lane % len(MARKS)] if stopped else ">",
            markersize=6.5 * page.stroke,
            color=page.look.mi,
            markerfacecolor=page.look.mi if stopped else page.look.paper,
            zorder=3,
        )
        told = _told(result, comparison)
        room = (most - result.features) / (most + 1) * (width - MARGIN)
        left = inches(told, page.points) + 0.2 > room
        axes.annotate(
            told,
            (result.features, lane),
            xytext=(-8 if left else 8, 0),
            textcoords="offset points",
            horizontalalignment="right" if left else "left",
            verticalalignment="center",
            fontsize=page.points,
            bbox={"facecolor": page.look.paper, "edgecolor": "none", "pad": 0.8},
            zorder=4,
        )
    axes.set_yticks(range(len(results)), [result.criterion for result in results])
    axes.set_ylim(len(results) - 0.4, -0.6)
    axes.tick_params(axis="x", length=0)
    axes.spines["bottom"].set_visible(False)


def _told(result: CriterionResult, comparison: Comparison) -> str:
    shown = f"{result.features}: {_percent(result.score, comparison.measure)}"
    return shown if result.stopped == "criterion" else f"{shown}, did not stop"


def _percent(score: SizeScore, measure: str) -> str:
    if measure == "r2":
        return f"{score.mean:.3f}"
    return f"{100 * score.mean:.1f}%"


def unit_of(measure: str) -> tuple[float, str]:
    """Return by how much a score is multiplied to be shown, and what its axis is called."""
    return (1.0, "R\N{SUPERSCRIPT TWO}") if measure == "r2" else (100.0, "accuracy, %")


def _draw_scores(axes: Axes, comparison: Comparison, page: Page, mark: float) -> list[Artist]:
    """Draw how well the first features predict; return what the legend names."""
    curve, look = comparison.curve, page.look
    factor, label = unit_of(comparison.measure)
    sizes = [point.size for point in curve]
    band = axes.fill_between(
        sizes,
        [factor * point.low for point in curve],
        [factor * point.high for point in curve],
        color=look.mi,
        alpha=0.15,
        linewidth=0,
        label="95% interval",
    )
    (mean,) = axes.plot(
        sizes,
        [factor * point.mean for point in curve],
        color=look.mi,
        linewidth=1.5 * page.stroke,
        marker="o",
        markersize=0.7 * mark,
        label="mean over the runs",
    )
    all_of_them = axes.axhline(
        factor * comparison.all_features.mean,
        color=look.quiet,
        linewidth=page.stroke,
        linestyle=(0, (1, 1)),
        label=f"all {comparison.all_features.size} features",
        zorder=1,
    )
    best, smallest = (
        axes.plot(
            [point.size],
            [factor * point.mean],
            linestyle="none",
            marker=marker,
            markersize=size * page.stroke,
            color=look.good,
            markerfacecolor=look.good if marker == "*" else "none",
            markeredgewidth=1.6 * page.stroke,
            label=f"{word}: {point.size}",
            zorder=5,
        )[0]
        for point, word, marker, size in (
            (comparison.score(comparison.best), "best", "*", 13),
            (comparison.score(comparison.smallest), "smallest that predicts no worse", "D", 7),
        )
    )
    axes.set_ylabel(label)
    means = [end for point in curve if point.size > 0 for end in (point.low, point.high)]
    focus(axes, curve[0].low, means, factor)
    return [mean, band, all_of_them, best, smallest]


def focus(axes: Axes, none: float, others: Sequence[float], factor: float) -> None:
    """Leave out of sight how bad no feature at all is, where the rest would be flattened by it.

    Parameters
    ----------
    axes
        Where they are drawn.
    none, others
        The scores without any feature, and with some.
    factor
        By which they are multiplied.
    """
    if not others:
        return
    low, high = min(others), max(others)
    margin = 0.06 * max(high - low, 1e-3)
    if none < low - 0.5 * (high - low):
        axes.set_ylim(factor * (low - margin), factor * (high + margin))


def _draw_information(axes: Axes, comparison: Comparison, page: Page, mark: float) -> list[Artist]:
    """Draw MI and CMI; return what the legend names."""
    steps, look = comparison.steps, page.look
    handles: list[Artist] = [
        axes.axhline(
            steps[0].entropies.target,
            color=look.quiet,
            linewidth=page.stroke,
            linestyle=(0, (6, 3)),
            label="H(y): entropy of the target",
        )
    ]
    curves = (
        ("mi", look.mi, "o", "-", "MI of features so far with y"),
        ("cmi", look.cmi, "s", (0, (4, 1.6)), "CMI: what the rest could add"),
    )
    for name, colour, marker, dashes, label in curves:
        known = [(s.index, getattr(s, name)) for s in steps if getattr(s, name) is not None]
        if known:
            handles += axes.plot(
                [index for index, _ in known],
                [value for _, value in known],
                color=colour,
                marker=marker,
                markersize=0.7 * mark,
                linewidth=1.5 * page.stroke,
                linestyle=dashes,
                label=label,
            )
    axes.set_ylabel("bits")
    return handles


def _caption(comparison: Comparison) -> str:
    options, data = comparison.options, comparison.data
    sigma = options.bandwidth
    return (
        f"Target {data.target}, {data.rows_used:,} rows; alpha {options.alpha:g}, "
        f"{sigma if isinstance(sigma, str) else f'sigma {sigma:g}'}, {options.standardise}; model "
        f"{comparison.model}, {comparison.runs} bootstrap runs; no worse: a "
        f"{comparison.test} t-test at level {comparison.significance:g}; seed {options.seed}."
    )
