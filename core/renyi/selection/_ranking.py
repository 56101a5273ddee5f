"""Candidates ranked by what they gain above chance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from renyi._typing import FloatArray
from renyi.information import CandidateSums
from renyi.racing import TIE_BITS, best_two

__all__ = ["Ranked", "by_chance", "rank_above_chance"]


@dataclass(frozen=True, slots=True)
class Ranked:
    """The best candidate and the runner-up.

    Attributes
    ----------
    best, second
        Places among the candidates; `second` is None for a lone one.
    gap
        By how many of its standard deviations the best one is ahead, in bits.
    z
        Standardised gain of the best one.
    chance, deviation
        What chance gives it, and how far that spreads, bits.
    """

    best: int
    second: int | None
    gap: float
    z: float
    chance: float
    deviation: float


def rank_above_chance(sums: CandidateSums) -> Ranked:
    """Rank the candidates of a step by how many standard deviations they gain above chance.

    What bounds leave open is computed exactly; ties within 1e-9 bits go to the lowest column.

    Parameters
    ----------
    sums
        Those of the candidates.
    """
    deviation = sums.chance.deviation
    conditional, blur = (values.copy() for values in sums.observed)
    while True:
        z, slack = sums.standardised(conditional), blur / deviation
        open_ones = (blur > 0) & (z + slack >= _second(z - slack) - sums.tie)
        if not open_ones.any():
            break
        places = np.flatnonzero(open_ones).tolist()
        conditional[places] = sums.exactly(places, None)
        blur[places] = 0.0
    # ties are told in bits
    best, second = best_two((z * (TIE_BITS / sums.tie)).tolist())
    return Ranked(
        best,
        second,
        0.0 if second is None else float((z[best] - z[second]) * deviation[best]),
        float(z[best]),
        float(sums.chance.gain[best]),
        float(deviation[best]),
    )


def by_chance(sums: CandidateSums, feature: int, gain: float) -> dict[str, float | None]:
    """Return what chance gives a candidate's gain, bits, and how far the gain is above it.

    Parameters
    ----------
    sums
        Those of the candidates.
    feature
        One of them.
    gain
        Its gain, bits.
    """
    place = sums.candidates.index(feature)
    conditional = sums.pairs([place])[0].conditional
    above = sums.before - conditional - float(sums.chance.gain[place])
    return {"chance": gain - above, "z": above / float(sums.chance.deviation[place])}


def _second(values: FloatArray) -> float:
    """Return the second largest value, minus infinity where there is none."""
    return float(np.partition(values, -2)[-2]) if len(values) > 1 else float("-inf")
