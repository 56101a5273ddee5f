"""H(Z) and H(Z, y) from matrices reduced to a band, as closely as a question asks.

A band costs a third to a half of the eigenvalues, and is kept while more determinants of it bring
the bounds closer, see `_log_dets`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from renyi._typing import FloatArray
from renyi.backend import Backend, Bands
from renyi.bounds._log_dets import deficit, plan_for
from renyi.bounds._pair import Pair
from renyi.bounds._question import Question
from renyi.bounds._side import Side
from renyi.entropies import (
    LN2,
    Counts,
    LowRank,
    Problem,
    Series,
    Solution,
    Solver,
    entropy_of_spectrum,
    matrix_in_words,
    rounding_slack,
)
from renyi.factors import RESIDUAL
from renyi.kernels import KernelPart, KernelProduct

__all__ = ["BAND_ALPHA", "BAND_ROWS", "BAND_SHARE", "band_deficit", "banded", "bands_serve"]

BAND_ROWS: Final = 160
"""Rows of a block below which eigenvalues are as cheap as a band."""

BAND_ALPHA: Final = 1.2
"""Order up to which it serves: determinants at large shifts weigh t^alpha, and so does rounding."""

LEAST_TOLERANCE: Final = 1e-7
"""Bits: rounding of the determinants of some thousand rows takes a tenth of it."""

BAND_SHARE: Final = 0.45
"""Cost of a band and its determinants over that of eigenvalues."""

COARSE: Final = 1e-4
"""Nats that either end of the first rule may be off."""

COARSE_BITS: Final = 5e-4
"""Tolerance from which the first rule mostly suffices: it leaves some 2e-4 bits."""

FINE: Final = 3e-5
"""The same for a part of a matrix, which is small."""

FINE_SHARE: Final = 1 / 32
"""Of the tolerance, what either end of the last rule may be off: two entropies have two each."""

CLOSE: Final = 1e-10
"""Bits that a series may be off: less than what makes a tie."""

BEFORE: Final[tuple[Solver, ...]] = (Counts(), Series(), LowRank(alone=True))
"""What is less work than a band wherever it serves."""


def bands_serve(alpha: float, backend: Backend, question: Question) -> bool:
    """Return whether bands are to be had, and good for an order and a question."""
    return (
        1 <= alpha <= BAND_ALPHA
        and (question.open or question.tolerance >= LEAST_TOLERANCE)
        and backend.bands() is not None
    )


def banded(
    base: KernelProduct, label: KernelPart, alpha: float, backend: Backend, question: Question
) -> Pair | None:
    """Return the pair of a product and of it with the label, as far as the question needs.

    Parameters
    ----------
    base
        Z, without weights.
    label
        The target's part.
    alpha
        Order.
    backend
        Where bands come from.
    question
        What must be known.

    Returns
    -------
    Pair or None
        None where it does not serve, or cannot be as close as is asked.

    Raises
    ------
    BackendError
        If memory does not suffice.
    """
    bands = backend.bands()
    if bands is None or not bands_serve(alpha, backend, question):
        return None
    problems = [Problem(one, alpha, RESIDUAL, CLOSE) for one in (base, base.times(label))]
    largest = int(max(problem.largest for problem in problems))
    if largest < BAND_ROWS:
        return None
    closed = [_without_band(problem, backend) for problem in problems]

    def work(_: Sequence[None]) -> list[list[_Known]]:
        if closed == [None, None] and label.is_hard and _same_rows(problems):
            return [_nested(problems, label, backend, bands)]
        return [
            [
                known or _reduced(problem, backend, bands)
                for problem, known in zip(problems, closed, strict=True)
            ]
        ]

    try:
        known = backend.guarded(work, [None], what=matrix_in_words(largest))[0]
        return _answer(known, question, len(base))
    except np.linalg.LinAlgError:
        # rounding left an eigenvalue below minus the smallest shift: eigenvalues say what it is
        return None


def band_deficit(
    blocks: Sequence[FloatArray],
    rest: float,
    alpha: float,
    entry_error: float,
    backend: Backend,
    bands: Bands,
) -> tuple[float, float]:
    """Return certain bounds on Q = (1 - tr A^alpha) / (alpha - 1), nats, see `_log_dets`.

    Parameters
    ----------
    blocks
        Of A, symmetric (m, m).
    rest
        One more eigenvalue, with which the trace is 1.
    alpha
        Order, from 1 to `BAND_ALPHA`.
    entry_error
        Error of the kernel values in A.
    backend, bands
        Where eigenvalues, and bands, come from.
    """
    parts = _Parts(alpha, entry_error, backend, bands)
    parts.add_lone(np.array([rest]))
    for block in blocks:
        parts.add(np.array(block, order="C"))
    found = parts.spectrum().entropy(FINE)
    p = alpha - 1
    lower, upper = (
        bits * LN2 if p == 0 else -math.expm1(-p * bits * LN2) / p
        for bits in (found.lower, found.upper)
    )
    return lower, upper


def _same_rows(problems: Sequence[Problem]) -> bool:
    """Return whether rows that are equal without the label are equal with it."""
    return problems[0].product.distinct == problems[1].product.distinct


def _answer(known: Sequence[_Known], question: Question, rows: int) -> Pair | None:
    by_band = any(isinstance(one, _Spectrum) for one in known)

    def pair(error: float) -> Pair:
        features, joint = (one.entropy(error) for one in known)
        return Pair(features, joint, None, rows if by_band else 0, exact=not by_band)

    if question.open or question.tolerance >= COARSE_BITS or not by_band:
        coarse = pair(COARSE)
        if question.answered(coarse) or not by_band:
            return coarse
    if question.tolerance < LEAST_TOLERANCE:
        return None
    fine = pair(FINE_SHARE * question.tolerance * LN2)
    return fine if question.answered(fine) else None


@dataclass(frozen=True)
class _Closed:
    """An entropy that is known."""

    solution: Solution

    def entropy(self, error: float) -> Solution:  # noqa: ARG002 - as of a spectrum
        """Return it."""
        return self.solution


def _without_band(problem: Problem, backend: Backend) -> _Closed | None:
    for solver in BEFORE:
        if solver.applies(problem):
            solution = solver.solve([problem], backend)[0]
            if solution is not None:
                return _Closed(solution)
    return None


def _nested(
    problems: Sequence[Problem], label: KernelPart, backend: Backend, bands: Bands
) -> list[_Known]:
    """Return the spectra of A and of its classes, the latter cut out of the blocks of A."""
    features, joint = problems
    side = Side(features.product, joint.product, label.classes)
    whole, parts = (
        _Parts(problem.alpha, problem.product.entry_error, backend, bands) for problem in problems
    )
    for span, cuts in zip(side.blocks, side.classes, strict=True):
        if span.stop - span.start == 1:
            for both in (whole, parts):
                both.add_lone(side.weights[span])
            continue
        rows = np.arange(span.start, span.stop)
        block = side.product.subset(rows).tile(backend, slice(None), slice(None))
        root = np.sqrt(side.weights[span])
        block *= root[:, None]
        block *= root[None, :]
        if len(cuts) == 1:
            whole.add_as(parts, block)
            continue
        for cut in cuts:
            own = slice(cut.start - span.start, cut.stop - span.start)
            parts.add(block[own, own].copy())
        whole.add(block)
    return [whole.spectrum(), parts.spectrum()]


def _reduced(problem: Problem, backend: Backend, bands: Bands) -> _Known:
    lone, blocks = problem.reduced
    parts = _Parts(problem.alpha, problem.product.entry_error, backend, bands)
    parts.add_lone(lone)
    for block in blocks:
        parts.add(block.gram(backend))
    return parts.spectrum()


class _Parts:
    """A spectrum as it is put together, block by block: no more than one is kept as a matrix.

    Small blocks wait for others of their size, whose eigenvalues are found together.
    """

    def __init__(self, alpha: float, entry_error: float, backend: Backend, bands: Bands) -> None:
        self._alpha = alpha
        self._entry_error = entry_error
        self._backend = backend
        self._routines = bands
        self._known: list[FloatArray] = [np.empty(0)]
        self._bands: list[FloatArray] = []
        self._small: dict[int, list[FloatArray]] = {}

    def add_lone(self, shares: FloatArray) -> None:
        """Add blocks of one row."""
        self._known.append(shares)

    def add(self, block: FloatArray) -> None:
        """Add a block, contiguous, which is used up."""
        if len(block) < BAND_ROWS:
            self._small.setdefault(len(block), []).append(block)
        else:
            self._bands.append(self._routines.reduce(block, overwrite=True))

    def add_as(self, other: _Parts, block: FloatArray) -> None:
        """Add a block to this and to another one."""
        if len(block) < BAND_ROWS:
            other.add(block)
            self.add(block)
        else:
            self.add(block)
            other._bands.append(self._bands[-1])

    def spectrum(self) -> _Known:
        """Return what they make together: exact where none of them is large."""
        for blocks in self._small.values():
            self._known += list(self._backend.eigvalsh(np.stack(blocks)))
        values = np.maximum(np.concatenate(self._known), 0.0)
        alpha, entry_error = self._alpha, self._entry_error
        if self._bands:
            return _Spectrum(values, self._bands, self._routines, alpha, entry_error)
        return _Closed(entropy_of_spectrum(values, alpha, "eigen", entry_error=entry_error))


class _Spectrum:
    """The spectrum of blocks, of the large ones as bands."""

    def __init__(
        self,
        known: FloatArray,
        bands: Sequence[FloatArray],
        routines: Bands,
        alpha: float,
        entry_error: float,
    ) -> None:
        self._known = known
        self._bands = bands
        self._routines = routines
        self._alpha = alpha
        self._entry_error = entry_error
        self._rows = len(known) + sum(map(len, bands))
        self._squares = math.fsum([*known**2, *map(_squared_norm, bands)])

    def entropy(self, error: float) -> Solution:
        """Return the entropy, by determinants for about `error` nats."""
        alpha, rows = self._alpha, self._rows
        plan = plan_for(error, alpha, rows, self._squares)
        found = deficit(self._log_dets, plan, alpha, rows, self._squares)
        lower, value, upper = (_bits(nats, alpha) for nats in found)
        power_sum = 1 - (alpha - 1) * found.value
        slack = rounding_slack(rows, alpha, power_sum, self._entry_error)
        return Solution(value, lower - slack, upper + slack, "band")

    def _log_dets(self, shifts: FloatArray) -> FloatArray:
        total: FloatArray = np.log1p(self._known / shifts[:, None]).sum(axis=1)
        for band in self._bands:
            total += self._routines.log_dets(band, shifts)
        return total


_Known: TypeAlias = _Closed | _Spectrum


def _squared_norm(band: FloatArray) -> float:
    return 2 * float(np.sum(band**2)) - float(np.sum(band[:, 0] ** 2))


def _bits(deficit: float, alpha: float) -> float:
    """Return the entropy for Q = (1 - tr A^alpha) / (alpha - 1), see `entropy_of_spectrum`."""
    p = alpha - 1
    nats = deficit if p == 0 else -math.log1p(-p * deficit) / p
    return nats / LN2
