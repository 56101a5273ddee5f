r"""Order 2 without eigenvalues, for many extensions of one product at a time.

S_2(A) = -log2 ||A||_F^2, so only sums of squared kernel values are needed. With F = L L' the
squared Gram of one more variable and W that of the others,

    sum_ij W_ij F_ij = tr(L' W L),

one matrix product with all the L side by side serves every candidate of a step, or every permuted
copy of one variable (its L with rows permuted). With a delta-kernel label the same sum over pairs
within a class gives the joint entropy. W comes in tiles, or as a factor where that is cheaper.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from typing import TypeAlias

import numpy as np

from renyi._typing import Array, FloatArray, IntArray
from renyi.backend import Backend
from renyi.entropies import FACTOR_BYTES
from renyi.execution import crew_for, expect, run
from renyi.factors import RESIDUAL, spans
from renyi.kernels import KernelProduct
from renyi.order2._blocks import (
    Block,
    SumsWithTarget,
    low_rank_sums,
    split,
    sums_of_factor,
    sums_with_target,
)
from renyi.order2._row_sums import RowSums, Sums
from renyi.order2._sizes import PASS, PassSizes
from renyi.order2._strips import (
    AT_ONCE,
    ENTRIES_AT_ONCE,
    KEPT_BYTES,
    MANY_AT_ONCE,
    MOST_KEPT_BYTES,
    ROUNDED,
    SHARED_OPERATIONS,
    SINGLE_RESIDUAL,
    Ground,
    Piece,
    Strip,
    Tile,
    grouped,
    pieces_of,
    rounding_of,
    strip_of,
    strips_of,
    strips_of_stack,
    tiles_of,
)
from renyi.order2.columns._columns import Columns, Extended, Ordered, PassRows
from renyi.order2.columns._stack import SINGLE_ENTRY, SINGLE_LEAST, Extension, Places, Stack

__all__ = ["SINGLE_RESIDUAL", "SquaredSums"]

_Item: TypeAlias = tuple[Sequence[Places], slice, slice]
"""Some variables of a stack in each of some orders, which orders, and where their sums go."""


class SquaredSums:
    """Sums of W_ij F_ij over all pairs, and over pairs of one class, for many F at once.

    Rows that are equal in W and in class are added up first: the sums are bilinear in L.

    Parameters
    ----------
    base
        The product whose squared Gram is W; its rows may have weights.
    classes, n_classes
        (n,) label codes, or None where only sums over all pairs are wanted.
    backend
        Where the matrix products run.
    residual
        Largest mean residual of the diagonal that a factor of W may leave.
    most_bytes
        Bytes that the factors of W may take, see `factor_bytes`.
    sizes
        How much is done at once.
    """

    def __init__(
        self,
        base: KernelProduct,
        classes: IntArray | None,
        n_classes: int,
        backend: Backend,
        *,
        residual: float = RESIDUAL,
        most_bytes: int = FACTOR_BYTES,
        sizes: PassSizes = PASS,
    ) -> None:
        n = len(base)
        self._backend, self._n, self._sizes = backend, n, sizes
        self._column_bytes = most_bytes // sizes.column_share
        label = np.zeros(n, dtype=np.int64) if classes is None else classes
        codes = np.zeros(n, dtype=np.int64) if base.codes is None else base.codes
        self._rows = PassRows.of(base, label, codes, max(n_classes, 1))
        self._order, self._starts = self._rows.order, self._rows.starts
        self._weights = self._rows.weights
        # rows that were added up are few, and their sums long; a device's library may round single
        # precision further than its numbers do
        host = backend.device == "cpu"
        self._single = residual >= SINGLE_RESIDUAL and not self._rows.merged and host
        first = self._order[self._starts]
        own = np.ones(n) if self._weights is None else self._weights
        sums = np.add.reduceat(own, self._starts), np.add.reduceat(own**2, self._starts)
        room = most_bytes // max(len(first), 1)  # a row: each block has the share of its rows
        self._blocks = list(split(base, first, codes, label, sums, residual, room, sizes))
        self._sums: dict[int, Sums] = {}
        self._largest: dict[int, float] = {}
        tall, entry = sizes.tile.rows, 4 if self._single else 8
        kept = entry * sum(len(b.product) * (len(b.product) + tall) // 2 for b in self._blocks)
        self._keeps = self._alone = False
        self._may_keep = host and kept <= min(KEPT_BYTES, self._column_bytes)
        self._may_keep_much = host and kept <= min(MOST_KEPT_BYTES, most_bytes)
        self._kept: dict[tuple[int, int, int], list[Tile]] = {}
        self._grounds = [
            Ground(b.product, b.counts, b.squares, b.rows, n, self._single, sizes, backend)
            for b in self._blocks
        ]

    def sums(self, extensions: Sequence[Extension]) -> tuple[FloatArray, FloatArray]:
        """Return the sums over all pairs and over pairs within a class, each (len(extensions),)."""
        everything, within = np.empty(len(extensions)), np.empty(len(extensions))
        most = max(1, self._column_bytes // (8 * self._n))
        self._keeps = self._may_keep
        start = 0
        while start < len(extensions):
            stop, columns = start, 0
            while stop < len(extensions):
                width = extensions[stop].factor.values.shape[1]
                if stop > start and columns + width > most:
                    break
                columns += width
                stop += 1
            part = slice(start, stop)
            found = self._backend.guarded(
                self._some_sums, extensions[part], what="a variable's factor and a tile of the Gram"
            )
            everything[part], within[part] = zip(*found, strict=True)
            start = stop
        return everything, within

    def errors(self, extensions: Sequence[Extension]) -> FloatArray:
        """Return how far off either sum may be by residuals and single precision, after `sums`.

        With R, positive semidefinite, missing of F, the sum of
        W_ij R_ij is at most the largest row sum of W times tr R, and at most n^2 times the largest
        entry of R; what is missing of W counts n^2 times its mean diagonal, F having no row sum
        above n. These make a sum too small, tiles in single precision one too small or too large.
        """
        missing = [(one.factor.residual, one.factor.mean) for one in extensions]
        return np.asarray(self._errors(*np.reshape(missing, (-1, 2)).T)[0])

    def _errors(self, residuals: FloatArray, means: FloatArray) -> FloatArray:
        """Return the errors of the sums over all pairs, and over those of a class, (2, count)."""
        n = float(self._n)
        heaviest = 1.0 if self._weights is None else float(self._weights.max())
        rows = max((self._largest.get(k, n) for k in range(len(self._blocks))), default=n)
        missing = sum(n * block.wide.trace for block in self._blocks)
        left_out = np.minimum(n * n * residuals, heaviest * rows * n * means) + missing
        rounded = np.zeros((2, 1))
        if self._single:
            # by Cauchy's inequality the sum over |L_ik| |L_jk| is at most 1
            for found in self._sums.values():
                rounded += (
                    rounding_of(self._n, self._sizes.single_columns)
                    * (1 + SINGLE_ENTRY)
                    * found.totals[:, None]
                )
            rounded += heaviest**2 * n * n * SINGLE_LEAST
        return np.asarray(left_out + rounded)

    def stacked(
        self, stack: Stack, orders: Sequence[IntArray | None] = (None,)
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return both sums, (orders, count), and how far off either may be, (2, count), of a stack.

        Parameters
        ----------
        stack
            The variables; in single precision on a CPU only.
        orders
            Orders (n,) in which the rows of all variables are taken; None as they are.
        """
        rows = [self._order if order is None else order[self._order] for order in orders]
        most = max(1, self._column_bytes // (stack.values.itemsize * self._n))
        self._keeps = self._may_keep_much and orders[0] is not None
        items: list[_Item] = []
        for place in stack.parts(most):
            columns = max(AT_ONCE if self._keeps else MANY_AT_ONCE, ENTRIES_AT_ONCE // self._n)
            at_once = max(1, min(most, columns) // max(stack.part(*place).values.shape[1], 1))
            own = slice(*place)
            items += [
                ([own] * len(orders[some]), some, own) for some in spans(0, len(orders), at_once)
            ]
        return *self._worked(stack, rows, items, len(stack)), self._errors_of(stack)

    def picked(
        self, stack: Stack, orders: Sequence[IntArray], places: Sequence[IntArray]
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return both sums, (orders, k), and their errors, (2, orders, k), of a few of a stack.

        Parameters
        ----------
        stack, orders
            As in `stacked`.
        places
            (k,) which variables, for each order.
        """
        rows = [order[self._order] for order in orders]
        most = min(self._column_bytes // (stack.values.itemsize * self._n), MANY_AT_ONCE)
        self._keeps = self._may_keep_much
        at_once = max(1, most // int(stack.widths[places[0]].sum()))
        items = [(places[some], some, slice(None)) for some in spans(0, len(orders), at_once)]
        found = self._worked(stack, rows, items, len(places[0]))
        return *found, self._errors_of(stack)[:, np.stack(places)]

    def _worked(
        self, stack: Stack, rows: Sequence[IntArray], items: Sequence[_Item], count: int
    ) -> tuple[FloatArray, FloatArray]:
        """Return both sums, (orders, count) each, out of what is done at once."""
        everything, within = np.empty((2, len(rows), count))

        def work(item: _Item) -> None:
            def sums(_: Sequence[_Item]) -> list[tuple[FloatArray, FloatArray]]:
                return [self._of_orders(stack, item[0], rows[item[1]])]

            found = self._backend.guarded(sums, [item], what="many factors")[0]
            everything[item[1:]], within[item[1:]] = found

        # the first tells the sums over W and keeps its tiles; of few rows the others need no more
        # than one worker each
        beside = len(self._starts) <= self._sizes.tile.rows and self._keeps
        for item in items[: 1 if beside else len(items)]:
            work(item)
        if beside:
            self._alone = True
            try:
                list(run(work, items[1:], rows=self._n))
            finally:
                self._alone = False
        return everything, within

    def _errors_of(self, stack: Stack) -> FloatArray:
        """Return how far off either sum of each variable may be, (2, count)."""
        errors = self._errors(stack.residuals, stack.means)
        if stack.values.dtype == np.float32:  # rounded, also where sums are in double precision
            largest = [self._largest.get(k, float(self._n)) for k in range(len(self._blocks))]
            heaviest = 1.0 if self._weights is None else float(self._weights.max())
            errors = errors + ROUNDED * heaviest * self._n * max(largest, default=0.0)
        return errors

    def _of_orders(
        self, stack: Stack, places: Sequence[Places], orders: Sequence[IntArray]
    ) -> tuple[FloatArray, FloatArray]:
        """Return both sums of as many variables in each of some orders, (orders, count) each."""
        width = sum(int(stack.widths[some].sum()) for some in places)
        by_tiles = [block.by_tiles(width) for block in self._blocks]
        columns = Ordered(self._rows, stack, places, orders, double=not all(by_tiles))
        everything, within = self._column_sums(columns, by_tiles, stack)
        return everything.reshape(len(orders), -1), within.reshape(len(orders), -1)

    def given(self) -> SumsWithTarget:
        """Return the sums over W alone, of the pass that was made last, or of one made for them."""
        if len(self._sums) < len(self._blocks):
            self._some_sums(())
        sums = [self._sums[number] for number in range(len(self._blocks))]
        rows = self._order, self._starts, self._weights
        return sums_with_target(self._blocks, sums, *rows, single=self._single)

    def _some_sums(self, extensions: Sequence[Extension]) -> list[tuple[float, float]]:
        width = sum(one.factor.values.shape[1] for one in extensions)
        by_tiles = [block.by_tiles(width) for block in self._blocks]
        # factors of W are multiplied in double precision: their sums are too long for single
        columns = Extended(self._rows, extensions, single=self._single and all(by_tiles))
        everything, within = self._column_sums(columns, by_tiles)
        return list(zip(everything.tolist(), within.tolist(), strict=True))

    def _column_sums(
        self, columns: Columns, by_tiles: Sequence[bool], stack: Stack | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Return the sums of columns that belong together; `stack` is what they are of, if any."""
        everything, within = np.zeros(columns.width), np.zeros(columns.width)
        for number, block in enumerate(self._blocks):
            if by_tiles[number]:
                self._add_tiles(number, block, columns, stack, everything, within)
            else:
                some = self._backend.to_device(columns.made(stack)[block.rows])
                self._add_low_rank(number, block, some, everything, within)
        if columns.width:
            everything, within = (np.add.reduceat(x, columns.offsets) for x in (everything, within))
        return everything, within

    def _add_low_rank(
        self, number: int, block: Block, columns: Array, everything: FloatArray, within: FloatArray
    ) -> None:
        """Add the sums of a block whose W is of low rank."""
        backend = self._backend
        left = backend.to_device(block.wide.factor)
        if number not in self._largest:
            self._largest[number] = block.wide.largest_row_sum(block.counts)
        if number not in self._sums:
            self._sums[number] = sums_of_factor(block)
        total, inside = low_rank_sums(left, columns, block.classes, backend)
        everything += total
        within += inside

    def _add_tiles(
        self,
        number: int,
        block: Block,
        columns: Columns,
        stack: Stack | None,
        everything: FloatArray,
        within: FloatArray,
    ) -> None:
        """Add the column sums of L_F * (W L_F) over the lower triangle of W, tile by tile."""
        single = self._single and columns.single
        rows = None
        if number not in self._sums:
            rows = RowSums(block.counts, block.squares, self._backend, single=single)
        pieces = pieces_of(block.classes, self._sizes, tells=rows is not None)
        operations = [one.operations(self._sizes.tile.rows, columns.width) for one in pieces]
        expect(whole := sum(operations))
        crew = crew_for(whole)
        if crew is None:
            found = self._strips(number, pieces, columns, stack, rows, whole >= SHARED_OPERATIONS)
        else:
            groups, costs = grouped(pieces, operations)
            task, own = (strips_of, ()) if stack is None else (strips_of_stack, (stack,))
            found = crew.run(task, (self._grounds[number], columns, *own), groups, costs)
        with closing(found):
            for piece, one in zip(pieces, found, strict=True):
                within += one.inside
                everything += one.inside
                everything += one.outside
                if rows is not None:
                    rows.sums.take(one.sums, piece.places)
        if rows is not None:
            self._largest[number], self._sums[number] = rows.largest, rows.sums

    def _strips(
        self,
        number: int,
        pieces: Sequence[Piece],
        columns: Columns,
        stack: Stack | None,
        rows: RowSums | None,
        share: bool,
    ) -> Generator[Strip, None, None]:
        """Yield what each piece adds, by threads."""
        block, backend = self._blocks[number], self._backend
        single, tall = self._single and columns.single, self._sizes.tile.rows
        cut = columns.cut(block.rows, tall, backend, stack)

        def tiles(piece: Piece, some: slice, others: slice, sums: Sums) -> Iterator[Tile]:
            telling = None if rows is None else (rows, sums)
            return self._tiles(number, (piece, some, others), telling, single=single)

        def task(piece: Piece) -> Strip:
            return strip_of(piece, tiles, cut, self._n, tall, backend)

        # one worker where all share a device, and where others take longer to start
        jobs = None if share and backend.device == "cpu" and not self._alone else 1
        return run(task, pieces, rows=len(block.product), jobs=jobs)

    def _tiles(
        self,
        number: int,
        where: tuple[Piece, slice, slice],
        telling: tuple[RowSums, Sums] | None,
        *,
        single: bool,
    ) -> Iterator[Tile]:
        """Yield the tiles of a strip, see `tiles_of`.

        They are kept where they are not too large: replicates come in rounds.
        """
        _, some, others = where
        key = (number, some.start, others.start)
        # only after a whole pass: one that failed midway has not told the sums of all rows
        if telling is None and single == self._single and key in self._kept:
            yield from self._kept[key]
            return
        kept, keeps = [], self._keeps and single == self._single
        product = self._blocks[number].product
        for found in tiles_of(product, *where, telling, self._backend, self._sizes, single=single):
            if keeps:
                kept.append(found)
            yield found
        if keeps:
            self._kept[key] = kept
