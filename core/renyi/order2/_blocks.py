"""Rows of a squared Gram that share a hard code, and the sums over them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from renyi._typing import Array, FloatArray, IntArray
from renyi.backend import Backend
from renyi.factors import runs
from renyi.kernels import KernelProduct
from renyi.order2._row_sums import Sums
from renyi.order2._sizes import PassSizes
from renyi.order2._wide import WideFactor
from renyi.order2.columns._stack import SINGLE_ENTRY, SINGLE_LEAST

__all__ = [
    "Block",
    "SumsWithTarget",
    "added_up",
    "low_rank_sums",
    "split",
    "sums_of_factor",
    "sums_with_target",
    "weighed",
]


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
class Block:
    """Rows that share a hard code: where they are, in which classes, and their W."""

    rows: slice
    classes: tuple[slice, ...]
    product: KernelProduct
    counts: FloatArray
    squares: FloatArray
    wide: WideFactor

    def by_tiles(self, columns: int) -> bool:
        """Return whether a product with so many columns is less work by tiles than by the factor.

        A factor is one of coordinates: it knows nothing of other kernels.
        """
        return not self.product.by_coordinates or not self.wide.serves(columns)


def sums_of_factor(block: Block) -> Sums:
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


def sums_with_target(
    blocks: Sequence[Block],
    sums: Sequence[Sums],
    order: IntArray,
    starts: IntArray,
    weights: FloatArray | None,
    *,
    single: bool,
) -> SumsWithTarget:
    """Return the sums over W alone, row by row of the table.

    Parameters
    ----------
    blocks, sums
        Of W, and what each adds.
    order, starts, weights
        How the rows of a pass come from those of the table, as in `PassRows`.
    single
        Whether tiles were in single precision.
    """
    n = len(order)
    own = np.ones(n) if weights is None else weights
    found, ordered = Sums.zeros(n), Sums.zeros(len(starts))
    for block, some in zip(blocks, sums, strict=True):
        ordered.rows[block.rows], ordered.within[block.rows] = some.rows, some.within
        found.totals[:] += some.totals
        found.squares[:] += some.squares
    # each row is its own neighbour, at 1
    places = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, n)))
    found.rows[order] = own * (ordered.rows[places] - own)
    found.within[order] = own * (ordered.within[places] - own)
    fourth = float((own**4).sum())
    heaviest = float(own.max())
    missing = sum(heaviest * n * block.wide.trace for block in blocks)
    if single:
        missing += heaviest**2 * float(n) ** 2 * SINGLE_LEAST
    return SumsWithTarget(
        found.rows,
        found.within,
        (float(found.totals[0]), float(found.totals[1])),
        float(found.squares[0]) - fourth,
        float(found.squares[1]) - fourth,
        SINGLE_ENTRY if single else 0.0,
        missing,
    )


def split(
    base: KernelProduct,
    first: IntArray,
    codes: IntArray,
    label: IntArray,
    weights: tuple[FloatArray, FloatArray],
    residual: float,
    row_bytes: int,
    sizes: PassSizes,
) -> Iterator[Block]:
    codes, label = codes[first], label[first]
    for rows in runs(codes):
        product = base.subset(first[rows])
        counts, squares = (some[rows] for some in weights)
        wide = WideFactor(product.coordinates, counts, residual, row_bytes * len(counts), sizes)
        yield Block(rows, tuple(runs(label[rows])), product, counts, squares, wide)


def low_rank_sums(
    left: Array, columns: Array, classes: Sequence[slice], backend: Backend
) -> tuple[FloatArray, FloatArray]:
    """Return ||L_W' L_F||_F^2, by column: once for all rows, once class by class.

    Parameters
    ----------
    left
        L_W', (rank, m).
    columns
        Those of L_F side by side, (m, columns).
    classes
        Rows of each class.
    backend
        Where both are.
    """
    xp = backend.xp
    total = backend.to_device(np.zeros((left.shape[0], columns.shape[1])))
    within = np.zeros(columns.shape[1])
    for rows in classes:
        product = left[:, rows] @ columns[rows, :]
        within += backend.to_host(xp.sum(product * product, axis=0))
        total += product
    return backend.to_host(xp.sum(total * total, axis=0)), within


def added_up(
    values: FloatArray, rows: IntArray, starts: IntArray, weights: FloatArray | None
) -> FloatArray:
    """Return the rows of a pass from those of a table, equal ones added up.

    As a product with a sparse matrix, which takes a tenth of the time of `reduceat` over rows.

    Parameters
    ----------
    values
        (n, columns) of the table.
    rows
        (n,) which of its rows come one after another.
    starts
        (m,) where the equal ones of these begin.
    weights
        (n,) how much each counts; None where all count alike.
    """
    from scipy.sparse import csr_array

    own = np.ones(len(rows)) if weights is None else weights
    shape = (len(starts), len(rows))
    summed = csr_array((own, rows, np.append(starts, len(rows))), shape) @ values
    return np.asarray(summed, dtype=values.dtype)


def weighed(values: FloatArray, weights: FloatArray | None) -> FloatArray:
    """Have rows of factors, in the order of a pass, count as often as they do, in place."""
    if weights is not None:
        values *= weights[:, None].astype(values.dtype)
    return values
