"""Plug-in Shannon entropies of counted levels, in bits."""

from renyi.shannon._chi_square import ChiSquareModel, DeltaMI, chi_square_quantile
from renyi.shannon._plugin import (
    conditional_mutual_information,
    entropy,
    joint_codes,
    levels,
    mutual_information,
)

__all__ = [
    "ChiSquareModel",
    "DeltaMI",
    "chi_square_quantile",
    "conditional_mutual_information",
    "entropy",
    "joint_codes",
    "levels",
    "mutual_information",
]
