"""What a comparison of scores returns: the path of each, and their stops by the same draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, ClassVar, Final, Self

import numpy as np

from renyi._typing import FloatArray, JsonValue
from renyi.evaluation._comparison import Comparison
from renyi.evaluation._differences import PairedTest, paired_p_values
from renyi.selection import FrozenMapping, Rebuilt, check_fields, thawed
from renyi.variables import DataReport, Note

__all__ = ["SCORE_COMPARISON_SCHEMA_VERSION", "ScoreComparison", "ScoreStop", "paired_stops"]

SCORE_COMPARISON_SCHEMA_VERSION: Final = "1.0"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreStop:
    """Where a criterion ends the path of a score, beside the best of all such ends.

    Attributes
    ----------
    score, criterion
        Their names.
    features
        How many features are selected.
    difference
        Mean score of the model less that of the best stop, a share of 1; 0 for the best itself.
    p_value
        Of the t-test of that difference, run by run on the same draws; 1 for the best itself.
    """

    score: str
    criterion: str
    features: int
    difference: float
    p_value: float


def paired_stops(
    comparisons: Sequence[Comparison],
    judged: Sequence[Mapping[int, FloatArray]],
    test: PairedTest,
) -> tuple[ScoreStop, ...]:
    """Compare the stops of several paths with the best of them, run by run.

    Parameters
    ----------
    comparisons
        One a path, judged on the same draws.
    judged
        Of each path (runs,) scores by number of features.
    test
        As in `paired_p_values`.
    """
    stops = [(one, result) for one in comparisons for result in one.results]
    columns = {one.options.score: scores for one, scores in zip(comparisons, judged, strict=True)}
    scores = np.column_stack([columns[one.options.score][r.features] for one, r in stops])
    means = scores.mean(axis=0)
    p_values = paired_p_values(scores, test=test)
    return tuple(
        ScoreStop(
            score=one.options.score,
            criterion=result.criterion,
            features=result.features,
            difference=float(mean - means.max()),
            p_value=float(p_value),
        )
        for (one, result), mean, p_value in zip(stops, means, p_values, strict=True)
    )


@dataclass(frozen=True, kw_only=True)
class ScoreComparison(Rebuilt):
    """The paths of several scores, and how well the features up to their stops predict.

    Attributes
    ----------
    comparisons
        One a score, in the order asked: its path, the criteria along it, the models. Each is what
        a comparison of that score alone with the same criteria finds.
    stops
        Every criterion of every score beside the best of them, by the same draws.
    unfinished
        Scores that were asked for and not finished, as the work was interrupted; else empty.
    run
        How the work was done. Not part of the answer.
    """

    WRITTEN_BY: ClassVar[str] = "renyi compare"
    SCHEMA: ClassVar[str] = SCORE_COMPARISON_SCHEMA_VERSION

    ONE: ClassVar[type[Comparison]] = Comparison
    """What each of them is rebuilt as."""

    comparisons: tuple[Comparison, ...]
    stops: tuple[ScoreStop, ...]
    unfinished: tuple[str, ...] = ()
    run: Mapping[str, Any] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "run", FrozenMapping(self.run))

    def __repr__(self) -> str:
        """Write where each score stops; `to_json` writes all of it."""
        sizes = ", ".join(f"{one.score} {one.criterion}: {one.features}" for one in self.stops)
        best = self.best
        return (
            f"ScoreComparison(target={self.data.target!r}, {sizes}; "
            f"best {best.score} {best.criterion})"
        )

    @property
    def scores(self) -> tuple[str, ...]:
        """Names of the scores, in the order asked."""
        return tuple(one.options.score for one in self.comparisons)

    @property
    def best(self) -> ScoreStop:
        """The stop with the best mean score, of equals the first."""
        return max(self.stops, key=lambda stop: stop.difference)

    @property
    def data(self) -> DataReport:
        """What was read, with the kernels that columns have under the first score."""
        return self.comparisons[0].data

    @property
    def warnings(self) -> tuple[Note, ...]:
        """What the reader should know: what holds for all scores once, the rest by score."""
        of_each = [one.warnings for one in self.comparisons]
        found: list[Note] = []
        for score, notes in zip(self.scores, of_each, strict=True):
            for note in notes:
                common = all(note in others for others in of_each)
                told = note if common else replace(note, message=f"Score {score}: {note.message}")
                if told not in found:
                    found.append(told)
        return tuple(found)

    def comparison(self, score: str) -> Comparison:
        """Return the path of a score, with its criteria and models.

        Raises
        ------
        KeyError
            If it was not compared.
        """
        for one in self.comparisons:
            if one.options.score == score:
                return one
        raise KeyError(f"{score!r} was not compared; there are {', '.join(self.scores)}")

    def to_dict(self) -> dict[str, JsonValue]:
        """Return the whole result as JSON values, as the schema file describes them."""
        return {
            "schema_version": SCORE_COMPARISON_SCHEMA_VERSION,
            "scores": list(self.scores),
            "unfinished": list(self.unfinished),
            "best": asdict(self.best),
            "stops": [asdict(stop) for stop in self.stops],
            "comparisons": [one.to_dict() for one in self.comparisons],
            "warnings": [note.to_dict() for note in self.warnings],
            "run": thawed(self.run),
        }

    @classmethod
    def _from_record(cls, record: Mapping[str, Any]) -> Self:
        names = ScoreStop.__dataclass_fields__
        found = cls(
            comparisons=tuple(map(cls.ONE.from_dict, record["comparisons"])),
            stops=tuple(ScoreStop(**{k: stop[k] for k in names}) for stop in record["stops"]),
            unfinished=tuple(record["unfinished"]),
            run=dict(record["run"]),
        )
        check_fields(found)
        ends = [
            (one.options.score, result.criterion, result.features)
            for one in found.comparisons
            for result in one.results
        ]
        if not ends or ends != [(s.score, s.criterion, s.features) for s in found.stops]:
            raise ValueError("`stops` must be one for each criterion of each score, in order")
        return found
