"""The Hadamard product of Gram matrices, described rather than stored.

Gaussian kernels multiply into one Gaussian on stacked scaled coordinates; delta kernels into
equality of one combined code; of others the values are multiplied, tile by tile. A joint Gram is
not a matrix until a solver asks for a tile of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from renyi._typing import Array, FloatArray, IntArray
from renyi.backend import Backend
from renyi.kernels._part import KernelPart, SoftCodes
from renyi.kernels._tiled import Rows, TiledKernel, multiplied

__all__ = ["KernelProduct", "pack_codes"]

PRODUCT_NORM = 1e4
"""Squared scaled norm up to which |u|^2 + |v|^2 - 2 uv is accurate enough: its error is a few eps
of it. Beyond, differences are taken where there are few coordinates for such norms."""

FARTHEST = -1e4
"""Exponent put for those below it, of which single precision may hold none: exp gives 0 for all."""

EPS = float(np.finfo(np.float64).eps)


def pack_codes(
    first: IntArray, n_first: int, second: IntArray, n_second: int
) -> tuple[IntArray, int]:
    """Combine two codes into one, packed to 0..m-1 in the order of (first, second).

    Returns
    -------
    codes : (n,) int64
    m : int
    """
    joint = first * n_second + second
    size = n_first * n_second
    if size <= 4 * len(joint) + 1024:
        present = np.bincount(joint, minlength=size) > 0
        numbers = np.cumsum(present) - 1
        return numbers[joint], int(numbers[-1]) + 1 if size else 0
    values, packed = np.unique(joint, return_inverse=True)
    return packed.reshape(-1), len(values)


@dataclass(frozen=True, eq=False)
class KernelProduct:
    """A joint Gram matrix over n rows, as the parts that multiply into it.

    Build it from parts with `of`, extend it with `times`.

    Attributes
    ----------
    coordinates
        (m, d) scaled coordinates, d = 0 where no Gaussian kernel takes part.
    codes
        (m,) combined hard codes 0..n_codes-1: the Gram is 0 across them. None for one block.
    n_codes
        How many there are, 1 where `codes` is None.
    soft
        Soft codes with their off-level values.
    rows, distinct
        (m,) number of each distinct row, and how many there are.
    weights
        (m,) how many original rows each row stands for, None for one each.
    total
        Number of original rows: the trace of the full Gram.
    tiled
        Kernels of which no more is known than their values.
    """

    coordinates: FloatArray
    codes: IntArray | None
    n_codes: int
    soft: tuple[SoftCodes, ...]
    rows: IntArray
    distinct: int
    weights: FloatArray | None
    total: float
    tiled: tuple[TiledKernel, ...] = ()

    @classmethod
    def one(cls, n: int) -> KernelProduct:
        """Build the empty product over `n` rows: a Gram of ones, entropy 0."""
        zeros = np.zeros(n, dtype=np.int64)
        return cls(np.empty((n, 0)), None, 1, (), zeros, 1, None, float(n))

    @classmethod
    def of(cls, n: int, parts: Iterable[KernelPart]) -> KernelProduct:
        """Build the product of `parts` over `n` rows."""
        product = cls.one(n)
        coordinates = [product.coordinates]
        tiled: list[TiledKernel] = []
        for part in parts:
            coordinates.append(part.coordinates)
            tiled += part.tiled
            if product.distinct == n and part.codes is None and not part.soft:
                continue  # no more distinct rows: with thousands of parts each call counts
            product = product.times(replace(part, coordinates=product.coordinates, tiled=()))
        # stacked once: column by column, thousands of them would be copied thousands of times
        return replace(product, coordinates=np.hstack(coordinates), tiled=multiplied(tiled))

    def __len__(self) -> int:
        return len(self.rows)

    def times(self, part: KernelPart) -> KernelProduct:
        """Return the product with one more kernel."""
        if self.distinct == len(self) or part.distinct == part.n:
            rows, distinct = np.arange(len(self)), len(self)
        else:
            rows, distinct = pack_codes(self.rows, self.distinct, part.rows, part.distinct)
        codes, n_codes = self.codes, self.n_codes
        if part.codes is not None:
            if codes is None:
                codes, n_codes = part.codes, part.n_codes
            else:
                codes, n_codes = pack_codes(codes, n_codes, part.codes, part.n_codes)
        coordinates = self.coordinates
        if part.coordinates.shape[1]:
            coordinates = (
                np.hstack((coordinates, part.coordinates))
                if coordinates.shape[1]
                else part.coordinates
            )
        soft = (*self.soft, *part.soft)
        tiled = multiplied((*self.tiled, *part.tiled)) if part.tiled else self.tiled
        return KernelProduct(
            coordinates, codes, n_codes, soft, rows, distinct, self.weights, self.total, tiled
        )

    @cached_property
    def is_counts(self) -> bool:
        """Whether only hard codes take part, so that the spectrum is the counts."""
        return self.coordinates.shape[1] == 0 and not self.soft and not self.tiled

    @property
    def is_one(self) -> bool:
        """Whether no kernel takes part, or one of one level: a Gram of ones."""
        return self.is_counts and self.codes is None

    @property
    def by_coordinates(self) -> bool:
        """Whether coordinates and hard codes say all: a Gaussian in each block."""
        return not self.soft and not self.tiled

    @property
    def has_onehot(self) -> bool:
        """Whether a one-hot kernel takes part."""
        return bool(self.soft)

    @property
    def has_points(self) -> bool:
        """Whether a kernel takes part that compares rows by numbers."""
        return self.coordinates.shape[1] > 0 or bool(self.tiled)

    @property
    def may_factor(self) -> bool:
        """Whether a pivoted Cholesky factor of its blocks is worth a try."""
        return self.has_points and not self.soft

    @property
    def dimensions(self) -> int:
        """Numbers by which it compares two rows."""
        return sum(int(one.shape[1]) for one in (self.coordinates, *(t.points for t in self.tiled)))

    def tiled_at(self, rows: Rows) -> tuple[TiledKernel, ...]:
        """Return the kernels known by their values alone, on some rows."""
        return tuple(one.take(rows) for one in self.tiled) if self.tiled else ()

    def counts(self) -> FloatArray:
        """Return the weight of each hard code, shape (n_codes,)."""
        if self.codes is None:
            return np.array([self.total])
        return np.bincount(self.codes, self.weights, self.n_codes).astype(np.float64)

    def subset(self, index: IntArray) -> KernelProduct:
        """Return the product on some rows, without hard codes, `total` unchanged.

        The rows must share one hard code.
        """
        alone = self.distinct == len(self)
        return KernelProduct(
            self.coordinates[index],
            None,
            1,
            tuple(SoftCodes(part.codes[index], part.off) for part in self.soft),
            np.arange(len(index)) if alone else self.rows[index],
            len(index) if alone else self.distinct,
            None if self.weights is None else self.weights[index],
            self.total,
            self.tiled_at(index),
        )

    def merged_rows(self) -> tuple[IntArray, FloatArray]:
        """Return one row of each distinct one and the weight they stand for, each (m,)."""
        first, inverse = np.unique(self.rows, return_index=True, return_inverse=True)[1:]
        weights = np.bincount(inverse.reshape(-1), self.weights, len(first))
        return first, weights.astype(np.float64)

    def pick(self, index: IntArray, weights: FloatArray | None) -> KernelProduct:
        """Return the product on some rows, each distinct from the others, with new weights."""
        return KernelProduct(
            self.coordinates[index],
            None if self.codes is None else self.codes[index],
            self.n_codes,
            tuple(SoftCodes(part.codes[index], part.off) for part in self.soft),
            np.arange(len(index)),
            len(index),
            weights,
            self.total,
            self.tiled_at(index),
        )

    def squared(self) -> KernelProduct:
        """Return the product of the squared kernels, row weights squared too."""
        return replace(
            self,
            coordinates=self.coordinates * math.sqrt(2.0),
            soft=tuple(SoftCodes(part.codes, part.off**2) for part in self.soft),
            weights=None if self.weights is None else self.weights**2,
            tiled=tuple(one.to_the(2.0) for one in self.tiled),
        )

    def merge(self) -> KernelProduct:
        """Return the product on distinct rows with weights: same spectrum but for zeros.

        The spectrum of K / n is that of W^1/2 K_u W^1/2 / n, with m distinct rows, plus zeros.
        """
        if self.distinct == len(self):
            return self
        first, weights = self.merged_rows()
        return self if len(first) == len(self) else self.pick(first, weights)

    def reduced(self) -> tuple[FloatArray, list[KernelProduct]]:
        """Return what the spectrum needs: distinct rows, block by block.

        The Gram is block diagonal, one block a hard code.

        Returns
        -------
        lone : (l,) float64
            Weights of the blocks of one distinct row: each is an eigenvalue times `total`.
        blocks : list of KernelProduct
            The others, without codes. Thousands of levels make thousands of blocks, most of them
            lone, hence apart.
        """
        merged = self.merge()
        weights = np.ones(len(merged)) if merged.weights is None else merged.weights
        if merged.codes is None:
            return (np.empty(0), [merged]) if len(merged) > 1 else (weights, [])
        alone = np.bincount(merged.codes, minlength=merged.n_codes)[merged.codes] == 1
        order = np.argsort(merged.codes, kind="stable")
        order = order[~alone[order]]
        edges = np.flatnonzero(np.diff(merged.codes[order])) + 1
        pieces = np.split(order, edges) if len(order) else []
        return weights[alone], [merged.subset(index) for index in pieces]

    def tile(
        self,
        backend: Backend,
        some: slice,
        others: slice,
        exponent: float = 1.0,
        *,
        single: bool = False,
    ) -> Array:
        """Return rows `some` and columns `others` of the Gram, each entry to the `exponent`.

        On the backend's device, shape (len(some), len(others)); weights are not applied. With
        `single` values are in single precision, off by `SINGLE_ROUNDINGS` units of 2**-24.
        """
        xp = backend.xp
        if single and self.tiled:  # in double precision, and rounded once
            return xp.asarray(self.tile(backend, some, others, exponent), dtype=xp.float32)
        if self.coordinates.shape[1] == 0:
            size = len(self)
            shape = (len(range(*some.indices(size))), len(range(*others.indices(size))))
            gram = backend.to_device(np.ones(shape, np.float32 if single else np.float64))
        elif self._by_product:
            left, right = self._log_factors
            right = backend.to_device(right[:, others] * exponent)
            gram = backend.exp_of_product(backend.to_device(left[some]), right, single=single)
        else:
            exponents = -0.5 * exponent * self._differences(backend, some, others)
            if single:
                least = backend.to_device(np.asarray(FARTHEST))
                gram = backend.single_exp(xp.maximum(exponents, least))
            else:
                gram = xp.exp(exponents)
        for one in self.tiled:
            gram *= one.tile(backend, some, others, exponent)
        for part in self.soft:
            equal = part.codes[some, None] == part.codes[None, others]
            gram *= backend.to_device(np.where(equal, 1.0, part.off**exponent))
        if self.codes is not None:
            equal = self.codes[some, None] == self.codes[None, others]
            gram *= backend.to_device(equal.astype(np.float64))
        return gram

    @cached_property
    def _by_product(self) -> bool:
        return bool(self._norms.max(initial=0.0) <= self._most_norm)

    @property
    def _most_norm(self) -> float:
        width = float(self.coordinates.shape[1])
        return PRODUCT_NORM * max(1.0, width / 8)

    @cached_property
    def entry_error(self) -> float:
        """Certain error of a Gram entry from rounding: eps times the norms it is the difference of.

        Exact 0 where only codes take part. It holds for every part of the Gram too, one
        without the rows far out may be made by a product where the whole is not.
        """
        tiled = math.fsum(one.entry_error for one in self.tiled)
        if self.coordinates.shape[1] == 0:
            return tiled
        return tiled + 4 * EPS * (1 + min(float(self._norms.max(initial=0.0)), self._most_norm))

    @cached_property
    def _norms(self) -> FloatArray:
        norms: FloatArray = np.einsum("ij,ij->i", self.coordinates, self.coordinates)
        return norms

    @cached_property
    def _log_factors(self) -> tuple[FloatArray, FloatArray]:
        """Factors (m, d + 2) and (d + 2, m) of -|u_i - v_j|^2 / 2: one matrix product gives it.

        (u, -|u|^2 / 2, 1) times (v, 1, -|v|^2 / 2).
        """
        half, ones = -0.5 * self._norms, np.ones(len(self))
        left = np.column_stack((self.coordinates, half, ones))
        right = np.vstack((self.coordinates.T, ones, half))
        return left, right

    def _differences(self, backend: Backend, some: slice, others: slice) -> Array:
        """Return |u_i - u_j|^2 coordinate by coordinate, where norms would drown it."""
        left = backend.to_device(self.coordinates[some])
        right = backend.to_device(self.coordinates[others])
        distances = (left[:, 0][:, None] - right[:, 0][None, :]) ** 2
        for k in range(1, left.shape[1]):
            distances += (left[:, k][:, None] - right[:, k][None, :]) ** 2
        return distances

    def gram(self, backend: Backend) -> Array:
        """Return the weighted Gram divided by its trace, W^1/2 K W^1/2 / n, shape (m, m)."""
        everything = slice(None)
        gram = self.tile(backend, everything, everything)
        if self.weights is None:
            gram /= self.total
        else:
            root = backend.to_device(np.sqrt(self.weights / self.total))
            gram *= root[:, None]
            gram *= root[None, :]
        return gram

    def dense(self) -> FloatArray:
        """Return the Gram of every kernel value, shape (m, m): the plain truth of the tests."""
        n = len(self)
        distances = np.zeros((n, n))
        for column in self.coordinates.T:
            distances += (column[:, None] - column[None, :]) ** 2
        gram = np.exp(-0.5 * distances)
        if self.codes is not None:
            gram *= self.codes[:, None] == self.codes[None, :]
        for one in self.tiled:
            gram *= one.dense()
        for part in self.soft:
            gram *= np.where(part.codes[:, None] == part.codes[None, :], 1.0, part.off)
        return gram
