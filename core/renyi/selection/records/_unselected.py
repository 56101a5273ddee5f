"""Why a feature is not among the selected ones, as a record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, TypeAlias

from renyi._typing import JsonValue

__all__ = ["EXPLAINED_BITS", "Unselected", "WhyNot", "gain_in_words"]

EXPLAINED_BITS: Final = 1e-3
"""Error of the MI and the gain of a feature that is not selected."""

WhyNot: TypeAlias = Literal["alias", "redundant", "uninformative", "weak", "not_reached"]


def gain_in_words(gain: float) -> str:
    """Return a gain with its unit, no more closely than it is known.

    Examples
    --------
    >>> gain_in_words(0.0123456), gain_in_words(0.0004)
    ('0.0123 bits', 'less than 0.001 bits')
    """
    return f"{gain:.3g} bits" if gain >= EXPLAINED_BITS else f"less than {EXPLAINED_BITS:g} bits"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unselected:
    """Why one feature is not selected.

    Attributes
    ----------
    feature
        Its column.
    code
        `alias`: the same as another unselected feature; `uninformative`: alone no better than
        chance; `redundant`: better than chance alone, but not given the selected ones of `given`;
        `weak`: neither, and what it adds was not enough for the criterion; `not_reached`: neither,
        and the search ended before it was tested.
    reason
        The same in words, naming the numbers.
    mi
        I(x; y), bits, within `EXPLAINED_BITS`.
    gain
        I({S', x}; y) - I(S'; y) with S' all selected, bits, within twice as much; None where
        its matrix does not fit memory, or those of all such features would take long.
    p_value
        Of the test whether x alone and y are dependent, adjusted for the number of features.
    given
        The selected features that explain it, or the feature it is an alias of.
    """

    feature: str
    code: WhyNot
    reason: str
    mi: float
    gain: float | None
    p_value: float
    given: tuple[str, ...] = ()

    @property
    def adds(self) -> str:
        """The gain in words, no more closely than it is known; empty where it is not."""
        return "" if self.gain is None else gain_in_words(self.gain)

    def to_dict(self) -> dict[str, JsonValue]:
        """Return the record as JSON values."""
        return {**asdict(self), "given": list(self.given)}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Unselected:
        """Rebuild a record from `to_dict`."""
        given = {k: v for k, v in record.items() if k in cls.__dataclass_fields__}
        return cls(**{**given, "given": tuple(given["given"])})
