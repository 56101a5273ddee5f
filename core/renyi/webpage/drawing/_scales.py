"""Scales: from values to places, with the round values that are marked."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

__all__ = ["Scale", "asinh_scale", "linear_scale", "log_scale", "span_scale"]

ROUND: Final = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True)
class Scale:
    """Where values stand between two places.

    Attributes
    ----------
    ticks
        Values that are marked, with their words.
    """

    low: float
    high: float
    start: float
    end: float
    bend: Callable[[float], float]
    ticks: tuple[tuple[float, str], ...]

    def __call__(self, value: float) -> float:
        """Return the place of a value; one outside stands at the edge."""
        low, high = self.bend(self.low), self.bend(self.high)
        share = (self.bend(min(max(value, self.low), self.high)) - low) / (high - low)
        return self.start + share * (self.end - self.start)


def linear_scale(values: Iterable[float], start: float, end: float, most: int = 4) -> Scale:
    """Return a scale of equal distances that holds all values, and 0."""
    known = [0.0, *values]
    low, high = min(known), max(known)
    if high - low < 1e-12:
        high = low + 1.0
    step = _round_step((high - low) / most)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    ticks = tuple((k * step, f"{k * step:.6g}") for k in range(first, last + 1))
    room = 0.02 * (high - low)
    seen = tuple(tick for tick in ticks if low - room <= tick[0] <= high + room)
    return Scale(low, high + room, start, end, float, seen)


def span_scale(values: Iterable[float], start: float, end: float, most: int = 4) -> Scale:
    """Return a scale of equal distances that holds all values and nothing else."""
    known = list(values)
    low, high = min(known), max(known)
    if high - low < 1e-12:
        low, high = low - 0.5, high + 0.5
    step = _round_step((high - low) / most)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    ticks = tuple((k * step, f"{k * step:.6g}") for k in range(first, last + 1))
    return Scale(low, high, start, end, float, ticks)


def _round_step(step: float) -> float:
    power = 10.0 ** math.floor(math.log10(step))
    return next(power * size for size in ROUND if power * size >= step * (1 - 1e-9))


def log_scale(values: Iterable[float], start: float, end: float) -> Scale:
    """Return a scale of equal ratios that holds all values above 0."""
    known = [value for value in values if value > 0] or [0.1, 1.0]
    low, high = math.floor(math.log10(min(known))), math.ceil(math.log10(max(known)) - 1e-9)
    high = max(high, low + 1)
    every = -(-(high - low) // 5)
    ticks = tuple((10.0**k, f"{10.0**k:g}") for k in range(low, high + 1, every))
    return Scale(10.0**low, 10.0**high, start, end, math.log10, ticks)


def asinh_scale(values: Iterable[float], unit: float, start: float, end: float) -> Scale:
    """Return a scale that is linear within `unit` of 0 and of equal ratios beyond."""
    known = [0.0, *values]
    low, high = min(known), max(known)
    high = high * 1.15 if high > 0 else unit
    low = low * 1.15
    ticks = [-tick for tick in reversed(_decades(unit, -low))] + [0.0, *_decades(unit, high)]
    named = tuple((tick, f"{tick:g}") for tick in ticks)
    return Scale(low, high, start, end, lambda value: math.asinh(value / unit), named)


def _decades(unit: float, most: float) -> list[float]:
    """Return powers of ten from the unit on, at most five."""
    if most <= unit:
        return []
    first, last = math.ceil(math.log10(unit)), math.floor(math.log10(most))
    powers = list(range(first, last + 1))
    every = -(-len(powers) // 4) if powers else 1
    return [10.0**power for power in powers[::every]]
