"""What a selection returns: frozen records that go to terminal, JSON, plot and other languages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar, Final, Literal, Self, TypeAlias

from renyi._typing import JsonValue, Purpose
from renyi.options import DataOptions, MethodOptions, purpose_of
from renyi.selection.records._bandwidth_record import BandwidthChoice
from renyi.selection.records._checks import check_fields
from renyi.selection.records._frozen import FrozenMapping, thawed
from renyi.selection.records._reading import Rebuilt
from renyi.selection.records._sensitivity import Sensitivity
from renyi.selection.records._stability import Stability
from renyi.selection.records._step import Entropies, RunnerUp, Step, selected_after
from renyi.selection.records._unselected import Unselected
from renyi.variables import DataReport, Note

__all__ = [
    "SCHEMA_VERSION",
    "Entropies",
    "RunnerUp",
    "SelectionPath",
    "Step",
    "Stopped",
    "Verdict",
]

SCHEMA_VERSION: Final = "1.6"

_EXTRAS: Final[Mapping[str, Any]] = {
    "bandwidth_choice": BandwidthChoice,
    "sensitivity": Sensitivity,
    "stability": Stability,
}
"""Fields that are null where nothing is there, and what they hold; since version 1.2."""

Stopped: TypeAlias = Literal["criterion", "max_features", "exhausted", "interrupted"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Why the search ended.

    Attributes
    ----------
    stopped
        `criterion`, `max_features`, `exhausted` (no candidate was left) or `interrupted`.
    reason
        The same in words, naming the numbers.
    step
        Index of the step it was decided at; 0 before any.
    criteria
        Names of the criteria that said stop.
    """

    stopped: Stopped
    reason: str
    step: int
    criteria: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class SelectionPath(Rebuilt):
    """The answer: which columns matter, in order, and why it stopped there.

    Attributes
    ----------
    data
        What was read, column by column.
    data_options, options
        Every choice, after defaults.
    steps
        One record a step; the last one may hold what was tested and not done.
    verdict
        Why it stopped.
    aliases
        Selected feature -> the columns that it stands for, being the same but for names, unit or
        sign; those without any are left out.
    unselected
        Why each other feature is not selected; empty where the search was interrupted.
    bandwidth_choice
        How the bandwidth `auto` was chosen, None for other rules.
    sensitivity, stability
        The selection under other settings and on halves of the rows, None where not asked for.
    warnings
        What the reader should know, with stable codes.
    run
        How the work was done: backend, solvers, seconds, versions. Not part of the answer: two
        paths are equal whatever their `run`.
    """

    WRITTEN_BY: ClassVar[str] = "renyi select"
    SCHEMA: ClassVar[str] = SCHEMA_VERSION

    data: DataReport
    data_options: DataOptions
    options: MethodOptions
    steps: tuple[Step, ...]
    verdict: Verdict
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unselected: tuple[Unselected, ...] = ()
    bandwidth_choice: BandwidthChoice | None = None
    sensitivity: Sensitivity | None = None
    stability: Stability | None = None
    warnings: tuple[Note, ...] = ()
    run: Mapping[str, Any] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "aliases", FrozenMapping(self.aliases))
        object.__setattr__(self, "run", FrozenMapping(self.run))

    def __repr__(self) -> str:
        """Write what was chosen and why it stopped; `to_json` writes all of it."""
        purpose = f"purpose={self.purpose!r}, " if self.purpose else ""
        return (
            f"SelectionPath(target={self.data.target!r}, {purpose}selected={self.selected!r}, "
            f"stopped={self.verdict.stopped!r}, reason={self.verdict.reason!r})"
        )

    @property
    def selected(self) -> tuple[str, ...]:
        """Names of the selected features, in the order they entered."""
        return selected_after(self.steps)

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns of the table that are selected: `selected` with the columns of each group."""
        return self.data.columns_of(self.selected)

    @property
    def purpose(self) -> Purpose | None:
        """What its criterion selects columns for.

        `model`: to help a model together with those before; `news`: to say something beyond them;
        None where another criterion, or several, decided.
        """
        return purpose_of(self.options.criteria)

    @property
    def seed(self) -> int:
        """Seed of every random draw."""
        return self.options.seed

    def to_dict(self) -> dict[str, JsonValue]:
        """Return the whole result as JSON values, as the schema file describes them."""
        verdict = {**asdict(self.verdict), "criteria": list(self.verdict.criteria)}
        return {
            "schema_version": SCHEMA_VERSION,
            "data": self.data.to_dict(),
            "data_options": self.data_options.to_dict(),
            "options": self.options.to_dict(),
            "seed": self.seed,
            "steps": [step.to_dict() for step in self.steps],
            "verdict": verdict,
            "selected": list(self.selected),
            "aliases": thawed(self.aliases),
            "unselected": [why.to_dict() for why in self.unselected],
            **{
                name: None if (extra := getattr(self, name)) is None else extra.to_dict()
                for name in _EXTRAS
            },
            "warnings": [note.to_dict() for note in self.warnings],
            "run": thawed(self.run),
        }

    @classmethod
    def _from_record(cls, record: Mapping[str, Any]) -> Self:
        if record.keys() & {"curve", "comparisons"}:
            raise ValueError("it holds a comparison")
        verdict = record["verdict"]
        path = cls(
            data=DataReport.from_dict(record["data"]),
            data_options=DataOptions.from_dict(record["data_options"]),
            options=MethodOptions.from_dict(record["options"]),
            steps=tuple(Step.from_dict(step) for step in record["steps"]),
            verdict=Verdict(
                stopped=verdict["stopped"],
                reason=verdict["reason"],
                step=verdict["step"],
                criteria=tuple(verdict["criteria"]),
            ),
            aliases=dict(record.get("aliases", {})),  # neither was in results before version 1.2
            unselected=tuple(Unselected.from_dict(why) for why in record.get("unselected", ())),
            **{
                name: None if record.get(name) is None else extra.from_dict(record[name])
                for name, extra in _EXTRAS.items()
            },
            warnings=tuple(Note.from_dict(note) for note in record["warnings"]),
            run=dict(record["run"]),
        )
        _check(path, record["selected"])
        return path


def _check(path: SelectionPath, selected: object) -> None:
    """Raise ValueError unless every field is of its type and the parts agree."""
    check_fields(path)
    if not isinstance(selected, list) or not all(isinstance(name, str) for name in selected):
        raise ValueError("`selected` must be a list of text")
    if tuple(selected) != path.selected:
        raise ValueError("`selected` must name the features of the steps selected, in order")
    for number, step in enumerate(path.steps):
        if (step.cmi is None) == (step.cmi_code is None):
            raise ValueError(f"`steps[{number}].cmi_code` must be given where `cmi` is null only")
    if [step.index for step in path.steps] != list(range(1, len(path.steps) + 1)):
        raise ValueError("`steps` must count from 1")
    if not all(step.done for step in path.steps[:-1]):
        raise ValueError("`steps` must all be done but the last")
    there: set[str] = set()
    for number, step in enumerate(path.steps):
        known = there.intersection(step.features)
        if known != (set(step.features) if step.action == "remove" else set()):
            rule = "be selected before" if step.action == "remove" else "not be selected before"
            raise ValueError(f"`steps[{number}].features` must {rule}")
        there = there - set(step.features) if step.action == "remove" else {*there, *step.features}
    last = path.verdict.step
    if path.verdict.stopped == "criterion" and not 1 <= last <= len(path.steps):
        raise ValueError(f"`verdict.step` must be one of the steps, got {last}")
