"""What answers have in common: they are written to files, and drawn."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from renyi.io import write_answer

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Kept", "Look", "finished"]


class Look(TypedDict):
    """How a figure is to look, see `Kept.plot`."""

    size: str | None
    style: str
    axes: Axes | None


class Kept:
    """An answer that is written and drawn."""

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


def finished(figure: Figure, file: str | os.PathLike[str] | None, *, force: bool) -> Figure:
    """Write a figure if asked, and return it."""
    from renyi.plot import save_figure

    if file is not None:
        save_figure(figure, file, force=force)
    return figure
