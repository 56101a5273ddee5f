"""The public answer: the frozen record with ways out of it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from renyi import selection
from renyi.io import read_result as _read_result
from renyi.io import steps_frame, write_result

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.figure import Figure

__all__ = ["SelectionPath", "read_result"]


class SelectionPath(selection.SelectionPath):
    """The answer: which columns matter, in order, and why it stopped there.

    A frozen record; `renyi.selection.SelectionPath` documents its attributes. Two paths are equal
    if all but their `run` is.
    """

    def to_polars(self) -> pl.DataFrame:
        """Return one row a step."""
        return steps_frame(self)

    def save(self, file: str | os.PathLike[str], *, force: bool = False) -> Path:
        """Write the result: whole to .json, one row a step to .parquet or .csv.

        Raises
        ------
        OptionError
            If its suffix is unknown.
        OutputError
            If it cannot be written there; nothing is half-written.
        """
        return write_result(self, file, force=force)

    def plot(self, file: str | os.PathLike[str] | None = None, *, force: bool = False) -> Figure:
        """Draw MI and CMI against the number of features, and write the figure if asked.

        Parameters
        ----------
        file
            Where to write it, .png, .svg or .pdf; None for nowhere.
        force
            Whether a file that is there may be replaced.

        Raises
        ------
        MissingExtraError
            If the extra `plot` is not installed.
        OptionError
            If its suffix is unknown.
        OutputError
            If the figure cannot be written there.
        """
        from renyi.plot import path_figure, save_figure

        figure = path_figure(self)
        if file is not None:
            save_figure(figure, file, force=force)
        return figure


def read_result(file: str | os.PathLike[str]) -> SelectionPath:
    """Read a result that was written as JSON.

    Raises
    ------
    ReadError
        If it is not there, or not such a result.
    """
    return _read_result(file, SelectionPath)
