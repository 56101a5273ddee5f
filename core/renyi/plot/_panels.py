"""Accuracy against the number of features, with the places where criteria stop; many sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from renyi.plot._looks import PLAIN
from renyi.plot._page import need_matplotlib

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["AccuracyPanel", "information_figure", "panels_figure"]

CURVE: Final = PLAIN.mi
CMI: Final = PLAIN.cmi
QUIET: Final = PLAIN.quiet

STYLES: Final = (
    ("o", "#d55e00"),
    ("s", "#009e73"),
    ("^", "#cc79a7"),
    ("D", "#000000"),
    ("v", "#e69f00"),
)
"""Shape and colour of the marks, in the order of the criteria: Okabe and Ito's palette, and told
apart without it."""

OFFSETS: Final = (-4.5, -1.5, 1.5, 4.5, 0.0)
"""Points by which marks of different criteria are moved aside: several often share a place."""

LONG: Final = 60
"""Features from which a path is drawn on a logarithmic scale."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccuracyPanel:
    """What is drawn of one set.

    Attributes
    ----------
    title
        The set's name.
    sizes
        Numbers of features, ascending.
    accuracy, spread
        Mean and standard deviation at each, percent.
    ours, printed
        Criterion -> (number of features, accuracy in percent); the same criteria in both, in the
        same order, `printed` may lack some.
    """

    title: str
    sizes: Sequence[int]
    accuracy: Sequence[float]
    spread: Sequence[float]
    ours: Mapping[str, tuple[int, float]]
    printed: Mapping[str, tuple[int, float]]


def panels_figure(panels: Sequence[AccuracyPanel]) -> Figure:
    """Draw a panel a set: the accuracy, a band of one standard deviation, and the stops.

    Filled marks are ours, on the curve; hollow ones are printed, where they were printed.

    Parameters
    ----------
    panels
        At least one.

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

    columns = min(3, len(panels))
    lines = -(-len(panels) // columns)
    figure = Figure(figsize=(4.2 * columns, 2.9 * lines + 0.7), layout="constrained")
    grid = figure.subplots(lines, columns, squeeze=False).ravel()
    for axes, panel in zip(grid, panels, strict=False):
        _draw_accuracy(axes, panel)
        axes.set_title(panel.title, loc="left", fontsize=10, fontweight="bold")
    for axes in grid[len(panels) :]:
        axes.set_visible(False)
    _share_legend(figure, panels)
    return figure


def information_figure(
    panel: AccuracyPanel, mi: Sequence[float], cmi: Sequence[float | None], target: float
) -> Figure:
    """Draw one set as Figure 1 of Yu and Principe (2019) does: information, and accuracy below.

    Parameters
    ----------
    panel
        The set.
    mi, cmi
        Of the first 1, 2, ... features, bits.
    target
        H(y), bits.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    need_matplotlib()
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 6.4), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(2, 3))
    steps = range(1, len(mi) + 1)
    above.axhline(target, color=QUIET, linewidth=1.0, linestyle=(0, (6, 3)), label="H(y)")
    above.plot(steps, mi, color=CURVE, marker="o", markersize=3.5, label="MI of features so far")
    known = [(step, value) for step, value in zip(steps, cmi, strict=True) if value is not None]
    above.plot(
        [step for step, _ in known],
        [value for _, value in known],
        color=CMI,
        marker="s",
        markersize=3.5,
        linestyle=(0, (4, 1.6)),
        label="CMI: what the rest could add",
    )
    above.set_ylabel("bits", fontsize=9)
    above.legend(frameon=False, fontsize=9, ncols=3, loc="lower left", bbox_to_anchor=(0.0, 1.0))
    _plain(above)
    _draw_accuracy(below, panel)
    _share_legend(figure, [panel])
    return figure


def _draw_accuracy(axes: Axes, panel: AccuracyPanel) -> None:
    low = [mean - spread for mean, spread in zip(panel.accuracy, panel.spread, strict=True)]
    high = [mean + spread for mean, spread in zip(panel.accuracy, panel.spread, strict=True)]
    axes.fill_between(panel.sizes, low, high, color=CURVE, alpha=0.15, linewidth=0)
    axes.plot(panel.sizes, panel.accuracy, color=CURVE, linewidth=1.4)
    if len(panel.sizes) == 1:
        axes.plot(panel.sizes, panel.accuracy, color=CURVE, marker=".")
    for place, name in enumerate(panel.ours):
        _mark(axes, place, panel.ours[name], filled=True)
        if name in panel.printed:
            _mark(axes, place, panel.printed[name], filled=False)
    _scale_sizes(axes, max(panel.sizes))
    axes.set_xlabel("number of features", fontsize=9, color=QUIET)
    axes.set_ylabel("accuracy, %", fontsize=9)
    _plain(axes)


def _scale_sizes(axes: Axes, most: int) -> None:
    """Put ticks at whole sizes; on a long path the first few are most of the story."""
    from matplotlib.ticker import MaxNLocator

    if most <= LONG:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
        return
    axes.set_xscale("log")
    ticks = [tick for tick in (1, 2, 5, 10, 20, 50, 100, 200, 500) if tick <= most]
    axes.set_xticks(ticks, [str(tick) for tick in ticks])
    axes.set_xticks([], minor=True)


def _mark(axes: Axes, place: int, at: tuple[int, float], *, filled: bool) -> None:
    from matplotlib.transforms import ScaledTranslation

    marker, colour = STYLES[place % len(STYLES)]
    figure = axes.get_figure()
    if figure is None:  # pragma: no cover - axes of a figure
        raise RuntimeError
    aside = ScaledTranslation(OFFSETS[place % len(OFFSETS)] / 72, 0, figure.dpi_scale_trans)
    axes.plot(
        [at[0]],
        [at[1]],
        linestyle="none",
        marker=marker,
        markersize=6.5,
        color=colour,
        markerfacecolor=colour if filled else "white",
        markeredgewidth=1.2,
        transform=axes.transData + aside,
        zorder=4 if filled else 3,
    )
    axes.update_datalim([at])  # marks that are moved aside do not count by themselves
    axes.autoscale_view()


def _share_legend(figure: Figure, panels: Sequence[AccuracyPanel]) -> None:
    """Put one legend below all panels."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    names = list(panels[0].ours)
    handles: list[Line2D | Patch] = [
        Line2D([], [], color=CURVE, linewidth=1.4, label="accuracy"),
        Patch(color=CURVE, alpha=0.15, label="one standard deviation of the runs"),
    ]
    for place, name in enumerate(names):
        marker, colour = STYLES[place % len(STYLES)]
        handles.append(
            Line2D(
                [], [], linestyle="none", marker=marker, color=colour, markersize=6.5, label=name
            )
        )
    if any(panel.printed for panel in panels):
        handles.append(
            Line2D(
                [],
                [],
                linestyle="none",
                marker="o",
                color=QUIET,
                markerfacecolor="white",
                markersize=6.5,
                label="hollow: as printed",
            )
        )
    figure.legend(handles=handles, loc="outside lower left", frameon=False, fontsize=9, ncols=4)


def _plain(axes: Axes) -> None:
    axes.tick_params(labelsize=9)
    axes.spines[["top", "right"]].set_visible(False)
