r"""Order 2 without eigenvalues, for many extensions of one product at a time.

S_2(A) = -log2 ||A||_F^2, so only sums of squared kernel values are needed. With F = L L' the
squared Gram of one more variable and W that of the others,

    sum_ij W_ij F_ij = tr(L' W L),

one matrix product with all the L side by side serves every candidate of a step, or every
permuted copy of one variable (whose L has its rows permuted). With a delta-kernel label the same
sum over pairs within a class gives the joint entropy, out of the same pass. W comes in tiles, or as
a factor of its own where its rank makes that cheaper: ||L_W' L||_F^2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, NamedTuple

import numpy as np

from renyi._typing import Array, FloatArray, IntArray
from renyi.backend import Backend
from renyi.entropies._cholesky import RESIDUAL
from renyi.entropies._memory import FACTOR_BYTES
from renyi.entropies._row_sums import RowSums, Sums
from renyi.entropies._stack import SINGLE_LEAST, Extension, Stack
from renyi.entropies._tiles import TILE, TILE_COLUMNS, runs, spans
from renyi.entropies._wide import WideFactor
from renyi.execution import run
from renyi.kernels import KernelProduct, pack_codes

__all__ = ["SquaredSums", "SumsWithTarget"]

SINGLE_RESIDUAL: Final = 1e-7
"""Residual that a factor may leave from which tiles are multiplied in single precision."""

SINGLE_COLUMNS: Final = 512
"""Columns of a tile in single precision."""

DEPTH: Final = 64
"""Columns of it that are multiplied at once: sums of so many products are added up, and then those
of all tiles in double precision."""

SHORT_ROWS: Final = 8192
SHORT_DEPTH: Final = 128
"""The same for so many rows, of which chance moves a gain further; and all in single precision."""

UNIT: Final = 2.0**-24
"""What single precision rounds off a number, as a share of it."""

SINGLE_ENTRY: Final = 7 * UNIT
"""What it rounds off an entry of W: its exponential, and what is put in for its exponent."""

ROUNDED: Final = 4 * UNIT
"""What it rounds off a product of two entries of a factor, as a share of it."""

KEPT_BYTES: Final = 2**27
"""Bytes of tiles that are kept for later sums; a quarter of what a factor may take, where less."""

MOST_KEPT_BYTES: Final = 2**29
"""The same in a pass over orders of rows, which more mostly follow; none in a stack's first."""

CACHED_ENTRIES: Final = 2**17
"""Products of a tile and factors that are made at once: what a cache holds."""

AT_ONCE: Final = 512
"""Columns of several orders that are multiplied at once: more gain nothing."""

COLUMN_SHARE: Final = 4
"""Of the bytes that a factor may take, the part of stacked factors worked on at once: with what
they are multiplied into they take two to three times as much."""


class SumsWithTarget(NamedTuple):
    """Sums over W and W Y, Y the squared Gram of classes, diagonals left out.

    Attributes
    ----------
    rows, target_rows
        (n,) row sums of W and of W Y, each entry times the weights of its rows.
    totals
        Sums of W and of W Y, diagonals included.
    squares, target_squares
        Sums of W^2 and of (W Y)^2.
    share, missing
        How far off each of `totals` may be, as a share of it, and besides that. Row sums and
        squares are within some 1e-6 of themselves.
    """

    rows: FloatArray
    target_rows: FloatArray
    totals: tuple[float, float]
    squares: float
    target_squares: float
    share: float
    missing: float


