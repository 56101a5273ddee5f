"""The matrix of what each column leaves of the others."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Final

import numpy as np

from renyi._typing import FloatArray
from renyi.plot._letters import fitted, inches, wrapped
from renyi.plot._page import Page, Words
from renyi.plot._rows import SHARE_OF_NAMES, Rows, rows_for
from renyi.selection import Redundancy, SelectionPath

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["redundancy_figure"]

CELL: Final = 0.24
"""Width of a cell in a figure of no given size, inches."""

MORE: Final = 1.2
"""Share from which two features say more together than apart."""


def redundancy_figure(
    path: SelectionPath,
    found: Redundancy,
    *,
    size: str | None = None,
    style: str = "plain",
    axes: Axes | None = None,
) -> Figure:
    """Draw how much of what each feature says of y is left given each selected one.

    A row a feature, first the selected ones, then those that are not and say something alone; a
    column a selected feature. The darker a cell (in the style `dark` the lighter), the less is
    left; a dot marks where so little is left that the feature counts as redundant given the other,
    a plus where the two say more together. A feature given itself is left blank, and one that by
    itself says no more than chance.

    Parameters
    ----------
    path
        The selection.
    found
        The shares.
    size, style, axes
        As in `path_figure`.

    Raises
    ------
    OptionError, MissingExtraError
        As in `path_figure`.
    """
    page = Page.of(size, style, axes)
    with page.drawing():
        return _drawn(path, found, page)


def _drawn(path: SelectionPath, found: Redundancy, page: Page) -> Figure:
    from matplotlib.colors import LinearSegmentedColormap

    look = page.look
    width = page.width(min(13.0, 3.4 + CELL * len(found.given)))
    rows = rows_for(found.features, width, 11 * page.line, page)
    room = max(width - rows.beside - 0.9, 0.5)
    most = max(1, int(room / (1.05 * page.line)))  # narrower ones have no place for their names
    columns = found.given[:most]
    left = np.array(
        [[np.nan if v is None else v for v in line[: len(columns)]] for line in found.left],
        dtype=np.float64,
    ).reshape(len(found.features), len(columns))[: len(rows.names)]
    figure, (panel,) = page.begin((rows.height,))
    shades = LinearSegmentedColormap.from_list("left", [look.nothing, look.all])
    image = panel.pcolormesh(
        np.clip(np.ma.masked_invalid(left), 0, 1),
        cmap=shades,
        vmin=0,
        vmax=1,
        edgecolors=look.paper,
        linewidth=0.6,
        rasterized=False,
    )
    handles = _draw_marks(panel, left, found.little, page, 72 * rows.height / len(rows.names))
    names = tuple(fitted(columns, SHARE_OF_NAMES * width, page.points))
    panel.set_xticks(
        np.arange(len(names)) + 0.5,
        names,
        rotation=90,
        fontsize=page.points,
    )
    panel.tick_params(axis="x", length=0)
    rows.put(panel, page)
    panel.set_yticks(np.arange(len(rows.labels)) + 0.5, rows.labels)
    panel.set_ylim(len(rows.labels), 0)
    panel.spines["bottom"].set_visible(False)
    inside = sum(name in found.given for name in rows.names)
    if inside < len(rows.names):
        panel.axhline(inside, color=look.ink, linewidth=page.stroke)
    silent = int(np.isnan(left).all(axis=1).sum()) if len(columns) > 1 else 0
    below = "\n".join(
        wrapped(line, room, page.points) for line in _below(path, rows, len(columns), silent)
    )
    panel.set_xlabel(below)
    bar = figure.colorbar(image, ax=panel, fraction=0.05, aspect=30, pad=0.02)
    bar.set_ticks([0, 0.5, 1], labels=["0: a copy", "half", "1: all"])
    bar.ax.tick_params(length=0, labelsize=page.points)
    bar.outline.set_visible(False)
    title = f"{PurePath(path.data.source).name}: what columns leave of each other"
    choices = (
        f"share of what a row's column says of {path.data.target} that is left given another, at "
        f"alpha 2, {found.rows:,} rows"
    )
    deep = (
        max((inches(name, page.points) for name in names), default=0.0)
        + (below.count("\n") + 2) * page.line
    )
    page.end(figure, handles, Words(title, "", choices), width, (rows.height,), deep)
    return page.finish(figure)


def _draw_marks(
    axes: Axes, left: FloatArray, little: float, page: Page, side: float
) -> list[Artist]:
    """Mark what counts as redundant, and what says more together; return what the legend names."""
    handles: list[Artist] = []
    kinds = (
        (left <= little, "o", page.look.paper, f"redundant given it: at most {little:g} left"),
        (left >= MORE, "+", page.look.ink, f"more together: at least {MORE:g} left"),
    )
    for there, marker, colour, label in kinds:
        down, across = np.nonzero(there)
        if len(down):
            axes.plot(
                across + 0.5,
                down + 0.5,
                linestyle="none",
                marker=marker,
                markersize=0.3 * side,
                color=colour,
                markeredgewidth=page.stroke,
            )
            handles += axes.plot(
                [],
                [],
                linestyle="none",
                marker=marker,
                color=page.look.ink,
                markersize=0.6 * page.points,
                label=label,
            )
    return handles


def _below(path: SelectionPath, rows: Rows, across: int, silent: int) -> list[str]:
    """Return what stands under the matrix: what its columns are, and what it does not show."""
    lines = ["given this selected column"]
    selected = set(path.selected)
    if across < len(selected):
        lines.append(f"the first {across} of {len(selected)} selected columns")
    others = sum(name not in selected for name in rows.names)
    if others:
        rest = len({why.feature for why in path.unselected})
        lines.append(f"below the line: {others} of {rest} not selected, those that say most alone")
    if rows.left_out:
        lines.append(f"{rows.left_out} more rows are not shown")
    if silent:
        lines.append(f"blank rows ({silent}): by itself no better than chance")
    return lines
