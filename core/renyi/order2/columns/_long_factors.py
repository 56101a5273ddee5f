"""Factors of many candidates over many rows: kept as what they are made of, made some at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.backend import Backend
from renyi.execution import run
from renyi.factors import spans
from renyi.kernels import KernelModel, KernelPart
from renyi.order2._moments import KernelSums
from renyi.order2._products import FactorStore
from renyi.order2._variable_sums import kernel_sums
from renyi.order2.columns._expansion import LEFT_OUT, powers_of, terms_of
from renyi.order2.columns._stack import SINGLE_LEAST, offsets_of

__all__ = ["FactorRows", "LongFactors"]

ROWS_AT_ONCE: Final = 2**11
"""Rows whose terms are worked on at once: what a cache holds."""

TASK_ROWS: Final = 2**14
"""Rows of a task."""

FEW_VALUES: Final = 4
"""Rows of each distinct value from which a factor is made of values and not of rows."""


@dataclass(frozen=True, eq=False)
class FactorRows:
    """Rows of the factors of some variables, side by side, in single precision.

    Attributes
    ----------
    values
        (n, columns) of these and perhaps of others.
    offsets
        (count,) first column of each variable, among those taken.
    columns
        Those taken, in order; None for all.
    """

    values: FloatArray
    offsets: IntArray
    columns: IntArray | None = None

    def __len__(self) -> int:
        return len(self.offsets)

    @property
    def width(self) -> int:
        """How many columns are taken."""
        return int(self.values.shape[1] if self.columns is None else len(self.columns))

    def rows(self, some: slice | IntArray) -> FloatArray:
        """Return some rows."""
        found = self.values[some]
        return found if self.columns is None else found[:, self.columns]

    def take(self, places: Sequence[int]) -> FactorRows:
        """Return some of the variables; the others are let go where they take most of the room."""
        if [*places] == [*range(len(self))]:
            return self
        ends = np.append(self.offsets, self.width)
        kept = np.concatenate([np.arange(ends[k], ends[k + 1]) for k in places])
        widths = np.diff(ends)[list(places)]
        offsets = offsets_of(widths)
        columns = kept if self.columns is None else self.columns[kept]
        if 2 * len(columns) > self.values.shape[1]:
            return FactorRows(self.values, offsets, columns)
        return FactorRows(np.ascontiguousarray(self.values[:, columns]), offsets)


class _Source(NamedTuple):
    """What the factor of one variable is made of.

    Attributes
    ----------
    width
        Its columns.
    table
        (m, width) by distinct value; None where there are about as many values as rows.
    middle, scale
        Else of its coordinates: what is taken off, and by what they are divided before.
    turn
        (width, terms) from terms to columns.
    sums
        (terms,) sums of the terms over all rows.
    """

    width: int
    table: FloatArray | None
    middle: float = 0.0
    scale: float = 1.0
    turn: FloatArray = np.empty((0, 0))
    sums: FloatArray = np.empty(0)


class LongFactors:
    """The factors of the candidates of a step, and the sums over each kernel, within a budget.

    Of a column of numbers the terms of its power series are turned as in
    `renyi.order2.columns._expansion`; the terms of all rows are never there at once.

    Parameters
    ----------
    model
        The kernels.
    backend
        Where sums over a kernel that has no factor are computed, a CPU.
    store
        Of the factors of what is no single column of numbers.
    most_bytes
        Of the factors that are there at once.
    residual
        Mean diagonal entry that a factor may leave out.
    task_rows
        Rows of a task.
    """

    def __init__(
        self,
        model: KernelModel,
        backend: Backend,
        store: FactorStore,
        most_bytes: int,
        residual: float,
        *,
        task_rows: int = TASK_ROWS,
    ) -> None:
        self._task_rows = task_rows
        self._model, self._backend, self._store = model, backend, store
        self._room, self._residual = most_bytes, residual
        self._sources: dict[tuple[int, float], _Source | None] = {}
        self._sums: dict[tuple[int, float], KernelSums] = {}
        self._last: tuple[tuple[tuple[int, float], ...], FactorRows] | None = None

    def batches(self, candidates: Sequence[int], size: int) -> list[list[int]]:
        """Return the places of the candidates that have a factor, those together that fit.

        Parameters
        ----------
        candidates
            Feature numbers.
        size
            Of the product that they take part in.
        """
        keys = self._keys(candidates, size)
        new = [key for key in dict.fromkeys(keys) if key not in self._sources]
        if new:  # those of narrower kernels: the search does not come back to them
            self._sources = {key: one for key, one in self._sources.items() if key in set(keys)}
            for key, found in zip(new, self._found(new, size), strict=True):
                self._sources[key] = found
        most = max(self._room // (4 * self._model.n), 1)
        batches: list[list[int]] = []
        room = 0
        for place, key in enumerate(keys):
            source = self._sources[key]
            if source is None:
                continue
            if not batches or source.width > room:
                batches.append([])
                room = most
            batches[-1].append(place)
            room -= source.width
        return batches

    def width(self, candidates: Sequence[int], size: int) -> int:
        """Return how many columns the factors of candidates have that `batches` has looked at."""
        sources = [self._sources[key] for key in self._keys(candidates, size)]
        return sum(0 if one is None else one.width for one in sources)

    def rows(self, candidates: Sequence[int], size: int, *, keep: bool) -> FactorRows:
        """Return the factors of some candidates that have one.

        Parameters
        ----------
        candidates, size
            As in `batches`.
        keep
            Whether to keep them for the next step.
        """
        keys = self._keys(candidates, size)
        found = None
        if self._last is not None and set(keys) <= set(self._last[0]):
            where = {key: place for place, key in enumerate(self._last[0])}
            found = self._last[1].take([where[key] for key in keys])
        if found is None:
            self._last = None
            found = self._made(candidates, keys)
        self._last = (keys, found) if keep else None
        return found

    def sums(self, feature: int, size: int) -> KernelSums:
        """Return the sums over a feature's squared Gram in a product of `size` features."""
        (key,) = self._keys([feature], size)
        if key not in self._sums:
            self.batches([feature], size)
            source = self._sources[key]
            if source is not None and source.table is None:
                self._made([feature], (key,))
            else:
                part, factor = self._model.part(feature, size), self._store.get(feature, size)
                self._sums[key] = kernel_sums(part, factor, self._backend)
        return self._sums[key]

    def _keys(self, candidates: Sequence[int], size: int) -> tuple[tuple[int, float], ...]:
        scales = self._model.scales(size)
        return tuple((candidate, scales[candidate]) for candidate in candidates)

    def _found(self, keys: Sequence[tuple[int, float]], size: int) -> list[_Source | None]:
        """Return what factors are made of, None for a variable that has no factor."""
        expanded = iter(run(self._expanded, [*keys], rows=self._task_rows))
        return [
            one if one is not None else self._factored(key[0], size)
            for key, one in zip(keys, expanded, strict=True)
        ]

    def _factored(self, feature: int, size: int) -> _Source | None:
        factor = self._store.get(feature, size)
        if factor is None:
            return None
        values: FloatArray = factor.loosened(self._residual).values.astype(np.float32)
        return _Source(values.shape[1], values)

    def _expanded(self, key: tuple[int, float]) -> _Source | None:
        """Return what the factor of a single column of numbers is made of, else None."""
        part, scale = self._model.features[key[0]], key[1]
        if not (part.is_gaussian and part.dimensions == 1):
            return None
        few = FEW_VALUES * part.distinct <= part.n
        points = part.coordinates[part.representatives(), 0] if few else part.coordinates[:, 0]
        counts = np.bincount(part.rows, minlength=part.distinct) if few else None
        low, high = float(points.min()) / scale, float(points.max()) / scale
        terms = terms_of((high - low) / 2)
        if not terms:
            return None
        middle = (low + high) / 2
        gram, sums = np.zeros((terms, terms)), np.zeros(terms)
        for some in spans(0, len(points), ROWS_AT_ONCE):
            powers = powers_of(points[some] / scale - middle, terms)
            weighed = powers if counts is None else powers * counts[some]
            gram += np.dot(weighed, powers.T)
            sums += weighed.sum(axis=1)
        found, vectors = np.linalg.eigh(gram)
        left_out = np.cumsum(np.maximum(found, 0.0)) / part.n + LEFT_OUT
        rank = max(terms - int((left_out <= self._residual).sum()), 1)
        turn = np.ascontiguousarray(vectors[:, ::-1][:, :rank].T)
        total, squares = float(sums @ sums) - part.n, float((found * found).sum()) - part.n
        if counts is None:  # what single rows add is told when they are made
            self._sums[key] = KernelSums(total, squares, 0.0, 0.0)
            return _Source(rank, None, middle, scale, turn, sums)
        powers = powers_of(points / scale - middle, terms)
        rows = np.dot(sums, powers) - 1.0
        largest = float(np.abs(rows - total / part.n).max())
        self._sums[key] = KernelSums(total, squares, float(counts @ rows**2), largest)
        table: FloatArray = np.dot(turn, powers).T.astype(np.float32)
        return _Source(rank, table)

    def _made(self, candidates: Sequence[int], keys: tuple[tuple[int, float], ...]) -> FactorRows:
        """Make factors, and by the way the sums that single rows tell."""
        sources = [one for key in keys if (one := self._sources[key]) is not None]
        parts = [self._model.features[candidate] for candidate in candidates]
        ends = np.concatenate(([0], np.cumsum([one.width for one in sources]))).astype(np.int64)
        values: FloatArray = np.empty((self._model.n, int(ends[-1])), np.float32)
        means = [
            self._sums[key].total / self._model.n if key in self._sums else 0.0 for key in keys
        ]

        def fill(rows: slice) -> FloatArray:
            told = np.zeros((2, len(keys)))
            for k, (part, source) in enumerate(zip(parts, sources, strict=True)):
                columns = values[rows, ends[k] : ends[k + 1]]
                told[:, k] = _fill(columns, part, rows, source, means[k])
            some = values[rows]
            some[np.abs(some) < SINGLE_LEAST] = 0.0
            return told

        found = [*run(fill, [*spans(0, self._model.n, self._task_rows)], rows=self._task_rows)]
        squares = np.sum([one[0] for one in found], axis=0)
        largest = np.max([one[1] for one in found], axis=0)
        for k, (key, source) in enumerate(zip(keys, sources, strict=True)):
            if source.table is None:
                own = self._sums[key]
                row_squares = float(squares[k]), float(largest[k])
                self._sums[key] = KernelSums(own.total, own.squares, *row_squares)
        return FactorRows(values, ends[:-1])


def _fill(
    columns: FloatArray, part: KernelPart, rows: slice, source: _Source, mean: float
) -> tuple[float, float]:
    """Write some rows of a factor; return the sum of squared row sums, and the largest distance."""
    if source.table is not None:
        columns[...] = source.table[part.rows[rows]]
        return 0.0, 0.0
    squares, largest = 0.0, 0.0
    points = part.coordinates[rows, 0] / source.scale - source.middle
    for some in spans(0, len(points), ROWS_AT_ONCE):
        powers = powers_of(points[some], len(source.sums))
        columns[some] = np.dot(source.turn, powers).T
        sums = np.dot(source.sums, powers) - 1.0
        squares += float(sums @ sums)
        largest = max(largest, float(np.abs(sums - mean).max()))
    return squares, largest
