"""A few rows far out take all the spread of a column, so that the others look alike."""

from __future__ import annotations

from typing import Final

import numpy as np

from renyi.options import MethodOptions
from renyi.variables import Dataset, Kind, Note, Variable

__all__ = ["far_notes"]

_FEW_VALUES: Final = 10
"""With so few distinct values a column may be one of zeros and rare counts."""
_LEAST_RANGE: Final = 5.0
"""Standard deviations: where no value is so far out, 2% of the rows cannot have nearly all of the
spread. Quantiles take far longer than a range."""
_STRETCHED: Final = 0.2
"""Part of a standard deviation: at bandwidth 2 the kernel of two such rows is above 0.99."""


def far_notes(dataset: Dataset, method: MethodOptions) -> tuple[Note, ...]:
    """Say so where a few rows have nearly all the spread of a column, and the rest look alike."""
    if method.kernel == "delta":
        return ()
    scaled = ((dataset.columns, method.standardise), (dataset.targets, method.target_scale))
    far = tuple(
        one.name
        for columns, scale in scaled
        if scale in {"zscore", "minmax"}
        for one in columns
        if _is_stretched(one)
    )
    if not far:
        return ()
    shown = ", ".join(f"`{name}`" for name in far[:5]) + (", ..." if len(far) > 5 else "")
    message = (
        "A few rows lie so far out that all others look alike (make marks such as 9999 missing, "
        f"correct the values, or standardise by rank): {shown}."
    )
    return (Note("far_rows", message, far),)


def _is_stretched(one: Variable) -> bool:
    """Whether 98% of many different values lie within a small part of a standard deviation."""
    if one.kind is not Kind.CONTINUOUS or one.distinct <= _FEW_VALUES:
        return False
    values = one.values if one.missing is None else one.values[~one.missing]
    spread = values.std()
    if values.max() - values.min() < _LEAST_RANGE * spread:
        return False
    low, high = np.quantile(values, [0.01, 0.99])
    return bool(high - low < _STRETCHED * spread)
