"""One variable's kernel, described by what it multiplies into a joint Gram."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from renyi._typing import BoolArray, FloatArray, IntArray
from renyi.kernels._bandwidth import growth_factor
from renyi.kernels._tiled import TiledKernel
from renyi.options import record_of

__all__ = ["ColumnKernel", "KernelPart", "SoftCodes"]


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


class ColumnKernel(NamedTuple):
    """What the kernel of a column of the table is.

    Attributes
    ----------
    column, kernel
        Its name, and that of its kernel.
    sigma
        Bandwidth on the standardised values, None where the kernel has none.
    """

    column: str
    kernel: str
    sigma: float | None


@dataclass(frozen=True, eq=False)
class KernelPart:
    """The kernel of one variable.

    Of `coordinates` (with d > 0), `codes`, `soft` and `tiled` one carries it, or several multiply
    into it, see `joined`. Who is not at home in this folder asks the properties.

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
        Soft codes, one set a one-hot kernel.
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
        Kernels of which no more is known than their values.
    missing
        (n,) which rows have no value, for a variable of numbers where that is a value of its own.
    members
        Of a group, what the kernel of each column is by itself; empty for a single column.
    """

    name: str
    kernel: str
    coordinates: FloatArray
    codes: IntArray | None
    soft: tuple[SoftCodes, ...]
    rows: IntArray
    distinct: int
    sigma: float | None = None
    growth: str = ""
    tiled: tuple[TiledKernel, ...] = ()
    missing: BoolArray | None = None
    members: tuple[ColumnKernel, ...] = ()

    @property
    def columns(self) -> tuple[ColumnKernel, ...]:
        """What the kernel of each of its columns is by itself."""
        return self.members or (ColumnKernel(self.name, self.kernel, self.sigma),)

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.rows)

    @property
    def is_joint(self) -> bool:
        """Whether kernels of several sorts multiply into it."""
        levels = (self.codes is not None) + len(self.soft)
        return levels + bool(self.tiled) + bool(self.coordinates.shape[1]) > 1

    @property
    def is_label(self) -> bool:
        """Whether it compares rows by levels and nothing else, as a class label does."""
        return self.is_hard or self.is_onehot

    @property
    def is_hard(self) -> bool:
        """Whether it is a matter of levels, and 0 for rows of different ones: no matrix."""
        return self.codes is not None and not self.is_joint

    @property
    def is_onehot(self) -> bool:
        """Whether it is a matter of levels, and one value above 0 for rows of different ones."""
        return bool(self.soft) and not self.is_joint

    @property
    def is_gaussian(self) -> bool:
        """Whether it is a Gaussian of coordinates, and nothing else."""
        return bool(self.coordinates.shape[1]) and not self.is_joint

    @property
    def is_tiled(self) -> bool:
        """Whether of a factor of it no more is known than its values."""
        return bool(self.tiled)

    @property
    def compares_numbers(self) -> bool:
        """Whether it compares rows by numbers, and not by levels."""
        return record_of(self.kernel).compares != "levels"

    @property
    def is_soft(self) -> bool:
        """Whether it compares levels as a Gaussian compares numbers."""
        return self.is_gaussian and not self.compares_numbers

    @property
    def across(self) -> float:
        """Kernel value of rows of different levels, 0 for a hard one and for no levels."""
        return self.soft[0].off if self.is_onehot else 0.0

    @property
    def classes(self) -> IntArray | None:
        """Level of each row (n,) where that is all the kernel looks at, else None."""
        if self.is_onehot:
            return self.soft[0].codes
        return self.codes if self.is_hard else None

    @cached_property  # counted anew it would be a pass over the rows
    def n_codes(self) -> int:
        """How many hard codes there are, 1 where there are none."""
        if self.codes is None:
            return 1
        return int(self.codes.max(initial=-1)) + 1

    @property
    def dimensions(self) -> int:
        """Numbers by which it compares two rows, 0 where it compares levels."""
        return int(self.points.shape[1])

    @property
    def points(self) -> FloatArray:
        """Where rows lie, scaled by the bandwidth, (n, d): near rows are alike."""
        if not self.tiled:
            return self.coordinates
        return np.hstack([self.coordinates, *(one.points for one in self.tiled)])

    def hardened(self) -> KernelPart:
        """Return the delta kernel of its distinct rows."""
        empty = self.coordinates[:, :0]
        return KernelPart(self.name, "delta", empty, self.rows, (), self.rows, self.distinct)

    def root(self, degree: int) -> KernelPart:
        """Return the part of the kernel to the power 1 / degree; a hard delta is its own."""
        if degree == 1:
            return self
        return replace(
            self,
            coordinates=self.coordinates / math.sqrt(degree),
            soft=tuple(SoftCodes(one.codes, one.off ** (1 / degree)) for one in self.soft),
            tiled=tuple(one.root(degree) for one in self.tiled),
        )

    def take(self, order: IntArray) -> KernelPart:
        """Return the part with its rows in another order: a permutation recomputes nothing."""
        return replace(
            self,
            coordinates=self.coordinates[order],
            codes=None if self.codes is None else self.codes[order],
            soft=tuple(SoftCodes(soft.codes[order], soft.off) for soft in self.soft),
            rows=self.rows[order],
            tiled=tuple(one.take(order) for one in self.tiled),
            missing=None if self.missing is None else self.missing[order],
        )

    def some(self, index: IntArray) -> KernelPart:
        """Return the part on some rows, its distinct rows counted anew."""
        taken = self.take(index)
        levels, rows = np.unique(taken.rows, return_inverse=True)
        rows = rows.reshape(-1)
        if self.is_hard:
            return replace(taken, codes=rows, rows=rows, distinct=len(levels))
        codes = None if taken.codes is None else np.unique(taken.codes, return_inverse=True)[1]
        return replace(taken, codes=codes, rows=rows, distinct=len(levels))

    def at(self, size: int) -> KernelPart:
        """Return the part as it takes part in a product of `size` features."""
        factor = growth_factor(self.growth, self.n, size)
        if factor == 1 or self.sigma is None:
            return self
        scaled = self.coordinates / factor
        tiled = tuple(one.widened(factor) for one in self.tiled)
        sigma = self.sigma * factor
        return replace(self, coordinates=scaled, sigma=sigma, growth="", tiled=tiled)

    def representatives(self) -> IntArray:
        """Return the index of one row of each distinct one, shape (distinct,)."""
        first = np.empty(self.distinct, dtype=np.int64)
        first[self.rows[::-1]] = np.arange(self.n - 1, -1, -1)
        return first
