"""What a comparison of criteria returns: frozen records that go to terminal, JSON and plot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar, Final, Self

from renyi._typing import JsonValue
from renyi.evaluation._outcomes import End
from renyi.options import DataOptions, MethodOptions
from renyi.selection import FrozenMapping, Rebuilt, Step, check_fields, thawed
from renyi.stopping import CriterionReport
from renyi.variables import DataReport, Note

__all__ = ["COMPARISON_SCHEMA_VERSION", "Comparison", "CriterionResult", "SizeScore"]

COMPARISON_SCHEMA_VERSION: Final = "1.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeScore:
    """How well a model predicts from so many features, over the bootstrap runs.

    Attributes
    ----------
    size
        The first so many features of the path; with 0 the most frequent class, or the mean.
    mean
        Mean score, a share of 1.
    deviation
        Standard deviation over the runs. The paper's tables print it behind their +-.
    half_width
        Of the 95% interval of the mean, see `interval`.
    p_value
        Of the paired t-test of the difference from the best size; 1 for the best itself.
    """

    size: int
    mean: float
    deviation: float
    half_width: float
    p_value: float

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> SizeScore:
        """Rebuild a score from its record."""
        return cls(**{k: record[k] for k in cls.__dataclass_fields__})

    @property
    def low(self) -> float:
        """Lower end of the 95% interval."""
        return self.mean - self.half_width

    @property
    def high(self) -> float:
        """Upper end of the 95% interval."""
        return self.mean + self.half_width


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionResult:
    """One criterion, as it would decide alone, and how well its features predict.

    Attributes
    ----------
    criterion
        Its name.
    selected
        The features it selects, in order.
    stopped
        `criterion`; `exhausted`, it let all in; `max_features`, it had not stopped where the path
        ended.
    step
        Index of the step it stopped at, None where it did not.
    reason
        The same in words, naming the numbers.
    reports
        What it found at each step up to there.
    score
        How well its features predict.
    distance
        Its number of features less the smallest that predicts no worse than the best.
    rank
        By the distance without its sign, from 1; equal ones share the better rank.
    """

    criterion: str
    selected: tuple[str, ...]
    stopped: End
    step: int | None
    reason: str
    reports: tuple[CriterionReport, ...]
    score: SizeScore
    distance: int
    rank: int

    @property
    def features(self) -> int:
        """How many features it selects."""
        return len(self.selected)

    @property
    def p_value(self) -> float | None:
        """The p-value at the stop; None where there is none."""
        if self.stopped != "criterion" or not self.reports:
            return None
        return self.reports[-1].p_value

    def to_dict(self) -> dict[str, JsonValue]:
        """Return the result as JSON values."""
        return {
            "criterion": self.criterion,
            "features": self.features,
            "selected": list(self.selected),
            "stopped": self.stopped,
            "step": self.step,
            "reason": self.reason,
            "p_value": self.p_value,
            "score": asdict(self.score),
            "distance": self.distance,
            "rank": self.rank,
            "reports": [report.to_dict() for report in self.reports],
        }

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> CriterionResult:
        """Rebuild a result from `to_dict`."""
        given = {k: record[k] for k in cls.__dataclass_fields__}
        given |= {
            "selected": tuple(given["selected"]),
            "reports": tuple(CriterionReport.from_dict(item) for item in given["reports"]),
            "score": SizeScore.from_dict(given["score"]),
        }
        return cls(**given)


@dataclass(frozen=True, kw_only=True)
class Comparison(Rebuilt):
    """All criteria on one path, and how well their features predict.

    Attributes
    ----------
    data
        What was read, column by column.
    data_options, options
        Every choice, after defaults; the criteria are those compared.
    model, measure
        What predicts, and what it is judged by: `accuracy`, or `r2` for a number.
    runs, significance, test
        Bootstrap runs; level and kind of the t-test against the best size.
    steps
        The path, one record a step, without criteria.
    curve
        A score for each size looked at, 0 features first.
    all_features
        The score of all features, those beyond the path included.
    best
        The size with the best mean score.
    smallest
        The smallest size whose scores do not differ from those of the best.
    results
        One a criterion, in the order asked.
    warnings
        What the reader should know, with stable codes.
    run
        How the work was done. Not part of the answer.
    """

    WRITTEN_BY: ClassVar[str] = "renyi compare"
    SCHEMA: ClassVar[str] = COMPARISON_SCHEMA_VERSION

    data: DataReport
    data_options: DataOptions
    options: MethodOptions
    model: str
    measure: str
    runs: int
    significance: float
    test: str
    steps: tuple[Step, ...]
    curve: tuple[SizeScore, ...]
    all_features: SizeScore
    best: int
    smallest: int
    results: tuple[CriterionResult, ...]
    warnings: tuple[Note, ...] = ()
    run: Mapping[str, Any] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "run", FrozenMapping(self.run))

    def __repr__(self) -> str:
        """Write what each criterion selects; `to_json` writes all of it."""
        sizes = ", ".join(f"{r.criterion}: {r.features}" for r in self.results)
        return (
            f"Comparison(target={self.data.target!r}, {sizes}; best size {self.best}, "
            f"smallest not different {self.smallest})"
        )

    @property
    def path(self) -> tuple[str, ...]:
        """Names of the features in the order they entered."""
        return tuple(name for step in self.steps for name in step.features)

    def score(self, size: int) -> SizeScore:
        """Return the score of a size on the curve.

        Raises
        ------
        KeyError
            If it was not looked at.
        """
        return {point.size: point for point in self.curve}[size]

    def to_dict(self) -> dict[str, JsonValue]:
        """Return the whole result as JSON values, as the schema file describes them."""
        return {
            "schema_version": COMPARISON_SCHEMA_VERSION,
            "data": self.data.to_dict(),
            "data_options": self.data_options.to_dict(),
            "options": self.options.to_dict(),
            "model": self.model,
            "measure": self.measure,
            "runs": self.runs,
            "significance": self.significance,
            "test": self.test,
            "path": list(self.path),
            "steps": [step.to_dict() for step in self.steps],
            "curve": [asdict(point) for point in self.curve],
            "all_features": asdict(self.all_features),
            "best": self.best,
            "smallest": self.smallest,
            "results": [result.to_dict() for result in self.results],
            "warnings": [note.to_dict() for note in self.warnings],
            "run": thawed(self.run),
        }

    @classmethod
    def _from_record(cls, record: Mapping[str, Any]) -> Self:
        same = ("model", "measure", "runs", "significance", "test", "best", "smallest")
        found = cls(
            data=DataReport.from_dict(record["data"]),
            data_options=DataOptions.from_dict(record["data_options"]),
            options=MethodOptions.from_dict(record["options"]),
            steps=tuple(map(Step.from_dict, record["steps"])),
            curve=tuple(map(SizeScore.from_dict, record["curve"])),
            all_features=SizeScore.from_dict(record["all_features"]),
            results=tuple(map(CriterionResult.from_dict, record["results"])),
            warnings=tuple(map(Note.from_dict, record["warnings"])),
            run=dict(record["run"]),
            **{name: record[name] for name in same},
        )
        check_fields(found)
        sizes = [point.size for point in found.curve]
        if not found.steps or not found.results:
            raise ValueError("`steps` and `results` must not be empty")
        if sizes != sorted(set(sizes)) or sizes[:1] != [0] or sizes[-1] > len(found.path):
            raise ValueError("`curve` must have sizes of the path, from 0 on, each once")
        for name in ("best", "smallest"):
            if getattr(found, name) not in sizes:
                raise ValueError(f"`{name}` must be a size of the curve, got {record[name]}")
        return found
