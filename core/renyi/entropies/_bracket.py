"""H(Z) and H(Z, y) between certain bounds, refined only until a question is answered.

A factor of low rank gives the spectra of A_k and of its class blocks, see `_bounds`. While the
bounds leave the question open the rank is raised, from where it is; once eigenvalues of the whole
matrix would be cheaper, or the spectrum is no longer low enough, the answer is None and the caller
solves.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.backend import Backend
from renyi.entropies._bounds import (
    Bound,
    conditional_from_gain,
    entropy_bounds,
    gain_bounds,
    gain_of,
    sum_slack,
)
from renyi.entropies._formula import EPS, Solution
from renyi.entropies._pair import Pair
from renyi.entropies._pivoted import PivotedCholesky
from renyi.entropies._tangent import Tangent
from renyi.entropies._tiles import spans
from renyi.kernels import KernelPart, KernelProduct

__all__ = ["Question", "bracket", "certifies"]

LEAST_ROWS: Final = 192
"""Rows of the largest block below which eigenvalues are as cheap as a factor."""

FIRST_RESIDUAL: Final = 0.1
"""Share of the trace left out at first: a tenth moves H(y | Z) itself by a hundredth."""

TANGENT_LOSS: Final = 0.5
"""Bits that the tangent may miss for a residual of 1: observed 0.1 to 0.35."""

LEAST_STEP: Final = 3.0
MOST_STEP: Final = 8.0
"""By how much the residual falls from one try to the next: the rank then grows by half or so."""

VECTORS: Final = 3.0
"""Cost of eigenvectors over that of eigenvalues alone."""

PRODUCT: Final = 0.25
"""Cost of an m x m x k product over an eigenvalue problem of as many operations."""

ROWS: Final = 2**13
"""Rows of a factor that are scaled at once."""

MOST_BYTES: Final = 2**30
"""Bytes of a factor beyond which it is given up."""

RANK_GROWTH: Final = 1.5
"""How much larger a rank may be on all rows than on some thousands of them."""

GIVE_UP: Final = 0.7
"""Share of the cost of eigenvalues up to which a factor is the better way to a value."""

OPEN_GIVE_UP: Final = 0.4
"""The same for bounds that may not answer, and would then have been for nothing."""


@dataclass(frozen=True, slots=True)
class Question:
    """What has to be known of H(y | Z).

    Attributes
    ----------
    tolerance
        Bits; enough whatever else is asked. For all of H(Z), H(Z, y) and H(y | Z).
    above
        Enough to know that H(y | Z) is above this; infinity where that is no answer.
    below
        Enough to know that it is below this; minus infinity where that is none.
    rough
        Whether the first estimate, whatever its bounds, is enough.
    """

    tolerance: float
    above: float = math.inf
    below: float = -math.inf
    rough: bool = False

    @property
    def open(self) -> bool:
        """Whether less than the value may be enough."""
        return self.rough or self.above < math.inf or self.below > -math.inf

    def answered(self, pair: Pair) -> bool:
        """Return whether a pair's bounds suffice."""
        if self.rough or pair.lower > self.above or pair.upper < self.below:
            return True
        errors = (pair.features.error, pair.joint.error, pair.error)
        return max(errors) <= self.tolerance

    def gap(self, value: float) -> float:
        """Return how far an estimate is on the answering side, 0 where it is between."""
        return max(value - self.above, self.below - value, 0.0)


