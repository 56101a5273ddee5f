"""Rules of kernels as an option says them: the width, and the scale that it is on."""

from __future__ import annotations

from typing import Final, TypeAlias

from renyi import _validate
from renyi.errors import OptionError

__all__ = [
    "BANDWIDTH_RULES",
    "STANDARDISE",
    "Bandwidth",
    "parse_bandwidth",
    "parse_standardise",
]

Bandwidth: TypeAlias = float | str

BANDWIDTH_RULES: Final = (
    "silverman",
    "scott",
    "silverman:joint",
    "scott:joint",
    "median",
    "nearest",
    "range:SHARE",
    "steady",
    "steady:SIGMA",
    "growing",
    "growing:SIGMA",
    "auto",
)
STANDARDISE: Final = ("zscore", "minmax", "rank", "none", "bins:B", "quantiles:B")


def parse_bandwidth(value: object, name: str = "bandwidth") -> Bandwidth:
    """Return a bandwidth as a positive float or a rule's canonical name.

    Raises
    ------
    OptionError
        If it is neither.

    Examples
    --------
    >>> parse_bandwidth("2"), parse_bandwidth("range:0.15"), parse_bandwidth("growing")
    (2.0, 'range:0.15', 'growing')
    """
    hint = f"Use a number (sigma on standardised values) or one of {', '.join(BANDWIDTH_RULES)}."
    if not isinstance(value, str):
        return _validate.positive_number(name, value, hint)
    text = value.strip().lower()
    try:
        number = float(text)
    except ValueError:
        pass
    else:
        return _validate.positive_number(name, number, hint)
    if text in BANDWIDTH_RULES:  # those with a value have it in capitals
        return text
    rule, _, share = text.partition(":")
    if rule in {"range", "growing", "steady"}:
        try:
            part: object = float(share)
        except ValueError:
            part = share
        return f"{rule}:{_validate.positive_number(f'{name} {rule}', part, hint)!r}"
    raise OptionError(f"`{name}` must be a positive number or a known rule, got {value!r}.", hint)


def parse_standardise(value: object) -> str:
    """Return a standardisation's canonical name, or raise `OptionError`.

    Examples
    --------
    >>> parse_standardise("bins:5")
    'bins:5'
    """
    if isinstance(value, str):
        rule, colon, count = value.strip().lower().partition(":")
        cuts = rule in {"bins", "quantiles"} and colon and count.isascii() and count.isdigit()
        if cuts and int(count) >= 2:
            return f"{rule}:{int(count)}"
        if rule in STANDARDISE and not colon:
            return rule
    raise OptionError(
        f"`standardise` must be one of {', '.join(STANDARDISE)} with B at least 2; got {value!r}.",
        "Use zscore unless the columns share one unit.",
    )
