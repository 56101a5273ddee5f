"""The figure of a selection: MI and CMI against the number of features."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from renyi.plot._names import Names, placed
from renyi.plot._page import Page, Words
from renyi.selection import SelectionPath, Step
from renyi.stopping import CriterionReport

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["choices_of", "path_figure", "sentence"]

BAND: Final = 0.22
"""Opacity of the null band."""

BAR: Final = 0.62
"""Width of a step's bar in the null band, of a step."""

LONGEST_NAME: Final = 1.9
"""Inches of a feature's name under the axis; longer ones lose their middle."""

IN_BITS: Final = frozenset({"cmi", "gain", "mi"})
"""Statistics of tests that have a place on a scale of bits."""

MARGIN: Final = 0.75
"""Inches beside the panels that numbers and their label take, about; measured once drawn."""

MOST_TOGETHER: Final = 3
"""Features that a search began with, up to which they are named under the axis."""


def path_figure(
    path: SelectionPath,
    *,
    size: str | None = None,
    style: str = "plain",
    axes: Axes | None = None,
) -> Figure:
    """Draw MI and CMI against the number of features.

    Besides the two curves, in bits: what chance gives MI, where that is known; the target's
    entropy, which MI can reach; for a permutation criterion that compared bits the 5% to 95% range
    of what it compared with at each step; the stop; and hollow markers for what was tested and
    not done. The verdict stands below.

    Parameters
    ----------
    path
        A selection, finished or interrupted.
    size
        `one`, `two` or width x height in mm, for a page with words of its own: title and verdict
        are left out; None for as large as it takes.
    style
        `plain`, `dark` or `grey`.
    axes
        Where to draw the curves alone, in the caller's look; None for a figure of its own.

    Returns
    -------
    matplotlib.figure.Figure
        Not known to `pyplot`: no global state is touched. That of `axes` where they are given.

    Raises
    ------
    OptionError
        If size or style are unknown, or the size has no room for the figure.
    MissingExtraError
        If matplotlib is not installed.
    """
    page = Page.of(size, style, axes)
    with page.drawing():
        return _drawn(path, page)


def _drawn(path: SelectionPath, page: Page) -> Figure:
    steps = path.steps
    width = page.width(min(13.0, max(7.0, 2.6 + 0.26 * len(steps))))
    high = min(3.2, max(1.9, 0.5 * width))
    bands = _bands(steps)
    heights = (high, 0.45 * high) if bands and page.axes is None else (high,)
    gap = (width - MARGIN) / (len(steps) + 0.2)
    mark = page.mark(gap)
    figure, panels = page.begin(heights)
    above, below = panels[0], panels[-1]
    for part in panels:
        part.use_sticky_edges = False  # a null band's bars start where they start, not at the edge
    if below is not above:
        _draw_lead(below, bands, page, mark)
    _draw_curve(above, steps, "mi", page, mark)
    _draw_chance(above, steps, page)
    _draw_curve(above, steps, "cmi", page, mark)
    for tested in bands.values():
        _draw_band(above, tested, page)
    _draw_reference(above, steps, page)
    _draw_stop(above, path, page)
    if below is not above:
        _draw_stop(below, path, page, named=False)
    _scale(above, steps)
    names = _names(steps, gap, page)
    order = "features in the order they entered"
    if any(step.action == "remove" for step in steps):
        order += ", - for those taken away"
    below.set_xlabel(order)
    names.put(below, page)
    handles = above.get_legend_handles_labels()[0]
    page.end(figure, handles, _words(path), width, heights, names.deep + 2 * page.line)

    def again() -> None:
        room = below.get_window_extent().width / figure.dpi
        _names(steps, room / (len(steps) + 0.2), page).put(below, page)

    return page.finish(figure, again)


def _draw_reference(axes: Axes, steps: Sequence[Step], page: Page) -> None:
    """Draw the target's entropy and the zero that MI and CMI may fall below."""
    axes.axhline(0.0, color=page.look.quiet, linewidth=0.6, zorder=1)
    if steps:
        axes.axhline(
            steps[0].entropies.target,
            color=page.look.quiet,
            linewidth=1.0,
            linestyle=(0, (6, 3)),
            label="H(y): entropy of the target",
            zorder=1,
        )


