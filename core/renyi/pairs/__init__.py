"""Sums of order 2 from a share of all pairs of rows, and how far off they may be."""

from renyi.pairs._design import INTERVAL, PairDesign, fewest_rows, turned
from renyi.pairs._first import FirstPass
from renyi.pairs._pass import PairPass, Shuffled

__all__ = ["INTERVAL", "FirstPass", "PairDesign", "PairPass", "Shuffled", "fewest_rows", "turned"]
