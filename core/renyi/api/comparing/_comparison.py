"""The public comparison: the frozen record with ways out of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from renyi import evaluation
from renyi.api._kept import Kept, Look

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.figure import Figure

__all__ = ["Comparison"]


class Comparison(evaluation.Comparison, Kept):
    """All criteria on one path, and how well their features predict.

    A frozen record; `renyi.evaluation.Comparison` documents its attributes. Two comparisons are
    equal if all but their `run` is.
    """

    def to_polars(self) -> pl.DataFrame:
        """Return one row a criterion.

        Columns: `criterion`, `features`, `selected` (joined by +), `stopped`, `step`, `p_value`,
        the score's `mean`, `deviation`, `low`, `high` (95% interval) and `p_value_from_best`,
        `distance`, `rank`, `reason`.
        """
        import polars as pl

        rows = [
            (
                result.criterion,
                result.features,
                "+".join(result.selected),
                result.stopped,
                result.step,
                result.p_value,
                result.score.mean,
                result.score.deviation,
                result.score.low,
                result.score.high,
                result.score.p_value,
                result.distance,
                result.rank,
                result.reason,
            )
            for result in self.results
        ]
        types: dict[str, pl.DataType] = {
            "criterion": pl.String(),
            "features": pl.Int64(),
            "selected": pl.String(),
            "stopped": pl.String(),
            "step": pl.Int64(),
            "p_value": pl.Float64(),
            "mean": pl.Float64(),
            "deviation": pl.Float64(),
            "low": pl.Float64(),
            "high": pl.Float64(),
            "p_value_from_best": pl.Float64(),
            "distance": pl.Int64(),
            "rank": pl.Int64(),
            "reason": pl.String(),
        }
        return pl.DataFrame(rows, schema=types, orient="row")

    def curve_to_polars(self) -> pl.DataFrame:
        """Return one row a number of features.

        Columns: `size`, `mean`, `deviation`, `low`, `high`, and `p_value`, of the difference from
        the best size.
        """
        import polars as pl

        rows = [(p.size, p.mean, p.deviation, p.low, p.high, p.p_value) for p in self.curve]
        names = ("mean", "deviation", "low", "high", "p_value")
        types: dict[str, pl.DataType] = {"size": pl.Int64(), **dict.fromkeys(names, pl.Float64())}
        return pl.DataFrame(rows, schema=types, orient="row")

    def _figure(self, look: Look) -> Figure:
        """Draw stops, scores and information against the number of features."""
        from renyi.plot import comparison_figure

        return comparison_figure(self, **look)
