"""Plug-in Shannon entropies of counted levels, in bits."""

from renyi.shannon._plugin import (
    conditional_mutual_information,
    entropy,
    joint_codes,
    levels,
    mutual_information,
)

__all__ = [
    "conditional_mutual_information",
    "entropy",
    "joint_codes",
    "levels",
    "mutual_information",
]
