"""Figures, drawn from a result alone; needs the extra `plot`."""

from renyi.plot._comparison import comparison_figure
from renyi.plot._page import need_matplotlib
from renyi.plot._panels import (
    AccuracyPanel,
    information_figure,
    panels_figure,
)
from renyi.plot._path import path_figure
from renyi.plot._redundancy import redundancy_figure
from renyi.plot._repeats import sensitivity_figure, stability_figure
from renyi.plot._save import save_figure
from renyi.plot._scores import scores_figure

__all__ = [
    "AccuracyPanel",
    "comparison_figure",
    "information_figure",
    "need_matplotlib",
    "panels_figure",
    "path_figure",
    "redundancy_figure",
    "save_figure",
    "scores_figure",
    "sensitivity_figure",
    "stability_figure",
]
