"""H(Z) and H(Z, y) from matrices reduced to a band, as closely as a question asks.

A band costs a third to a half of the eigenvalues, and is kept while more determinants of it bring
the bounds closer, see `_log_dets`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.backend import Backend, Bands
from renyi.entropies._cholesky import RESIDUAL
from renyi.entropies._formula import LN2, Solution, rounding_slack
from renyi.entropies._log_dets import deficit, plan_for
from renyi.entropies._pair import Pair
from renyi.entropies._protocol import Problem, Solver
from renyi.entropies._question import Question
from renyi.entropies._series import Series
from renyi.entropies._side import Side
from renyi.entropies._solvers import Counts, eigenvalues_of
from renyi.kernels import KernelPart, KernelProduct

__all__ = ["BAND_SHARE", "banded", "bands_serve"]

LEAST_ROWS: Final = 160
"""Rows of a block below which eigenvalues are as cheap as a band."""

MOST_ALPHA: Final = 1.2
"""Order up to which it serves: determinants at large shifts weigh t^alpha, and so does rounding."""

BAND_SHARE: Final = 0.45
"""Cost of a band and its determinants over that of eigenvalues."""

COARSE: Final = 1e-4
"""Nats that either end of the first rule may be off."""

FINE_SHARE: Final = 1 / 32
"""Of the tolerance, what either end of the last rule may be off: two entropies have two each."""

CLOSE: Final = 1e-10
"""Bits that a series may be off: less than what makes a tie."""

BEFORE: Final[tuple[Solver, ...]] = (Counts(), Series())
"""What is less work than a band wherever it applies."""


def bands_serve(alpha: float, backend: Backend) -> bool:
    """Return whether bands are to be had, and good for an order."""
    return 1 <= alpha <= MOST_ALPHA and backend.bands() is not None


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
    """
    bands = backend.bands()
    if bands is None or not bands_serve(alpha, backend):
        return None
    products = (base, base.times(label))
    found = [_without_band(Problem(one, alpha, RESIDUAL, CLOSE), backend) for one in products]
    if None not in found:
        return None
    if found == [None, None] and label.codes is not None and base.distinct == products[1].distinct:
        blocks = _nested(base, products[1], label.codes, backend)
    else:
        blocks = [
            _blocks(one, backend) if known is None else []
            for one, known in zip(products, found, strict=True)
        ]
    if max((len(block) for own in blocks for block in own), default=0) < LEAST_ROWS:
        return None
    # the joint first: its blocks may be cut out of the others, which are used up
    joint, features = (
        known or _Spectrum(own, alpha, one.entry_error, backend, bands)
        for own, one, known in zip(blocks[::-1], products[::-1], found[::-1], strict=True)
    )

    def pair(error: float) -> Pair:
        return Pair(features.entropy(error), joint.entropy(error), None, len(base))

    if question.open:
        coarse = pair(COARSE)
        if question.answered(coarse):
            return coarse
    fine = pair(FINE_SHARE * question.tolerance * LN2)
    return fine if question.answered(fine) else None


class _Known(Protocol):
    """What gives an entropy within about so many nats."""

    def entropy(self, error: float) -> Solution: ...


@dataclass(frozen=True)
class _Closed:
    """An entropy that is known."""

    solution: Solution

    def entropy(self, error: float) -> Solution:  # noqa: ARG002 - as of a spectrum
        return self.solution


def _without_band(problem: Problem, backend: Backend) -> _Closed | None:
    for solver in BEFORE:
        if solver.applies(problem):
            solution = solver.solve([problem], backend)[0]
            if solution is not None:
                return _Closed(solution)
    return None


def _nested(
    base: KernelProduct, with_label: KernelProduct, classes: IntArray, backend: Backend
) -> list[list[FloatArray]]:
    """Return the blocks of A, and those of its classes cut out of them.

    Equal rows have equal labels here.
    """
    side = Side(base, with_label, classes)
    whole: list[FloatArray] = []
    parts: list[FloatArray] = []
    for span, cuts in zip(side.blocks, side.classes, strict=True):
        rows = np.arange(span.start, span.stop)
        block = side.product.subset(rows).tile(backend, slice(None), slice(None))
        root = np.sqrt(side.weights[span])
        block *= root[:, None]
        block *= root[None, :]
        whole.append(block)
        for cut in cuts:
            own = slice(cut.start - span.start, cut.stop - span.start)
            parts.append(block[own, own])
    return [whole, parts]


def _blocks(product: KernelProduct, backend: Backend) -> list[FloatArray]:
    lone, blocks = product.reduced()
    own = [block.gram(backend) for block in blocks]
    return [*own, *(lone / product.total)[:, None, None]]


class _Spectrum:
    """The spectrum of blocks, of the large ones as bands."""

    def __init__(
        self,
        blocks: Sequence[FloatArray],
        alpha: float,
        entry_error: float,
        backend: Backend,
        bands: Bands,
    ) -> None:
        small = [block for block in blocks if len(block) < LEAST_ROWS]
        self._known = np.maximum(np.concatenate([np.empty(0), *_values(small, backend)]), 0.0)
        self._bands = [
            bands.reduce(block, overwrite=block.base is None)
            for block in blocks
            if len(block) >= LEAST_ROWS
        ]
        self._routines = bands
        self._alpha = alpha
        self._entry_error = entry_error
        self._rows = len(self._known) + sum(map(len, self._bands))
        self._squares = math.fsum([*self._known**2, *map(_squared_norm, self._bands)])

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


def _values(blocks: Iterable[FloatArray], backend: Backend) -> Iterator[FloatArray]:
    for block in blocks:
        yield block[0] if len(block) == 1 else eigenvalues_of(block, backend)


def _squared_norm(band: FloatArray) -> float:
    return 2 * float(np.sum(band**2)) - float(np.sum(band[:, 0] ** 2))


def _bits(deficit: float, alpha: float) -> float:
    """Return the entropy for Q = (1 - tr A^alpha) / (alpha - 1), see `entropy_of_spectrum`."""
    p = alpha - 1
    nats = deficit if p == 0 else -math.log1p(-p * deficit) / p
    return nats / LN2
