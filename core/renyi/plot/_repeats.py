"""The figures of repeated selections: at other settings, and on halves of the rows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from renyi.errors import UsageError, Way
from renyi.options import Bandwidth
from renyi.plot._page import Page, Words
from renyi.plot._path import choices_of
from renyi.plot._rows import Rows, rows_for
from renyi.selection import SelectionPath, Sensitivity

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["sensitivity_figure", "stability_figure"]

APART: Final = 0.7
"""Room between the settings of one alpha and the next, of one setting."""

DOT: Final = 0.62
"""Size of a dot, of a row's height."""


def sensitivity_figure(
    path: SelectionPath, *, size: str | None = None, style: str = "plain", axes: Axes | None = None
) -> Figure:
    """Draw which features stay at which alpha and bandwidth: a row a feature, a dot where it does.

    The first column is the selection itself. Its features come first, in their order, then the
    others by the number of settings that select them; that number stands at the right.

    Parameters
    ----------
    path
        A selection with `sensitivity`.
    size, style, axes
        As in `path_figure`.

    Raises
    ------
    UsageError
        If the selection was not repeated at other settings.
    OptionError, MissingExtraError
        As in `path_figure`.
    """
    if path.sensitivity is None:
        raise UsageError(
            "The selection was not repeated at other settings.",
            "Select again with ",
            Way("sensitivity", True),
            ".",
        )
    page = Page.of(size, style, axes)
    with page.drawing():
        return _draw_sensitivity(path, path.sensitivity, page)


def _draw_sensitivity(path: SelectionPath, found: Sensitivity, page: Page) -> Figure:
    counts = {share.feature: share.count for share in found.features}
    names = [*path.selected, *(name for name in counts if name not in path.selected)]
    width = page.width(6.5)
    rows = rows_for(names, width, 9 * page.line, page)
    figure, (panel,) = page.begin((rows.height,))
    places = _places(found)
    chosen = [(0.0, set(path.selected), True)]
    chosen += [
        (at, set(one.selected), one.stopped is not None)
        for at, one in zip(places, found.settings, strict=True)
    ]
    handles = _draw_dots(panel, rows, chosen, page)
    ran = sum(one.stopped is not None for one in found.settings)
    end = (places[-1] if places else 0.0) + 0.75
    for row, name in enumerate(rows.names):
        panel.text(end, row, f"{counts.get(name, 0)} of {ran}", va="center", fontsize=page.points)
    words = [
        _width_word(path.options.bandwidth),
        *(_width_word(s.bandwidth) for s in found.settings),
    ]
    panel.set_xticks([0.0, *places], words, rotation=90, fontsize=page.points)
    panel.set_xlim(-0.6, end + 0.1)
    rows.put(panel, page)
    panel.spines["bottom"].set_visible(False)
    panel.tick_params(axis="x", length=0)
    alphas = [path.options.alpha, *(one.alpha for one in found.settings)]
    _head(panel, [0.0, *places], alphas, page)
    note = f"bandwidth{_more(rows, 'are selected at fewer settings')}"
    panel.set_xlabel(note)
    caption = f"Of {found.asked} settings {ran} could be run." if ran < found.asked else ""
    title = f"{PurePath(path.data.source).name}: which columns stay at other settings"
    deep = 0.9 * page.points / 9 + 3.6 * page.line
    page.end(figure, handles, Words(title, caption, choices_of(path)), width, (rows.height,), deep)
    return page.finish(figure)


def _places(found: Sensitivity) -> list[float]:
    """Return where each setting stands: those of one alpha beside each other."""
    places: list[float] = []
    at, before = APART, None
    for one in found.settings:
        at += 1.0 + (APART if before is not None and one.alpha != before else 0.0)
        places.append(at)
        before = one.alpha
    return places


def _head(axes: Axes, places: Sequence[float], alphas: Sequence[float], page: Page) -> None:
    """Write each alpha over its settings, and `result` over the selection itself."""
    top = axes.get_xaxis_transform()
    axes.text(
        places[0], 1.0, "result", transform=top, ha="center", va="bottom", fontsize=page.points
    )
    for alpha in dict.fromkeys(alphas[1:]):
        own = [at for at, one in zip(places[1:], alphas[1:], strict=True) if one == alpha]
        middle = (own[0] + own[-1]) / 2
        axes.text(
            middle,
            1.0,
            f"alpha {alpha:g}",
            transform=top,
            ha="center",
            va="bottom",
            fontsize=page.points,
        )


def _width_word(bandwidth: Bandwidth) -> str:
    return bandwidth if isinstance(bandwidth, str) else f"{bandwidth:g}"


