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

    from renyi.api.reporting._made import Report

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

    def report(
        self,
        file: str | os.PathLike[str] | None = None,
        *,
        data: object = None,
        y: object = None,
        weights: object = None,
        no_data: bool = False,
        force: bool = False,
    ) -> Report:
        """Make a page of the result: one HTML file that fetches nothing; see `renyi.report`.

        Parameters
        ----------
        file
            Where to write it, .html; None for nowhere.
        data, y, weights
            The table that was searched, a path or a table, for small pictures of its columns; None
            for the file that the result names.
        no_data
            Whether the table is left alone.
        force
            Whether a file that is there may be replaced.

        Raises
        ------
        OptionError
            If its suffix is not .html.
        ReadError
            If data that were given cannot be read.
        OutputError
            If the page cannot be written there; nothing is half-written.
        """
        from renyi.api.reporting._made import made_report

        return made_report(
            [self], ["result"], file, data=data, y=y, weights=weights, no_data=no_data, force=force
        )


def read_result(file: str | os.PathLike[str]) -> SelectionPath:
    """Read a result that was written as JSON.

    Raises
    ------
    ReadError
        If it is not there, or not such a result.
    """
    return _read_result(file, SelectionPath)
