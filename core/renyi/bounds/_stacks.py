"""Pairs of many extensions of one small set, as stacks of matrices.

For a hundred rows the eigenvalues of a Gram take a third of a millisecond, and describing it alone
as long. A stack has one description. Rows that are equal count as one of their weight, which leaves
the spectrum as it is but for zeros: three levels a column make 27 rows of three columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from renyi._typing import Array, FloatArray, IntArray
from renyi.backend import Backend
from renyi.bounds._pair import Pair
from renyi.entropies import entropies_of_spectra
from renyi.factors import runs
from renyi.kernels import KernelPart, KernelProduct

__all__ = ["STACKS", "StackSizes", "exp_of_distances", "kernels_of", "stack_size", "stacked_pairs"]

STACK_COPIES: Final = 6
"""Matrices that one extension takes on a device: its kernel, two products, and eigenvalues."""

MERGED_SHARE: Final = 0.8
"""Share of the rows that may be distinct for equal ones to be merged: finding them takes a tenth of
the eigenvalues of all."""

EPS: Final = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True)
class StackSizes:
    """How large stacks and their matrices are at most.

    Attributes
    ----------
    rows
        Up to which eigenvalues are cheap beside what surrounds them.
    entries
        Of a stack: 4 MB.
    """

    rows: int = 192
    entries: int = 2**19


STACKS: Final = StackSizes()


def stack_size(
    base: KernelProduct,
    parts: Sequence[KernelPart],
    target: KernelPart,
    alpha: float,
    sizes: StackSizes = STACKS,
) -> int:
    """Return how many extensions make a stack, 0 where stacks do not serve.

    The zeros that rows without weight leave in a spectrum are no matter from alpha 1 upwards.
    """
    n = len(base)
    serves = (
        alpha >= 1
        and n <= sizes.rows
        and target.is_hard
        and base.by_coordinates
        and all(part.is_gaussian for part in parts)
    )
    return max(1, sizes.entries // (n * n)) if serves else 0


def stacked_pairs(
    base: KernelProduct,
    parts: Sequence[KernelPart],
    target: KernelPart,
    alpha: float,
    backend: Backend,
) -> list[Pair]:
    """Return the pair of `base` with each part, all continuous, the target's kernel a delta."""
    classes = target.rows
    order = np.argsort(classes, kind="stable")
    spans = list(runs(classes[order]))
    size = len(base)

    def work(some: Sequence[KernelPart]) -> list[Pair]:
        return _pairs(base, some, order, spans, alpha, backend)

    return backend.guarded(
        work,
        parts,
        item_bytes=STACK_COPIES * 8 * size * size if backend.name != "numpy" else 0,
        what=f"a matrix of {size} x {size} and the work on it",
    )


def _pairs(
    base: KernelProduct,
    parts: Sequence[KernelPart],
    order: IntArray,
    spans: Sequence[slice],
    alpha: float,
    backend: Backend,
) -> list[Pair]:
    shared = base.pick(order, None).tile(backend, slice(None), slice(None))
    merged = _merged_rows(base, parts, order, spans)
    if merged is None:
        grams = kernels_of(parts, order, backend)
        grams *= (shared / len(base))[None, :, :]
        stacks = [grams, *(grams[:, span, span] for span in spans)]
    else:
        there = backend.to_host(shared) / len(base)
        stacks = [_merged_grams(there, parts, order, rows, backend) for rows in merged]
    whole, *classes = [backend.to_host(backend.eigvalsh(stack)) for stack in stacks]
    by_class = np.concatenate(classes, axis=1)
    error = base.entry_error + 16 * EPS
    features, joint = (
        entropies_of_spectra(spectra, alpha, "eigen", entry_error=error)
        for spectra in (whole, by_class)
    )
    return [Pair(own, with_target) for own, with_target in zip(features, joint, strict=True)]


class _Rows(NamedTuple):
    """Distinct rows of each extension, as many in each: those that fill up have no weight.

    Attributes
    ----------
    places
        (parts, m) where they are among the rows in the order of classes.
    weights
        (parts, m) how many rows each stands for.
    """

    places: IntArray
    weights: FloatArray

    @classmethod
    def of(cls, numbers: IntArray, start: int) -> _Rows:
        """Return those of rows from `start` on, `numbers` (parts, rows) equal where rows are."""
        order = np.argsort(numbers, axis=1, kind="stable")
        ordered = np.take_along_axis(numbers, order, axis=1)
        new = np.ones(numbers.shape, dtype=bool)
        new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
        which = np.cumsum(new, axis=1) - 1
        count, most = len(numbers), int(which.max()) + 1
        flat = which + most * np.arange(count)[:, None]
        weights = np.bincount(flat.ravel(), minlength=count * most).reshape(count, most)
        places = np.full(count * most, start)
        places[flat[new]] = order[new] + start
        return cls(places.reshape(count, most), weights.astype(np.float64))


def _merged_rows(
    base: KernelProduct, parts: Sequence[KernelPart], order: IntArray, spans: Sequence[slice]
) -> list[_Rows] | None:
    """Return the distinct rows of all classes together and of each, None where few are equal."""
    if base.distinct == len(base) or any(part.distinct == part.n for part in parts):
        return None
    shared = base.rows[order]
    numbers = np.stack([shared * part.distinct + part.rows[order] for part in parts])
    whole = _Rows.of(numbers, 0)
    if whole.places.shape[1] > MERGED_SHARE * len(base):
        return None
    return [whole, *(_Rows.of(numbers[:, span], span.start) for span in spans)]


def _merged_grams(
    shared: FloatArray,
    parts: Sequence[KernelPart],
    order: IntArray,
    rows: _Rows,
    backend: Backend,
) -> Array:
    """Return W^1/2 K W^1/2 of the distinct rows of each extension, shape (parts, m, m)."""
    root = np.sqrt(rows.weights)
    weights = shared[rows.places[:, :, None], rows.places[:, None, :]]
    weights *= root[:, :, None]
    weights *= root[:, None, :]
    grams = kernels_of(parts, order[rows.places], backend)
    grams *= backend.to_device(weights)
    return grams


def kernels_of(parts: Sequence[KernelPart], order: IntArray, backend: Backend) -> Array:
    """Return the Gram of each part on some of its rows, shape (parts, m, m).

    `order` says which, (m,) for all of them or (parts, m).
    """
    each_order = np.broadcast_to(order, (len(parts), order.shape[-1]))
    widths = {part.coordinates.shape[1] for part in parts}
    if len(widths) == 1:
        stack = np.stack([part.coordinates for part in parts])
        stack = np.take_along_axis(stack, each_order[:, :, None], axis=1)
        return exp_of_distances(
            (stack[:, :, None, k] - stack[:, None, :, k] for k in range(stack.shape[2])), backend
        )
    each = [kernels_of([part], own, backend) for part, own in zip(parts, each_order, strict=True)]
    return backend.xp.concat(each)


def exp_of_distances(differences: Iterable[FloatArray], backend: Backend) -> Array:
    """Return exp(-d / 2), d the sum of squared differences of one coordinate each; in place.

    Memory takes longer than arithmetic here: each pass over a stack counts.
    """
    total: FloatArray | None = None
    for one in differences:
        square = np.multiply(one, one, out=one)
        total = square if total is None else np.add(total, square, out=total)
    assert total is not None  # parts have coordinates
    total *= -0.5
    exponents = backend.to_device(total)
    return np.exp(total, out=total) if backend.xp is np else backend.xp.exp(exponents)