def _draw_dots(
    axes: Axes, rows: Rows, chosen: Sequence[tuple[float, set[str], bool]], page: Page
) -> list[Artist]:
    """Draw a dot where a row's feature is selected, a point where it is not, a cross if not run."""
    look = page.look
    side = 72 * rows.height / max(len(rows.names), 1)
    kinds = (
        ("selected", "o", DOT * side, look.mi),
        ("not selected", "o", 0.14 * side, look.quiet),
        ("could not be run", "x", 0.3 * side, look.cmi),
    )
    handles: list[Artist] = []
    for number, (label, marker, size, colour) in enumerate(kinds):
        dots = [
            (at, row)
            for at, selected, ran in chosen
            for row, name in enumerate(rows.names)
            if number == (2 if not ran else 0 if name in selected else 1)
        ]
        if dots:
            handles += axes.plot(
                [at for at, _ in dots],
                [row for _, row in dots],
                linestyle="none",
                marker=marker,
                markersize=size,
                color=colour,
                markeredgewidth=page.stroke,
                label=label,
            )
    return handles


def _more(rows: Rows, words: str) -> str:
    """Say that there are more rows than are shown."""
    return f"\n{rows.left_out} more columns {words}" if rows.left_out else ""


def stability_figure(
    path: SelectionPath, *, size: str | None = None, style: str = "plain", axes: Axes | None = None
) -> Figure:
    """Draw in what share of the halves of the rows each feature is selected, the largest on top.

    A mark is open where the selection itself does not have the feature. Lines stand at the shares
    from which features are listed, with the bound on the expected number of features that are
    there by chance.

    Parameters
    ----------
    path
        A selection with `stability`.
    size, style, axes
        As in `path_figure`.

    Raises
    ------
    UsageError
        If the selection was not repeated on halves of the rows.
    OptionError, MissingExtraError
        As in `path_figure`.
    """
    if path.stability is None:
        raise UsageError(
            "The selection was not repeated on halves of the rows.",
            "Select again with ",
            Way("stability", 50),
            ".",
        )
    page = Page.of(size, style, axes)
    with page.drawing():
        return _draw_stability(path, page)


def _draw_stability(path: SelectionPath, page: Page) -> Figure:
    found, look = path.stability, page.look
    if found is None:  # pragma: no cover - asked before
        raise RuntimeError
    shares = {share.feature: share.share for share in found.features}
    kept = set(found.kept)
    others = [name for name in path.selected if name not in shares and name not in kept]
    names = [*shares, *others]
    width = page.width(6.5)
    rows = rows_for(names, width, 9 * page.line, page)
    figure, (panel,) = page.begin((rows.height,))
    side = 72 * rows.height / max(len(rows.names), 1)
    handles: list[Artist] = []
    values = [shares.get(name, 0.0) for name in rows.names]
    panel.hlines(
        range(len(values)), 0, values, color=look.mi, linewidth=0.14 * side, alpha=0.4, zorder=2
    )
    for inside, label in ((True, "selected"), (False, "selected on halves only")):
        own = [row for row, name in enumerate(rows.names) if (name in path.selected) == inside]
        if own:
            handles += panel.plot(
                [values[row] for row in own],
                own,
                linestyle="none",
                marker="o",
                markersize=0.55 * side,
                color=look.mi,
                markerfacecolor=look.mi if inside else look.paper,
                markeredgewidth=1.5 * page.stroke,
                label=label,
                zorder=3,
                clip_on=False,
            )
    for threshold in found.thresholds:
        panel.axvline(
            threshold.threshold, color=look.quiet, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1
        )
    panel.set_xlim(0, 1)
    panel.set_xticks([0, 0.2, 0.4, 0.6, 0.75, 0.9, 1.0], ["0", ".2", ".4", ".6", ".75", ".9", "1"])
    rows.put(panel, page)
    halves = f"{len(found.halves)} halves of {found.rows:,} rows"
    panel.set_xlabel(f"share of {halves}{_more(rows, 'have smaller shares')}")
    caption = " ".join(
        f"Of the {len(one.features)} columns from {one.threshold:g} on at most {one.bound:.2g} are "
        "expected there by chance."
        for one in found.thresholds
        if one.bound is not None and one.bound < len(one.features)
    )
    title = f"{PurePath(path.data.source).name}: how often each column is selected"
    words = Words(title, caption, choices_of(path))
    page.end(figure, handles, words, width, (rows.height,), 3.4 * page.line)
    return page.finish(figure)
