"""The factors of all candidates of a step, side by side, and the sums over each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from renyi._typing import FloatArray
from renyi.backend import Backend
from renyi.kernels import KernelModel
from renyi.order2._moments import KernelSums
from renyi.order2._products import FactorStore
from renyi.order2._variable_sums import kernel_sums
from renyi.order2.columns._expansion import expanded, terms_of
from renyi.order2.columns._stack import Stack

__all__ = ["CandidateFactors", "CandidateStack"]

TERMS_STEP: Final = 8
"""Terms come in multiples of it: columns of as many are worked on at once."""

BATCH_BYTES: Final = 2**22
"""Bytes of these columns' terms: what a cache holds."""


@dataclass(frozen=True, eq=False)
class CandidateStack:
    """The factors of some candidates.

    Attributes
    ----------
    keys
        Each one's number, and by how much its kernel is wider.
    residual
        Mean diagonal entry that a factor may leave out.
    stack
        The factors, None for none.
    quick
        Places of those that have one.
    """

    keys: tuple[tuple[int, float], ...]
    residual: float
    stack: Stack | None
    quick: tuple[int, ...]

    def of(self, keys: tuple[tuple[int, float], ...], residual: float) -> CandidateStack | None:
        """Return the factors of some of the candidates, None where they are not all there."""
        if keys == self.keys and residual == self.residual:
            return self
        if residual != self.residual or len(self.quick) < len(self.keys) or not keys:
            return None
        where = {key: place for place, key in enumerate(self.keys)}
        if self.stack is None or not all(key in where for key in keys):
            return None
        stack = self.stack.take([where[key] for key in keys])
        return CandidateStack(keys, residual, stack, tuple(range(len(keys))))


class CandidateFactors:
    """The factors of all candidates, and the sums over each kernel, kept from step to step.

    Parameters
    ----------
    model
        The kernels.
    backend
        Where sums over a kernel that has no factor are computed.
    factors
        Of single features.
    """

    def __init__(self, model: KernelModel, backend: Backend, factors: FactorStore) -> None:
        self._model = model
        self._backend = backend
        self._factors = factors
        self._sums: dict[tuple[int, float], KernelSums] = {}
        self._last: CandidateStack | None = None

    def stack(self, candidates: Sequence[int], size: int, residual: float) -> CandidateStack:
        """Return the factors of the candidates of a step, out of those of the step before if there.

        Parameters
        ----------
        candidates
            Feature numbers.
        size
            Of the product that they take part in.
        residual
            Mean diagonal entry that a factor may leave out.
        """
        scales = self._model.scales(size)
        keys = tuple((candidate, scales[candidate]) for candidate in candidates)
        found = None if self._last is None else self._last.of(keys, residual)
        if found is None:
            stack, quick = self._made(candidates, size, residual)
            found = CandidateStack(keys, residual, stack, tuple(quick))
        self._last = found
        return found

    def sums(self, feature: int, size: int) -> KernelSums:
        """Return the sums over a feature's squared Gram in a product of `size` features."""
        key = (feature, self._model.scale(feature, size))
        if key not in self._sums:
            factor = self._factors.get(feature, size)
            self._sums[key] = kernel_sums(self._model.part(feature, size), factor, self._backend)
        return self._sums[key]

    def _made(
        self, candidates: Sequence[int], size: int, residual: float
    ) -> tuple[Stack | None, list[int]]:
        """Make the factors, and by the way the sums over kernels."""
        kept = np.float32 if self._backend.device == "cpu" else np.float64
        pieces: dict[int, tuple[FloatArray, float, float]] = {}
        singles, others = self._split(candidates, size)
        for places, points, terms in _batches(singles):
            found = expanded(points, terms, residual)
            for row, place in enumerate(places):
                values = found.values[row, : found.ranks[row]]
                own = float(found.residuals[row]), float(found.means[row])
                pieces[place] = (values.astype(kept), *own)
                key = (candidates[place], self._model.scale(candidates[place], size))
                if key not in self._sums:
                    rows = found.rows[row]
                    self._sums[key] = KernelSums.of(found.totals[row], found.squares[row], rows)
        for place in others:
            factor = self._factors.get(candidates[place], size)
            if factor is not None:
                loose = factor.loosened(residual)
                rows = self._model.features[candidates[place]].rows
                pieces[place] = (loose.values[rows].T.astype(kept), loose.residual, loose.mean)
        quick = sorted(pieces)
        return (Stack.of([pieces.pop(place) for place in quick]) if quick else None), quick

    def _split(
        self, candidates: Sequence[int], size: int
    ) -> tuple[dict[int, list[tuple[int, FloatArray]]], list[int]]:
        """Return (place, points) of single columns by how many terms they take, and the others."""
        singles: dict[int, list[tuple[int, FloatArray]]] = {}
        others = []
        scales = self._model.scales(size)
        terms_by: dict[float, int] = {}  # columns of counts share their reach
        for place, candidate in enumerate(candidates):
            part = self._model.features[candidate]
            terms = 0
            if part.is_gaussian and part.dimensions == 1:
                points = part.coordinates[:, 0] / scales[candidate]
                low, high = float(points.min()), float(points.max())
                reach = (high - low) / 2
                if reach not in terms_by:
                    terms_by[reach] = terms_of(reach)
                terms = terms_by[reach]
            if terms:
                rounded = -(-terms // TERMS_STEP) * TERMS_STEP
                singles.setdefault(rounded, []).append((place, points - (low + high) / 2))
            else:
                others.append(place)
        return singles, others


def _batches(
    singles: dict[int, list[tuple[int, FloatArray]]],
) -> Iterator[tuple[list[int], FloatArray, int]]:
    """Yield (places, points (k, n), terms) of columns that take as many terms."""
    for terms, found in sorted(singles.items()):
        size = max(1, BATCH_BYTES // (8 * terms * len(found[0][1])))
        for start in range(0, len(found), size):
            some = found[start : start + size]
            yield [place for place, _ in some], np.array([points for _, points in some]), terms
