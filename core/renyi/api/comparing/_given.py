"""What a caller may say of a comparison, for who checks types; not needed at run time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

from renyi._progress import CancelToken, Observer
from renyi._typing import ClassWeights, LabelKernel, NominalKernel, NumberKernel, PRule, Rank
from renyi.api._given import Groups, Kinds, Names, Targets
from renyi.evaluation import PairedTest
from renyi.options import Bandwidth, MemoryBudget, Permutations

__all__ = ["ComparisonGiven"]


class ComparisonGiven(TypedDict, total=False):
    """The keywords of `renyi.compare` but for `score`, by whose number the answer differs."""

    target: Targets
    features: Names
    exclude: Names
    keep: Names
    group_columns: Groups
    kind: Kinds
    table: str | None
    decimal: str | None
    thousands: str | None
    missing: str
    rows: int | None
    weights: object
    weight_kind: str
    groups: str | int | None
    shuffle: str
    blocks: int | str | None
    preset: str | None
    criterion: Names | None
    model: str | None
    runs: int
    sizes: Sequence[int] | None
    test: PairedTest
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
    bins: int | None
    binning: str | None
    min_gain: float | str | None
    max_features: int | None
    solver: str | None
    tolerance: float | None
    seed: int
    backend: str
    jobs: int | None
    max_memory: MemoryBudget | None
    progress: Observer | None
    cancel: CancelToken | None
