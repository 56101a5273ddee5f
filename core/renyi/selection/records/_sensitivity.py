"""Which features stay when alpha and bandwidth are others, as a record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from renyi._typing import JsonValue
from renyi.options import Bandwidth

__all__ = ["FeatureShare", "Sensitivity", "SensitivitySetting", "shares_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureShare:
    """In what share of repeated selections a feature was selected.

    Attributes
    ----------
    feature
        Its column.
    count
        How many selections.
    share
        The same over all that were finished, 0 to 1.
    """

    feature: str
    count: int
    share: float

    def to_dict(self) -> dict[str, JsonValue]:
        """Return the record as JSON values."""
        return {"feature": self.feature, "count": self.count, "share": self.share}


def shares_of(selections: list[tuple[str, ...]]) -> tuple[FeatureShare, ...]:
    """Return the share of each feature selected at all, the largest first."""
    names = list(dict.fromkeys(name for selected in selections for name in selected))
    counts = {name: sum(name in selected for selected in selections) for name in names}
    ordered = sorted(names, key=lambda name: -counts[name])  # first come, first where equal
    return tuple(
        FeatureShare(feature=name, count=counts[name], share=counts[name] / len(selections))
        for name in ordered
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SensitivitySetting:
    """The selection under one setting.

    Attributes
    ----------
    alpha, bandwidth
        The setting.
    selected
        The features, in the order they entered.
    stopped
        Why it ended, as in a verdict; None where it could not be run.
    reason
        The same in words, or why it could not be run.
    """

    alpha: float
    bandwidth: Bandwidth
    selected: tuple[str, ...]
    stopped: str | None
    reason: str

    def to_dict(self) -> dict[str, JsonValue]:
        """Return the record as JSON values."""
        return {
            "alpha": self.alpha,
            "bandwidth": self.bandwidth,
            "size": len(self.selected),
            "selected": list(self.selected),
            "stopped": self.stopped,
            "reason": self.reason,
        }

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> SensitivitySetting:
        """Rebuild a record from `to_dict`."""
        given = {k: v for k, v in record.items() if k in cls.__dataclass_fields__}
        return cls(**{**given, "selected": tuple(given["selected"])})


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensitivity:
    """Selections that differ from the result's in alpha and bandwidth only.

    Attributes
    ----------
    asked
        Number of settings; fewer are there where the work was interrupted.
    settings
        One record each.
    """

    asked: int
    settings: tuple[SensitivitySetting, ...]

    @property
    def features(self) -> tuple[FeatureShare, ...]:
        """The share of the settings that could be run in which each feature was selected."""
        return shares_of([s.selected for s in self.settings if s.stopped is not None])

    def to_dict(self) -> dict[str, JsonValue]:
        """Return the record as JSON values, with the shares."""
        return {
            "asked": self.asked,
            "settings": [setting.to_dict() for setting in self.settings],
            "features": [share.to_dict() for share in self.features],
        }

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Sensitivity:
        """Rebuild a record from `to_dict`."""
        settings = tuple(map(SensitivitySetting.from_dict, record["settings"]))
        return cls(asked=record["asked"], settings=settings)
