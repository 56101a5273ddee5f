"""What a caller may say of the method, for who checks types; nothing here is needed at run time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from renyi._typing import (
    ClassWeights,
    ErrorRate,
    LabelKernel,
    NominalKernel,
    NumberKernel,
    PRule,
    Rank,
    StopWhen,
)
from renyi.options._draws import Permutations
from renyi.options._kernel_rules import Bandwidth

__all__ = ["MethodGiven"]


class MethodGiven(TypedDict, total=False):
    """What a caller may say of the method; None is as good as nothing."""

    criteria: tuple[str, ...] | str | None
    stop_when: StopWhen | None
    search: str | None
    score: str | None
    rank: Rank | None
    alpha: float | None
    bandwidth: Bandwidth | None
    bandwidths: Mapping[str, Bandwidth] | None
    standardise: str | None
    kernel: NumberKernel | None
    nominal: NominalKernel | None
    label_kernel: LabelKernel | None
    class_weights: ClassWeights | None
    epsilon: float | None
    permutations: Permutations | None
    significance: float | None
    p_rule: PRule | None
    error_rate: ErrorRate | None
    bins: int | None
    binning: str | None
    min_gain: float | str | None
    lookahead: int | None
    max_features: int | None
    pairs: float | str | None
    solver: str | None
    tolerance: float | None
    seed: int | None
