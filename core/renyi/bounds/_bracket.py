"""H(Z) and H(Z, y) between certain bounds, refined only until a question is answered.

A factor of low rank gives the spectra of A_k and of its class blocks, see `_bounds`. While the
bounds leave the question open the rank is raised, from where it is; once other ways would be
cheaper, or the spectrum is no longer low enough, the answer is None and the caller takes these.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from renyi._typing import FloatArray
from renyi.backend import Backend
from renyi.bounds._banded import BAND_ALPHA, BAND_SHARE
from renyi.bounds._bounds import (
    Bound,
    conditional_from_gain,
    entropy_bounds,
    gain_bounds,
    gain_of,
    joint_lower,
)
from renyi.bounds._compressed import compressed
from renyi.bounds._forecast import LEAST_LOSS, MOST_STEP, OPENING, Forecast, Opening, missed
from renyi.bounds._pair import Pair
from renyi.bounds._question import Question
from renyi.bounds._side import Side
from renyi.entropies import (
    FACTOR_BYTES,
    LN2,
    Solution,
    eigenvalues_of,
    matrix_in_words,
    rounding_slack,
)
from renyi.factors import PivotedCholesky
from renyi.kernels import KernelPart, KernelProduct, TiledKernel

__all__ = ["bracket", "certifies"]

LEAST_ROWS: Final = 192
"""Rows of the largest block below which eigenvalues are as cheap as a factor."""

HIGHER_RANK: Final = 5.0
"""By how much the rank would have to rise for bounds without it to be as close."""

HIGHER_BY_STEP: Final = 3.0
"""By how much it mostly rises where the residual falls by the largest step."""

RANK_GROWTH: Final = 1.5
"""How much larger a rank may be on all rows than on some thousands of them."""

GIVE_UP: Final = 0.7
"""Share of the cost of eigenvalues up to which a factor is the better way to a value."""

OPEN_GIVE_UP: Final = 0.5
"""The same for bounds that may not answer, and would then have been for nothing."""


def bracket(
    base: KernelProduct,
    label: KernelPart,
    alpha: float,
    backend: Backend,
    question: Question,
    *,
    opening: Opening = OPENING,
    otherwise: float = 1.0,
    most_bytes: int = FACTOR_BYTES,
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
    opening
        How to begin.
    otherwise
        What other ways cost, over the cost of eigenvalues of the whole matrices; infinity where
        there is no other.
    most_bytes
        Bytes of a factor beyond which it is given up, see `factor_bytes`.

    Returns
    -------
    Pair or None
        None where those are the cheaper way, or the only one.
    """
    with_label = base.times(label)
    if alpha < 1 or not base.may_factor or with_label.has_onehot:
        return None
    if label.is_hard:
        sides = [Side(base, with_label, label.classes)]
    else:
        sides = [Side(base, base, None), Side(with_label, with_label, None)]
    if otherwise < math.inf and max(side.largest_block for side in sides) < LEAST_ROWS:
        return None
    sizes = (base.distinct, with_label.distinct)
    share = OPEN_GIVE_UP if question.open else GIVE_UP
    most = share * otherwise * _exact_cost(sides, sizes)
    limits = _Limits(most, most_bytes // len(sides))
    return _Bracket(sides, sizes, alpha, backend, label.distinct, limits).answer(question, opening)


def _exact_cost(sides: Sequence[Side], sizes: tuple[int, int]) -> float:
    """Return the operations of eigenvalues: of blocks of distinct rows, and of their classes."""
    whole, by_class = sides[0].exact_costs
    if len(sides) > 1:
        return whole + sides[1].exact_costs[0]
    # rows are kept apart by class here; without the label fewer of them are distinct
    return whole * (sizes[0] / sizes[1]) ** 3 + (by_class or whole)


def certifies(
    coordinates: FloatArray,
    rows: int,
    tolerance: float,
    most_bytes: int = FACTOR_BYTES,
    tiled: Sequence[TiledKernel] = (),
) -> bool:
    """Return whether a Gram is of such low rank that its factor gives values within `tolerance`.

    Parameters
    ----------
    coordinates
        (m, d) scaled coordinates of some of its rows: the rank hardly grows beyond thousands.
    rows
        How many rows there are.
    tolerance
        Bits.
    most_bytes
        Bytes that the factor may take.
    tiled
        Other kernels of the same rows.
    """
    if coordinates.shape[1] == 0 and not tiled:
        return True
    factor = PivotedCholesky(coordinates, tiled=tiled)
    residual = _last_residual(tolerance, rows)
    most = min(len(factor) // 3, int(most_bytes / (8 * RANK_GROWTH * rows)))
    return factor.extend(most, trace=residual * len(factor))


def _last_residual(tolerance: float, rows: int) -> float:
    """Return the residual that moves an entropy by no more than half the tolerance."""
    bits = math.log2(rows) - math.log2(max(tolerance, 1e-15)) + 8
    return max(tolerance / bits, 1e-13)


def _raised(pair: Pair, lower: float) -> Pair:
    """Return the pair with a lower bound on H(y | Z) that is certain too, where it is closer."""
    found = pair.difference
    if found is None or lower <= found.lower:
        return pair
    low = min(lower, found.upper)
    return replace(pair, difference=found._replace(value=max(found.value, low), lower=low))


class _Limits(NamedTuple):
    """Where a factor is given up: operations in all, bytes of one side's factors."""

    cost: float
    bytes: int


class _Bracket:
    """The state of one answer."""

    def __init__(
        self,
        sides: list[Side],
        sizes: tuple[int, int],
        alpha: float,
        backend: Backend,
        classes: int,
        most: _Limits,
    ) -> None:
        self._sides = sides
        self._sizes = sizes
        self._alpha = alpha
        self._backend = backend
        self._classes = classes
        self._by_class = len(sides) == 1
        self._bounded_gain = self._by_class and alpha <= 2
        self._most = most
        # of each class, its factor times the transpose and the eigenvalues
        self._small: dict[tuple[int, int], FloatArray] = {}
        self._values_by_class: dict[tuple[int, int], FloatArray] = {}
        bands = alpha <= BAND_ALPHA and backend.bands() is not None
        self._share = BAND_SHARE if bands else 1.0

    def answer(self, question: Question, opening: Opening) -> Pair | None:
        """Raise the rank until the question is answered; None where that costs too much."""
        last = _last_residual(question.tolerance, max(self._sizes))
        residual = max(opening.residual, last) if question.open else last
        forecast = Forecast(question, self._classes, opening)
        spent = 0.0
        while self._extend(residual, spent):
            spent += sum(side.cost() for side in self._sides)
            # a block of columns may have taken it far below what was asked
            left = min(residual, max(side.residual for side in self._sides))
            pair, cost = self._looked_at(question, opening, forecast, left, spent)
            if question.answered(pair):
                return replace(pair, residual=residual)
            spent += cost
            # another compression would cost no less
            above = question.below == -math.inf
            if residual <= last or (cost and above and spent + cost > self._most.cost):
                return None
            wanted = forecast.next() if self._bounded_gain else None
            if wanted is None:
                further = sum(side.cost(HIGHER_BY_STEP) for side in self._sides)
                if self._bounded_gain and spent + further > self._most.cost:
                    return None  # other ways are closer
                wanted = left / MOST_STEP
            residual = max(wanted, last)
        return None

    def _looked_at(
        self,
        question: Question,
        opening: Opening,
        forecast: Forecast,
        left: float,
        spent: float,
    ) -> tuple[Pair, float]:
        """Return the pair at the present rank, by a compression where that may answer.

        With what the compression cost, 0 where there was none.
        """
        closer, cost = None, 0.0
        if opening.to_compression and self._bounded_gain:
            forecast.take(left, math.nan)
            closer, cost = self._closer(self._pair_of_classes(), forecast, spent)
            if closer is not None and question.answered(closer):
                return closer, cost
        pair = self._pair()
        forecast.take(left, pair.conditional, pair.upper)
        if closer is None and not question.answered(pair):
            closer, cost = self._closer(pair, forecast, spent)
            pair = closer or pair
        if closer is not None:
            forecast.take_lower(closer.lower)
            pair = _raised(pair, closer.lower)
        return pair, cost

    def _extend(self, residual: float, spent: float) -> bool:
        """Raise ranks for a residual; False where that costs too much."""
        self._values_by_class.clear()
        for side in self._sides:
            if not side.extend(residual, self._most.cost - spent, self._most.bytes):
                return False
            spent += side.cost()
        return True

    def _pair(self) -> Pair:
        """Return the pair at the present rank."""
        first, last = self._sides[0], self._sides[-1]
        # before that of the whole, which takes blocks of one class from it
        by_class = self._spectrum_by_class() if self._by_class else self._spectrum(last)
        values = self._spectrum(first)
        features = self._bounds(values, self._sizes[0], first)
        pair = Pair(
            features, self._bounds(by_class, self._sizes[1], last), None, self._rank, exact=False
        )
        if not self._bounded_gain:
            return pair
        known = gain_of(values, by_class, self._alpha)
        gain = gain_bounds(known, first.residual, self._classes, self._alpha)
        return self._narrowed(pair, gain, known)

    def _pair_of_classes(self) -> Pair:
        """Return what the classes alone tell at the present rank: enough for a compression."""
        most = math.log2(max(self._classes, 1))
        joint = self._bounds(self._spectrum_by_class(), self._sizes[1], self._sides[0])
        least = max(joint.lower - most, 0.0)
        features = Solution(max(joint.value - most, least), least, joint.upper, "low-rank")
        return Pair(features, joint, Solution(0.0, 0.0, most, "low-rank"), self._rank, exact=False)

    @property
    def _rank(self) -> int:
        return max(side.rank for side in self._sides)

    def _bounds(self, values: FloatArray, size: int, side: Side) -> Solution:
        return entropy_bounds(values, size, side.residual, self._alpha, side.entry_error)

    def _spectrum(self, side: Side) -> FloatArray:
        """Return the eigenvalues of A_k, zeros apart."""
        found = []
        for number, (span, cuts) in enumerate(zip(side.blocks, side.classes, strict=True)):
            known = self._values_by_class.get((number, span.start)) if len(cuts) == 1 else None
            found.append(self._values(side.small(number, span)) if known is None else known)
        return np.concatenate(found)

    def _spectrum_by_class(self) -> FloatArray:
        """Return those of P A_k; found once at a rank."""
        side, found = self._sides[0], self._values_by_class
        if not found:
            self._small.clear()
            for number, cuts in enumerate(side.classes):
                for cut in cuts:
                    small = side.small(number, cut)
                    self._small[number, cut.start] = small
                    found[number, cut.start] = self._values(small)
        return np.concatenate(list(found.values()))

    def _closer(self, pair: Pair, forecast: Forecast, spent: float) -> tuple[Pair | None, float]:
        """Return the pair by a compression, None where it would not answer, and what it cost."""
        if self._bounded_gain and forecast.lower_may_answer(pair):
            cost = self._sides[0].compressed_cost(self._share, self._most.bytes)
            if cost <= self._sides[0].cost(HIGHER_RANK) and spent + cost <= self._most.cost:
                closer = self._compressed(pair)
                return (None if closer is pair else closer), cost
        return None, 0.0

    def _values(self, small: FloatArray) -> FloatArray:
        return eigenvalues_of(small, self._backend)

    def _narrowed(self, pair: Pair, gain: Bound, known: float) -> Pair:
        """Return the pair with H(y | Z) bounded by F, where that is closer."""
        slack = self._slack
        lower = conditional_from_gain(max(gain.lower - slack, 0.0), pair.joint.lower, self._alpha)
        upper = conditional_from_gain(gain.upper + slack, pair.joint.upper, self._alpha)
        lower, upper = max(lower, pair.lower), min(upper, pair.upper)
        value = conditional_from_gain(known, pair.joint.value, self._alpha)
        value = min(max(value, lower), upper)
        return replace(pair, difference=Solution(value, lower, upper, "low-rank"))

    @property
    def _slack(self) -> float:
        """What rounding may do to F, nats: it is the difference of two sums."""
        side = self._sides[0]
        return 2 * LN2 * rounding_slack(self._sizes[1], self._alpha, 1.0, side.entry_error)

    def _compressed(self, pair: Pair) -> Pair:
        """Return the pair with H(y | Z) bounded from below by the compression."""
        found = pair.difference
        if found is None:
            return pair
        side = self._sides[0]
        try:
            known = self._backend.guarded(
                lambda some: [
                    compressed(side, self._small, self._alpha, self._backend) for _ in some
                ],
                [None],
                what=matrix_in_words(side.largest_block),
            )[0]
        except np.linalg.LinAlgError:  # rounding made a root or a determinant fail
            return pair
        values = self._spectrum_by_class()
        joint = joint_lower(values, side.residual, known.squares, self._alpha)
        joint = max(joint - self._slack, pair.joint.lower)
        low = conditional_from_gain(max(known.gain - self._slack, 0.0), joint, self._alpha)
        low = min(max(low, found.lower), found.upper)
        # both estimates are mostly too low
        value = min(max(found.value, low + missed(side.residual, LEAST_LOSS)), found.upper)
        return replace(pair, difference=Solution(value, low, found.upper, "low-rank"))
