"""The plots of the page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from validity._cells import EVERYWHERE
from validity._null import COUNTS
from validity._power import EFFECTS, FORMS
from validity._rates import Count
from validity._read import LEVEL, Kept

__all__ = ["draw_null", "draw_power"]

LOOKS = {
    "default": ("black", "o", "-"),
    "cmi-max": ("#0072b2", "s", "-"),
    "cmi-max-1.01": ("#56b4e9", "s", "--"),
    "cmi-perm": ("#d55e00", "^", "-"),
    "mi-perm": ("#e69f00", "v", "-"),
    "mi-chi2": ("#cc79a7", "D", "-"),
    "f-test": ("#666666", "x", ":"),
    "knn-mi": ("#009e73", "+", ":"),
    "forest": ("#8c6d31", "*", ":"),
}
"""Colour, marker and line of each method: told apart without colour too."""


def draw_null(kept: Kept, file: Path) -> None:
    """Draw the chance of selecting anything under the global null against candidates."""
    with _figure(file, 1) as (axis,):
        for name in EVERYWHERE:
            verdict = kept.null_verdict(name)
            if verdict is not None:
                points = {F: verdict.pooled[F] for F in COUNTS if F in verdict.pooled}
                _line(axis, name, points)
        axis.axhline(LEVEL, color="grey", linewidth=0.8, label="level .05")
        axis.set(xscale="log", xlabel="candidates", ylabel="share of runs that select anything")
        axis.set_xticks(COUNTS, [str(count) for count in COUNTS])
        axis.minorticks_off()
        axis.set_ylim(0, 1.02)
        axis.legend(frameon=False, fontsize=8)


def draw_power(kept: Kept, file: Path) -> None:
    """Draw the chance of selecting the one true column of 20 against its effect."""
    with _figure(file, len(FORMS)) as axes:
        for axis, form in zip(axes, FORMS, strict=True):
            for name in LOOKS:
                cells = {0.0: "none", **{effect: f"{form}-{effect:g}" for effect in EFFECTS}}
                found = {effect: kept.power(cell, name) for effect, cell in cells.items()}
                _line(axis, name, {e: pair[0] for e, pair in found.items() if pair is not None})
            axis.set(title=form, xlabel="b, standard deviation of the logit")
            axis.set_ylim(0, 1.02)
        axes[0].set_ylabel("share of runs that select x1 first")
        if axes[0].get_legend_handles_labels()[1]:
            axes[0].legend(frameon=False, fontsize=8)


def _line(axis: Any, name: str, points: dict[Any, Count]) -> None:
    """Draw shares with their 95% intervals."""
    if not points:
        return
    colour, marker, line = LOOKS[name]
    rates = [count.rate for count in points.values()]
    ends = [count.interval() for count in points.values()]
    lower = [rate - low for rate, (low, _) in zip(rates, ends, strict=True)]
    upper = [high - rate for rate, (_, high) in zip(rates, ends, strict=True)]
    axis.errorbar(
        list(points),
        rates,
        yerr=[lower, upper],
        color=colour,
        marker=marker,
        linestyle=line,
        markersize=4,
        linewidth=1.2,
        elinewidth=0.7,
        label=name,
    )


@contextmanager
def _figure(file: Path, panels: int) -> Iterator[Any]:
    """Open a row of axes, and write them without a date, so that the same is the same file."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot as plt

    with mpl.rc_context(
        {
            "svg.hashsalt": "validity",
            "svg.fonttype": "none",
            "font.size": 9,
            "axes.spines.top": False,
            "axes.spines.right": False,
        }
    ):
        figure, axes = plt.subplots(
            1, panels, figsize=(1.5 + 4.2 * panels, 3.6), sharey=True, squeeze=False
        )
        try:
            yield tuple(axes[0])
            figure.tight_layout()
            file.parent.mkdir(parents=True, exist_ok=True)
            figure.savefig(file, format="svg", metadata={"Date": None})
        finally:
            plt.close(figure)
