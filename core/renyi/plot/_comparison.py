"""The figure of a comparison: where criteria stop, how well models predict, what it is in bits."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from renyi.evaluation import Comparison, CriterionResult, SizeScore
from renyi.plot._letters import drawable
from renyi.plot._panels import CMI, CURVE, QUIET, need_matplotlib

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["comparison_figure"]

MARKS: Final = ("o", "s", "^", "D", "v", "P", "X", "h")
"""Shapes of the criteria, in their order."""

MOST_NAMES: Final = 45
"""Features named under the axis; more are numbered only."""

LONGEST_NAME: Final = 20

STOP: Final = "#000000"
SMALLEST: Final = "#009e73"
"""Green of Okabe and Ito's palette; a line and its label say the same without it."""


def comparison_figure(comparison: Comparison) -> Figure:
    """Draw, one above the other, the stops, the scores and the information against the size.

    Above, a lane a criterion ends where it stops, with the score of its features. In the middle the
    mean score of the first k features with its 95% interval, the best size, and the smallest that
    predicts no worse, as Figure 1 of Yu and Principe (2019) has the accuracy. Below, MI and CMI.

    Parameters
    ----------
    comparison
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

    lanes = len(comparison.results)
    most = comparison.curve[-1].size
    named = most <= MOST_NAMES
    heights = (0.35 * lanes + 0.3, 3.0, 1.9)
    figure = Figure(
        figsize=(min(13.0, max(8.0, 3.2 + 0.24 * most)), sum(heights) + (2.6 if named else 1.8)),
        layout="constrained",
        facecolor="white",
    )
    above, middle, below = figure.subplots(3, 1, sharex=True, height_ratios=heights)
    _draw_lanes(above, comparison)
    _draw_scores(middle, comparison)
    _draw_information(below, comparison)
    for axes in (middle, below):
        for size in sorted({result.features for result in comparison.results}):
            axes.axvline(size, color=STOP, linewidth=0.8, linestyle=(0, (1, 2)), zorder=1)
    _name_sizes(below, comparison, named=named)
    for axes in figure.axes:
        axes.tick_params(labelsize=9)
        axes.spines[["top", "right"]].set_visible(False)
    title = (
        f"{PurePath(comparison.data.source).name}: where {lanes} "
        f"{'criteria stop' if lanes > 1 else 'criterion stops'}, and what that is worth"
    )
    figure.suptitle(title, x=0.012, horizontalalignment="left", fontsize=12, fontweight="bold")
    caption = textwrap.fill(_caption(comparison), int(14 * figure.get_figwidth()))
    figure.supxlabel(caption, x=0.012, horizontalalignment="left", fontsize=9)
    for artist in figure.findobj(Text):
        if isinstance(artist, Text):
            artist.set_parse_math(False)  # a column may be called "$x_1$"
            artist.set_text(drawable(artist.get_text()))
    return figure


def _draw_lanes(axes: Axes, comparison: Comparison) -> None:
    """Draw a line a criterion to where it stops, and write the score of its features there."""
    results = comparison.results
    most = comparison.curve[-1].size
    for lane, result in enumerate(results):
        axes.plot(
            [0, result.features], [lane, lane], color=CURVE, linewidth=2.2, alpha=0.5, zorder=2
        )
        stopped = result.stopped == "criterion"
        axes.plot(
            [result.features],
            [lane],
            marker=MARKS[lane % len(MARKS)] if stopped else ">",
            markersize=6.5,
            color=CURVE,
            markerfacecolor=CURVE if stopped else "white",
            zorder=3,
        )
        left = result.features > 0.6 * most
        axes.annotate(
            _told(result, comparison),
            (result.features, lane),
            xytext=(-8 if left else 8, 0),
            textcoords="offset points",
            horizontalalignment="right" if left else "left",
            verticalalignment="center",
            fontsize=9,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8},
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


def _draw_scores(axes: Axes, comparison: Comparison) -> None:
    curve = comparison.curve
    factor = 1.0 if comparison.measure == "r2" else 100.0
    sizes = [point.size for point in curve]
    axes.fill_between(
        sizes,
        [factor * point.low for point in curve],
        [factor * point.high for point in curve],
        color=CURVE,
        alpha=0.15,
        linewidth=0,
        label="95% interval",
    )
    axes.plot(
        sizes,
        [factor * point.mean for point in curve],
        color=CURVE,
        linewidth=1.5,
        marker="o",
        markersize=3.5 if len(curve) <= 60 else 2.0,
        label="mean over the runs",
    )
    axes.axhline(
        factor * comparison.all_features.mean,
        color=QUIET,
        linewidth=1.0,
        linestyle=(0, (6, 3)),
        label=f"all {comparison.all_features.size} features",
        zorder=1,
    )
    _mark(axes, comparison.score(comparison.best), factor, "best", "*", 13)
    smallest = comparison.score(comparison.smallest)
    _mark(axes, smallest, factor, "smallest that predicts no worse", "D", 7)
    axes.set_ylabel("R\N{SUPERSCRIPT TWO}" if factor == 1.0 else "accuracy, %", fontsize=9)
    _focus(axes, curve, factor)
    _legend(axes, 3)


def _mark(axes: Axes, point: SizeScore, factor: float, word: str, marker: str, size: float) -> None:
    axes.plot(
        [point.size],
        [factor * point.mean],
        linestyle="none",
        marker=marker,
        markersize=size,
        color=SMALLEST,
        markerfacecolor=SMALLEST if marker == "*" else "none",
        markeredgewidth=1.6,
        label=f"{word}: {point.size}",
        zorder=5,
    )


def _focus(axes: Axes, curve: Sequence[SizeScore], factor: float) -> None:
    """Leave out of sight how bad no feature at all is, where the rest would be flattened by it."""
    seen = [point for point in curve if point.size > 0] or list(curve)
    low, high = min(p.low for p in seen), max(p.high for p in seen)
    margin = 0.06 * max(high - low, 1e-3)
    if curve[0].low < low - 0.5 * (high - low):
        axes.set_ylim(factor * (low - margin), factor * (high + margin))


def _draw_information(axes: Axes, comparison: Comparison) -> None:
    steps = comparison.steps
    axes.axhline(
        steps[0].entropies.target,
        color=QUIET,
        linewidth=1.0,
        linestyle=(0, (6, 3)),
        label="H(y)",
    )
    size = 3.5 if len(steps) <= 60 else 2.0
    axes.plot(
        [step.index for step in steps],
        [step.mi for step in steps],
        color=CURVE,
        marker="o",
        markersize=size,
        label="MI of features so far with y",
    )
    known = [(step.index, step.cmi) for step in steps if step.cmi is not None]
    if known:
        axes.plot(
            [index for index, _ in known],
            [value for _, value in known],
            color=CMI,
            marker="s",
            markersize=size,
            linestyle=(0, (4, 1.6)),
            label="CMI: what the rest could add",
        )
    axes.set_ylabel("bits", fontsize=9)
    _legend(axes, 3)


def _legend(axes: Axes, columns: int) -> None:
    axes.legend(
        frameon=False,
        fontsize=9,
        ncols=columns,
        loc="lower left",
        bbox_to_anchor=(0.0, 1.0),
        borderaxespad=0.2,
    )


def _name_sizes(axes: Axes, comparison: Comparison, *, named: bool) -> None:
    axes.set_xlim(-0.4, comparison.curve[-1].size + 0.6)
    if not named:
        axes.set_xlabel("number of features", fontsize=9, color=QUIET)
        return
    labels = ["0", *(f"{k} {_short(name)}" for k, name in enumerate(comparison.path, start=1))]
    axes.set_xticks(
        range(len(labels)),
        labels,
        rotation=45 if len(labels) <= 24 else 90,
        horizontalalignment="right" if len(labels) <= 24 else "center",
        rotation_mode="anchor" if len(labels) <= 24 else "default",
    )
    axes.set_xlabel("number of features, and the one that entered", fontsize=9, color=QUIET)


def _short(name: str) -> str:
    if len(name) <= LONGEST_NAME:
        return name
    half = (LONGEST_NAME - 1) // 2
    return f"{name[:half]}\N{HORIZONTAL ELLIPSIS}{name[-half:]}"


def _caption(comparison: Comparison) -> str:
    options, data = comparison.options, comparison.data
    sigma = options.bandwidth
    return (
        f"Target {data.target}, {data.rows_used:,} rows; alpha {options.alpha:g}, "
        f"{sigma if isinstance(sigma, str) else f'sigma {sigma:g}'}, {options.standardise}; model "
        f"{comparison.model}, {comparison.runs} bootstrap runs; no worse: a "
        f"{comparison.test} t-test at level {comparison.significance:g}; seed {options.seed}."
    )
