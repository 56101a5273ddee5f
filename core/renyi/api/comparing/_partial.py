"""What there is of a comparison that was interrupted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from renyi._typing import JsonValue
from renyi.evaluation import Outcome, SizeScore
from renyi.options import DataOptions, MethodOptions
from renyi.selection import FrozenMapping, Step, thawed
from renyi.variables import DataReport, Note

if TYPE_CHECKING:
    import polars as pl

__all__ = ["PartialComparison"]


@dataclass(frozen=True, kw_only=True)
class PartialComparison:
    """What an interrupted comparison had found: never an answer to which criterion is best.

    Attributes
    ----------
    data, data_options, options, model, measure, runs, test
        As in `Comparison`.
    steps
        The path as far as it got.
    results
        One a criterion: where it stopped, or `interrupted` where it had not and the path was cut.
    curve
        A score for each size that was judged in all runs; `p_value` is against the best of these.
    warnings, run
        As in `Comparison`.
    """

    data: DataReport
    data_options: DataOptions
    options: MethodOptions
    model: str
    measure: str
    runs: int
    test: str
    steps: tuple[Step, ...]
    results: tuple[Outcome, ...]
    curve: tuple[SizeScore, ...]
    warnings: tuple[Note, ...] = ()
    run: Mapping[str, Any] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "run", FrozenMapping(self.run))

    @property
    def path(self) -> tuple[str, ...]:
        """Names of the features in the order they entered."""
        return tuple(name for step in self.steps for name in step.features)

    def score(self, size: int) -> SizeScore | None:
        """Return the score of a size, None where it was not judged yet."""
        return {point.size: point for point in self.curve}.get(size)

    def to_polars(self) -> pl.DataFrame:
        """Return one row a criterion.

        Columns: `criterion`, `features`, `selected` (joined by +), `stopped`, `step`, `p_value`,
        `mean` (null where its size was not judged yet), `reason`.
        """
        import polars as pl

        types: dict[str, pl.DataType] = {
            "criterion": pl.String(),
            "features": pl.Int64(),
            "selected": pl.String(),
            "stopped": pl.String(),
            "step": pl.Int64(),
            "p_value": pl.Float64(),
            "mean": pl.Float64(),
            "reason": pl.String(),
        }
        rows = [
            (
                one.criterion,
                one.features,
                "+".join(self.path[: one.features]),
                one.stopped,
                one.step,
                one.p_value,
                None if (score := self.score(one.features)) is None else score.mean,
                one.reason,
            )
            for one in self.results
        ]
        return pl.DataFrame(rows, schema=types, orient="row")

    def to_dict(self) -> dict[str, JsonValue]:
        """Return it as JSON values: fields of a comparison, and `interrupted`."""
        return {
            "interrupted": True,
            "data": self.data.to_dict(),
            "data_options": self.data_options.to_dict(),
            "options": self.options.to_dict(),
            "model": self.model,
            "measure": self.measure,
            "runs": self.runs,
            "test": self.test,
            "path": list(self.path),
            "steps": [step.to_dict() for step in self.steps],
            "curve": [asdict(point) for point in self.curve],
            "results": [
                {
                    "criterion": one.criterion,
                    "features": one.features,
                    "selected": list(self.path[: one.features]),
                    "stopped": one.stopped,
                    "step": one.step,
                    "reason": one.reason,
                    "p_value": one.p_value,
                    "reports": [report.to_dict() for report in one.reports],
                }
                for one in self.results
            ],
            "warnings": [note.to_dict() for note in self.warnings],
            "run": thawed(self.run),
        }

    def to_json(self, indent: int | None = 2) -> str:
        """Return it as JSON text."""
        return json.dumps(self.to_dict(), indent=indent, allow_nan=False, ensure_ascii=False)
