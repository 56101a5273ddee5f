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
    PRule,
    Rank,
    StopWhen,
)
from renyi.options._draws import Permutations
from renyi.options._kernel_rules import Bandwidth
from renyi.options._option import check_record
from renyi.options._registry import DEFAULTS, option_of

__all__ = ["DataOptions", "MemoryBudget", "MethodOptions", "Missing", "RunOptions"]

MemoryBudget: TypeAlias = int | str
Missing: TypeAlias = Literal["error", "drop", "category"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodOptions:
    """The method: entropy, kernels, search and stopping, as a result keeps it.

    What goes together is for `method_options` to check.
    """

    preset: str = DEFAULTS["preset"]
    criteria: tuple[str, ...] = DEFAULTS["criteria"]
    stop_when: StopWhen = DEFAULTS["stop_when"]
    score: str = DEFAULTS["score"]
    rank: Rank = DEFAULTS["rank"]
    alpha: float = DEFAULTS["alpha"]
    bandwidth: Bandwidth = DEFAULTS["bandwidth"]
    bandwidths: tuple[tuple[str, Bandwidth], ...] = DEFAULTS["bandwidths"]
    standardise: str = DEFAULTS["standardise"]
    nominal: NominalKernel = DEFAULTS["nominal"]
    label_kernel: LabelKernel = DEFAULTS["label_kernel"]
    class_weights: ClassWeights = DEFAULTS["class_weights"]
    epsilon: float = DEFAULTS["epsilon"]
    permutations: Permutations = DEFAULTS["permutations"]
    significance: float = DEFAULTS["significance"]
    p_rule: PRule = DEFAULTS["p_rule"]
    error_rate: ErrorRate = DEFAULTS["error_rate"]
    bins: int = DEFAULTS["bins"]
    binning: Literal["width", "frequency"] = DEFAULTS["binning"]
    min_gain: float | str | None = DEFAULTS["min_gain"]
    lookahead: int = DEFAULTS["lookahead"]
    max_features: int | None = DEFAULTS["max_features"]
    solver: str = DEFAULTS["solver"]
    tolerance: float = DEFAULTS["tolerance"]
    seed: int = DEFAULTS["seed"]

    def __post_init__(self) -> None:
        check_record(self, option_of)

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
    """What of a table is used, and as what; `rows` and `seed` are of a stratified sample."""

    target: str | None = DEFAULTS["target"]
    features: tuple[str, ...] = DEFAULTS["features"]
    exclude: tuple[str, ...] = DEFAULTS["exclude"]
    keep: tuple[str, ...] = DEFAULTS["keep"]
    kinds: tuple[tuple[str, str], ...] = DEFAULTS["kinds"]
    missing: Missing = DEFAULTS["missing"]
    rows: int | None = DEFAULTS["rows"]
    seed: int = DEFAULTS["seed"]

    def __post_init__(self) -> None:
        check_record(self, option_of)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """How the work is done; never part of an answer."""

    backend: str = DEFAULTS["backend"]
    jobs: int | None = DEFAULTS["jobs"]
    max_memory: MemoryBudget | None = DEFAULTS["max_memory"]

    def __post_init__(self) -> None:
        check_record(self, option_of)
