"""The solvers that are exact but for rounding, and the one by factors of low rank."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from renyi._typing import Array, FloatArray
from renyi.backend import Backend
from renyi.entropies._formula import Solution, entropy_from_trace, entropy_of_spectrum
from renyi.entropies._protocol import Cost, Problem
from renyi.entropies._squares import squared_norm
from renyi.factors import PivotedCholesky
from renyi.kernels import KernelProduct

__all__ = [
    "EIGEN_MATRICES",
    "MOST_POWER",
    "POWER_MATRICES",
    "Counts",
    "Dense",
    "Eigen",
    "LowRank",
    "Power",
    "Tiles",
    "eigenvalues_of",
    "matrix_in_words",
]

MOST_POWER: Final = 8
"""Integer alpha up to which matrix powers beat eigenvalues: at most three products."""

EIGEN_OPERATIONS: Final = 10.0
"""Eigenvalues of m rows take as long as a product of 5 m^3 multiplications and additions each."""

EIGEN_MATRICES: Final = 2.5
"""Matrices of full size alive at once for eigenvalues: the Gram, its copy, workspace."""

POWER_MATRICES: Final = 4.5
"""The same for products of powers, measured 3.2 at alpha 3 and 4.2 at alpha 7."""

ENTRY_OPERATIONS: Final = 80.0
"""A kernel value takes as long as so many operations of a product: an exponential, and memory."""

TILE_BYTES: Final = 2.0**26

LOW_RANK_ROWS: Final = 128
"""Rows below which eigenvalues are as cheap as finding a factor."""

LOW_RANK_DIMENSIONS: Final = ((1, 0), (2, 0), (3, 2000))
"""(coordinates, rows) from which a Gaussian Gram may be of low rank: at sigma 1 three coordinates
need a rank of about 400 for a residual of 1e-6, more of them nearly all rows."""

LOW_RANK_SHARE: Final = 4
"""Of a block's rows, the most rank that is tried."""

STACK_BYTES: Final = 2**26
"""Bytes of small Grams that are stacked for one call."""

GUARDED_MATRICES: Final = 5
"""Matrices that a Gram and its eigenvalues take on a device."""


class Counts:
    """Hard codes alone: the spectrum is the shares of the levels."""

    name = "counts"

    def applies(self, problem: Problem) -> bool:
        """Return whether only hard codes take part."""
        return problem.product.is_counts

    def cost(self, problem: Problem) -> Cost:
        """Return the cost of counting."""
        return Cost(float(len(problem.product)), 8.0 * problem.product.n_codes)

    def solve(
        self,
        problems: Sequence[Problem],
        backend: Backend,  # noqa: ARG002 - as the others
    ) -> list[Solution | None]:
        """Solve each."""
        return [
            entropy_of_spectrum(
                problem.product.counts() / problem.product.total, problem.alpha, self.name
            )
            for problem in problems
        ]


class Tiles:
    """Alpha 2: the sum of all squared entries, tile by tile."""

    name = "tiles"

    def applies(self, problem: Problem) -> bool:
        """Return whether the order is 2."""
        return problem.alpha == 2

    def cost(self, problem: Problem) -> Cost:
        """Return the cost of half of all kernel values."""
        entries = float(np.sum(problem.sizes**2)) / 2
        return Cost(entries * ENTRY_OPERATIONS, TILE_BYTES)

    def solve(self, problems: Sequence[Problem], backend: Backend) -> list[Solution | None]:
        """Solve each."""
        return [self._solve(problem, backend) for problem in problems]

    def _solve(self, problem: Problem, backend: Backend) -> Solution:
        lone, blocks = problem.reduced
        total = float(np.sum(lone**2)) + sum(squared_norm(block, backend) for block in blocks)
        return _from_trace(problem, total, self.name)


class Power:
    """Integer alpha: the trace of a matrix power, by a few matrix products.

    Parameters
    ----------
    most
        Largest alpha.
    """

    name = "power"

    def __init__(self, *, most: int = MOST_POWER) -> None:
        self._most = most

    def applies(self, problem: Problem) -> bool:
        """Return whether the order is an integer from 2 that needs few products."""
        alpha = problem.alpha
        return alpha == int(alpha) and 2 <= alpha <= self._most

    def cost(self, problem: Problem) -> Cost:
        """Return the cost of the products."""
        products = _products(int(problem.alpha))
        operations = products * 2 * problem.sizes**3 + ENTRY_OPERATIONS * problem.sizes**2
        return Cost(float(np.sum(operations)), POWER_MATRICES * 8 * problem.largest**2)

    def solve(self, problems: Sequence[Problem], backend: Backend) -> list[Solution | None]:
        """Solve each."""
        return [self._solve(problem, backend) for problem in problems]

    def _solve(self, problem: Problem, backend: Backend) -> Solution:
        lone, blocks = problem.reduced
        alpha = int(problem.alpha)

        def traces(some: Sequence[KernelProduct]) -> list[float]:
            return [_trace_of_power(block, alpha, backend) for block in some]

        total = float(np.sum(lone**alpha)) + sum(
            backend.guarded(traces, [block], what=matrix_in_words(len(block)))[0]
            for block in blocks
        )
        return _from_trace(problem, total, self.name)


