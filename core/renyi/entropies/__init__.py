"""Entropies of kernel products, with bounds."""

from renyi.entropies._banded import BAND_SHARE, banded, bands_serve
from renyi.entropies._bounds import conditional_from_gain, extended_upper
from renyi.entropies._bracket import bracket, certifies
from renyi.entropies._cholesky import RESIDUAL, Factor, squared_factor
from renyi.entropies._conditional import conditional_bound
from renyi.entropies._expansion import expanded, terms_of
from renyi.entropies._forecast import LEAST_LOSS, OPENING, Opening, eased
from renyi.entropies._formula import (
    Solution,
    entropies_of_spectra,
    entropy_from_trace,
    entropy_of_spectrum,
)
from renyi.entropies._mean_tangent import CommonTangent
from renyi.entropies._memory import (
    FACTOR_COPIES,
    bytes_in_words,
    check_memory,
    factor_bytes,
    matrix_bytes,
    memory_problem,
)
from renyi.entropies._pair import Pair
from renyi.entropies._protocol import Cost, Problem, Solver
from renyi.entropies._quadratic import SINGLE_RESIDUAL, SquaredSums
from renyi.entropies._question import Question
from renyi.entropies._solve import largest_block, needs_eigenvalues, solve, solve_many
from renyi.entropies._squares import squared_conditional_bound
from renyi.entropies._stack import Extension, Stack
from renyi.entropies._tiles import runs
from renyi.entropies._variable_sums import factor_sums, part_sums

__all__ = [
    "BAND_SHARE",
    "FACTOR_COPIES",
    "LEAST_LOSS",
    "OPENING",
    "RESIDUAL",
    "SINGLE_RESIDUAL",
    "CommonTangent",
    "Cost",
    "Extension",
    "Factor",
    "Opening",
    "Pair",
    "Problem",
    "Question",
    "Solution",
    "Solver",
    "SquaredSums",
    "Stack",
    "banded",
    "bands_serve",
    "bracket",
    "bytes_in_words",
    "certifies",
    "check_memory",
    "conditional_bound",
    "conditional_from_gain",
    "eased",
    "entropies_of_spectra",
    "entropy_from_trace",
    "entropy_of_spectrum",
    "expanded",
    "extended_upper",
    "factor_bytes",
    "factor_sums",
    "largest_block",
    "matrix_bytes",
    "memory_problem",
    "needs_eigenvalues",
    "part_sums",
    "runs",
    "solve",
    "solve_many",
    "squared_conditional_bound",
    "squared_factor",
    "terms_of",
]
