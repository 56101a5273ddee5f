"""What a criterion says of one step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from renyi._typing import JsonValue

__all__ = ["CriterionReport"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionReport:
    """One criterion's finding at one step.

    Attributes
    ----------
    criterion
        Its name.
    stop
        Whether it says stop.
    keeps_feature
        Whether the step's feature stays selected when it says stop.
    reason
        The finding in words, naming the numbers.
    statistic, threshold
        What was compared, bits (`mi-chi2`: the chi-square statistic and quantile); None where
        the comparison is with a null distribution.
    statistic_name
        `cmi`, `mi`, `gain`, `z`, `chi2` or `score`.
    p_value
        Of a permutation test; None where it was decided early in favour of the feature.
    p_upper
        Largest p-value that the draws not made could have led to.
    drawn, exceedances
        Permutations drawn, and those in which a shuffled copy did at least as well.
    null_quantiles
        0.05, 0.5 and 0.95 quantiles of the statistic under the draws made, bits. For `gain`, the
        largest over all candidates, a replicate that reached the observed gain counts with the
        gain that did, a lower bound on its largest one.
    null_error
        Largest error of a replicate behind them, bits: replicates whose comparison is certain
        from bounds are not computed further. The decision is exact all the same.
    """

    criterion: str
    stop: bool
    keeps_feature: bool
    reason: str
    statistic_name: str
    statistic: float | None
    threshold: float | None = None
    p_value: float | None = None
    p_upper: float | None = None
    drawn: int | None = None
    exceedances: int | None = None
    null_quantiles: tuple[float, float, float] | None = None
    null_error: float | None = None

    def to_dict(self) -> dict[str, JsonValue]:
        """Return the report as JSON values."""
        out: dict[str, JsonValue] = asdict(self)
        if self.null_quantiles is not None:
            out["null_quantiles"] = list(self.null_quantiles)
        return out

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> CriterionReport:
        """Rebuild a report from `to_dict`."""
        given = {k: v for k, v in record.items() if k in cls.__dataclass_fields__}
        if given.get("null_quantiles") is not None:
            low, middle, high = given["null_quantiles"]
            given["null_quantiles"] = (low, middle, high)
        return cls(**given)
