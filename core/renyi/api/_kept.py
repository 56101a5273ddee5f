"""What answers have in common: they are written to files, drawn, and shown on a page."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, cast

from renyi.io import write_answer

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from renyi.api.reporting._made import Report
    from renyi.webpage import Answer

__all__ = ["Kept", "Look", "finished"]


class Look(TypedDict):
    """How a figure is to look, see `Kept.plot`."""

    size: str | None
    style: str
    axes: Axes | None


class Kept:
    """An answer that is written, drawn and shown on a page."""

    if TYPE_CHECKING:

        def to_json(self, indent: int | None = 2) -> str:
            """Return the whole answer as JSON text."""

        def to_polars(self) -> pl.DataFrame:
            """Return the answer as a table."""

        def _figure(self, look: Look) -> Figure:
            """Return the answer as a figure."""

    def _as_json(self) -> bytes:
        """Return what a .json file of it holds."""
        return f"{self.to_json()}\n".encode()

    def save(self, file: str | os.PathLike[str], *, force: bool = False) -> Path:
        """Write the answer: whole to .json, the rows of `to_polars` to .parquet or .csv.

        Raises
        ------
        OptionError
            If its suffix is unknown.
        OutputError
            If it cannot be written there; nothing is half-written.
        """
        return write_answer(file, self._as_json, self.to_polars, force=force)

    def plot(
        self,
        file: str | os.PathLike[str] | None = None,
        *,
        size: str | None = None,
        style: str = "plain",
        axes: Axes | None = None,
        force: bool = False,
    ) -> Figure:
        """Draw the answer, and write the figure if asked.

        Parameters
        ----------
        file
            Where to write it, .png, .svg or .pdf; None for nowhere.
        size
            For a page with words of its own, without title and caption: `one` (88 mm wide, as a
            column), `two` (180 mm), or width x height in mm such as `120x80`. None for a figure
            as large as it takes.
        style
            `plain` on white, `dark` on black, `grey` in shades of grey.
        axes
            Axes of matplotlib to draw the main panel into, in their own look; None for a figure
            of its own.
        force
            Whether a file that is there may be replaced.

        Returns
        -------
        matplotlib.figure.Figure
            Not known to `pyplot`. That of `axes` where they are given.

        Raises
        ------
        MissingExtraError
            If the extra `plot` is not installed.
        OptionError
            If the suffix, size or style are unknown, or the size leaves no room.
        OutputError
            If the figure cannot be written there.
        """
        return finished(
            self._figure({"size": size, "style": style, "axes": axes}), file, force=force
        )

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
        """Make a page of the answer: one HTML file that fetches nothing; see `renyi.report`.

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

        own = [cast("Answer", self)]
        return made_report(
            own, ["result"], file, data=data, y=y, weights=weights, no_data=no_data, force=force
        )


def finished(figure: Figure, file: str | os.PathLike[str] | None, *, force: bool) -> Figure:
    """Write a figure if asked, and return it."""
    from renyi.plot import save_figure

    if file is not None:
        save_figure(figure, file, force=force)
    return figure
