"""The public comparison of scores: the frozen record with ways out of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from renyi import evaluation
from renyi.api._kept import Kept, Look
from renyi.api.comparing._comparison import Comparison

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.figure import Figure

__all__ = ["ScoreComparison"]


class ScoreComparison(evaluation.ScoreComparison, Kept):
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

    def _figure(self, look: Look) -> Figure:
        """Draw how well the first features of each path predict."""
        from renyi.plot import scores_figure

        return scores_figure(self, **look)
