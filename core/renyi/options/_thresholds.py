"""Thresholds given in bits or as a share."""

from __future__ import annotations

from renyi import _validate
from renyi.errors import OptionError

__all__ = ["parse_min_gain", "parse_pairs", "share_of"]


def parse_min_gain(value: object) -> float | str:
    """Return a least gain as bits, or as the canonical text of a share of H(y).

    Raises
    ------
    OptionError
        If it is neither, or a share above 100%.

    Examples
    --------
    >>> parse_min_gain("0.01"), parse_min_gain("1 %"), parse_min_gain(0)
    (0.01, '1%', 0.0)
    """
    hint = "Use bits such as 0.01, or a share of H(y) such as 1%."
    if not isinstance(value, str):
        return _validate.non_negative_number("min_gain", value, hint)
    text = value.strip()
    shares = text.endswith("%")
    try:
        number = float(text.removesuffix("%"))
    except ValueError:
        raise OptionError(
            f"`min_gain` must be bits or a share of H(y), got {value!r}.", hint
        ) from None
    if not shares:
        return _validate.non_negative_number("min_gain", number, hint)
    if not 0 <= number <= 100:
        raise OptionError(f"`min_gain` must be at least 0% and at most 100%, got {value!r}.", hint)
    return f"{number:g}%"


def parse_pairs(value: object) -> float | None:
    """Return a share of all pairs of rows as a number, None for all of them.

    Raises
    ------
    OptionError
        If it is none.

    Examples
    --------
    >>> parse_pairs("5%"), parse_pairs(0.05), parse_pairs("100%")
    (0.05, 0.05, None)
    """
    hint = "Use a share such as 5% or 0.05; 100%, or nothing, takes all pairs."
    text = value.strip() if isinstance(value, str) else str(value)
    try:
        number = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        number = -1.0
    if isinstance(value, bool) or not 0 < number <= 1:
        raise OptionError(f"`pairs` must be a share of all pairs of rows, got {value!r}.", hint)
    return None if number == 1 else number


def share_of(least: float | str) -> float | None:
    """Return a parsed share as a number, None where bits were given.

    Examples
    --------
    >>> share_of("1%"), share_of(0.01)
    (0.01, None)
    """
    return float(least[:-1]) / 100 if isinstance(least, str) else None
