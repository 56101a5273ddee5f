"""The delta-MI chi-square statistic on levels.

Under independence of x and y given S', 2 N ln2 I(x; y | S') in bits is asymptotically
chi-square with (r_x - 1)(r_y - 1) prod_{j in S'} r_j degrees of freedom, r being the levels seen
(Vinh, Chan, Bailey, "Reconsidering mutual information based feature selection", AAAI 2014).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from renyi._typing import IntArray
from renyi.shannon._plugin import conditional_mutual_information, joint_codes
from renyi.transforms import discretise
from renyi.variables import Dataset

__all__ = ["ChiSquareModel", "DeltaMI", "chi_square_quantile"]

MOST_DEGREES: Final = 1e300
"""Degrees of freedom stay finite, as a result's JSON has to be, however many features."""


def chi_square_quantile(significance: float, degrees: float) -> float:
    """Return the value that a chi-square variable exceeds with probability `significance`.

    Examples
    --------
    >>> round(chi_square_quantile(0.05, 1.0), 4)
    3.8415
    """
    if degrees <= 0:
        return 0.0
    if degrees > 1e12:  # far beyond any statistic; the inverse gamma function loses its footing
        return degrees
    from scipy.special import gammainccinv

    return 2.0 * float(gammainccinv(degrees / 2.0, significance))


@dataclass(frozen=True, slots=True)
class DeltaMI:
    """What one more feature adds on discretised data.

    Attributes
    ----------
    information
        Plug-in I(x; y | S'), bits.
    statistic
        2 N ln2 times it.
    degrees
        Degrees of freedom.
    quantile
        Of the chi-square law at 1 - significance.
    """

    information: float
    statistic: float
    degrees: float
    quantile: float

    def gain(self, n: int) -> float:
        """Return the information less what independence explains, bits (the authors' score)."""
        return (self.statistic - self.quantile) / (2 * n * math.log(2))


class ChiSquareModel:
    """Discretised columns, and the statistic of any candidate given any set.

    Parameters
    ----------
    dataset
        The data; a continuous target is discretised like the features.
    bins, binning
        How continuous columns are cut.
    significance
        Level of the test.
    """

    def __init__(
        self,
        dataset: Dataset,
        bins: int,
        binning: Literal["width", "frequency"],
        significance: float,
    ) -> None:
        self._dataset = dataset
        self._bins, self._binning = bins, binning
        self._significance = significance
        self._codes: dict[int, IntArray] = {}
        self._target = discretise(dataset.target, bins, binning)
        self._joint: dict[frozenset[int], IntArray | None] = {frozenset(): None}

    def codes(self, feature: int) -> IntArray:
        """Return a feature's levels 0..L-1, shape (n,)."""
        if feature not in self._codes:
            variable = self._dataset.features[feature]
            self._codes[feature] = discretise(variable, self._bins, self._binning)
        return self._codes[feature]

    def levels(self, feature: int) -> int:
        """Return how many levels of a feature occur."""
        return int(self.codes(feature).max()) + 1

    def _given(self, selected: frozenset[int]) -> IntArray | None:
        if selected not in self._joint:
            self._joint[selected] = joint_codes(*(self.codes(j) for j in sorted(selected)))
        return self._joint[selected]

    def delta(self, feature: int, selected: Iterable[int]) -> DeltaMI:
        """Return what `feature` adds to `selected` about the target."""
        before = frozenset(selected)
        information = conditional_mutual_information(
            self.codes(feature), self._target, self._given(before)
        )
        degrees = float((self.levels(feature) - 1) * int(self._target.max()))
        for j in before:
            degrees = min(degrees * self.levels(j), MOST_DEGREES)
        information = max(information, 0.0)  # the plug-in value is never below 0 but for rounding
        statistic = 2 * self._dataset.n * math.log(2) * information
        return DeltaMI(
            information, statistic, degrees, chi_square_quantile(self._significance, degrees)
        )
