"""One variable's kernel, described by what it multiplies into a joint Gram."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.kernels._bandwidth import growth_factor

__all__ = ["KernelName", "KernelPart", "SoftCodes"]

KernelName: TypeAlias = Literal["gaussian", "delta", "soft", "onehot"]


@dataclass(frozen=True, eq=False)
class SoftCodes:
    """A soft delta: 1 within a level, `off` across levels (a one-hot Gaussian).

    Attributes
    ----------
    codes
        (n,) level numbers.
    off
        Kernel value across levels, between 0 and 1.
    """

    codes: IntArray
    off: float


@dataclass(frozen=True, eq=False)
class KernelPart:
    """The kernel of one variable.

    Exactly one of `coordinates` (with d > 0), `codes` and `soft` carries it.

    Attributes
    ----------
    name
        The variable's.
    kernel
        `gaussian`, `delta`, `soft` (a Gaussian on levels equally far apart) or `onehot`.
    coordinates
        (n, d) values divided by sigma, so that the kernel is exp(-|u - v|^2 / 2); d = 0 for the
        other kernels.
    codes
        (n,) hard codes of a delta kernel, else None.
    soft
        Soft codes of a one-hot kernel, else None.
    rows
        (n,) number of each distinct row: equal numbers if and only if equal kernel rows.
    distinct
        How many there are.
    sigma
        Bandwidth on the standardised values, None where the kernel has none.
    growth
        How the bandwidth depends on the number of features in a product, see `growth_factor`;
        empty where it does not. `coordinates` and `sigma` are those of one feature alone.
    """

    name: str
    kernel: KernelName
    coordinates: FloatArray
    codes: IntArray | None
    soft: SoftCodes | None
    rows: IntArray
    distinct: int
    sigma: float | None = None
    growth: str = ""

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.rows)

    @property
    def is_label(self) -> bool:
        """Whether it compares rows by levels, as a class label does."""
        return self.codes is not None or self.soft is not None

    def take(self, order: IntArray) -> KernelPart:
        """Return the part with its rows in another order: a permutation recomputes nothing."""
        soft = self.soft
        return replace(
            self,
            coordinates=self.coordinates[order],
            codes=None if self.codes is None else self.codes[order],
            soft=None if soft is None else SoftCodes(soft.codes[order], soft.off),
            rows=self.rows[order],
        )

    def some(self, index: IntArray) -> KernelPart:
        """Return the part on some rows, its distinct rows counted anew."""
        taken = self.take(index)
        levels, rows = np.unique(taken.rows, return_inverse=True)
        rows = rows.reshape(-1)
        soft = None if taken.soft is None else replace(taken.soft, codes=rows)
        codes = None if taken.codes is None else rows
        return replace(taken, codes=codes, soft=soft, rows=rows, distinct=len(levels))

    def at(self, size: int) -> KernelPart:
        """Return the part as it takes part in a product of `size` features."""
        factor = growth_factor(self.growth, self.n, size)
        if factor == 1 or self.sigma is None:
            return self
        scaled = self.coordinates / factor
        return replace(self, coordinates=scaled, sigma=self.sigma * factor, growth="")

    def representatives(self) -> IntArray:
        """Return the index of one row of each distinct one, shape (distinct,)."""
        first = np.empty(self.distinct, dtype=np.int64)
        first[self.rows[::-1]] = np.arange(self.n - 1, -1, -1)
        return first
