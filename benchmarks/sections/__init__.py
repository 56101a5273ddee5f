"""The parts of the benchmark page."""

from sections._growth import GROWTH, slope
from sections._limits import LIMITS
from sections._naive import AGAINST_NAIVE
from sections._peers import PEERS
from sections._scores import SCORES
from sections._shape import Case, Section, prose
from sections._shares import SHARES

__all__ = ["SECTIONS", "Case", "Section", "prose", "slope"]

SECTIONS = (LIMITS, AGAINST_NAIVE, GROWTH, SHARES, PEERS, SCORES)
"""In the order of the page."""