def _bands(steps: Sequence[Step]) -> dict[str, list[tuple[Step, CriterionReport]]]:
    """Return the steps with a null distribution in bits, by the statistic that was compared."""
    found: dict[str, list[tuple[Step, CriterionReport]]] = {}
    for step in steps:
        for report in step.criteria:
            if report.null_quantiles is not None and report.statistic_name in IN_BITS:
                found.setdefault(report.statistic_name, []).append((step, report))
    return found


def _draw_band(axes: Axes, tested: Sequence[tuple[Step, CriterionReport]], page: Page) -> None:
    """Draw, a bar a step, where the statistic of shuffled copies lay."""
    name = tested[0][1].statistic_name
    colour = page.look.cmi if name == "cmi" else page.look.mi
    indices = [step.index for step, _ in tested]
    low, middle, high = zip(
        *(
            # the MI that the best of the shuffled candidates would have led to
            [q + (_mi_of_others(step) if name == "gain" else 0.0) for q in r.null_quantiles or ()]
            for step, r in tested
        ),
        strict=True,
    )
    whose = "best of all shuffled" if name == "gain" else "newest shuffled"
    axes.bar(
        indices,
        [top - bottom for bottom, top in zip(low, high, strict=True)],
        bottom=low,
        width=BAR,
        color=colour,
        alpha=BAND,
        linewidth=0,
        label=f"{'CMI' if name == 'cmi' else 'MI'} with {whose}, 5-95%",
        zorder=2,
    )
    axes.hlines(
        middle,
        [index - BAR / 2 for index in indices],
        [index + BAR / 2 for index in indices],
        color=colour,
        linewidth=0.9,
        zorder=2,
    )


def _mi_of_others(step: Step) -> float:
    return step.mi - (step.gain if step.action != "remove" else 0.0)


