"""How numbers are written for a reader."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

__all__ = [
    "at_most",
    "below",
    "bits",
    "deviations",
    "duration",
    "ends",
    "measured",
    "predicted",
    "probability",
    "with_error",
]

SAME: Final = 1e-9
"""Bits within which the selection itself calls two values equal; smaller ones are written as 0."""


def bits(value: float | None) -> str:
    """Write an amount of information: four decimals, or two digits where those would be lost.

    Examples
    --------
    >>> bits(0.31412), bits(-0.00002), bits(1e-12), bits(None)
    ('0.3141', '-2.0e-05', '0.0000', '-')
    """
    if value is None:
        return "-"
    if abs(value) <= SAME:
        return "0.0000"
    return f"{value:.4f}" if abs(value) >= 0.001 else f"{value:.1e}"


def measured(value: float | None) -> str:
    """Write a number of any size in four digits.

    Examples
    --------
    >>> measured(12.34567), measured(None)
    ('12.35', '-')
    """
    return "-" if value is None else f"{value:.4g}"


def probability(value: float) -> str:
    """Write a p-value in two digits.

    Examples
    --------
    >>> probability(1 / 101), probability(1.0)
    ('0.0099', '1')
    """
    return f"{value:.2g}"


def at_most(value: float) -> str:
    """Write an upper bound of a p-value in two digits, rounded up so that it stays true.

    Examples
    --------
    >>> at_most(0.0495), at_most(0.05)
    ('<= 0.05', '<= 0.05')
    """
    if value <= 0:
        return "<= 0"
    unit = 10.0 ** (math.floor(math.log10(value)) - 1)
    return f"<= {math.ceil(value / unit * (1 - 1e-12)) * unit:.2g}"


def below(value: float) -> str:
    """Write a bound that is known roughly as the power of ten above it.

    Examples
    --------
    >>> below(3e-6), below(1e-12), below(0.02)
    ('< 1e-5', '< 1e-12', '< 0.1')
    """
    power = math.ceil(math.log10(value) - 1e-9)
    return f"< {10.0**power:g}" if power > -4 else f"< 1e{power}"


def deviations(value: float | None) -> str:
    """Write a number of standard deviations.

    Examples
    --------
    >>> deviations(12.345), deviations(-0.02), deviations(2.5e6), deviations(None)
    ('12.3', '-0.0', '2.5e+06', '-')
    """
    if value is None:
        return "-"
    return f"{value:.1f}" if abs(value) < 1e5 else f"{value:.1e}"


def with_error(text: str, error: float | None, words: Callable[[float], str]) -> str:
    """Write a number that is an estimate with its standard error; an exact one as it is.

    Examples
    --------
    >>> with_error("0.3141", 0.0021, bits), with_error("0.3141", 0.0, bits)
    ('0.3141 +-0.0021', '0.3141')
    """
    return f"{text} +-{words(error)}" if error else text


def duration(seconds: float) -> str:
    """Write a time as a clock shows it.

    Examples
    --------
    >>> duration(75.2), duration(3750)
    ('1:15', '1:02:30')
    """
    minutes, rest = divmod(max(0, round(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def predicted(value: float, measure: str) -> str:
    """Write how well a model predicts: accuracy in percent, R squared as it is.

    Examples
    --------
    >>> predicted(0.8125, "accuracy"), predicted(0.8125, "r2")
    ('81.2%', '0.812')
    """
    return f"{value:.3f}" if measure == "r2" else f"{100 * value:.1f}%"


def ends(low: float, high: float, measure: str) -> str:
    """Write an interval of it; an interval by a t quantile knows no bounds, a share has them.

    Examples
    --------
    >>> ends(0.9, 1.02, "accuracy")
    '90.0 to 100.0'
    """
    if measure == "r2":
        return f"{low:.3f} to {high:.3f}"
    return f"{100 * max(low, 0.0):.1f} to {100 * min(high, 1.0):.1f}"
