"""Array and option types, in one place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

__all__ = [
    "Array",
    "BoolArray",
    "ErrorRate",
    "FloatArray",
    "IntArray",
    "JsonValue",
    "LabelKernel",
    "PRule",
    "StopWhen",
]

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    FloatArray: TypeAlias = NDArray[np.float64]
    IntArray: TypeAlias = NDArray[np.int64]
    BoolArray: TypeAlias = NDArray[np.bool_]
else:  # options are read without numbers, by a help page for one
    FloatArray = IntArray = BoolArray = Any

Array: TypeAlias = Any
"""An array of a backend's namespace: NumPy, CuPy or a strict stand-in."""

LabelKernel: TypeAlias = Literal["delta", "onehot"]
NumberKernel: TypeAlias = Literal["gaussian", "laplacian", "delta"]
NominalKernel: TypeAlias = Literal["soft", "delta"]
ClassWeights: TypeAlias = Literal["balanced", "none"]
Rank: TypeAlias = Literal["chance", "raw"]
ErrorRate: TypeAlias = Literal["fwer", "fdr"]
Purpose: TypeAlias = Literal["model", "news"]
PRule: TypeAlias = Literal["paper", "valid"]
StopWhen: TypeAlias = Literal["any", "all"]

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
