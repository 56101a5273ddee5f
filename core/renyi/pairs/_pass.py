"""One pass over the pairs of rows that were drawn: all sums that a step needs, by group of lags."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Final, NamedTuple

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.backend import Backend
from renyi.execution import expect, pause, run
from renyi.factors import spans
from renyi.kernels import KernelPart, KernelProduct
from renyi.order2 import FactorRows, GivenSums, KernelSums, operations_of
from renyi.pairs._design import PairDesign
from renyi.pairs._tiles import Tile, Tiles

__all__ = ["PairPass", "Shuffled"]

TASK_OPERATIONS: Final = 2e9
"""Of a task: some tenths of a second."""

LEAST_TASKS: Final = 64
"""Of a pass: what they find is taken in while others are at work, and then let go."""

ROWS_AT_ONCE: Final = 2**14
"""Row sums that are in double precision at once."""


@dataclass(frozen=True, eq=False)
class Shuffled:
    """Variables whose sums with what is given are wanted, in one order of their rows.

    Attributes
    ----------
    factors
        Those of some; None for none.
    order
        (n,) of the rows; None as they are.
    others
        Those that have no factor, their rows in that order.
    """

    factors: FactorRows | None
    order: IntArray | None = None
    others: tuple[KernelProduct, ...] = ()

    def __len__(self) -> int:
        return (0 if self.factors is None else len(self.factors)) + len(self.others)

    @property
    def columns(self) -> int:
        """Of all factors."""
        return 0 if self.factors is None else self.factors.width

    def values(self, some: slice | IntArray) -> FloatArray:
        """Return rows of the factors."""
        if self.factors is None:
            raise RuntimeError
        return self.factors.rows(some if self.order is None else self.order[some])


class _Found(NamedTuple):
    """What the pairs of some blocks add.

    Attributes
    ----------
    groups
        (1 + groups, 5) sums of W, W Y, W^2, W times W Y and (W Y)^2.
    own
        (block, (1 + groups, 2, rows)) sums of W and W Y over the rows that a block meets.
    others
        (rows, group of each, (2, rows)) sums over the block of the rows that it meets.
    sums
        (1 + groups, 2, variables) of W F and W Y F, for all orders one after another.
    """

    groups: FloatArray
    own: list[tuple[slice, FloatArray]]
    others: list[tuple[IntArray, IntArray, FloatArray]]
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
    class_rows
        As of `Tiles`.
    """

    def __init__(
        self,
        base: KernelProduct,
        target: KernelPart,
        design: PairDesign,
        backend: Backend,
        asked: Sequence[Shuffled] = (),
        *,
        class_rows: int,
    ) -> None:
        self._n, self._design = len(base), design
        self._asked = asked
        self._shape = len(asked), len(asked[0]) if asked else 0
        self._across = target.across**2
        own = np.ones(len(base)) if base.weights is None else base.weights
        self.diagonal = float((own**2).sum())
        self._run(Tiles(base, target, design, backend, class_rows))

    @cached_property
    def totals(self) -> FloatArray:
        """Sums of W and of W Y over all pairs of different rows, (1 + groups, 2): `estimates`."""
        return self._design.estimates(self._groups[0, :2], self._groups[1:, :2])

    @cached_property
    def entropies(self) -> FloatArray:
        """H(Z) and H(Z, y), bits, (1 + groups, 2)."""
        whole = self.diagonal + self.totals
        return np.asarray(2 * np.log2(self._n) - np.log2(whole))

    @cached_property
    def conditional(self) -> FloatArray:
        """H(y | Z, x) of each variable, bits, (1 + groups, orders, variables)."""
        whole = self.diagonal + self._design.estimates(self._sums[0], self._sums[1:])
        found = np.log2(whole[:, 0] / whole[:, 1])
        return np.asarray(found.reshape(len(found), *self._shape))

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
        rows = self._row_sums if drawn else np.empty((2, 0))
        products = None if drawn else self._row_products[:, place] - self._row_noise[:, place]
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
            self._n,
            None if products is None else (products[0], products[1], products[2]),
        )

    def own(self, place: int) -> KernelSums:
        """Return estimates of the sums over W itself, as of a candidate."""
        found = self.given(place, drawn=False)
        if found.products is None:
            raise RuntimeError
        squares = max(float(found.products[0]) + found.total**2 / found.n, 0.0)
        rows = self._row_sums[0]
        return KernelSums(
            found.total, found.squares, squares, float(np.abs(rows - rows.mean()).max())
        )

    def _weights_at(self, place: int) -> FloatArray:
        """Return how much row sums within blocks, and those of each group, count, (1 + groups,)."""
        design = self._design
        lags = len(design.lags) - (design.in_group if place else 0)
        found = np.append(1.0, np.full(design.groups, design.lags_there / lags))
        if place:
            found[place] = 0.0
        return found

    def _add_up(self, own: FloatArray, across: FloatArray) -> None:
        """Keep of row sums what is asked for: they are large, and a pass may be kept.

        Parameters
        ----------
        own
            (2, n) within blocks, of W and of W Y.
        across
            (groups, 2, n) over the pairs of each group.
        """
        size = 2 * len(self._groups)
        weights = self._weights_at(0)
        self._row_sums = np.empty((2, self._n))
        grams, totals = np.zeros((size, size)), np.zeros(size)
        for rows in spans(0, self._n, ROWS_AT_ONCE):
            some = np.concatenate((own[None, :, rows], across[:, :, rows]))
            self._row_sums[:, rows] = np.tensordot(weights, some, 1)
            flat = some.reshape(size, -1)
            grams += np.dot(flat, flat.T)
            totals += flat.sum(axis=1)
        self._row_grams, self._row_totals = grams, totals

    @cached_property
    def _row_products(self) -> FloatArray:
        """Squares and products of estimated row sums less their means, (3, places)."""
        size, totals = len(self._groups), self._row_totals
        centred = self._row_grams - np.outer(totals, totals) / self._n
        centred = centred.reshape(size, 2, size, 2)
        found = np.empty((3, size))
        for place in range(size):
            weights = self._weights_at(place)
            for k, (one, two) in enumerate(((0, 0), (0, 1), (1, 1))):
                found[k, place] = weights @ centred[:, one, :, two] @ weights
        return found

    @cached_property
    def _row_noise(self) -> FloatArray:
        """By how much squares of row sums, and products of both, are too large, (3, places)."""
        size = len(self._groups)
        grams = self._row_grams.reshape(size, 2, size, 2)[1:, :, 1:]
        pairs = ((0, 0), (0, 1), (1, 1))
        return np.array([self._design.row_variances(grams[:, one, :, two]) for one, two in pairs])

    def _run(self, tiles: Tiles) -> None:
        n, design = self._n, self._design
        columns = sum(some.columns for some in self._asked)
        each = operations_of(round(n * n * design.share / 2 / design.blocks), 2 * columns)
        expect(each * design.blocks)
        at_once = max(1, min(round(TASK_OPERATIONS / each), -(-design.blocks // LEAST_TASKS)))
        self._groups = np.zeros((1 + design.groups, 5))
        own = np.zeros((2, n))
        across: FloatArray = np.zeros((design.groups, 2, n), np.float32)
        self._sums = np.zeros((1 + design.groups, 2, sum(len(some) for some in self._asked)))
        for found in run(partial(self._task, tiles), [*spans(0, design.blocks, at_once)], rows=n):
            self._groups += found.groups
            self._sums += found.sums
            for some, sums in found.own:
                own[:, some] += sums[0]
                across[:, :, some] += sums[1:]
            for rows, groups, back in found.others:
                across[groups - 1, :, rows] += back.T
        self._asked = ()  # the factors are large
        if tiles.by_class and self._across:  # of classes only what is within has been summed
            a, sums = self._across, self._groups
            sums[:, 4] = _mixed(sums[:, 2], sums[:, 3], a**2)
            sums[:, 3] = _mixed(sums[:, 2], sums[:, 3], a)
            sums[:, 1] = _mixed(sums[:, 0], sums[:, 1], a)
            own[1] = _mixed(own[0], own[1], a)
            across[:, 1] = _mixed(across[:, 0], across[:, 1], a)
            self._sums[:, 1] = _mixed(self._sums[:, 0], self._sums[:, 1], a)
        self._add_up(own, across)

    def _task(self, tiles: Tiles, blocks: slice) -> _Found:
        """Return what the pairs of some blocks with themselves, and with those a lag away, add."""
        found = _Found(np.zeros_like(self._groups), [], [], np.zeros_like(self._sums))
        columns = sum(some.columns for some in self._asked)
        for number in range(blocks.start, blocks.stop):
            some = self._design.block(number)
            left = [shuffled.values(some) if shuffled.columns else None for shuffled in self._asked]
            for tile in tiles.of(number):
                self._add_rows(found, tile, by_class=tiles.by_class)
                self._add_variables(found, tile, tiles, left)
                pause(operations_of(tile.whole.size, 2 * columns))
        return found

    def _add_rows(self, found: _Found, tile: Tile, *, by_class: bool) -> None:
        """Add the sums over W and W Y alone."""
        tall, wide = tile.whole.shape
        ones = np.ones(wide, np.float32)
        own: FloatArray = np.zeros((len(self._groups), 2, wide), np.float32)
        back: FloatArray = np.zeros((2, tall), np.float32)
        squares: FloatArray = np.zeros((3, tall), np.float32)
        own[:, 0] = np.dot(tile.members, tile.whole)
        back[0] = np.dot(tile.whole, ones)
        squares[0] = np.dot(tile.whole * tile.whole, ones)
        for rows, columns, values in tile.inner:
            own[:, 1, columns] += np.dot(tile.members[:, rows], values)
            back[1, rows] = np.dot(values, ones[columns])
            if by_class:
                squares[1:, rows] = np.dot(values * values, ones[columns])
            else:
                squares[1, rows] = np.dot(tile.whole * values, ones)
                squares[2, rows] = np.dot(values * values, ones)
        found.own.append((tile.some, own))
        across = tile.groups > 0  # within a block both orders are there
        found.others.append((tile.rows[across], tile.groups[across], back[:, across]))
        exact = tile.members.astype(np.float64)
        found.groups[:, :2] += np.dot(exact, back.T)
        found.groups[:, 2:] += np.dot(exact, squares.T)

    def _add_variables(
        self, found: _Found, tile: Tile, tiles: Tiles, left: Sequence[FloatArray | None]
    ) -> None:
        """Add the sums over both times each variable."""
        tall = len(tile.rows)
        start = 0
        for shuffled, mine in zip(self._asked, left, strict=True):
            stop = start + len(shuffled)
            if mine is not None and shuffled.factors is not None:
                theirs, offsets = shuffled.values(tile.rows), shuffled.factors.offsets
                product = np.dot(tile.whole, mine)
                for kind in range(2):
                    if kind:
                        for rows, columns, values in tile.inner:
                            product[rows] = np.dot(values, mine[columns])
                    product *= theirs
                    of_each = np.dot(tile.members, product)
                    sums = np.add.reduceat(of_each, offsets, axis=1, dtype=np.float64)
                    found.sums[:, kind, start : start + len(offsets)] += sums
                start += len(offsets)
            for one in shuffled.others:
                values = tiles.values(one, tile)
                of_each = np.zeros((2, tall))
                of_each[0] = np.einsum("ij,ij->i", tile.whole, values)
                for rows, columns, inner in tile.inner:
                    of_each[1, rows] = np.einsum("ij,ij->i", inner, values[rows, columns])
                found.sums[:, :, start] += np.dot(tile.members, of_each.T)
                start += 1
            start = stop


def _mixed(whole: FloatArray, within: FloatArray, across: float) -> FloatArray:
    """Return sums of W Y from those of W over all pairs and within classes, `across` else."""
    return np.asarray(across * whole + (1 - across) * within)
