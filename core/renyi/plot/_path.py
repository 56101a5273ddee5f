"""The figure of a selection: MI and CMI against the number of features."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from renyi.errors import MissingExtraError
from renyi.plot._letters import drawable
from renyi.selection import SelectionPath, Step
from renyi.stopping import CriterionReport

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["path_figure"]

MI_COLOUR: Final = "#0072b2"
CMI_COLOUR: Final = "#d55e00"
QUIET: Final = "#595959"
"""Blue and vermilion of Okabe and Ito's palette, told apart by every kind of colour vision; a
grey that is readable in print. Shape and dashes say the same without any colour."""

BAND: Final = 0.22
"""Opacity of the null band."""

BAR: Final = 0.62
"""Width of a step's bar in the null band, of a step."""

LONGEST_NAME: Final = 24
"""Letters of a feature's name under the axis; longer ones lose their middle."""

IN_BITS: Final = frozenset({"cmi", "gain", "mi"})
"""Statistics of tests that have a place on a scale of bits."""

LETTERS: Final = 14.5
LETTERS_OF_TITLE: Final = 10.0
"""Letters that fit into an inch of a line: of the caption, of the title."""

MOST_NAMES: Final = 60
"""Names under the axis; of more steps only some are named."""

MOST_TOGETHER: Final = 3
"""Features that a search began with, up to which they are named under the axis."""


