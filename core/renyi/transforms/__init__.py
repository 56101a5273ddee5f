"""Put columns on a common scale, or cut them into levels."""

from renyi.transforms._bins import bin_codes, discretise
from renyi.transforms._scale import standardise

__all__ = ["bin_codes", "discretise", "standardise"]
