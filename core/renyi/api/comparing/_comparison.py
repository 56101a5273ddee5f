"""The public comparison: the frozen record with ways out of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from renyi import evaluation
from renyi.io import check_output, check_pool, parquet_bytes, written_whole

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.figure import Figure

    from renyi.api.reporting._made import Report

__all__ = ["COMPARISON_SUFFIXES", "Comparison", "saved"]

COMPARISON_SUFFIXES: Final = (".json", ".parquet", ".csv")


class Comparison(evaluation.Comparison):
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

    def save(self, file: str | os.PathLike[str], *, force: bool = False) -> Path:
        """Write the result: whole to .json, one row a criterion to .parquet or .csv.

        Raises
        ------
        OptionError
            If its suffix is unknown.
        OutputError
            If it cannot be written there; nothing is half-written.
        """
        return saved(file, self.to_json, self.to_polars, force=force)

    def plot(self, file: str | os.PathLike[str] | None = None, *, force: bool = False) -> Figure:
        """Draw stops, scores and information against the number of features; write it if asked.

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
        from renyi.plot import comparison_figure, save_figure

        figure = comparison_figure(self)
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


def saved(
    file: str | os.PathLike[str],
    text: Callable[[], str],
    frame: Callable[[], pl.DataFrame],
    *,
    force: bool,
) -> Path:
    """Write the text to .json, or the table to .parquet or .csv; return where."""
    place = check_output(file, force=force, suffixes=COMPARISON_SUFFIXES)
    if place.suffix.lower() != ".json":
        check_pool()
    with written_whole(place) as part:
        match place.suffix.lower():
            case ".json":
                part.write_text(text() + "\n", encoding="utf-8")
            case ".parquet":
                part.write_bytes(parquet_bytes(frame()))
            case _:
                frame().write_csv(part)
    return place
