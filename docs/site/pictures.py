"""The pictures of the page `how-it-decides`; they need the extra `plot`.

    python docs/site/pictures.py page      writes them to `docs/figures/`
    python docs/site/pictures.py FOLDER    writes them there

Each is an SVG, the same whenever it is made with the same versions.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

import renyi

FIGURES = Path(__file__).resolve().parents[1] / "figures"
BLUE, ORANGE, GREY = "#0072b2", "#d55e00", "#8a8a8a"
ROWS = 100
CANDIDATES = 20
SHUFFLES = 150


def table() -> tuple[Any, Any, Any]:
    """Return a target of two classes, a column that tells of it, and 20 of noise."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], ROWS // 2)
    telling = y + rng.normal(0, 0.5, ROWS)
    return y, telling, rng.normal(size=(CANDIDATES, ROWS))


def bits(column: Any, y: Any) -> float:
    """Return what a column tells of the target."""
    return renyi.mutual_information(column, y.astype(bool))


def alike() -> Figure:
    """Draw which rows are alike: by the target, by a column that tells of it, by one of noise."""
    y, telling, noise = table()
    figure = Figure(figsize=(7.2, 2.7), layout="constrained")
    panels = figure.subplots(1, 3)
    same = (y[:, None] == y[None, :]).astype(float)
    grams = [("the target", same)]
    for name, column in (("a column that tells", telling), ("a column of noise", noise[0])):
        scaled = (column - column.mean()) / column.std()
        gram = np.exp(-((scaled[:, None] - scaled[None, :]) ** 2) / 2)
        grams.append((f"{name}: {bits(column, y):.2f} bits", gram))
    for panel, (title, gram) in zip(panels, grams, strict=True):
        panel.imshow(gram, cmap="Blues", vmin=0, vmax=1, interpolation="nearest")
        panel.set_title(title, fontsize=9)
        panel.set_xticks([])
        panel.set_yticks([])
    panels[0].set_ylabel("rows, sorted by class", fontsize=9)
    return figure


def chance() -> Figure:
    """Draw what one shuffled column gains, and the best of twenty."""
    y, telling, noise = table()
    rng = np.random.default_rng(1)
    shuffled = np.array(
        [
            [bits(column[order], y) for column in noise]
            for order in (rng.permutation(ROWS) for _ in range(SHUFFLES))
        ]
    )
    best = max(bits(column, y) for column in noise)
    figure = Figure(figsize=(7.2, 2.9), layout="constrained")
    axes = figure.subplots()
    marks = np.linspace(0, shuffled.max() * 1.05, 30)
    axes.hist(shuffled[:, 0], marks, color=GREY, alpha=0.8, label="one shuffled column")
    axes.hist(shuffled.max(axis=1), marks, color=BLUE, alpha=0.6, label="the best of twenty")
    axes.axvline(best, color=ORANGE)
    axes.annotate(
        "the best of twenty columns of noise,\nnot shuffled",
        (best, axes.get_ylim()[1] * 0.9),
        (6, 0),
        textcoords="offset points",
        color=ORANGE,
        va="top",
        fontsize=9,
    )
    axes.set_xlabel(f"bits (the column that tells has {bits(telling, y):.2f})")
    axes.set_ylabel("shuffles")
    axes.legend(frameon=False, fontsize=9, loc="center right")
    axes.spines[["top", "right"]].set_visible(False)
    return figure


PICTURES = {"how-alike": alike, "how-chance": chance}


def main(folder: Path) -> None:
    """Draw all pictures into a folder."""
    mpl.rcParams["svg.hashsalt"] = "renyi"
    for name, draw in PICTURES.items():
        draw().savefig(folder / f"{name}.svg", metadata={"Date": None})


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(FIGURES if sys.argv[1] == "page" else Path(sys.argv[1]))