def path_figure(path: SelectionPath) -> Figure:
    """Draw MI and CMI against the number of features.

    Besides the two curves, in bits: what chance gives MI, where that is known; the target's
    entropy, which MI can reach; for a permutation criterion that compared bits the 5% to 95% range
    of what it compared with at each step; the stop; and hollow markers for what was tested and
    not done. The verdict stands below.

    Parameters
    ----------
    path
        A selection, finished or interrupted.

    Returns
    -------
    matplotlib.figure.Figure
        Not known to `pyplot`: no global state is touched.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise MissingExtraError.for_extra("plot", "Drawing a figure") from error
    steps = path.steps
    names, turn = _names(steps)
    width = min(13.0, max(7.0, 2.6 + 0.26 * len(steps)))
    height = 4.8 + (0.05 * max(map(len, names)) if turn else 0.0)
    figure = Figure(figsize=(width, height), layout="constrained", facecolor="white")
    bands = _bands(steps)
    if bands:
        axes, below = figure.subplots(2, 1, sharex=True, height_ratios=(5, 2))
    else:
        axes = below = figure.add_subplot()
    for part in figure.axes:
        part.use_sticky_edges = False  # a null band's bars start where they start, not at the edge
    if bands:
        _draw_lead(below, bands)
    _draw_curve(axes, steps, "mi")
    _draw_chance(axes, steps)
    _draw_curve(axes, steps, "cmi")
    for tested in bands.values():
        _draw_band(axes, tested)
    _draw_reference(axes, steps)
    _draw_stop(axes, path)
    if below is not axes:
        _draw_stop(below, path, named=False)
    _name_steps(below, steps, names, turn)
    _dress(figure, axes, path)
    return figure


def _draw_reference(axes: Axes, steps: Sequence[Step]) -> None:
    """Draw the target's entropy and the zero that MI and CMI may fall below."""
    axes.axhline(0.0, color=QUIET, linewidth=0.6, zorder=1)
    if steps:
        axes.axhline(
            steps[0].entropies.target,
            color=QUIET,
            linewidth=1.0,
            linestyle=(0, (6, 3)),
            label="H(y): the target's entropy",
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


def _draw_band(axes: Axes, tested: Sequence[tuple[Step, CriterionReport]]) -> None:
    """Draw, a bar a step, where the statistic of shuffled copies lay."""
    name = tested[0][1].statistic_name
    colour = CMI_COLOUR if name == "cmi" else MI_COLOUR
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


def _draw_lead(axes: Axes, bands: Mapping[str, Sequence[tuple[Step, CriterionReport]]]) -> None:
    """Draw how far each feature is ahead of the median of its shuffled copies.

    The scale is linear within the width of the null bands and logarithmic beyond: a first feature
    may lead a hundred times as far as the last one.
    """
    leads, widths = [0.0], []
    for name, tested in bands.items():
        colour = CMI_COLOUR if name == "cmi" else MI_COLOUR
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
                markersize=_size(len(tested)),
                color=colour,
                markerfacecolor=colour if step.done else "white",
                markeredgewidth=1.5,
            )
    linear = max(sorted(widths)[len(widths) // 2], 1e-9) if widths else 1.0
    axes.set_yscale("asinh", linear_width=linear)
    axes.margins(y=0.12)
    ticks = _decades(linear, max(leads))
    lower = [-tick for tick in _decades(linear, -min(leads))] if -min(leads) > linear else []
    axes.set_yticks([*lower, 0.0, *ticks], [f"{tick:g}" for tick in (*lower, 0, *ticks)])
    axes.set_yticks([], minor=True)
    axes.axhline(0.0, color=QUIET, linewidth=0.9)
    axes.set_ylabel("lead over\nshuffled, bits\n(log scale)", fontsize=9)


def _decades(linear: float, most: float) -> list[float]:
    """Return ticks: the powers of ten above a scale's linear part, or one round number."""
    if most <= 0:
        return []
    first, last = math.ceil(math.log10(linear * 1.5)), math.floor(math.log10(most))
    return [10.0**power for power in range(first, last + 1)] or [float(f"{most:.0e}")]


def _draw_curve(axes: Axes, steps: Sequence[Step], name: str) -> None:
    values = [(step, getattr(step, name)) for step in steps]
    known = [(step, value) for step, value in values if value is not None]
    if not known:
        return
    colour, marker, dashes, label = {
        "mi": (MI_COLOUR, "o", "-", "MI of features so far with y"),
        "cmi": (CMI_COLOUR, "s", (0, (4, 1.6)), "CMI: what the rest could add"),
    }[name]
    size = _size(len(steps))
    axes.plot(
        [step.index for step, _ in known],
        [value for _, value in known],
        color=colour,
        linestyle=dashes,
        linewidth=1.5,
        marker=marker,
        markersize=size,
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
            markersize=size + 1.5,
            markerfacecolor="white",
            markeredgecolor=colour,
            markeredgewidth=1.5,
            label=_failed_words(steps[-1]) if name == "mi" else None,
            zorder=4,
        )


def _draw_chance(axes: Axes, steps: Sequence[Step]) -> None:
    """Draw what chance gives MI, of the steps that know it."""
    known = [(step.index, step.mi_chance) for step in steps if step.mi_chance is not None]
    if not known:
        return
    axes.plot(
        [index for index, _ in known],
        [value for _, value in known],
        color=MI_COLOUR,
        linestyle=(0, (1, 1.2)),
        linewidth=1.3,
        marker="_" if len(known) == 1 else None,  # a line needs two points
        markersize=9,
        label="MI by chance",
        zorder=3,
    )


def _size(steps: int) -> float:
    """Return a marker's size, in points, that leaves room for its neighbours."""
    return 5.5 if steps <= 30 else 3.5 if steps <= 80 else 2.0


def _draw_stop(axes: Axes, path: SelectionPath, *, named: bool = True) -> None:
    """Mark where the search ended, between what is in and what is not."""
    word = {"criterion": "stop", "max_features": "limit", "interrupted": "interrupted"}
    if path.verdict.stopped not in word or not path.steps:
        return
    last = path.steps[-1]
    at = last.index + 0.5 if last.done else last.index - 0.5
    axes.axvline(at, color="black", linewidth=1.0, linestyle=(0, (1, 1.5)), zorder=2)
    if not named:
        return
    axes.text(
        at,
        0.985,
        f" {word[path.verdict.stopped]} ",
        transform=axes.get_xaxis_transform(),
        verticalalignment="top",
        horizontalalignment="right" if at > 1 else "left",
        fontsize=9,
    )


def _dress(figure: Figure, axes: Axes, path: SelectionPath) -> None:
    """Add scales, title, legend and the verdict in words."""
    from matplotlib.text import Text

    steps = path.steps
    axes.set_xlim(0.4, max(1, len(steps)) + 0.6)
    low, high = axes.get_ylim()
    axes.set_ylim(low, high + 0.08 * (high - low))  # room for the word at the stop
    axes.set_ylabel("bits", fontsize=9)
    for part in figure.axes:
        part.tick_params(labelsize=9)
        part.spines[["top", "right"]].set_visible(False)
    if not steps:
        axes.text(0.5, 0.5, "no step was finished", transform=axes.transAxes, ha="center")
    title, choices = _title(path)
    letters = int(figure.get_figwidth() * LETTERS_OF_TITLE)
    title = textwrap.fill(title, letters, break_on_hyphens=False)
    figure.suptitle(title, x=0.012, horizontalalignment="left", fontsize=12, fontweight="bold")
    legend = axes.legend(
        *axes.get_legend_handles_labels(),
        title=textwrap.fill(choices, int(figure.get_figwidth() * LETTERS)),
        alignment="left",
        loc="lower left",
        bbox_to_anchor=(0.0, 1.0),
        borderpad=0.2,
        borderaxespad=0.2,
        ncols=2,
        frameon=False,
        fontsize=9,
    )
    legend.get_title().set(fontsize=9, color=QUIET)
    caption = _sentence(path.verdict.reason) if steps else "No step was finished."
    if steps and all(step.cmi is None for step in steps):
        caption += " CMI was not computed."
    caption = textwrap.fill(caption, int(figure.get_figwidth() * LETTERS))
    figure.supxlabel(caption, x=0.012, horizontalalignment="left", fontsize=9)
    for artist in figure.findobj(Text):
        if isinstance(artist, Text):
            artist.set_parse_math(False)  # a column may be called "$x_1$"
            artist.set_text(drawable(artist.get_text()))


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _title(path: SelectionPath) -> tuple[str, str]:
    """Return what was selected from, by which criterion, and the choices that matter."""
    options = path.options
    joint = " or " if options.stop_when == "any" else " and "
    sigma = options.bandwidth
    width = sigma if isinstance(sigma, str) else f"sigma {sigma:g}"
    title = f"{PurePath(path.data.source).name}, criterion {joint.join(options.criteria)}"
    choices = (
        f"target {path.data.target}, {path.data.rows_used:,} rows, alpha {options.alpha:g}, "
        f"{width}, {options.standardise}, seed {options.seed}"
    )
    return title, choices


def _names(steps: Sequence[Step]) -> tuple[list[str], int]:
    """Return what stands under the axis, and by how many degrees it is turned to fit."""
    names = [drawable(_shortened(_name(step))) for step in steps]
    every = -(-len(steps) // MOST_NAMES) if steps else 1
    if every > 1:
        names = [f"{step.index} {name}" for step, name in zip(steps, names, strict=True)][::every]
    letters = max(map(len, names), default=0) * len(names)
    return names, 0 if letters <= 60 else 45 if len(names) <= 24 else 90


def _name_steps(axes: Axes, steps: Sequence[Step], names: Sequence[str], turn: int) -> None:
    every = -(-len(steps) // len(names)) if names else 1
    axes.set_xticks(
        [step.index for step in steps][::every],
        names,
        rotation=turn,
        horizontalalignment="right" if turn == 45 else "center",
        rotation_mode="anchor" if turn == 45 else "default",
        fontsize=9 if len(names) <= 30 else 7,
    )
    back = any(step.action == "remove" for step in steps)
    order = "features in the order they entered" + (", - for those taken away" if back else "")
    axes.set_xlabel(order, fontsize=9, color=QUIET)


def _name(step: Step) -> str:
    """Return what a step is called: its features, or how many there are of many."""
    if step.action == "start" and len(step.features) > MOST_TOGETHER:
        return f"{len(step.features)} features"
    return ("- " if step.action == "remove" else "") + " + ".join(step.features)


def _failed_words(last: Step) -> str:
    return "tested, stays" if last.action == "remove" else "tested, not selected"


def _shortened(name: str) -> str:
    if len(name) <= LONGEST_NAME:
        return name
    half = (LONGEST_NAME - 1) // 2
    return f"{name[:half]}\N{HORIZONTAL ELLIPSIS}{name[-half:]}"