def bracket(
    base: KernelProduct,
    label: KernelPart,
    alpha: float,
    backend: Backend,
    question: Question,
    *,
    start: float = FIRST_RESIDUAL,
    always: bool = False,
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
        Where eigenvalues and products run.
    question
        What must be known.
    start
        Residual to begin with, where it is known which one answers.
    always
        Whether to go on where eigenvalues of the whole matrices would be cheaper.

    Returns
    -------
    Pair or None
        None where those are the cheaper way, or the only one.
    """
    if alpha < 1 or base.soft or label.soft is not None or base.coordinates.shape[1] == 0:
        return None
    with_label = base.times(label)
    if label.codes is None:
        sides = [_Side(base, base, None), _Side(with_label, with_label, None)]
    else:
        sides = [_Side(base, with_label, label.codes)]
    if not always and max(side.largest_block for side in sides) < LEAST_ROWS:
        return None
    sizes = (base.distinct, with_label.distinct)
    share = OPEN_GIVE_UP if question.open else GIVE_UP
    most = math.inf if always else share * _exact_cost(sides, sizes)
    return _Bracket(sides, sizes, alpha, backend, label.distinct, most).answer(question, start)


def _exact_cost(sides: Sequence[_Side], sizes: tuple[int, int]) -> float:
    """Return the operations of eigenvalues: of blocks of distinct rows, and of their classes."""
    whole, by_class = sides[0].exact_costs
    if len(sides) > 1:
        return whole + sides[1].exact_costs[0]
    # rows are kept apart by class here; without the label fewer of them are distinct
    return whole * (sizes[0] / sizes[1]) ** 3 + (by_class or whole)


def certifies(coordinates: FloatArray, rows: int, tolerance: float) -> bool:
    """Return whether a Gram is of such low rank that its factor gives values within `tolerance`.

    Parameters
    ----------
    coordinates
        (m, d) scaled coordinates of some of its rows: the rank hardly grows beyond thousands.
    rows
        How many rows there are.
    tolerance
        Bits.
    """
    if coordinates.shape[1] == 0:
        return True
    factor = PivotedCholesky(coordinates)
    residual = _last_residual(tolerance, rows)
    most = min(len(factor) // 3, int(MOST_BYTES / (8 * RANK_GROWTH * rows)))
    return factor.extend(most, trace=residual * len(factor))


def _last_residual(tolerance: float, rows: int) -> float:
    """Return the residual that moves an entropy by no more than half the tolerance."""
    bits = math.log2(rows) - math.log2(max(tolerance, 1e-15)) + 8
    return max(tolerance / bits, 1e-13)


class _Side:
    """One Gram as blocks of rows with their factors; with a delta label, cut into classes too.

    Parameters
    ----------
    product
        Whose Gram it is.
    merged
        Whose distinct rows are kept apart: with a delta label those of the joint product.
    label
        (n,) codes of a delta label, or None.
    """

    def __init__(
        self, product: KernelProduct, merged: KernelProduct, label: IntArray | None
    ) -> None:
        first, weights = merged.merged_rows()
        self.entry_error = product.entry_error
        none = np.zeros(len(first), dtype=np.int64)
        blocks = none if product.codes is None else product.codes[first]
        classes = none if label is None else label[first]
        order = np.lexsort((classes, blocks))
        classes = classes[order]
        self.product = product.pick(first[order], None)
        self.weights = weights[order] / product.total
        self.blocks = list(_runs(blocks[order], 0))
        self.classes = [list(_runs(classes[span], span.start)) for span in self.blocks]
        self.factors = [
            PivotedCholesky(self.product.coordinates[span], self.weights[span])
            for span in self.blocks
        ]

    @property
    def largest_block(self) -> int:
        """Rows of the largest block."""
        return max(int(span.stop) - int(span.start) for span in self.blocks)

    @property
    def rank(self) -> int:
        """Largest rank of a block's factor."""
        return max(factor.rank for factor in self.factors)

    @property
    def exact_costs(self) -> tuple[float, float]:
        """Operations for the eigenvalues of the blocks, and of the classes in them."""
        cut = list(self._cut())
        whole = math.fsum(_cube(span) for span, _ in cut)
        return whole, math.fsum(_cube(part) for _, cuts in cut for part in cuts)

    def cost(self) -> float:
        """Operations for the eigenvalues at the present rank."""
        return sum(
            float(factor.rank) ** 3
            + sum(float(min(factor.rank, cut.stop - cut.start)) ** 3 for cut in cuts)
            for factor, (_, cuts) in zip(self.factors, self._cut(), strict=True)
        )

    def tangent_cost(self) -> float:
        """Operations for the tangent: eigenvectors, and one product with the Gram."""
        squares = sum(
            factor.rank * (_square(span) + sum(map(_square, cuts)))
            for factor, (span, cuts) in zip(self.factors, self._cut(), strict=True)
        )
        return VECTORS * self.cost() + PRODUCT * squares

    def _cut(self) -> Iterator[tuple[slice, list[slice]]]:
        """Yield each block with the classes in it, none where there is but one."""
        for span, cuts in zip(self.blocks, self.classes, strict=True):
            yield span, cuts if len(cuts) > 1 else []

    def extend(self, residual: float, most_cost: float) -> bool:
        """Raise ranks until the trace left out is at most `residual` of each block's."""
        for span, factor in zip(self.blocks, self.factors, strict=True):
            mass = float(self.weights[span].sum())
            # the block's own eigenvalues, and those of a class at the least
            most = int(min(most_cost / 2, 1e15) ** (1 / 3))
            most = min(most, MOST_BYTES // (8 * len(factor)))
            if not factor.extend(max(most, 1), trace=residual * mass):
                return False
        return self.cost() <= most_cost

    @property
    def residual(self) -> float:
        """Upper bound on the trace left out."""
        left = sum(factor.residual for factor in self.factors)
        return left + 16 * EPS * (1 + self.rank)

    def scaled(self, span: slice, rows: slice) -> FloatArray:
        """Return the factor of A_k of a block at some of its rows, (rank, rows)."""
        factor = self.factors[self.blocks.index(span)].factor
        own = slice(rows.start - span.start, rows.stop - span.start)
        scaled: FloatArray = factor[:, own] * np.sqrt(self.weights[rows])
        return scaled

    def small(self, span: slice, rows: slice) -> FloatArray:
        """Return a matrix with the eigenvalues of A_k's block at some rows, zeros apart."""
        rank = self.factors[self.blocks.index(span)].rank
        if rows.stop - rows.start < rank:
            left = self.scaled(span, rows)
            turned: FloatArray = np.dot(left.T, left)
            return turned
        small = np.zeros((rank, rank))
        for some in spans(rows.start, rows.stop, ROWS):  # no copy of the factor at full length
            left = self.scaled(span, some)
            small += np.dot(left, left.T)
        return small


def _cube(span: slice) -> float:
    return float(span.stop - span.start) ** 3


def _square(span: slice) -> float:
    return float(span.stop - span.start) ** 2


def _runs(codes: IntArray, start: int) -> Iterator[slice]:
    """Yield the runs of equal codes, numbered from `start`."""
    edges = np.flatnonzero(np.diff(codes)) + 1
    for first, last in zip((0, *edges.tolist()), (*edges.tolist(), len(codes)), strict=True):
        yield slice(start + first, start + last)


class _Bracket:
    """The state of one answer."""

    def __init__(
        self,
        sides: list[_Side],
        sizes: tuple[int, int],
        alpha: float,
        backend: Backend,
        classes: int,
        most_cost: float,
    ) -> None:
        self._sides = sides
        self._sizes = sizes
        self._alpha = alpha
        self._backend = backend
        self._classes = classes
        self._by_class = len(sides) == 1
        self._bounded_gain = self._by_class and alpha <= 2
        self._most = most_cost

    def answer(self, question: Question, start: float) -> Pair | None:
        """Raise the rank until the question is answered; None where that costs too much."""
        last = _last_residual(question.tolerance, max(self._sizes))
        residual = max(min(start, FIRST_RESIDUAL), last) if question.open else last
        spent = 0.0
        while all(side.extend(residual, self._most - spent) for side in self._sides):
            spent += sum(side.cost() for side in self._sides)
            pair, gain = self._pair()
            if question.answered(pair):
                return replace(pair, residual=residual)
            gap = question.gap(pair.conditional)
            if gain is not None and gap > TANGENT_LOSS * self._sides[0].residual / 2:
                cost = self._sides[0].tangent_cost()
                if spent + cost <= self._most:
                    spent += cost
                    pair = self._with_tangent(pair, gain)
                    if question.answered(pair):
                        return replace(pair, residual=residual)
            if residual <= last:
                return None
            # an estimate on the wrong side may be wrong: closer by steps, until it is certain
            wanted = gap / TANGENT_LOSS if gain is not None else 0.0
            residual = max(min(residual / LEAST_STEP, max(wanted, residual / MOST_STEP)), last)
        return None

    def _pair(self) -> tuple[Pair, Bound | None]:
        """Return the pair at the present rank, and bounds on F where they hold."""
        spectra = [self._spectra(side) for side in self._sides]
        residuals = [side.residual for side in self._sides]
        errors = [side.entry_error for side in self._sides]
        values, by_class = spectra[0] if self._by_class else (spectra[0][0], spectra[1][0])
        features = entropy_bounds(values, self._sizes[0], residuals[0], self._alpha, errors[0])
        joint = entropy_bounds(by_class, self._sizes[1], residuals[-1], self._alpha, errors[-1])
        rank = max(side.rank for side in self._sides)
        pair = Pair(features, joint, None, rank)
        if not self._bounded_gain:
            return pair, None
        known = gain_of(values, by_class, self._alpha)
        gain = gain_bounds(known, residuals[0], self._classes, self._alpha)
        return self._narrowed(pair, gain, known), gain

    def _spectra(self, side: _Side) -> tuple[FloatArray, FloatArray]:
        whole, parts = [], []
        for span, cuts in zip(side.blocks, side.classes, strict=True):
            whole.append(self._values(side.small(span, span)))
            parts += (
                [self._values(side.small(span, cut)) for cut in cuts]
                if len(cuts) > 1
                else [whole[-1]]
            )
        return np.concatenate(whole), np.concatenate(parts)

    def _values(self, small: FloatArray) -> FloatArray:
        backend = self._backend
        values: FloatArray = backend.to_host(backend.eigvalsh(backend.to_device(small[None])))[0]
        return values

    def _narrowed(self, pair: Pair, gain: Bound, known: float) -> Pair:
        """Return the pair with H(y | Z) bounded by F, where that is closer."""
        slack = sum_slack(self._sizes[1], pair.rank)
        lower = conditional_from_gain(max(gain.lower - slack, 0.0), pair.joint.lower, self._alpha)
        upper = conditional_from_gain(gain.upper + slack, pair.joint.upper, self._alpha)
        lower, upper = max(lower, pair.lower), min(upper, pair.upper)
        value = conditional_from_gain(known, pair.joint.value, self._alpha)
        value = min(max(value, lower), upper)
        return Pair(pair.features, pair.joint, Solution(value, lower, upper, "low-rank"), pair.rank)

    def _with_tangent(self, pair: Pair, gain: Bound) -> Pair:
        side = self._sides[0]
        lower = self._tangent(side)
        if lower <= gain.lower or pair.difference is None:
            return pair
        low = conditional_from_gain(lower, pair.joint.lower, self._alpha)
        found = pair.difference
        low = min(max(low, found.lower), found.upper)
        value = max(found.value, low)
        return Pair(
            pair.features, pair.joint, Solution(value, low, found.upper, "low-rank"), pair.rank
        )

    def _tangent(self, side: _Side) -> float:
        """Return the lower bound on F from the tangent at A_k + delta I, nats."""
        delta = side.residual / self._sizes[1]
        tangent = Tangent(self._alpha, delta, self._backend)
        for span, cuts in zip(side.blocks, side.classes, strict=True):
            if len(cuts) == 1:
                continue  # the same in A and P A
            for rows, sign in ((span, 1), *((cut, -1) for cut in cuts)):
                block = side.product.subset(np.arange(rows.start, rows.stop))
                tangent.add(block, side.weights[rows], side.scaled(span, rows), sign)
        return tangent.bound
