"""The public comparison of scores: the frozen record with ways out of it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from renyi import evaluation
from renyi.api.comparing._comparison import Comparison, saved

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.figure import Figure

    from renyi.api.reporting._made import Report

__all__ = ["ScoreComparison"]


class ScoreComparison(evaluation.ScoreComparison):
    """The paths of several scores, and how well the features up to their stops predict.

    A frozen record; `renyi.evaluation.ScoreComparison` documents its attributes. Two are equal if
    all but their `run` is.
    """

    ONE: ClassVar[type[Comparison]] = Comparison

    comparisons: tuple[Comparison, ...]

    def to_polars(self) -> pl.DataFrame:
        """Return one row a score and criterion.

        Columns: `score`, then those of `Comparison.to_polars`, whose `p_value_from_best` is against
        the best size of the own path, then `smallest` and `best`, the sizes of the own path, and
        `difference` and `p_value_from_best_stop`, against the best stop of all.
        """
        import polars as pl

        parts = [
            one.to_polars().with_columns(
                pl.lit(one.options.score).alias("score"),
                pl.lit(one.smallest, pl.Int64()).alias("smallest"),
                pl.lit(one.best, pl.Int64()).alias("best"),
            )
            for one in self.comparisons
        ]
        whole = pl.concat(parts).with_columns(
            pl.Series("difference", [stop.difference for stop in self.stops], pl.Float64()),
            pl.Series(
                "p_value_from_best_stop", [stop.p_value for stop in self.stops], pl.Float64()
            ),
        )
        return whole.select("score", pl.exclude("score", "reason"), "reason")

    def curve_to_polars(self) -> pl.DataFrame:
        """Return one row a score and number of features.

        Columns: `score`, then those of `Comparison.curve_to_polars`.
        """
        import polars as pl

        return pl.concat(
            one.curve_to_polars().select(pl.lit(one.options.score).alias("score"), pl.all())
            for one in self.comparisons
        )

    def paths_to_polars(self) -> pl.DataFrame:
        """Return the paths side by side: `place`, from 1, and a column a score, null at its end."""
        import polars as pl

        longest = max(len(one.path) for one in self.comparisons)
        columns = {
            one.options.score: [*one.path, *[None] * (longest - len(one.path))]
            for one in self.comparisons
        }
        places = pl.Series("place", range(1, longest + 1), pl.Int64())
        types = dict.fromkeys(columns, pl.String())
        return pl.DataFrame(columns, schema=types).select(places, pl.all())

    def save(self, file: str | os.PathLike[str], *, force: bool = False) -> Path:
        """Write the result: whole to .json, one row a score and criterion to .parquet or .csv.

        Raises
        ------
        OptionError
            If its suffix is unknown.
        OutputError
            If it cannot be written there; nothing is half-written.
        """
        return saved(file, self.to_json, self.to_polars, force=force)

    def plot(self, file: str | os.PathLike[str] | None = None, *, force: bool = False) -> Figure:
        """Draw how well the first features of each path predict; write it if asked.

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
        from renyi.plot import save_figure, scores_figure

        figure = scores_figure(self)
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
        """Make a page of the comparison: one HTML file; see `SelectionPath.report`."""
        from renyi.api.reporting._made import made_report

        return made_report(
            [self], ["result"], file, data=data, y=y, weights=weights, no_data=no_data, force=force
        )
