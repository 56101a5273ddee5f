"""The public answer: the frozen record with ways out of it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from renyi import selection
from renyi.api._kept import Kept, Look, finished
from renyi.api.selecting._redundancy import redundancy_of
from renyi.errors import OptionError
from renyi.io import read_result as _read_result
from renyi.io import result_bytes, steps_frame
from renyi.options import option_of

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["SelectionPath", "read_result"]


class SelectionPath(selection.SelectionPath, Kept):
    """The answer: which columns matter, in order, and why it stopped there.

    A frozen record; `renyi.selection.SelectionPath` documents its attributes. Two paths are equal
    if all but their `run` is.
    """

    def to_polars(self) -> pl.DataFrame:
        """Return one row a step."""
        return steps_frame(self)

    def _as_json(self) -> bytes:
        return result_bytes(self)

    def plot(  # noqa: PLR0913 - one keyword for each choice, none hidden
        self,
        file: str | os.PathLike[str] | None = None,
        *,
        figure: str = "path",
        data: object = None,
        y: object = None,
        weights: object = None,
        size: str | None = None,
        style: str = "plain",
        axes: Axes | None = None,
        force: bool = False,
    ) -> Figure:
        """Draw the selection, and write the figure if asked.

        Parameters
        ----------
        file
            Where to write it, .png, .svg or .pdf; None for nowhere.
        figure
            `path`: MI and CMI against the number of features, the null band and the stop;
            `redundancy`: how much of what each feature says of the target selected ones leave;
            `sensitivity`: which features stay at other alpha and bandwidth; `stability`: how often
            each is selected on halves of the rows.
        data, y, weights
            The table of the selection, a path or a table, for `redundancy`; and the target and
            weights where they were no columns of it.
        size
            For a page with words of its own, without title and verdict: `one` (88 mm wide, as a
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
        UsageError
            If the result does not hold what is to be drawn, or an option is wrong: the suffix,
            `figure`, `size`, `style`, or `data` for a figure that needs none.
        DataError
            If `data` are not those of the selection.
        OutputError
            If the figure cannot be written there.
        """
        from renyi import plot

        kind = option_of("figure", "plot").checked(figure)
        if data is not None and kind != "redundancy":
            raise OptionError(
                f"`figure` must be redundancy where `data` is given, got {kind}.",
                "Of the others the result holds all.",
            )
        look: Look = {"size": size, "style": style, "axes": axes}
        match kind:
            case "redundancy":
                drawn = plot.redundancy_figure(self, redundancy_of(self, data, y, weights), **look)
            case "sensitivity":
                drawn = plot.sensitivity_figure(self, **look)
            case "stability":
                drawn = plot.stability_figure(self, **look)
            case _:
                drawn = plot.path_figure(self, **look)
        return finished(drawn, file, force=force)


def read_result(file: str | os.PathLike[str]) -> SelectionPath:
    """Read a result that was written as JSON.

    Raises
    ------
    ReadError
        If it is not there, or not such a result.
    """
    return _read_result(file, SelectionPath)
