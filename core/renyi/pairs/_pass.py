"""One pass over the pairs of rows that were drawn: all sums that a step needs, by group of lags."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.backend import Backend
from renyi.execution import expect, pause, run
from renyi.factors import spans
from renyi.kernels import KernelPart, KernelProduct
from renyi.order2 import GivenSums, KernelSums, Stack, operations_of
from renyi.pairs._design import PairDesign

__all__ = ["PairPass", "Shuffled"]

LEAST: Final = 1e-18
"""Values of W below it count as 0: with few digits left they take a hundred times as long."""

TASK_OPERATIONS: Final = 2e9
"""Of a task: some tenths of a second."""


@dataclass(frozen=True, eq=False)
class Shuffled:
    """Variables whose sums with what is given are wanted, in one order of their rows.

    Attributes
    ----------
    stack
        Factors of some; None for none.
    rows
        (n,) order of the rows; None as they are.
    others
        Those that have no factor, their rows in that order.
    """

    stack: Stack | None
    rows: IntArray | None = None
    others: tuple[KernelProduct, ...] = ()

    def __len__(self) -> int:
        return (0 if self.stack is None else len(self.stack)) + len(self.others)

    @property
    def columns(self) -> int:
        """Of all factors."""
        return 0 if self.stack is None else int(self.stack.values.shape[1])

    def values(self, some: slice) -> FloatArray:
        """Return rows of the factors."""
        if self.stack is None:
            raise RuntimeError
        return self.stack.values[some if self.rows is None else self.rows[some]]


class _Found(NamedTuple):
    """What the pairs of some blocks add.

    Attributes
    ----------
    groups
        (1 + groups, 5) sums of W, W Y, W^2, W times W Y and (W Y)^2.
    rows
        (where, group, (2, rows)) row sums of W and W Y.
    sums
        (1 + groups, 2, variables) of W F and W Y F, for all orders one after another.
    """

    groups: FloatArray
    rows: list[tuple[slice, int, FloatArray]]
    sums: FloatArray


class PairPass:
    """Sums over the drawn pairs of W, of W times that of the target, and of both times others.

    Rows are in the order of the design. Sums leave out the diagonal, which is known.

    Parameters
    ----------
    base
        The product whose squared Gram is W; its rows may have weights.
    target
        The target's part.
    design
        The pairs.
    backend
        Where tiles are made, a CPU.
    asked
        Variables in their orders.
    """

    def __init__(
        self,
        base: KernelProduct,
        target: KernelPart,
        design: PairDesign,
        backend: Backend,
        asked: Sequence[Shuffled] = (),
    ) -> None:
        self._base, self._design, self._backend = base, design, backend
        self._asked = asked
        self._classes, self._across = target.classes, target.across**2
        self._label = KernelProduct.of(len(base), [target])
        self._weights = None if base.weights is None else base.weights.astype(np.float32)
        own = np.ones(len(base)) if base.weights is None else base.weights
        self.diagonal = float((own**2).sum())
        self._run()

    @cached_property
    def totals(self) -> FloatArray:
        """Sums of W and of W Y over all pairs of different rows, (1 + groups, 2): `estimates`."""
        return self._design.estimates(self._groups[0, :2], self._groups[1:, :2])

    @cached_property
    def entropies(self) -> FloatArray:
        """H(Z) and H(Z, y), bits, (1 + groups, 2)."""
        whole = self.diagonal + self.totals
        return np.asarray(2 * np.log2(len(self._base)) - np.log2(whole))

    @cached_property
    def conditional(self) -> FloatArray:
        """H(y | Z, x) of each variable, bits, (1 + groups, orders, variables)."""
        whole = self.diagonal + self._design.estimates(self._sums[0], self._sums[1:])
        count = len(self._asked[0]) if self._asked else 0
        found = np.log2(whole[:, 0] / whole[:, 1])
        return np.asarray(found.reshape(len(found), len(self._asked), count))

    def given(self, place: int, *, drawn: bool) -> GivenSums:
        """Return the sums that tell what chance gives.

        Parameters
        ----------
        place
            Of the estimates: 0 from all lags, else without one group.
        drawn
            Those of the weighed pairs that were drawn, which tell what chance gives the estimate
            of a gain; else estimates of those of all pairs, which tell what it gives the gain.
        """
        power = 2 if drawn else 1
        squares = self._design.estimates(self._groups[0, 2:], self._groups[1:, 2:], power)[place]
        rows = self._rows_at(place)
        own, both, theirs = (0.0, 0.0, 0.0) if drawn else self._row_noise[:, place].tolist()
        total, target_total = self.totals[place].tolist()
        of_given, cross, of_both = squares.tolist()
        return GivenSums(
            rows[0],
            rows[1],
            total,
            target_total,
            of_given,
            cross,
            of_both,
            self.diagonal,
            (own, both, theirs),
        )

    def own(self, place: int) -> KernelSums:
        """Return estimates of the sums over W itself, as of a candidate."""
        found = self.given(place, drawn=False)
        squares = max(float(found.rows @ found.rows) - found.noise[0], 0.0)
        largest = float(np.abs(found.rows - found.rows.mean()).max())
        return KernelSums(found.total, found.squares, squares, largest)

    def _rows_at(self, place: int) -> FloatArray:
        """Return the estimated row sums, (2, n)."""
        design = self._design
        lags = len(design.lags) - (design.in_group if place else 0)
        across = self._total_rows - (self._rows[place - 1] if place else 0.0)
        return np.asarray(self._own_rows + design.lags_there / lags * across)

    @cached_property
    def _total_rows(self) -> FloatArray:
        return np.asarray(self._rows.sum(axis=0, dtype=np.float64))

    @cached_property
    def _row_noise(self) -> FloatArray:
        """By how much squares of row sums, and products of both, are too large, (3, places)."""
        one: FloatArray = self._rows[:, 0]
        two: FloatArray = self._rows[:, 1]
        pairs = ((one, one), (one, two), (two, two))
        return np.array([self._design.row_variances(*both) for both in pairs])

    def _run(self) -> None:
        n, design = len(self._base), self._design
        columns = sum(some.columns for some in self._asked)
        each = operations_of(round(n * n * design.share / 2 / design.blocks), 2 * columns)
        expect(each * design.blocks)
        at_once = max(1, min(round(TASK_OPERATIONS / each), -(-design.blocks // 16)))
        self._groups = np.zeros((1 + design.groups, 5))
        self._own_rows = np.zeros((2, n))
        self._rows: FloatArray = np.zeros((design.groups, 2, n), np.float32)
        self._sums = np.zeros((1 + design.groups, 2, sum(len(some) for some in self._asked)))
        for found in run(self._task, [*spans(0, design.blocks, at_once)], rows=n):
            self._groups += found.groups
            self._sums += found.sums
            for where, group, rows in found.rows:
                if group:
                    self._rows[group - 1, :, where] += rows
                else:
                    self._own_rows[:, where] += rows

    def _task(self, blocks: slice) -> _Found:
        """Return what the pairs of some blocks with themselves, and with those a lag away, add."""
        design = self._design
        found = _Found(np.zeros_like(self._groups), [], np.zeros_like(self._sums))
        for number in range(blocks.start, blocks.stop):
            some = design.block(number)
            mine = [shuffled.values(some) if shuffled.columns else None for shuffled in self._asked]
            for place in range(1 + len(design.lags)):
                lag = int(design.lags[place - 1]) if place else 0
                others = design.block(number + lag)
                group = 1 + (place - 1) // design.in_group if place else 0
                tiles = self._tiles(some, others, on_diagonal=not place)
                self._add_rows(found, group, some, others, tiles)
                self._add_variables(found, group, some, others, tiles, mine)
        return found

    def _tiles(self, some: slice, others: slice, *, on_diagonal: bool) -> FloatArray:
        """Return W and W Y there, (2, rows, columns), in single precision."""
        base, backend = self._base, self._backend
        first = base.tile(backend, some, others, exponent=2.0, single=True)
        both = np.empty((2, *first.shape), np.float32)
        if self._weights is not None:
            first *= self._weights[some, None]
            first *= self._weights[None, others]
        if on_diagonal:
            np.fill_diagonal(first, 0.0)
        first[first < LEAST] = 0.0
        both[0] = first
        if self._classes is None:
            label = self._label.tile(backend, some, others, exponent=2.0, single=True)
            np.multiply(first, label, out=both[1])
        else:
            alike = self._classes[some, None] == self._classes[None, others]
            np.multiply(first, alike, out=both[1])
            if self._across:
                both[1] += np.float32(self._across) * (first - both[1])
        return both

    def _add_rows(
        self, found: _Found, group: int, some: slice, others: slice, tiles: FloatArray
    ) -> None:
        """Add the sums over W and W Y alone."""
        tall, wide = tiles.shape[1:]
        flat = tiles.reshape(2 * tall, wide)
        forward = np.dot(flat, np.ones(wide, np.float32)).reshape(2, tall)
        found.rows.append((some, group, forward))
        if group:  # within blocks both orders are there
            ones = np.ones(tall, np.float32)
            backward = np.stack([np.dot(ones, tile) for tile in tiles])
            found.rows.append((others, group, backward))
        first, second = tiles.reshape(2, -1)
        squares = (np.dot(first, first), np.dot(first, second), np.dot(second, second))
        found.groups[group] += [*forward.sum(axis=1, dtype=np.float64), *map(float, squares)]

    def _add_variables(
        self,
        found: _Found,
        group: int,
        some: slice,
        others: slice,
        tiles: FloatArray,
        mine: Sequence[FloatArray | None],
    ) -> None:
        """Add the sums over both times each variable."""
        tall, wide = tiles.shape[1:]
        flat = tiles.reshape(2 * tall, wide)
        start = 0
        for shuffled, left in zip(self._asked, mine, strict=True):
            stop = start + len(shuffled)
            if left is not None and shuffled.stack is not None:
                right = shuffled.values(others)
                product = np.dot(flat, right).reshape(2, tall, -1)
                product *= left
                columns = product.sum(axis=1)
                sums = np.add.reduceat(columns, shuffled.stack.offsets, axis=1, dtype=np.float64)
                found.sums[group, :, start : start + sums.shape[1]] += sums
                start += sums.shape[1]
            for one in shuffled.others:
                tile = one.tile(self._backend, some, others, exponent=2.0, single=True)
                found.sums[group, :, start] += np.dot(tiles.reshape(2, -1), tile.reshape(-1))
                start += 1
            start = stop
            pause(operations_of(tall * wide, 2 * shuffled.columns))
