"""Sums over pairs of rows: everything that order 2 allows without eigenvalues."""

from renyi.order2._moments import Chance, GivenSums, KernelSums, chance_of
from renyi.order2._pair_sums import PairSums
from renyi.order2._products import FactorStore, Passes, product_pairs
from renyi.order2._quadratic import SquaredSums
from renyi.order2._single_sums import SINGLY, SingleSizes, SingleSums
from renyi.order2._sizes import PASS, PassSizes
from renyi.order2._strips import SINGLE_RESIDUAL, operations_of
from renyi.order2._variable_sums import factor_sums, part_sums
from renyi.order2.columns._candidate_factors import CandidateFactors, CandidateStack
from renyi.order2.columns._expansion import expanded, terms_of
from renyi.order2.columns._long_factors import FactorRows, LongFactors
from renyi.order2.columns._stack import SINGLE_LEAST, Extension, Stack

__all__ = [
    "PASS",
    "SINGLE_LEAST",
    "SINGLE_RESIDUAL",
    "SINGLY",
    "CandidateFactors",
    "CandidateStack",
    "Chance",
    "Extension",
    "FactorRows",
    "FactorStore",
    "GivenSums",
    "KernelSums",
    "LongFactors",
    "PairSums",
    "PassSizes",
    "Passes",
    "SingleSizes",
    "SingleSums",
    "SquaredSums",
    "Stack",
    "chance_of",
    "expanded",
    "factor_sums",
    "operations_of",
    "part_sums",
    "product_pairs",
    "terms_of",
]
