"""All candidates of a step at once, at order 2: what they gain, in any order, and by chance."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.entropies import (
    Extension,
    Pair,
    Stack,
    factor_sums,
    part_sums,
    sums_with_target,
)
from renyi.execution import lone
from renyi.information._products import Passes
from renyi.nulls import Chance, GivenSums, KernelSums, chance_of

if TYPE_CHECKING:
    from renyi.information._engine import InformationEngine

__all__ = ["CandidateSums", "chance_information"]

FEW_COLUMNS: Final = 512
"""Columns of all factors up to which one pass in double precision is less work than one in single
precision and a second one for the best."""

LOOSE_RESIDUAL: Final = 1e-6
"""Mean residual of factors in a pass over all candidates: it moves a gain by less than a tenth of
what chance does, for up to some 100,000 rows, and halves the rank."""


class CandidateSums:
    """H(y | S', x) of order 2 for every candidate x of a step.

    Candidates whose squared Gram has a factor come out of one pass over the Gram of S', with
    bounds; the others one by one.

    Parameters
    ----------
    engine
        Entropies of any set, at order 2.
    given
        Features selected before (S').
    candidates
        The others.
    """

    def __init__(
        self, engine: InformationEngine, given: Sequence[int], candidates: Sequence[int]
    ) -> None:
        self.engine = engine
        self.given = tuple(given)
        self.candidates = tuple(candidates)
        self._size = len(self.given) + 1
        quick = engine.solver == "auto"
        factors = [
            engine.factors.loosened(c, self._size, LOOSE_RESIDUAL) if quick else None
            for c in candidates
        ]
        self._quick = [k for k, factor in enumerate(factors) if factor is not None]
        self._slow = [k for k, factor in enumerate(factors) if factor is None]
        self._extensions = [
            Extension(factor, engine.model.part(candidates[k], self._size).rows)
            for k, factor in enumerate(factors)
            if factor is not None
        ]
        self._pairs: dict[int, Pair] = {}

    def __len__(self) -> int:
        return len(self.candidates)

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.engine.n

    @cached_property
    def before(self) -> float:
        """H(y | S') at the widths of this step, bits."""
        return self._given_sums.conditional

    @cached_property
    def chance(self) -> Chance:
        """What chance gives each candidate."""
        engine = self.engine
        return chance_of(
            self._given_sums, [_kernel_sums(engine, c, self._size) for c in self.candidates]
        )

    @cached_property
    def observed(self) -> tuple[FloatArray, FloatArray]:
        """H(y | S', x) of each candidate, bits, and how far off each may be; 0 for exact ones."""
        found, blur = np.empty(len(self)), np.zeros(len(self))
        few = sum(e.factor.values.shape[1] for e in self._extensions) <= FEW_COLUMNS
        if self._quick and not few:
            some = lone(lambda: self._passes.stacked(self._stack), self.n)
            found[self._quick], blur[self._quick] = some
        rest = [*range(len(self))] if few else self._slow
        if rest:
            found[rest] = self.exactly(rest, None)
        return found, blur

    @property
    def tie(self) -> float:
        """What counts as a tie, standard deviations."""
        return self.chance.tie

    def standardised(
        self,
        conditional: FloatArray,
        places: Sequence[int] | None = None,
        chance: Chance | None = None,
    ) -> FloatArray:
        """Return gains above chance in standard deviations.

        Parameters
        ----------
        conditional
            H(y | S', x), bits.
        places
            Of which candidates; None for all.
        chance
            What chance gives all of them; by default over all orders of the rows.
        """
        given = chance or self.chance
        given = given if places is None else given.part(places)
        return given.standardised(self.before - conditional)

    def conditional(self, order: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return H(y | S', x) of each candidate in one order of their rows, and its error, bits.

        Parameters
        ----------
        order
            (n,) order in which the rows of all candidates are taken.
        """
        found, blur = np.empty(len(self)), np.zeros(len(self))
        if self._quick:
            some = lone(lambda: self._passes.stacked(self._stack, order), self.n)
            found[self._quick], blur[self._quick] = some
        if self._slow:
            found[self._slow] = self.exactly(self._slow, order)
        return found, blur

    def exactly(self, places: Sequence[int], order: IntArray | None) -> FloatArray:
        """Return H(y | S', x) of some candidates, as exactly as it can be had, bits."""
        engine = self.engine
        if order is None:
            asked = [self.candidates[k] for k in places]
            pairs = engine.candidates(self.given, asked, _untold, engine.exact)
            self._pairs.update(zip(places, pairs, strict=True))
        else:
            copies = [(self.candidates[k], order) for k in places]
            pairs = engine.copies(self.given, copies, _untold, engine.exact)
        return np.array([pair.conditional for pair in pairs])

    def pairs(self, places: Sequence[int]) -> list[Pair]:
        """Return H(S', x) and H(S', x, y) of some candidates, as exactly as they can be had."""
        missing = [place for place in places if place not in self._pairs]
        if missing:
            self.exactly(missing, None)
        return [self._pairs[place] for place in places]

    @cached_property
    def _given_sums(self) -> GivenSums:
        engine = self.engine
        model = engine.model
        base = model.product(self.given, size=self._size)
        found = lone(
            lambda: sums_with_target(base, model.target, engine.backend, engine.jobs), self.n
        )
        weights = engine.model.weights
        return GivenSums(*found, self.n if weights is None else float((weights**2).sum()))

    @cached_property
    def _passes(self) -> Passes:
        return self.engine.passes(self.given, LOOSE_RESIDUAL)

    @cached_property
    def _stack(self) -> Stack:
        return self._passes.stack(self._extensions)


def _kernel_sums(engine: InformationEngine, feature: int, size: int) -> KernelSums:
    """Return the sums over a feature's squared Gram in a product of `size` features."""
    key = (feature, engine.model.scale(feature, size))
    known = engine.kernel_sums
    if key not in known:
        factor = engine.factors.get(feature, size)
        part = engine.model.part(feature, size)
        if factor is None:
            total, squares, rows = part_sums(part, engine.backend)
        else:
            total, squares, rows = factor_sums(factor, part.rows)
        largest = float(np.abs(rows - total / engine.n).max())
        known[key] = KernelSums(total, squares, float(rows @ rows), largest)
    return known[key]


def chance_information(engine: InformationEngine, pair: Pair) -> float:
    """Return what chance gives I(Z; y) at order 2, bits: the mean over orders of y, nearly.

    With Z fixed, a sum over pairs of different rows has the mean of all pairs (the first moment of
    Mantel's statistic). Weights of rows belong to the target and move with it.
    """
    n, weights = float(engine.n), engine.model.weights
    diagonal = n if weights is None else float((weights**2).sum())
    alone, label = (n * n * 2.0**-h for h in (pair.features.value, engine.target.value))
    joint = diagonal + (alone - diagonal) * (label - diagonal) / (n * n - diagonal)
    return engine.target.value - float(np.log2(alone / joint))


def _untold(done: int) -> None:
    """Take no note of how far a pass is."""
