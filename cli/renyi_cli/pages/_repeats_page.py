"""Repeated selections as tables: which features stay, under other settings and on half the rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from renyi.wording import BOUNDS, counted
from renyi_cli.pages._table import Column, print_prose, print_table

if TYPE_CHECKING:
    from rich.console import Console

    from renyi import FeatureShare, SelectionPath, Sensitivity, Stability

__all__ = ["draw_repeats"]


def draw_repeats(path: SelectionPath, console: Console) -> None:
    """Draw what was asked for of the two."""
    if path.sensitivity is not None:
        _draw_sensitivity(path.sensitivity, path.selected, console)
    if path.stability is not None:
        _draw_stability(path.stability, path.selected, console)


def _draw_sensitivity(found: Sensitivity, selected: Sequence[str], console: Console) -> None:
    settings = found.settings
    console.print()
    print_prose(console, ("Under other settings", "heading"), _of(len(settings), found.asked))
    if not settings:
        return
    columns = [
        Column(title="alpha", cells=[f"{s.alpha:g}" for s in settings]),
        Column(title="bandwidth", cells=[_width(s.bandwidth) for s in settings]),
        Column(
            title="size",
            cells=["-" if s.stopped is None else str(len(s.selected)) for s in settings],
        ),
        Column(
            title="features",
            cells=[
                s.reason if s.stopped is None else ", ".join(s.selected) or "none" for s in settings
            ],
            least=20,
            right=False,
            style="name",
        ),
    ]
    print_table(console, columns)
    console.print()
    _draw_shares(found.features, selected, "settings", console)


def _draw_stability(found: Stability, selected: Sequence[str], console: Console) -> None:
    console.print()
    drawn = "each class halved by itself" if found.stratified else "drawn from all rows"
    print_prose(
        console,
        (f"On halves of {found.rows:,} rows", "heading"),
        f" in complementary pairs, {drawn}{_of(len(found.halves), found.asked)}",
    )
    if not found.halves:
        return
    _draw_shares(found.features, selected, "halves", console)
    console.print()
    print_prose(console, _sizes(found.sizes))
    console.print()
    thresholds = found.thresholds
    columns = [
        Column(title="share from", cells=[f"{t.threshold:g}" for t in thresholds]),
        Column(title="features", cells=[str(len(t.features)) for t in thresholds]),
        Column(title="false at most", cells=[_bound(t.bound) for t in thresholds]),
        Column(title="if unimodal", cells=[_bound(t.unimodal_bound) for t in thresholds], need=5),
    ]
    print_table(console, columns)
    console.print()
    print_prose(
        console,
        (f"How to read: {BOUNDS}.", "quiet"),
    )


def _draw_shares(
    shares: Sequence[FeatureShare], selected: Sequence[str], what: str, console: Console
) -> None:
    if not shares:
        print_prose(console, f"No feature was selected in any of the {what}.")
        return
    names = set(selected)
    columns = [
        Column(
            title="feature",
            cells=[share.feature for share in shares],
            least=14,
            right=False,
            style="name",
        ),
        Column(title=f"{what}", cells=[str(share.count) for share in shares]),
        Column(title="share", cells=[f"{share.share:.2f}" for share in shares]),
        Column(
            title="selected above",
            cells=["yes" if share.feature in names else "no" for share in shares],
            need=3,
        ),
    ]
    print_table(console, columns)


def _sizes(sizes: Sequence[tuple[int, int]]) -> str:
    if len(sizes) == 1:
        ((size, count),) = sizes
        return f"Sizes: {counted(size, 'feature')} in {count} halves."
    told = ", ".join(f"{size} in {count}" for size, count in sizes)
    return f"Sizes, number of features in how many halves: {told}."


def _of(done: int, asked: int) -> str:
    return "" if done == asked else f" ({done} of {asked} finished)"


def _width(bandwidth: float | str) -> str:
    return bandwidth if isinstance(bandwidth, str) else f"{bandwidth:g}"


def _bound(value: float | None) -> str:
    return "-" if value is None else f"{value:.2g}"
