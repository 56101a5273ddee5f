"""`renyi.measure` and its kin: entropies and information of columns and of arrays."""

from renyi.api.measuring._measure import Measurement, Quantity, measure
from renyi.api.measuring._values import conditional_mutual_information, entropy, mutual_information

__all__ = [
    "Measurement",
    "Quantity",
    "conditional_mutual_information",
    "entropy",
    "measure",
    "mutual_information",
]
