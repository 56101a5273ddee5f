"""Entropy, mutual information and conditional mutual information by chain rules."""

from renyi.entropies import Pair, Question
from renyi.information._candidate_sums import CandidateSums, chance_information
from renyi.information._drawn_sums import DrawnSums, sums_of
from renyi.information._engine import EXACT_BITS, InformationEngine
from renyi.information._pair_sums import PairSums
from renyi.information._proxies import proxies
from renyi.information._single_sums import SingleSums

__all__ = [
    "EXACT_BITS",
    "CandidateSums",
    "DrawnSums",
    "InformationEngine",
    "Pair",
    "PairSums",
    "Question",
    "SingleSums",
    "chance_information",
    "proxies",
    "sums_of",
]
