"""Entropies of kernel products, with bounds."""

from renyi.entropies._counted import counted_solutions, counted_values
from renyi.entropies._formula import (
    EPS,
    LN2,
    Solution,
    entropies_of_spectra,
    entropy_from_trace,
    entropy_of_spectrum,
    rounding_slack,
)
from renyi.entropies._memory import (
    FACTOR_BYTES,
    FACTOR_COPIES,
    LEAST_FACTOR_BYTES,
    WITHOUT_MATRIX,
    bytes_in_words,
    check_memory,
    factor_bytes,
    matrix_bytes,
    memory_problem,
)
from renyi.entropies._protocol import Problem, Solver
from renyi.entropies._series import Series
from renyi.entropies._solve import largest_block, needs_eigenvalues, solve, solve_many
from renyi.entropies._solvers import Counts, LowRank, eigenvalues_of, matrix_in_words
from renyi.entropies._squares import squared_conditional_bound, squared_norm

__all__ = [
    "EPS",
    "FACTOR_BYTES",
    "FACTOR_COPIES",
    "LEAST_FACTOR_BYTES",
    "LN2",
    "WITHOUT_MATRIX",
    "Counts",
    "LowRank",
    "Problem",
    "Series",
    "Solution",
    "Solver",
    "bytes_in_words",
    "check_memory",
    "counted_solutions",
    "counted_values",
    "eigenvalues_of",
    "entropies_of_spectra",
    "entropy_from_trace",
    "entropy_of_spectrum",
    "factor_bytes",
    "largest_block",
    "matrix_bytes",
    "matrix_in_words",
    "memory_problem",
    "needs_eigenvalues",
    "rounding_slack",
    "solve",
    "solve_many",
    "squared_conditional_bound",
    "squared_norm",
]
