"""The plot of the page: score against columns."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rivals._methods import AT, RENYI
from rivals._read import Results

__all__ = ["draw"]

TICKS = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500)


def draw(results: Results, sets: Sequence[str], file: Path) -> None:
    """Draw every method as a point; written without a date, so that the same is the same file."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot as plt

    look = {
        "svg.hashsalt": "rivals",
        "svg.fonttype": "none",
        "font.size": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
    }
    with mpl.rc_context(look):
        figure, axis = plt.subplots(figsize=(5.6, 3.6))
        try:
            wholes = {name: results.overall(name, sets) for name in results.methods}
            in_order = sorted(wholes, key=lambda name: wholes[name].median_columns)
            for k, name in enumerate(in_order):
                point = (max(wholes[name].median_columns, 0.5), wholes[name].score)
                axis.plot(*point, color=_colour(name), marker="o" if name in RENYI else "s")
                # neighbours are often close: one is named above, the next below
                above = (5, 5 if k % 2 else -11)
                axis.annotate(name, point, above, textcoords="offset points", fontsize=8)
            axis.set(xscale="log", xlabel="columns kept, median of the sets")
            least, most = axis.get_xlim()
            ticks = [tick for tick in TICKS if least <= tick <= most]
            axis.set_xticks(ticks, [str(tick) for tick in ticks])
            axis.minorticks_off()
            axis.set_ylabel("mean score, points of a hundred")
            axis.margins(x=0.2, y=0.15)
            figure.tight_layout()
            file.parent.mkdir(parents=True, exist_ok=True)
            figure.savefig(file, format="svg", metadata={"Date": None})
        finally:
            plt.close(figure)


def _colour(name: str) -> str:
    if name in RENYI:
        return "#d55e00"
    if name.startswith(AT):
        return "#56b4e9"
    return "grey" if name == "all" else "#0072b2"