def _from_trace(problem: Problem, total: float, name: str) -> Solution:
    product, alpha = problem.product, problem.alpha
    return entropy_from_trace(total, product.total, alpha, name, 2 * alpha * product.entry_error)


def _products(alpha: int) -> int:
    """Return how many matrix products tr A^alpha takes."""
    half = alpha // 2
    return half.bit_length() - 1 + half.bit_count() - 1 + alpha % 2


def _trace_of_power(block: KernelProduct, alpha: int, backend: Backend) -> float:
    """Return tr A^alpha of one block: the inner product of two matrix powers."""
    gram = block.gram(backend)
    half = _power(gram, alpha // 2)
    other = half if alpha % 2 == 0 else half @ gram
    return float(backend.xp.sum(half * other))


def _power(gram: Array, exponent: int) -> Array:
    if exponent == 1:
        return gram
    half = _power(gram, exponent // 2)
    square = half @ half
    return square if exponent % 2 == 0 else square @ gram


class Dense:
    """The eigenvalues of the whole Gram, without any shortcut."""

    name = "dense"

    def applies(self, problem: Problem) -> bool:  # noqa: ARG002 - as the others
        """Return True: there is no product that it cannot do."""
        return True

    def cost(self, problem: Problem) -> Cost:
        """Return the cost of all n rows."""
        return eigen_cost(np.array([float(len(problem.product))]))

    def solve(self, problems: Sequence[Problem], backend: Backend) -> list[Solution | None]:
        """Solve each, one matrix at a time."""
        found: list[Solution | None] = []
        for problem in problems:
            product = problem.product
            values = _eigenvalues([product], backend)[0]
            found.append(
                entropy_of_spectrum(
                    values, problem.alpha, self.name, entry_error=product.entry_error
                )
            )
        return found


def eigen_cost(sizes: FloatArray) -> Cost:
    """Return the cost of the eigenvalues of blocks."""
    operations = EIGEN_OPERATIONS * sizes**3 + ENTRY_OPERATIONS * sizes**2
    return Cost(float(np.sum(operations)), EIGEN_MATRICES * 8 * float(sizes.max(initial=0)) ** 2)


@dataclass
class _Spectrum:
    """Eigenvalues found so far, and the trace that low rank left out."""

    parts: list[FloatArray] = field(default_factory=list)
    residual: float = 0.0
    solver: str = "eigen"
    given_up: bool = False


class Eigen:
    """Eigenvalues of distinct rows, block by block; equal sizes are stacked across problems."""

    name = "eigen"

    def applies(self, problem: Problem) -> bool:  # noqa: ARG002 - as the others
        """Return True: it only drops what is zero or equal."""
        return True

    def cost(self, problem: Problem) -> Cost:
        """Return the cost of the blocks."""
        return eigen_cost(problem.sizes)

    def solve(self, problems: Sequence[Problem], backend: Backend) -> list[Solution | None]:
        """Solve all, small eigenproblems of equal size in one call."""
        return _by_spectra(problems, backend, None)


def _by_spectra(
    problems: Sequence[Problem],
    backend: Backend,
    by_factor: Callable[[KernelProduct, Problem, _Spectrum, Backend], bool] | None,
) -> list[Solution | None]:
    """Solve by eigenvalues, of factors where `by_factor` adds them to the spectrum."""
    spectra = [_Spectrum([problem.reduced[0]]) for problem in problems]
    by_size: dict[int, list[tuple[int, KernelProduct]]] = {}
    for number, problem in enumerate(problems):
        for block in problem.reduced[1]:
            if by_factor is None or not by_factor(block, problem, spectra[number], backend):
                by_size.setdefault(len(block), []).append((number, block))
    for waiting in by_size.values():
        members = [one for one in waiting if not spectra[one[0]].given_up]
        rows = _eigenvalues([block for _, block in members], backend)
        for (number, _), values in zip(members, rows, strict=True):
            spectra[number].parts.append(values)
    return [
        None
        if spectrum.given_up
        else entropy_of_spectrum(
            np.concatenate(spectrum.parts),
            problem.alpha,
            spectrum.solver,
            spectrum.residual,
            problem.product.entry_error,
        )
        for problem, spectrum in zip(problems, spectra, strict=True)
    ]


def _eigenvalues(blocks: Sequence[KernelProduct], backend: Backend) -> list[FloatArray]:
    """Return the eigenvalues of blocks of one size."""
    if not blocks:
        return []
    size = len(blocks[0])

    def work(some: Sequence[KernelProduct]) -> list[FloatArray]:
        grams = [block.gram(backend) for block in some]
        stack = grams[0][None, ...] if len(grams) == 1 else backend.xp.stack(grams)
        return list(backend.to_host(backend.eigvalsh(stack)))

    most = max(1, STACK_BYTES // (8 * size * size))
    found: list[FloatArray] = []
    for start in range(0, len(blocks), most):
        found += backend.guarded(
            work,
            blocks[start : start + most],
            item_bytes=GUARDED_MATRICES * 8 * size * size if backend.name != "numpy" else 0,
            what=matrix_in_words(size),
        )
    return found


def eigenvalues_of(matrix: FloatArray, backend: Backend) -> FloatArray:
    """Return the eigenvalues of one symmetric matrix (m, m), ascending, shape (m,)."""

    def work(some: Sequence[FloatArray]) -> list[FloatArray]:
        return [backend.to_host(backend.eigvalsh(backend.to_device(one[None])))[0] for one in some]

    return backend.guarded(work, [matrix], what=matrix_in_words(len(matrix)))[0]


def matrix_in_words(size: int) -> str:
    """Return what the memory of a device did not suffice for, in words."""
    return f"a matrix of {size} x {size} and the work on it"


class LowRank:
    """Eigenvalues from factors of low rank, alpha at least 1.

    With K = L L' but for a residual, the eigenvalues of W^1/2 L L' W^1/2 / n are those of the
    small matrix L' W L / n, and zeros. Below alpha 1 the residual would weigh too much.

    Parameters
    ----------
    always
        Whether every block is to have a factor, whatever its rank.
    alone
        Whether to give a problem up where a large block has none.
    """

    name = "low-rank"

    def __init__(self, *, always: bool = False, alone: bool = False) -> None:
        self._always = always
        self._alone = alone

    def applies(self, problem: Problem) -> bool:
        """Return whether a block may be of low rank, or has a Gaussian kernel if `always`."""
        if problem.alpha < 1:
            return False
        if self._always:
            return problem.product.may_factor
        return any(self._promising(block) for block in problem.reduced[1])

    def cost(self, problem: Problem) -> Cost:
        """Return the cost of factors of a twelfth of the rows, and eigenvalues of the others."""
        promising = np.array([self._promising(b) for b in problem.reduced[1]], dtype=bool)
        own, rest = problem.sizes[promising], eigen_cost(problem.sizes[~promising])
        operations = 2 * own * (own / 12) ** 2
        bytes_ = 8 * float(own.max(initial=0.0)) ** 2 / LOW_RANK_SHARE
        return Cost(float(np.sum(operations)) + rest.operations, max(bytes_, rest.bytes))

    def solve(self, problems: Sequence[Problem], backend: Backend) -> list[Solution | None]:
        """Solve all; blocks without a factor by eigenvalues.

        A problem that a solver without eigenvalues can have as well is left to that one.
        """
        return _by_spectra(problems, backend, self._by_factor)

    def _promising(self, block: KernelProduct) -> bool:
        least = max(dict(LOW_RANK_DIMENSIONS).get(block.dimensions, math.inf), LOW_RANK_ROWS)
        return self._always or (len(block) >= least and block.by_coordinates)

    def _by_factor(
        self, block: KernelProduct, problem: Problem, spectrum: _Spectrum, backend: Backend
    ) -> bool:
        """Add the spectrum of a block from a factor, if it has one."""
        if not self._promising(block):
            spectrum.given_up |= self._alone and len(block) >= LOW_RANK_ROWS
        if spectrum.given_up or not self._promising(block):
            return spectrum.given_up
        m = len(block)
        factor = PivotedCholesky(block.coordinates, tiled=block.tiled)
        if not factor.extend(m if self._always else m // LOW_RANK_SHARE, largest=problem.residual):
            # at a whole alpha tiles or powers are far less work than eigenvalues
            leaves = self._alone or Power().applies(problem)
            spectrum.given_up = not self._always and leaves
            return spectrum.given_up
        left = factor.factor / math.sqrt(block.total)
        if block.weights is not None:
            left *= np.sqrt(block.weights)
        spectrum.parts.append(eigenvalues_of(left @ left.T, backend))
        mass = float(m if block.weights is None else block.weights.sum())
        spectrum.residual += factor.largest * mass / block.total
        spectrum.solver = self.name
        return True