def _draw_lead(
    axes: Axes, bands: Mapping[str, Sequence[tuple[Step, CriterionReport]]], page: Page, mark: float
) -> None:
    """Draw how far each feature is ahead of the median of its shuffled copies.

    The scale is linear within the width of the null bands and logarithmic beyond: a first feature
    may lead a hundred times as far as the last one.
    """
    leads, widths = [0.0], []
    for name, tested in bands.items():
        colour = page.look.cmi if name == "cmi" else page.look.mi
        for step, report in tested:
            if report.null_quantiles is None or report.statistic is None:
                continue
            sign = -1 if name == "cmi" else 1  # of CMI, which the rest still knows, less is better
            low, middle, high = report.null_quantiles
            bottom, top = sorted(sign * (end - middle) for end in (low, high))
            axes.bar(step.index, top - bottom, bottom=bottom, width=BAR, color=colour, alpha=BAND)
            leads.append(sign * (report.statistic - middle))
            widths.append(top - bottom)
            axes.plot(
                step.index,
                leads[-1],
                marker="s" if name == "cmi" else "o",
                markersize=mark,
                color=colour,
                markerfacecolor=colour if step.done else page.look.paper,
                markeredgewidth=1.5 * page.stroke,
            )
    linear = max(sorted(widths)[len(widths) // 2], 1e-9) if widths else 1.0
    axes.set_yscale("asinh", linear_width=linear)
    axes.margins(y=0.12)
    ticks = _decades(linear, max(leads))
    lower = [-tick for tick in _decades(linear, -min(leads))] if -min(leads) > linear else []
    axes.set_yticks([*lower, 0.0, *ticks], [f"{tick:g}" for tick in (*lower, 0, *ticks)])
    axes.set_yticks([], minor=True)
    axes.axhline(0.0, color=page.look.quiet, linewidth=0.9)
    axes.set_ylabel("lead, bits\n(log scale)")


def _decades(linear: float, most: float) -> list[float]:
    """Return ticks: the powers of ten above a scale's linear part, or one round number."""
    if most <= 0:
        return []
    first, last = math.ceil(math.log10(linear * 1.5)), math.floor(math.log10(most))
    return [10.0**power for power in range(first, last + 1)] or [float(f"{most:.0e}")]


def _draw_curve(axes: Axes, steps: Sequence[Step], name: str, page: Page, mark: float) -> None:
    values = [(step, getattr(step, name)) for step in steps]
    known = [(step, value) for step, value in values if value is not None]
    if not known:
        return
    colour, marker, dashes, label = {
        "mi": (page.look.mi, "o", "-", "MI of features so far with y"),
        "cmi": (page.look.cmi, "s", (0, (4, 1.6)), "CMI: what the rest could add"),
    }[name]
    axes.plot(
        [step.index for step, _ in known],
        [value for _, value in known],
        color=colour,
        linestyle=dashes,
        linewidth=1.5 * page.stroke,
        marker=marker,
        markersize=mark,
        label=label,
        zorder=3,
    )
    failed = [(step.index, value) for step, value in known if not step.done]
    if failed:
        axes.plot(
            [index for index, _ in failed],
            [value for _, value in failed],
            linestyle="none",
            marker=marker,
            markersize=mark * 1.25,
            markerfacecolor=page.look.paper,
            markeredgecolor=colour,
            markeredgewidth=1.5 * page.stroke,
            label=_failed_words(steps[-1]) if name == "mi" else None,
            zorder=4,
        )


def _draw_chance(axes: Axes, steps: Sequence[Step], page: Page) -> None:
    """Draw what chance gives MI, of the steps that know it."""
    known = [(step.index, step.mi_chance) for step in steps if step.mi_chance is not None]
    if not known:
        return
    axes.plot(
        [index for index, _ in known],
        [value for _, value in known],
        color=page.look.mi,
        linestyle=(0, (1, 1.2)),
        linewidth=1.3 * page.stroke,
        marker="_" if len(known) == 1 else None,  # a line needs two points
        markersize=9,
        label="MI by chance",
        zorder=3,
    )


def _draw_stop(axes: Axes, path: SelectionPath, page: Page, *, named: bool = True) -> None:
    """Mark where the search ended, between what is in and what is not."""
    word = {"criterion": "stop", "max_features": "limit", "interrupted": "interrupted"}
    if path.verdict.stopped not in word or not path.steps:
        return
    last = path.steps[-1]
    at = last.index + 0.5 if last.done else last.index - 0.5
    axes.axvline(at, color=page.look.ink, linewidth=1.0, linestyle=(0, (1, 1.5)), zorder=2)
    if not named:
        return
    axes.text(
        at,
        0.985,
        f" {word[path.verdict.stopped]} ",
        transform=axes.get_xaxis_transform(),
        verticalalignment="top",
        horizontalalignment="right" if at > 1 else "left",
        fontsize=page.points,
    )


def _scale(axes: Axes, steps: Sequence[Step]) -> None:
    axes.set_xlim(0.4, max(1, len(steps)) + 0.6)
    low, high = axes.get_ylim()
    axes.set_ylim(low, high + 0.08 * (high - low))  # room for the word at the stop
    axes.set_ylabel("bits")
    if not steps:
        axes.set_xticks([])
        axes.text(0.5, 0.5, "no step was finished", transform=axes.transAxes, ha="center")


def _words(path: SelectionPath) -> Words:
    """Return what was selected from, by which criterion, the choices that matter, the verdict."""
    options, steps = path.options, path.steps
    joint = " or " if options.stop_when == "any" else " and "
    caption = sentence(path.verdict.reason) if steps else "No step was finished."
    if steps and all(step.cmi is None for step in steps):
        caption += " CMI was not computed."
    title = f"{PurePath(path.data.source).name}, criterion {joint.join(options.criteria)}"
    return Words(title, caption, choices_of(path))


def sentence(words: str) -> str:
    """Return words that begin and end as a sentence does."""
    return f"{words[:1].upper()}{words[1:]}."


def choices_of(path: SelectionPath) -> str:
    """Return the choices that matter, in a line."""
    options = path.options
    sigma = options.bandwidth
    width = sigma if isinstance(sigma, str) else f"sigma {sigma:g}"
    return (
        f"target {path.data.target}, {path.data.rows_used:,} rows, alpha {options.alpha:g}, "
        f"{width}, {options.standardise}, seed {options.seed}"
    )


def _names(steps: Sequence[Step], gap: float, page: Page) -> Names:
    return placed([_name(step) for step in steps], gap, LONGEST_NAME * page.points / 9, page)


def _name(step: Step) -> str:
    """Return what a step is called: its features, or how many there are of many."""
    if step.action == "start" and len(step.features) > MOST_TOGETHER:
        return f"{len(step.features)} features"
    return ("- " if step.action == "remove" else "") + " + ".join(step.features)


def _failed_words(last: Step) -> str:
    return "tested, stays" if last.action == "remove" else "tested, not selected"
