"""Groups of options as frozen records that check themselves; the table says what each one is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Literal, TypeAlias

from renyi._typing import (
    ClassWeights,
    ErrorRate,
    JsonValue,
    LabelKernel,
    NominalKernel,
    NumberKernel,
    PRule,
    Rank,
    StopWhen,
)
from renyi.errors import OptionError, Way
from renyi.options._draws import Permutations
from renyi.options._kernel_rules import Bandwidth
from renyi.options._searches import beam_width
from renyi.options.table._option import check_record
from renyi.options.table._registry import FIELDS

__all__ = [
    "DataOptions",
    "MemoryBudget",
    "MethodOptions",
    "Missing",
    "RunOptions",
    "Shuffle",
    "WeightKind",
]

MemoryBudget: TypeAlias = int | str
WeightKind: TypeAlias = Literal["importance", "frequency"]
Shuffle: TypeAlias = Literal["auto", "whole", "within"]
Missing: TypeAlias = Literal["error", "drop", "level", "category"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodOptions:
    """The method: entropy, kernels, search and stopping, as a result keeps it.

    What goes together is for `method_options` to check.
    """

    preset: str = FIELDS["preset"].default
    criteria: tuple[str, ...] = FIELDS["criteria"].default
    stop_when: StopWhen = FIELDS["stop_when"].default
    search: str = FIELDS["search"].default
    score: str = FIELDS["score"].default
    rank: Rank = FIELDS["rank"].default
    alpha: float = FIELDS["alpha"].default
    bandwidth: Bandwidth = FIELDS["bandwidth"].default
    bandwidths: tuple[tuple[str, Bandwidth], ...] = FIELDS["bandwidths"].default
    standardise: str = FIELDS["standardise"].default
    kernel: NumberKernel = FIELDS["kernel"].default
    nominal: NominalKernel = FIELDS["nominal"].default
    label_kernel: LabelKernel = FIELDS["label_kernel"].default
    class_weights: ClassWeights = FIELDS["class_weights"].default
    epsilon: float = FIELDS["epsilon"].default
    permutations: Permutations = FIELDS["permutations"].default
    significance: float = FIELDS["significance"].default
    p_rule: PRule = FIELDS["p_rule"].default
    error_rate: ErrorRate = FIELDS["error_rate"].default
    bins: int = FIELDS["bins"].default
    binning: Literal["width", "frequency"] = FIELDS["binning"].default
    min_gain: float | str | None = FIELDS["min_gain"].default
    lookahead: int = FIELDS["lookahead"].default
    max_features: int | None = FIELDS["max_features"].default
    pairs: float | None = FIELDS["pairs"].default
    solver: str = FIELDS["solver"].default
    tolerance: float = FIELDS["tolerance"].default
    seed: int = FIELDS["seed"].default

    def __post_init__(self) -> None:
        check_record(self, FIELDS)

    @property
    def looks(self) -> int:
        """Tests among which a step shares its level: of one feature and of two, of each set."""
        return self.lookahead * beam_width(self.search)

    @property
    def target_scale(self) -> str:
        """How a target of numbers is standardised."""
        balanced = self.class_weights == "balanced" and self.standardise == "zscore"
        return "rank" if balanced else self.standardise

    def to_dict(self) -> dict[str, JsonValue]:
        """Return the options as JSON values, `criteria` as a list, `bandwidths` as an object."""
        out: dict[str, JsonValue] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "criteria":
                value = list(value)
            elif field.name == "bandwidths":
                value = dict(value)
            out[field.name] = value
        return out

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> MethodOptions:
        """Rebuild options from `to_dict`, as they were; unknown fields are ignored.

        They are not checked: an earlier version may have known other criteria.
        """
        given = {**_BEFORE, **record}
        given["criteria"] = tuple(given["criteria"])
        given["bandwidths"] = tuple(given["bandwidths"].items())
        found = object.__new__(cls)
        for field in fields(cls):
            object.__setattr__(found, field.name, given.get(field.name, field.default))
        return found


_BEFORE: Final = {"rank": "raw", "nominal": "delta", "class_weights": "none"}
"""What results before version 1.3 did not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataOptions:
    """What of a table is used, and as what; `rows` and `seed` are of a stratified sample.

    `target` is a name, or those of several; `start` are the features of the result gone on from.
    `kinds` and `group_columns` are pairs: (name or glob, kind) and (group, name or glob).
    """

    target: str | tuple[str, ...] | None = FIELDS["target"].default
    features: tuple[str, ...] = FIELDS["features"].default
    exclude: tuple[str, ...] = FIELDS["exclude"].default
    keep: tuple[str, ...] = FIELDS["keep"].default
    start: tuple[str, ...] = FIELDS["start"].default
    group_columns: tuple[tuple[str, str], ...] = FIELDS["group_columns"].default
    weights: str | None = FIELDS["weights"].default
    weight_kind: WeightKind = FIELDS["weight_kind"].default
    groups: str | None = FIELDS["groups"].default
    shuffle: Shuffle = FIELDS["shuffle"].default
    blocks: int | str | None = FIELDS["blocks"].default
    kinds: tuple[tuple[str, str], ...] = FIELDS["kinds"].default
    table: str | None = FIELDS["table"].default
    decimal: str | None = FIELDS["decimal"].default
    thousands: str | None = FIELDS["thousands"].default
    missing: Missing = FIELDS["missing"].default
    rows: int | None = FIELDS["rows"].default
    seed: int = FIELDS["seed"].default

    def __post_init__(self) -> None:
        check_record(self, FIELDS)
        if self.thousands is not None and self.thousands == self.decimal:
            raise OptionError(
                "`thousands` must be another mark than `decimal`, got "
                f"`{self.thousands}` for both.",
                "Give ",
                Way("thousands"),
                " alone: the decimal mark follows from it.",
            )

    @property
    def at_hand(self) -> tuple[str, ...]:
        """Features that the search begins with: those forced in, then others of `start`."""
        return tuple(dict.fromkeys((*self.keep, *self.start)))

    @property
    def targets(self) -> tuple[str, ...]:
        """The targets asked for, none where that is left to the table."""
        if self.target is None:
            return ()
        return (self.target,) if isinstance(self.target, str) else self.target

    def to_dict(self) -> dict[str, JsonValue]:
        """Return the options as JSON values, `target` as text and as the list `targets`."""
        out = {field.name: _listed(getattr(self, field.name)) for field in fields(self)}
        target = ", ".join(self.targets) if self.targets else None
        return {**out, "target": target, "targets": list(self.targets)}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> DataOptions:
        """Rebuild options from `to_dict`; unknown fields are ignored.

        Raises
        ------
        KeyError
            If a field is missing that results have had from the first version on.
        """
        given = {name: record[name] for name in cls.__dataclass_fields__ if name in record}
        for name in ("features", "exclude", "keep"):
            given[name] = tuple(record[name])
        given["kinds"] = tuple((name, kind) for name, kind in record["kinds"])
        given["start"] = tuple(record.get("start", ()))  # since version 1.5
        # neither was in results before version 1.4
        several = tuple(record.get("targets", ()))
        given["target"] = several if len(several) > 1 else record["target"]
        groups = record.get("group_columns", ())
        given["group_columns"] = tuple((group, column) for group, column in groups)
        return cls(**given)


def _listed(value: Any) -> Any:
    return [_listed(item) for item in value] if isinstance(value, tuple) else value


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """How the work is done; never part of an answer.

    With an executor `auto` is NumPy; `cupy` is a device here and one of each worker's own.
    """

    backend: str = FIELDS["backend"].default
    jobs: int | None = FIELDS["jobs"].default
    max_memory: MemoryBudget | None = FIELDS["max_memory"].default
    executor: Any = FIELDS["executor"].default

    def __post_init__(self) -> None:
        check_record(self, FIELDS)
        if self.executor is not None and self.backend == "auto":
            object.__setattr__(self, "backend", "numpy")
