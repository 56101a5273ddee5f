"""Entropy, mutual information and conditional mutual information by chain rules."""

from renyi.information._candidate_sums import (
    CandidateSums,
    chance_information,
    information_by_chance,
    rough_pair,
)
from renyi.information._computation import Computation
from renyi.information._drawn_sums import DrawnSums, sums_of
from renyi.information._entropies import SetEntropies
from renyi.information._estimated import EstimatedEntropies
from renyi.information._estimated_sums import EstimatedSums
from renyi.information._general import found_pairs
from renyi.information._plan import ROUTES, Plan, plan_of
from renyi.information._proxies import proxies
from renyi.information._shortlist import FEWEST_LISTED, Shortlist
from renyi.information._thresholds import THRESHOLDS, Thresholds

__all__ = [
    "FEWEST_LISTED",
    "ROUTES",
    "THRESHOLDS",
    "CandidateSums",
    "Computation",
    "DrawnSums",
    "EstimatedEntropies",
    "EstimatedSums",
    "Plan",
    "SetEntropies",
    "Shortlist",
    "Thresholds",
    "chance_information",
    "found_pairs",
    "information_by_chance",
    "plan_of",
    "proxies",
    "rough_pair",
    "sums_of",
]
