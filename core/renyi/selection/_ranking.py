"""Candidates ranked by what they gain above chance."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from renyi._typing import FloatArray
from renyi.information import CandidateSums
from renyi.racing import TIE_BITS, best_few, best_two

__all__ = ["Ranked", "by_chance", "few_above_chance", "rank_above_chance"]


@dataclass(frozen=True, slots=True)
class Ranked:
    """The best candidate and the runner-up.

    Attributes
    ----------
    best, second
        Places among the candidates; `second` is None for a lone one.
    gap
        By how many of its standard deviations the best one is ahead, in bits.
    second_conditional
        H(y | S', x) with the runner-up, as closely as the ranking needed it, bits; NaN for none.
    z
        Standardised gain of the best one.
    chance, deviation
        What chance gives it, and how far that spreads, bits.
    """

    best: int
    second: int | None
    gap: float
    second_conditional: float
    z: float
    chance: float
    deviation: float


def rank_above_chance(sums: CandidateSums) -> Ranked:
    """Rank the candidates of a step by how many standard deviations they gain above chance.

    What bounds leave open is computed exactly, for the best and mostly for the runner-up too; where
    one pass tells everything about a step, the runner-up is the one of its estimates. Ties within
    1e-9 bits go to the lowest column.

    Parameters
    ----------
    sums
        Those of the candidates.
    """
    deviation = sums.chance.deviation
    z, conditional = _standardised(sums, 2)
    # ties are told in bits
    best, second = best_two((z * (TIE_BITS / sums.tie)).tolist())
    return Ranked(
        best,
        second,
        0.0 if second is None else float((z[best] - z[second]) * deviation[best]),
        math.nan if second is None else float(conditional[second]),
        float(z[best]),
        float(sums.chance.gain[best]),
        float(deviation[best]),
    )


def few_above_chance(sums: CandidateSums, count: int) -> list[int]:
    """Return the places of so many best candidates, ranked as by `rank_above_chance`.

    Parameters
    ----------
    sums
        Those of the candidates.
    count
        How many.
    """
    z, _ = _standardised(sums, count)
    return best_few((z * (TIE_BITS / sums.tie)).tolist(), count)


def _standardised(sums: CandidateSums, count: int) -> tuple[FloatArray, FloatArray]:
    """Return z and H(y | S', x) of all candidates, exact where that may matter to the best few."""
    deviation = sums.chance.deviation
    conditional, blur = (values.copy() for values in sums.observed)
    while True:
        z, slack = sums.standardised(conditional), blur / deviation
        behind = np.sort(z - slack)[-count:][0 if not sums.together else -1]
        open_ones = z + slack >= behind - sums.tie
        if sums.together and open_ones.sum() == 1:
            break
        open_ones &= blur > 0
        if not open_ones.any():
            break
        places = np.flatnonzero(open_ones).tolist()
        conditional[places] = sums.exactly(places)
        blur[places] = 0.0
    return z, conditional


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
    conditional = sums.pair(place).conditional
    above = sums.before - conditional - float(sums.chance.gain[place])
    return {"chance": gain - above, "z": above / float(sums.chance.deviation[place])}