@dataclass(frozen=True, eq=False)
class _Block:
    """Rows that share a hard code: where they are, in which classes, and their W."""

    rows: slice
    classes: tuple[slice, ...]
    product: KernelProduct
    counts: FloatArray
    squares: FloatArray
    wide: WideFactor

    def by_tiles(self, columns: int) -> bool:
        """Return whether a product with so many columns is less work by tiles than by the factor.

        A factor is one of coordinates: it knows nothing of soft codes.
        """
        return bool(self.product.soft) or not self.wide.serves(columns)


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
    ) -> None:
        n = len(base)
        self._backend = backend
        self._n = n
        self._column_bytes = most_bytes // COLUMN_SHARE
        label = np.zeros(n, dtype=np.int64) if classes is None else classes
        codes = np.zeros(n, dtype=np.int64) if base.codes is None else base.codes
        groups, count = pack_codes(base.rows, base.distinct, label, max(n_classes, 1))
        if 2 * count > n:  # to add up so few rows takes longer than it saves
            groups, count = np.arange(n), n
        self._order = np.lexsort((groups, label, codes))
        ordered = groups[self._order]
        self._starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
        self._merged = count < n
        # rows that were added up are few, and their sums long; a device's library may round single
        # precision further than its numbers do
        host = backend.device == "cpu"
        self._single = residual >= SINGLE_RESIDUAL and not self._merged and host
        first = self._order[self._starts]
        self._weights = None if base.weights is None else base.weights[self._order]
        own = np.ones(n) if self._weights is None else self._weights
        counts, squares = (np.add.reduceat(w, self._starts) for w in (own, own**2))
        room = most_bytes // max(len(first), 1)  # a row: each block has the share of its rows
        weights = counts, squares
        self._blocks = list(
            _split(base, first, codes[first], label[first], weights, residual, room)
        )
        self._sums: dict[int, Sums] = {}
        self._largest: dict[int, float] = {}
        entries = sum(
            len(block.product) * (len(block.product) + TILE) // 2 for block in self._blocks
        )
        kept = (4 if self._single else 8) * entries
        self._keeps = self._alone = False
        self._may_keep = host and kept <= min(KEPT_BYTES, most_bytes // COLUMN_SHARE)
        self._may_keep_much = host and kept <= min(MOST_KEPT_BYTES, most_bytes)
        self._kept: dict[tuple[int, int], list[tuple[slice, slice, Array]]] = {}

    @property
    def _depth(self) -> int:
        return SHORT_DEPTH if self._n <= SHORT_ROWS else DEPTH

    @property
    def _rounding(self) -> float:
        """What single precision rounds off each sum over W_ij |L_ik| |L_jk|, as a share of it.

        One rounding for each product that is added, for each sum of them, and for each of the three
        factors.
        """
        longest = self._n if self._n <= SHORT_ROWS else SINGLE_COLUMNS
        return (self._depth + longest // self._depth + 10) * UNIT + SINGLE_ENTRY

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
        """Return how far off each sum may be by residuals and single precision, by extension.

        For either sum, after `sums`. With R, positive semidefinite, missing of F, the sum of
        W_ij R_ij is at most the largest row sum of W times tr R, and at most n^2 times the largest
        entry of R; what is missing of W counts n^2 times its mean diagonal, F having no row sum
        above n. These make a sum too small, tiles in single precision one too small or too large.
        """
        residuals = np.array([extension.factor.residual for extension in extensions])
        means = np.array([extension.factor.mean for extension in extensions])
        return np.asarray(self._errors(residuals, means)[0])

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
                rounded += self._rounding * (1 + SINGLE_ENTRY) * found.totals[:, None]
            rounded += heaviest**2 * n * n * SINGLE_LEAST
        return np.asarray(left_out + rounded)

    def stacked(
        self, stack: Stack, orders: Sequence[IntArray | None] = (None,)
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return both sums, (orders, count), and how far off either may be, (2, count), of a stack.

        Parameters
        ----------
        stack
            The variables; in single precision only where `takes_single` says so.
        orders
            Orders (n,) in which the rows of all variables are taken; None as they are.
        """
        everything, within = (np.empty((len(orders), len(stack))) for _ in range(2))
        rows = [self._order if order is None else order[self._order] for order in orders]
        most = max(1, self._column_bytes // (stack.values.itemsize * self._n))
        self._keeps = self._may_keep_much and orders[0] is not None

        def sums(parts: Sequence[tuple[Stack, slice]]) -> list[tuple[FloatArray, FloatArray]]:
            return [self._of_orders(part, rows[some]) for part, some in parts]

        def work(item: tuple[tuple[int, int], Stack, slice]) -> None:
            place, part, some = item
            found = self._backend.guarded(sums, [(part, some)], what="many factors")[0]
            everything[some, slice(*place)], within[some, slice(*place)] = found

        items = []
        for place in stack.parts(most):
            part = stack.part(*place)
            at_once = max(1, min(most, AT_ONCE) // max(part.values.shape[1], 1))
            items += [(place, part, some) for some in spans(0, len(orders), at_once)]
        # the first tells the sums over W and keeps its tiles; of few rows the others need no more
        # than one worker each
        beside = len(self._starts) <= TILE and self._keeps
        for item in items[: 1 if beside else len(items)]:
            work(item)
        if beside:
            self._alone = True
            jobs = None if self._backend.device == "cpu" else 1
            list(run(work, items[1:], rows=self._n, jobs=jobs))
            self._alone = False
        errors = self._errors(stack.residuals, stack.means)
        if stack.values.dtype == np.float32:  # rounded, also where sums are in double precision
            largest = [self._largest.get(k, float(self._n)) for k in range(len(self._blocks))]
            heaviest = 1.0 if self._weights is None else float(self._weights.max())
            errors = errors + ROUNDED * heaviest * self._n * max(largest, default=0.0)
        return everything, within, errors

    def _of_orders(self, part: Stack, rows: Sequence[IntArray]) -> tuple[FloatArray, FloatArray]:
        """Return both sums of some variables in some orders, (orders, count) each."""
        columns = [self._added_up(part.values, order) for order in rows]
        width = part.values.shape[1]
        offsets = [part.offsets + number * width for number in range(len(rows))]
        stacked = columns[0] if len(rows) == 1 else np.hstack(columns)
        found = self._column_sums(stacked, np.concatenate(offsets))
        everything, within = (sums.reshape(len(rows), len(part)) for sums in found)
        return everything, within

    def given(self) -> SumsWithTarget:
        """Return the sums over W alone, of the pass that was made last, or of one made for them."""
        if len(self._sums) < len(self._blocks):
            nothing = np.empty((len(self._starts), 0), np.float32 if self._single else np.float64)
            self._column_sums(nothing, np.empty(0, dtype=np.int64))
        own = np.ones(self._n) if self._weights is None else self._weights
        found = Sums.zeros(self._n)
        places = np.repeat(np.arange(len(self._starts)), np.diff(np.append(self._starts, self._n)))
        ordered = Sums.zeros(len(self._starts))
        for number, block in enumerate(self._blocks):
            some = self._sums[number]
            ordered.rows[block.rows], ordered.within[block.rows] = some.rows, some.within
            found.totals[:] += some.totals
            found.squares[:] += some.squares
        # each row is its own neighbour, at 1
        found.rows[self._order] = own * (ordered.rows[places] - own)
        found.within[self._order] = own * (ordered.within[places] - own)
        fourth = float((own**4).sum())
        heaviest = float(own.max())
        missing = sum(heaviest * self._n * block.wide.trace for block in self._blocks)
        if self._single:
            missing += heaviest**2 * float(self._n) ** 2 * SINGLE_LEAST
        return SumsWithTarget(
            found.rows,
            found.within,
            (float(found.totals[0]), float(found.totals[1])),
            float(found.squares[0]) - fourth,
            float(found.squares[1]) - fourth,
            SINGLE_ENTRY if self._single else 0.0,
            missing,
        )

    def _added_up(self, values: FloatArray, rows: IntArray) -> FloatArray:
        """Return the rows of a pass from those of a table, equal ones added up.

        As a product with a sparse matrix, which takes a tenth of the time of `reduceat` over rows.
        """
        if not self._merged:
            return self._weighed(values[rows])
        from scipy.sparse import csr_array

        weights = np.ones(self._n) if self._weights is None else self._weights
        ends = np.append(self._starts, self._n)
        shape = (len(self._starts), self._n)
        return np.asarray(csr_array((weights, rows, ends), shape) @ values, dtype=values.dtype)

    def _weighed(self, values: FloatArray) -> FloatArray:
        """Have rows of factors, in the order of a pass, count as often as they do, in place."""
        if self._weights is not None:
            values *= self._weights[:, None].astype(values.dtype)
        return values

    @property
    def takes_single(self) -> bool:
        """Whether a stack in single precision serves: tiles are multiplied in it."""
        return self._single

    def _some_sums(self, extensions: Sequence[Extension]) -> list[tuple[float, float]]:
        widths = [extension.factor.values.shape[1] for extension in extensions]
        offsets = np.concatenate(([0], np.cumsum(widths)[:-1])).astype(np.int64)
        columns = sum(widths)
        # factors of W are multiplied in double precision: their sums are too long for single
        single = self._single and all(block.by_tiles(columns) for block in self._blocks)
        stacked = np.empty((len(self._starts), columns), np.float32 if single else np.float64)
        for extension, column, width in zip(extensions, offsets, widths, strict=True):
            values = extension.factor.values
            if single:
                values = np.where(np.abs(values) < SINGLE_LEAST, 0.0, values).astype(np.float32)
            values = self._weighed(values[extension.rows[self._order]])
            if self._merged:
                values = np.add.reduceat(values, self._starts, axis=0, dtype=np.float64)
            stacked[:, column : column + width] = values
        everything, within = self._column_sums(stacked, offsets)
        return list(zip(everything.tolist(), within.tolist(), strict=True))

    def _column_sums(self, stacked: FloatArray, offsets: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the sums of columns that belong together, from rows in the order of a pass."""
        columns = stacked.shape[1]
        by_tiles = [block.by_tiles(columns) for block in self._blocks]
        if stacked.dtype == np.float32 and not all(by_tiles):
            stacked = stacked.astype(np.float64)
        everything, within = np.zeros(columns), np.zeros(columns)
        for number, block in enumerate(self._blocks):
            some = self._backend.to_device(stacked[block.rows])
            if by_tiles[number]:
                self._add_tiles(number, block, some, everything, within)
            else:
                self._add_low_rank(number, block, some, everything, within)
        if not columns:
            return everything, within
        return np.add.reduceat(everything, offsets), np.add.reduceat(within, offsets)

    def _add_low_rank(
        self,
        number: int,
        block: _Block,
        columns: Array,
        everything: FloatArray,
        within: FloatArray,
    ) -> None:
        """Add ||L_W' L_F||_F^2, by column: once for all rows, once class by class."""
        backend, xp = self._backend, self._backend.xp
        left = backend.to_device(block.wide.factor)
        if number not in self._largest:
            self._largest[number] = block.wide.largest_row_sum(block.counts)
        if number not in self._sums:
            self._sums[number] = _sums_of_factor(block)
        total = backend.to_device(np.zeros((left.shape[0], columns.shape[1])))
        for rows in block.classes:
            product = left[:, rows] @ columns[rows, :]
            within += backend.to_host(xp.sum(product * product, axis=0))
            total += product
        everything += backend.to_host(xp.sum(total * total, axis=0))

    def _add_tiles(
        self,
        number: int,
        block: _Block,
        columns: Array,
        everything: FloatArray,
        within: FloatArray,
    ) -> None:
        """Add the column sums of L_F * (W L_F) over the lower triangle of W, tile by tile."""
        single = self._single and columns.dtype == self._backend.xp.float32
        sums_known = number in self._sums
        rows = None
        if not sums_known:
            rows = RowSums(block.counts, block.squares, self._backend, single=single)
        width = columns.shape[1]
        pieces = [columns]
        most = CACHED_ENTRIES // min(max(columns.shape[0], 1), TILE)
        if width > most:  # each by itself in memory
            copied = self._backend.xp.asarray
            pieces = [copied(columns[:, some], copy=True) for some in spans(0, width, most)]

        def task(strip: tuple[slice, slice]) -> _Strip:
            own, some = strip
            sums = Sums.zeros(0 if rows is None else some.stop)
            tiles = self._tiles(number, own, some, rows, sums, single=single)
            return self._strip(own, tiles, pieces, sums)

        strips = [(own, some) for own in block.classes for some in spans(own.start, own.stop, TILE)]
        # the last strips are the longest; one worker where all share a device
        jobs = None if self._backend.device == "cpu" and not self._alone else 1
        for found in run(task, strips[::-1], rows=len(block.product), jobs=jobs):
            within += found.inside
            everything += found.inside
            everything += found.outside
            if rows is not None:
                rows.sums.take(found.sums)
        if rows is not None:
            self._largest[number], self._sums[number] = rows.largest, rows.sums

    def _tiles(
        self,
        number: int,
        own: slice,
        some: slice,
        rows: RowSums | None,
        sums: Sums,
        *,
        single: bool,
    ) -> Iterator[tuple[slice, slice, Array]]:
        """Yield the tiles (rows, columns, W there) of the rows `some` and all before them.

        First the one on the diagonal; `own` is the class of the rows. They are kept where they are
        not too large: replicates come in rounds. `sums` take what the tiles add
        to those over W.
        """
        block, key = self._blocks[number], (number, some.start)
        # only after a whole pass: one that failed midway has not told the sums of all rows
        if rows is None and single == self._single and key in self._kept:
            yield from self._kept[key]
            return
        kept, keeps = [], self._keeps and single == self._single
        width = SINGLE_COLUMNS if single else TILE_COLUMNS
        before = spans(own.start, some.start, width), spans(0, own.start, width)
        for others in chain((some,), *before):
            tile = block.product.tile(self._backend, some, others, exponent=2.0, single=single)
            if single:
                tile[tile < SINGLE_LEAST] = 0.0
            if rows is not None:
                rows.add(sums, tile, some, others, within=others.start >= own.start)
            if keeps:
                kept.append((some, others, tile))
            yield some, others, tile
        if keeps:
            self._kept[key] = kept

    def _strip(
        self,
        own: slice,
        tiles: Iterator[tuple[slice, slice, Array]],
        columns: Sequence[Array],
        sums: Sums,
    ) -> _Strip:
        """Return what the tiles of some rows add; `own` is the class of these.

        `sums` are there once the tiles have been read.
        """
        backend, xp = self._backend, self._backend.xp
        some, _, tile = next(tiles)
        short = self._n <= SHORT_ROWS and tile.dtype == xp.float32
        inside: list[Array] = []
        for block in columns:
            product = self._product(tile, block[some, :])
            inside.append(product if short else xp.astype(product, xp.float64))
            inside[-1] *= 0.5  # the others count twice
        outside: list[Array] = []
        for _, others, tile in tiles:
            within = others.start >= own.start
            if not within and not outside:
                outside = [xp.zeros_like(found) for found in inside]
            products = inside if within else outside
            for number, block in enumerate(columns):
                products[number] += self._product(tile, block[others, :])

        def total(sums_of: Sequence[Array]) -> FloatArray:
            found = [
                backend.to_host(xp.sum(block[some, :] * one, axis=0, dtype=xp.float64))
                for one, block in zip(sums_of, columns, strict=True)
            ]
            return 2.0 * np.concatenate(found)

        across = total(outside) if outside else np.zeros(sum(b.shape[1] for b in columns))
        return _Strip(total(inside), across, sums)

    def _product(self, tile: Array, columns: Array) -> Array:
        """Return a tile times columns, in the precision of the tile."""
        xp, dot = self._backend.xp, self._backend.dot
        if tile.dtype != xp.float32:
            return dot(tile, columns)
        first, *rest = spans(0, columns.shape[0], self._depth)
        found = dot(tile[:, first], columns[first, :])
        for some in rest:
            found += dot(tile[:, some], columns[some, :])
        return found


class _Strip(NamedTuple):
    """Column sums of some rows, within their class and across classes, and sums of W."""

    inside: FloatArray
    outside: FloatArray
    sums: Sums


def _sums_of_factor(block: _Block) -> Sums:
    """Return the sums over W of a block whose factor serves."""
    left, counts = block.wide.factor, block.counts
    found = Sums.zeros(len(counts))
    found.rows[:] = left.T @ (left @ counts)
    gram = np.zeros((len(left), len(left)))
    for own in block.classes:
        part = left[:, own]
        sums = part @ counts[own]
        found.within[own] = part.T @ sums
        found.totals[1] += float(sums @ sums)
        of_class = (part * block.squares[own]) @ part.T
        found.squares[1] += float((of_class * of_class).sum())
        gram += of_class
    found.totals[0] = float(found.rows @ counts)
    found.squares[0] = float((gram * gram).sum())
    return found


def _split(
    base: KernelProduct,
    first: IntArray,
    codes: IntArray,
    label: IntArray,
    weights: tuple[FloatArray, FloatArray],
    residual: float,
    row_bytes: int,
) -> Iterator[_Block]:
    for rows in runs(codes):
        product = base.subset(first[rows])
        counts, squares = (some[rows] for some in weights)
        wide = WideFactor(product.coordinates, counts, residual, row_bytes * len(counts))
        yield _Block(rows, tuple(runs(label[rows])), product, counts, squares, wide)
