"""How a bandwidth was chosen by the data, as a record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from renyi._typing import JsonValue
from renyi.variables import Note

__all__ = ["BandwidthChoice", "BandwidthTrial"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BandwidthTrial:
    """One bandwidth of the grid.

    Attributes
    ----------
    sigma
        On standardised values.
    feature
        The feature with the largest gain.
    gain
        Its MI with the target, beyond that of kept features, bits.
    null_mean, null_sd
        Mean and standard deviation of the largest gain over the shuffled copies, bits.
    standardised
        (gain - null_mean) / null_sd, 0 where nothing varies.
    """

    sigma: float
    feature: str
    gain: float
    null_mean: float
    null_sd: float
    standardised: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BandwidthChoice:
    """What the rule `auto` chose, and how.

    Attributes
    ----------
    sigma
        The bandwidth taken.
    trials
        One a bandwidth of the grid.
    p_value
        Of no dependence at any bandwidth of the grid: valid with the choice counted.
    copies
        Shuffled copies behind it.
    rows
        Rows on which the choice was made.
    """

    sigma: float
    trials: tuple[BandwidthTrial, ...]
    p_value: float
    copies: int
    rows: int

    def to_dict(self) -> dict[str, JsonValue]:
        """Return the choice as JSON values."""
        return {**asdict(self), "trials": [asdict(trial) for trial in self.trials]}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> BandwidthChoice:
        """Rebuild a choice from `to_dict`."""
        known = BandwidthTrial.__dataclass_fields__
        trials = tuple(
            BandwidthTrial(**{k: v for k, v in trial.items() if k in known})
            for trial in record["trials"]
        )
        given = {k: v for k, v in record.items() if k in cls.__dataclass_fields__}
        return cls(**{**given, "trials": trials})

    def note(self) -> Note:
        """Say in a sentence what was chosen."""
        taken = next(trial for trial in self.trials if trial.sigma == self.sigma)
        return Note(
            "bandwidth_chosen",
            f"Bandwidth {self.sigma:g} was chosen by the data: the first gain stands out most "
            f"there, {taken.standardised:.1f} standard deviations (p = {self.p_value:.3g} with the "
            "choice counted). Later steps take it as given.",
        )
