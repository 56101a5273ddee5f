"""Pairs of many extensions of one small set, as stacks of matrices.

For a hundred rows the eigenvalues of a Gram take a third of a millisecond, and describing it alone
as long. A stack has one description.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from renyi._typing import Array, FloatArray, IntArray
from renyi.backend import Backend
from renyi.entropies import Pair, entropy_of_spectrum, runs
from renyi.kernels import KernelPart, KernelProduct

__all__ = ["exp_of_distances", "kernels_of", "stack_size", "stacked_pairs"]

MOST_ROWS: Final = 192
"""Rows up to which eigenvalues are cheap beside what surrounds them."""

STACK_ENTRIES: Final = 2**19
"""Entries of a stack: 4 MB."""

STACK_COPIES: Final = 6
"""Matrices that one extension takes on a device: its kernel, two products, and eigenvalues."""

EPS: Final = float(np.finfo(np.float64).eps)


def stack_size(
    base: KernelProduct, parts: Sequence[KernelPart], target: KernelPart, alpha: float
) -> int:
    """Return how many extensions make a stack, 0 where stacks do not serve.

    Equal rows are not merged: the zeros that they leave are no matter from alpha 1 upwards.
    """
    n = len(base)
    serves = (
        alpha >= 1
        and n <= MOST_ROWS
        and target.codes is not None
        and not base.soft
        and all(part.coordinates.shape[1] for part in parts)
    )
    return max(1, STACK_ENTRIES // (n * n)) if serves else 0


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
    grams = kernels_of(parts, order, backend)
    grams *= (shared / len(base))[None, :, :]
    whole = backend.to_host(backend.eigvalsh(grams))
    by_class = np.concatenate(
        [backend.to_host(backend.eigvalsh(grams[:, span, span])) for span in spans], axis=1
    )
    error = base.entry_error + 16 * EPS
    return [
        Pair(
            entropy_of_spectrum(values, alpha, "eigen", entry_error=error),
            entropy_of_spectrum(joint, alpha, "eigen", entry_error=error),
        )
        for values, joint in zip(whole, by_class, strict=True)
    ]


def kernels_of(parts: Sequence[KernelPart], order: IntArray, backend: Backend) -> Array:
    """Return the Gram of each part, shape (parts, n, n)."""
    widths = {part.coordinates.shape[1] for part in parts}
    if len(widths) == 1:
        stack = np.stack([part.coordinates[order] for part in parts])
        return exp_of_distances(
            (stack[:, :, None, k] - stack[:, None, :, k] for k in range(stack.shape[2])), backend
        )
    each = [kernels_of([part], order, backend) for part in parts]
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
