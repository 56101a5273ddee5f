"""One variable's kernel, described by what it multiplies into a joint Gram."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from renyi._typing import FloatArray, IntArray
from renyi.kernels._bandwidth import growth_factor
from renyi.kernels._tiled import TiledKernel
from renyi.options import record_of

__all__ = ["KernelPart", "SoftCodes"]


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

    Exactly one of `coordinates` (with d > 0), `codes`, `soft` and `tiled` carries it. Who is not
    at home in this folder asks the properties.

    Attributes
    ----------
    name
        The variable's.
    kernel
        Name of its record, see `renyi.options.KERNELS`.
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
    tiled
        A kernel of which no more is known than its values, else None.
    """

    name: str
    kernel: str
    coordinates: FloatArray
    codes: IntArray | None
    soft: SoftCodes | None
    rows: IntArray
    distinct: int
    sigma: float | None = None
    growth: str = ""
    tiled: TiledKernel | None = None

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.rows)

    @property
    def is_label(self) -> bool:
        """Whether it compares rows by levels, as a class label does."""
        return self.codes is not None or self.soft is not None

    @property
    def is_hard(self) -> bool:
        """Whether rows of different levels have kernel value 0: blocks, without a matrix."""
        return self.codes is not None

    @property
    def is_onehot(self) -> bool:
        """Whether rows of different levels all have one kernel value above 0."""
        return self.soft is not None

    @property
    def is_gaussian(self) -> bool:
        """Whether it is a Gaussian of coordinates, and nothing else."""
        return bool(self.coordinates.shape[1])

    @property
    def is_tiled(self) -> bool:
        """Whether no more of it is known than its values."""
        return self.tiled is not None

    @property
    def is_soft(self) -> bool:
        """Whether it compares levels as a Gaussian compares numbers."""
        return self.is_gaussian and record_of(self.kernel).compares == "levels"

    @property
    def across(self) -> float:
        """Kernel value of rows of different levels, 0 for a hard one and for no levels."""
        return 0.0 if self.soft is None else self.soft.off

    @property
    def classes(self) -> IntArray | None:
        """Level of each row (n,) where that is all the kernel looks at, else None."""
        return self.codes if self.soft is None else self.soft.codes

    @property
    def dimensions(self) -> int:
        """Numbers by which it compares two rows, 0 where it compares levels."""
        return int(self.points.shape[1])

    @property
    def points(self) -> FloatArray:
        """Where rows lie, scaled by the bandwidth, (n, d): near rows are alike."""
        return self.coordinates if self.tiled is None else self.tiled.points

    def hardened(self) -> KernelPart:
        """Return the delta kernel of its distinct rows."""
        empty = self.coordinates[:, :0]
        return KernelPart(self.name, "delta", empty, self.rows, None, self.rows, self.distinct)

    def take(self, order: IntArray) -> KernelPart:
        """Return the part with its rows in another order: a permutation recomputes nothing."""
        soft = self.soft
        return replace(
            self,
            coordinates=self.coordinates[order],
            codes=None if self.codes is None else self.codes[order],
            soft=None if soft is None else SoftCodes(soft.codes[order], soft.off),
            rows=self.rows[order],
            tiled=None if self.tiled is None else self.tiled.take(order),
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
        tiled = None if self.tiled is None else self.tiled.widened(factor)
        sigma = self.sigma * factor
        return replace(self, coordinates=scaled, sigma=sigma, growth="", tiled=tiled)

    def representatives(self) -> IntArray:
        """Return the index of one row of each distinct one, shape (distinct,)."""
        first = np.empty(self.distinct, dtype=np.int64)
        first[self.rows[::-1]] = np.arange(self.n - 1, -1, -1)
        return first
